/* Writes the text report. The first line is the answer. Then follow advice, the places where work
 * stopped, facts, the tree, and the losses. */
#include "report/answer.h"
#include "report/wait.h"
#include "hang/hang.h"
#include "hang/unfinished.h"
#include "report/report_page.h"
#include "report/wrap.h"
#include "base/sized.h"

#include <annot/dump.h>

#include <stdio.h>
#include <time.h>

enum {
    WIDTH_LEAST = 40, /* columns */
    COLUMNS = 100,    /* width of a paragraph without indentation */
    STOPS_SHOWN = 8,
    BLOBS_SHOWN = 8,
    FACTS_SHOWN = 2 * ANNOT_FACTS_MAX,
    STOPS_MAX = 256 /* number of stops that are shown with `all` */
};

static void write_time(struct annot__page *page)
{
    annot_reader_device device;
    annot_reader_get_device(page->reader, &device);
    const uint64_t nanoseconds = device.time;
    if (device.has_virtual_clock)
        annot__item(page, 1, "time", "%llu.%09llu s on the virtual clock (no date)\n",
                    (unsigned long long)(device.virtual_time / 1000000000u),
                    (unsigned long long)(device.virtual_time % 1000000000u));
    time_t seconds = (time_t)(nanoseconds / 1000000000u);
    struct tm moment;
    char line[64];
#ifdef _WIN32
    bool is_valid = gmtime_s(&moment, &seconds) == 0;
#else
    bool is_valid = gmtime_r(&seconds, &moment) != NULL;
#endif
    if (!nanoseconds || !is_valid || !strftime(line, sizeof line, "%Y-%m-%d %H:%M:%S UTC", &moment))
        return;
    annot__item(page, 1, "time", "%s\n", line);
}

static void write_fact(struct annot__page *page, const char *label, annot_text words)
{
    if (words.size == 0)
        return;
    annot__begin(page, 1, label);
    annot__print_text(page, words);
    annot__say(page, "\n");
}

static void write_facts(struct annot__page *page)
{
    annot_reader_fact fact;
    size_t limit = page->options->all ? SIZE_MAX : FACTS_SHOWN;
    for (size_t i = 0; i < limit && annot_reader_fact_at(page->reader, i, &fact); i++) {
        annot__say(page, "  ");
        annot__print_text(page, fact.key);
        for (size_t size = fact.key.size; size < 12; size++)
            annot__say(page, " ");
        annot__say(page, " ");
        annot__print_text(page, fact.value);
        annot__say(page, "\n");
    }
}

/* Returns the end of the first line of `words`. */
static size_t line_end(const char *words, size_t width)
{
    const size_t size = strlen(words);
    size_t end = 0, at = 0, columns = 0;
    while (at < size) {
        if (words[at] == ' ')
            end = at;
        columns += annot__wrap_step(words, size, &at);
        if (columns > width && end > 0)
            return end;
    }
    return size;
}

/* Writes the lines of a paragraph, broken at the terminal's width. */
static void write_paragraph(struct annot__page *page, const char *words)
{
    const size_t least = WIDTH_LEAST, wanted = page->options->width, indent = 2;
    const size_t room = (wanted > least ? wanted : least) - indent;
    const size_t width = wanted > 0 && room < COLUMNS ? room : COLUMNS;
    while (*words) {
        const size_t end = line_end(words, width);
        annot__out_text(&page->out, "  "); /* as wide as `indent` */
        annot__out_bytes(&page->out, words, end);
        annot__out_text(&page->out, "\n");
        words += end;
        words += *words == ' ';
    }
}

static void write_advice(struct annot__page *page)
{
    char words[2048];
    struct annot__line line;
    annot__line_init(&line, page->reader, words, sizeof words);
    line.is_typographic = page->options->branches;
    annot__head(page, "WHAT TO DO NEXT");
    for (uint32_t i = 0; annot__line_advice(&line, i); i++)
        write_paragraph(page, words);
}

static void write_answer(struct annot__page *page)
{
    char words[4096];
    struct annot__line line;
    annot_finding first;
    annot__line_init(&line, page->reader, words, sizeof words);
    line.is_typographic = page->options->branches;
    annot__line_answer(&line);
    annot__style(page, page->reader->device.error != ANNOT_DEVICE_ERROR_NONE ? RED : BOLD);
    annot__out_text(&page->out, words);
    annot__plain(page);
    annot__say(page, "\n");
    if (annot_reader_finding(page->reader, 0, &first) && first.kind == ANNOT_FINDING_INCOMPLETE)
        annot__styled(page, YELLOW,
                      "  The dump is incomplete: its writer was stopped before the end.\n");
    else if (annot_reader_is_damaged(page->reader))
        annot__styled(page, YELLOW, "  The dump is damaged; see the end of this report.\n");
}

static void write_error(struct annot__page *page)
{
    const uint32_t error = page->reader->device.error;
    if (!page->reader->has_device)
        return;
    annot__begin(page, 1, "error");
    annot__format(page, error < 0x10000 ? "%u, %s\n" : "0x%x, %s\n", error,
                  annot_device_error_text((int32_t)error));
}

static void say_sources(struct annot__page *page, const char *before, uint32_t sources)
{
#define SOURCE_ROW(name, bit, word) {bit, word},
    static const struct {
        uint32_t bit;
        const char *word;
    } rows[] = {ANNOT_SOURCES(SOURCE_ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sources & rows[i].bit) {
            annot__format(page, "%s%s", before, rows[i].word);
            before = ", ";
        }
}

static void write_kind(struct annot__page *page)
{
    const annot_reader_hang *hang = &page->reader->hang;
    if (hang->failure == ANNOT_FAILURE_NONE)
        return;
    annot__item(page, 1, "kind", "%s: %s (%s)\n", annot_failure_word(hang->failure),
                annot_failure_sentence(hang->failure),
                hang->certainty == ANNOT_CERTAINTY_UNKNOWN ? "not sure"
                                                           : annot_certainty_word(hang->certainty));
    annot__begin(page, 1, "looked at");
    say_sources(page, "", hang->available);
    say_sources(page, hang->available ? "; cut: " : "cut: ", hang->cut_sources);
    annot__say(page, (hang->available | hang->cut_sources) == 0 ? "none\n" : "\n");
}

/* Writes "0 driver 64 bytes, 1 application 36 bytes (metadata 0x7): annot show DUMP --blob N -o
 * FILE". */
static void write_blobs(struct annot__page *page)
{
    annot_reader_blob blob;
    size_t count = 0;
    for (; annot_reader_blob_at(page->reader, count, &blob); count++) {
        if (count >= BLOBS_SHOWN && !page->options->all)
            continue;
        if (count == 0)
            annot__begin(page, 1, "blobs");
        annot__format(page, "%s%u %s %llu bytes", count > 0 ? ", " : "", blob.index,
                      annot_blob_kind_text(blob.kind), (unsigned long long)blob.size);
        if (blob.metadata != 0)
            annot__format(page, " (metadata 0x%llx)", (unsigned long long)blob.metadata);
    }
    if (count > BLOBS_SHOWN && !page->options->all)
        annot__format(page, ", %llu more", (unsigned long long)(count - BLOBS_SHOWN));
    if (count > 0)
        annot__say(page, ": annot show DUMP --blob N -o FILE\n");
}

static void write_about(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    annot__head(page, "FACTS");
    write_error(page);
    write_kind(page);
    write_fact(page, "reason", reader->texts[ANNOT__DUMP_TEXT_REASON]);
    annot__write_fault(page);
    annot__write_tdr(page);
    write_fact(page, "application", reader->texts[ANNOT__DUMP_TEXT_APPLICATION]);
    write_fact(page, "adapter", reader->texts[ANNOT__DUMP_TEXT_ADAPTER]);
    write_fact(page, annot__is_layer(reader) ? "layer" : "driver",
               reader->texts[ANNOT__DUMP_TEXT_DRIVER]);
    write_time(page);
    write_blobs(page);
    if (!page->options->outline)
        write_facts(page);
}

static void say_no_path(struct annot__page *page, const annot_reader_suspect *suspect)
{
    const struct annot__words *words = page->words;
    const enum annot__no_path why = annot__no_path_of(page->reader, suspect);
    if (why == ANNOT__NO_PATH_LOST)
        annot__format(page, "(the %s's %ss are not in the dump)", words->list, words->marker);
    else if (why == ANNOT__NO_PATH_NO_MARKER)
        annot__format(page, "(no %s is known to be in progress)", words->marker);
    else
        annot__say(page, why == ANNOT__NO_PATH_BEGIN     ? "(at the beginning of a scope)"
                         : why == ANNOT__NO_PATH_OUTSIDE ? "(outside of any scope)"
                                                         : "(in an unknown scope)");
}

/* Writes the suspect's scopes behind `words`. Returns false if there are no scopes. */
static bool say_scopes(struct annot__page *page, const annot_reader_suspect *suspect, bool is_front,
                       const char *before)
{
    struct annot__path path;
    annot__suspect_path(page->reader, suspect, is_front, &path);
    for (uint32_t i = 0; i < path.count; i++) {
        annot__say(page, i > 0 ? " / " : before);
        if (i == ANNOT__PATH_END && path.gap > 0)
            annot__format(page, "... %llu more ... / ", (unsigned long long)path.gap);
        annot__say_entry_name(page, path.entries[i], false);
    }
    return path.count > 0;
}

static void say_path(struct annot__page *page, const annot_reader_suspect *suspect, bool is_front)
{
    annot__style(page, RED);
    if (!say_scopes(page, suspect, is_front, ""))
        say_no_path(page, suspect);
    annot__plain(page);
}

static void write_named(struct annot__page *page, const char *label, uint32_t entry, bool is_moved)
{
    if (entry == ANNOT__NONE)
        return;
    annot__begin(page, 2, label);
    annot__say_entry_name(page, entry, false);
    annot__format(page, "  (EventID 0x%llx)%s\n",
                  (unsigned long long)annot__entry_event_id(page->reader, entry),
                  is_moved ? ", perhaps out of order" : "");
}

/* Writes a range of work that may hang, if the front end is ahead of the oldest unfinished
 * scope. */
static void write_range(struct annot__page *page, const annot_reader_suspect *suspect)
{
    annot__begin(page, 1, page->options->outline ? "stop" : NULL);
    if (annot__stop_of(page->reader, suspect)->oldest != ANNOT__NONE) {
        say_path(page, suspect, false);
        annot__say(page, page->options->outline ? " up to " : "\n  or the later work, up to\n  ");
    }
    say_path(page, suspect, true);
    annot__say(page, "\n");
}

/* Writes the earlier lists that may hang instead of this one. */
static void write_earlier(struct annot__page *page, const annot_reader_stop *stop)
{
    const annot_reader *reader = page->reader;
    if (stop->suspect == stop->execution)
        return;
    const struct annot__execution *oldest = &reader->executions[stop->suspect];
    annot__item(page, 2, NULL, "or an earlier %s: submission %llu, ", page->words->list,
                (unsigned long long)reader->submissions[oldest->submission].serial);
    annot__say_list(page, stop->suspect);
    annot__format(page, ", or the work after this place (%s: %s)\n",
                  annot_state_text((annot_state)oldest->state),
                  annot_evidence_text(reader, (annot_evidence)oldest->evidence));
}

/* Returns a path as a word of a command, or `else_words` if a shell may misread the path. */
static const char *command_word(annot_text path, char *word, size_t size, const char *else_words)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "/._+:@=,-";
    bool is_quoted = false;
    if (path.size == 0 || path.size + sizeof "\"\"" > size || path.data[0] == '-')
        return else_words;
    for (size_t i = 0; i < path.size; i++) {
        const bool is_odd = path.data[i] == ' ' || path.data[i] == '\\';
        if (!is_odd && (path.data[i] == 0 || !strchr(plain, path.data[i])))
            return else_words;
        is_quoted |= is_odd;
    }
    snprintf(word, size, is_quoted ? "\"%.*s\"" : "%.*s", (int)path.size, path.data);
    return word;
}

/* Writes the call of a trace, which has the calls of a run under annot capture. */
static void write_recorded(struct annot__page *page, uint32_t stream)
{
    const uint64_t call = stream == ANNOT__NONE ? 0 : page->reader->streams[stream].call;
    const char *path = page->options->dump ? page->options->dump : "";
    char trace[512], dump[512];
    if (call == 0)
        return;
    annot__item(page, 2, "recorded",
                "from call %llu on; the calls where the GPU stopped: ", (unsigned long long)call);
    annot__out_text(&page->out, "annot trace where ");
    annot__out_text(&page->out, command_word(annot__fact_of(page->reader, "trace"), trace,
                                             sizeof trace, "TRACE"));
    annot__out_text(&page->out, " ");
    annot__out_text(&page->out,
                    command_word((annot_text){path, strlen(path)}, dump, sizeof dump, "DUMP"));
    annot__out_text(&page->out, "\n");
}

/* Writes that a path may be wrong. It may still be right: an engine may begin a frame on one thread
 * and submit on others. */
static void write_threads(struct annot__page *page, const annot_reader_suspect *suspect)
{
    if (suspect->mixes_threads)
        annot__item(
            page, 2, "threads",
            "several threads mark this queue: the path may have too many or too few scopes\n");
}

static void write_stop(struct annot__page *page, const annot_reader_suspect *suspect)
{
    const annot_reader *reader = page->reader;
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    const struct annot__submitted *submission = &reader->submissions[stop->submission];
    const struct annot__execution *execution = &reader->executions[stop->execution];
    write_range(page, suspect);
    annot__item(page, 2, NULL, "on queue ");
    annot__say_queue(page, stop->submission);
    annot__format(page, ", submission %llu, ", (unsigned long long)submission->serial);
    bool is_first = stop->execution == submission->executions.first;
    if (stop->is_between)
        annot__format(page, is_first ? "before its first %s: " : "between two %ss; the next, ",
                      page->words->list);
    annot__say_list(page, stop->execution);
    if (stop->is_between)
        annot__say(page, ", has not started");
    if (stop->bundle != ANNOT__NONE) {
        annot__format(page, ", %s %u: ", page->words->execute_bundle,
                      annot__bundle_number(page, stop->bundle));
        annot__say_bundle(page, stop->bundle);
    }
    annot__say(page, "\n");
    write_recorded(page, execution->stream);
    write_threads(page, suspect);
    annot__write_guilt(page, suspect);
    if (suspect->is_at_fault)
        annot__item(
            page, 2, NULL,
            "this suspect comes first because one of its operations has the faulting address\n");
    write_earlier(page, stop);
    /* breadcrumbs are in order even if the driver reorders */
    const bool is_moved = reader->order_window > 0 && execution->evidence != ANNOT_EVIDENCE_CRUMBS;
    write_named(page, "last started", stop->started, is_moved);
    write_named(page, "last completed", stop->completed, is_moved);
    if (!stop->is_between) {
        annot__write_counted(page, execution->crumbs);
        if (annot__is_before_begin(stop, suspect))
            write_named(page, "it begins", suspect->begin, false);
        annot__write_stopped(page, suspect);
        annot__write_calls(page, stop->execution);
    }
    if (!stop->is_between && annot__is_opaque(reader, execution))
        annot__item(page, 2, NULL, "nothing%s is known about work inside this %s: %s\n",
                    stop->bundle != ANNOT__NONE ? " more" : "", page->words->list,
                    annot_evidence_text(reader, (annot_evidence)execution->bounds.evidence));
}

#define NOT_KEPT "(no %ss were kept)\n"

/* Writes a suspect whose list the dump does not hold. */
static void write_elsewhere(struct annot__page *page, const annot_reader_suspect *suspect)
{
    annot__item(page, 1, NULL, NOT_KEPT, page->words->marker);
    annot__item(page, 2, NULL, "on queue ");
    annot__say_object(page, suspect->queue_object);
    annot__format(page, ", submission %llu, %s %llu", (unsigned long long)suspect->serial,
                  page->words->list, (unsigned long long)suspect->list + 1);
    if (suspect->place != ANNOT_SUSPECT_COUNTED)
        annot__format(page, ": started and not finished, according to the %s", page->words->driver);
    annot__say(page, "\n");
    annot__write_guilt(page, suspect);
    annot__write_counted(page, suspect->crumbs);
}

/* Writes what only fences or the kernel prove. */
static void write_oldest(struct annot__page *page, const annot_reader_suspect *suspect)
{
    const annot_reader *reader = page->reader;
    if (suspect->place == ANNOT_SUSPECT_QUEUE) {
        annot__item(page, 1, NULL, "The kernel%s holds queue ",
                    reader->hang.is_guilty_by_driver ? "-mode driver" : "");
        annot__say_object(page, suspect->queue_object);
        annot__say(page, " guilty, but no work of this queue is known to be in progress.\n");
        return;
    }
    const bool is_held = suspect->place == ANNOT_SUSPECT_SUBMISSION;
    if (!is_held)
        annot__item(page, 1, NULL, NOT_KEPT, page->words->marker);
    annot__item(page, 2, NULL, "on queue ");
    if (is_held)
        annot__say_queue(page, suspect->submission);
    else
        annot__say_object(page, suspect->queue_object);
    annot__format(page, ", submission %llu", (unsigned long long)suspect->serial);
    annot__say(page, is_held ? ", " : ": not known to be complete\n");
    if (is_held) {
        annot__say_list(page, suspect->execution);
        annot__say(page, "\n");
    }
    write_threads(page, suspect);
    annot__write_guilt(page, suspect);
}

static void write_suspect(struct annot__page *page, const annot_reader_suspect *suspect)
{
    if (suspect->stop != ANNOT__NONE)
        write_stop(page, suspect);
    else if (suspect->place <= ANNOT_SUSPECT_STARTED)
        write_elsewhere(page, suspect);
    else
        write_oldest(page, suspect);
}

/* Returns true if a suspect is written. Waiting suspects have another part. Unknown suspects are
 * written only if no work is known to be in progress and the device failed. */
static bool is_said(const annot_reader *reader, const annot_reader_suspect *suspect)
{
    const bool is_known = suspect->place <= ANNOT_SUSPECT_STARTED;
    return is_known || (annot__is_crash(reader) && suspect->role != ANNOT_SUSPECT_WAITING &&
                        (suspect->role != ANNOT_SUSPECT_MAY_BE ||
                         reader->suspects[0].role == ANNOT_SUSPECT_MAY_BE));
}

/* Writes a warning before the first submission that only fences prove unfinished. */
static void write_unsure(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->suspect_count; i++)
        count += reader->suspects[i].place == ANNOT_SUSPECT_SUBMISSION &&
                 is_said(reader, &reader->suspects[i]);
    annot__item(
        page, 1, NULL,
        "Nothing says how far the work got. The oldest submission%s not known to be complete:\n",
        annot__plural(count));
}

static void write_suspects(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    const uint32_t error = reader->device.error;
    const uint32_t limit = page->options->all ? STOPS_MAX : STOPS_SHOWN;
    uint32_t count = 0;
    bool has_unsure = false;
    annot__head(page, reader->hang.slow.size > 0         ? "WHAT WAS SLOW, as it was at the alarm"
                      : error == ANNOT_DEVICE_ERROR_HUNG ? "WHAT HUNG"
                      : error == ANNOT_DEVICE_ERROR_PAGE_FAULT ? "WHAT WAS RUNNING AT THE FAULT"
                                                               : "WHAT WAS RUNNING");
    for (uint32_t i = 0; i < reader->suspect_count; i++) {
        if (!is_said(reader, &reader->suspects[i]))
            continue;
        if (count++ >= limit)
            continue;
        if (reader->suspects[i].place == ANNOT_SUSPECT_SUBMISSION && !has_unsure)
            write_unsure(page);
        has_unsure |= reader->suspects[i].place == ANNOT_SUSPECT_SUBMISSION;
        write_suspect(page, &reader->suspects[i]);
    }
    if (count == 0)
        annot__item(page, 1, NULL, "Nothing is known to be in progress.\n");
    if (count > limit)
        annot__item(page, 1, NULL, "... %u more places, marked [>] in the tree\n", count - limit);
}

static void write_waiting(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    struct annot__line line;
    char words[1024];
    if (reader->wait_count == 0)
        return;
    /* without a known suspect, queues may wait for each other */
    const annot_reader_suspect *first = annot__known_suspect(reader);
    bool is_apart = first != NULL;
    for (uint32_t i = 0; i < reader->wait_count; i++)
        is_apart = is_apart && reader->waits[i].queue != first->queue;
    annot__head(page, is_apart ? "WAITING, not the cause" : "WAITING");
    for (uint32_t i = 0; i < reader->wait_count; i++) {
        const annot_reader_wait *wait = &reader->waits[i];
        annot__item(page, 1, NULL, wait->queue == ANNOT__NONE ? "the program's CPU: " : "queue ");
        if (wait->queue != ANNOT__NONE)
            annot__say_object(page, reader->streams[wait->queue].object);
        if (wait->count > 0)
            annot__format(page, ": submission %llu has not %s (%llu waiting): ",
                          (unsigned long long)wait->serial, wait->list > 0 ? "finished" : "started",
                          (unsigned long long)wait->count);
        else if (wait->queue != ANNOT__NONE)
            annot__say(page, ", behind all submissions: ");
        annot__line_init(&line, reader, words, sizeof words);
        annot__line_wait(&line, wait);
        annot__format(page, "%s\n", words);
    }
}

/* Writes one line for each work in progress, to be read if the tree is long. */
static void write_flat_list(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    if (!page->options->branches || reader->stop_count < 2)
        return;
    annot__head(page, "IN PROGRESS");
    for (uint32_t i = 0; i < reader->suspect_count && i < STOPS_MAX; i++) {
        const annot_reader_stop *stop = annot__stop_of(reader, &reader->suspects[i]);
        if (!stop)
            continue;
        annot__say(page, "  ");
        annot__say_state(page,
                         stop->is_between ? ANNOT_STATE_NOT_STARTED : ANNOT_STATE_IN_PROGRESS);
        annot__say_queue(page, stop->submission);
        annot__format(page, ", submission %llu, ",
                      (unsigned long long)reader->submissions[stop->submission].serial);
        annot__say_list(page, stop->execution);
        say_scopes(page, &reader->suspects[i], false, ": ");
        annot__say(page, "\n");
    }
}

annot_result annot_report_text_sized(const annot_reader *reader,
                                     const annot_report_options *options, size_t options_size,
                                     const annot_report_sink *sink)
{
    annot_report_options known = {0};
    if (!reader || !sink || !sink->write || !ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct annot__page *page = annot__report_allocate(reader, sizeof *page);
    if (!page)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(page, 0, sizeof *page);
    struct annot__wrap wrap = {.to = sink};
    const annot_report_sink wrapping = {&wrap, annot__wrap_write};
    page->out.sink = sink;
    page->reader = reader;
    page->options = &known;
    if (page->options->width > 0) {
        wrap.width = page->options->width > WIDTH_LEAST ? page->options->width : WIDTH_LEAST;
        page->out.sink = &wrapping;
    }
    page->nodes_left =
        page->options->node_limit ? page->options->node_limit : ANNOT_REPORT_NODE_LIMIT;
    page->size_limit = annot__report_size_limit(reader, page->options);
    page->visits_left = annot__report_visit_limit(reader);
    page->words = annot__words_of(reader);
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (annot__names_init(&page->names, reader) && annot__outer_scopes_init(&page->outer, reader)) {
        if (!page->options->outline) {
            write_answer(page);
            write_advice(page);
        }
        if (reader->device.error == ANNOT_DEVICE_ERROR_APPLICATION)
            annot__write_recording(page);
        write_suspects(page);
        write_waiting(page);
        write_about(page);
        if (!page->options->outline) {
            write_flat_list(page);
            annot__write_tree(page);
        }
        annot__write_lost(page);
        result = annot__out_flush(&page->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    }
    annot__outer_scopes_finish(&page->outer);
    annot__names_finish(&page->names);
    annot__report_release(reader, page, sizeof *page);
    return result;
}
