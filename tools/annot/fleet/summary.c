#include "summary.h"

#include "cli.h"
#include "filter.h"

#include <annot/dump.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- texts ---- */

static void copy(char *to, annot_text text)
{
    cli_printable(text, to, SUMMARY_TEXT_MAX);
}

static bool is_key(annot_text key, const char *name)
{
    return key.size == strlen(name) && memcmp(key.data, name, key.size) == 0;
}

/* Adds a fact, unless there is no room or an earlier fact with the same key. */
static void add_fact(struct dump_summary *out, const annot_reader_fact *fact)
{
    char key[SUMMARY_TEXT_MAX], value[SUMMARY_TEXT_MAX];
    const size_t used = strlen(out->facts), key_size = cli_printable(fact->key, key, sizeof key);
    const size_t size = key_size + cli_printable(fact->value, value, sizeof value) + 2;
    if (used + size < sizeof out->facts && !fact_value(out->facts, key, key_size))
        snprintf(out->facts + used, sizeof out->facts - used, "%s\t%s\n", key, value);
}

static void copy_facts(const annot_reader *reader, struct dump_summary *out)
{
    annot_reader_fact fact;
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        if (fact.source == ANNOT_FACT_LIBRARY && is_key(fact.key, "system"))
            copy(out->system, fact.value);
        if (fact.source != ANNOT_FACT_LIBRARY && is_key(fact.key, "version"))
            copy(out->app_version, fact.value);
        if (fact.source != ANNOT_FACT_LIBRARY && is_key(fact.key, "application"))
            copy(out->application, fact.value);
        if (fact.source != ANNOT_FACT_LIBRARY)
            add_fact(out, &fact);
    }
}

/* ---- counts ---- */

static void count(const annot_reader *reader, struct dump_summary *out)
{
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++) {
        out->queues += stream.is_queue;
        out->lists += !stream.is_queue;
        out->markers += stream.marker_count;
    }
    out->submissions = annot_reader_submission_count(reader);
    out->stops = annot_reader_stop_count(reader);
    out->dropped = annot_reader_loss(reader, ANNOT_LOSS_MARKERS);
}

/* Returns which of the innermost scope's operations of its kind hangs, from 1, and 2^32 times how
 * many there are; 0: unknown, or in several lists. */
static uint64_t step_of(const annot_reader *reader, const annot_identity *identity)
{
    enum { BEGIN_EVENT = 1, END_EVENT = 2 }; /* D3D12_AUTO_BREADCRUMB_OP */
    annot_reader_suspect of;
    annot_reader_crumbs crumbs;
    uint64_t all = 0, number = 0;
    if (identity->quality != ANNOT_SIGNATURE_FULL || !annot_reader_suspect_at(reader, 0, &of) ||
        of.is_at_fault || !annot_reader_crumbs_at(reader, of.crumbs, &crumbs) ||
        annot_reader_op(reader, of.crumbs, crumbs.done) != of.op)
        return 0;
    uint32_t at = crumbs.done, op = of.op;
    for (int64_t depth = 1; depth > 0 && op != ANNOT_READER_NONE;) {
        op = annot_reader_op(reader, of.crumbs, --at);
        depth += (op == END_EVENT) - (op == BEGIN_EVENT);
    }
    for (int64_t depth = 1; depth > 0 && op != ANNOT_READER_NONE;) {
        op = annot_reader_op(reader, of.crumbs, ++at);
        depth += (op == BEGIN_EVENT) - (op == END_EVENT);
        all += depth == 1 && op == of.op;
        number = at == crumbs.done ? all : number;
    }
    return op != ANNOT_READER_NONE ? all << 32 | number : 0;
}

static void summarise(const annot_reader *reader, bool is_damaged, struct dump_summary *out)
{
    annot_reader_device device;
    annot_reader_hang hang;
    annot_reader_get_device(reader, &device);
    annot_reader_get_hang(reader, &hang);
    *out = (struct dump_summary){.status = is_damaged ? DUMP_DAMAGED : DUMP_WHOLE,
                                 .time = device.time,
                                 .error = device.error,
                                 .page_faults = device.fault_count,
                                 .failure = annot_failure_word(hang.failure)};
    if (annot_reader_identity(reader, &out->identity) != ANNOT_OK)
        out->status = DUMP_NO_MEMORY;
    out->step = step_of(reader, &out->identity);
    for (size_t i = 0; i < sizeof device.guid; i++)
        snprintf(out->guid + 2 * i, 3, "%02x", device.guid[i]);
    copy(out->application, device.application);
    copy(out->adapter, device.adapter);
    copy(out->driver, device.driver);
    copy(out->writer, device.writer);
    copy(out->reason, device.reason);
    copy_facts(reader, out);
    count(reader, out);
    shape_of(reader, &out->shape);
}

void summary_of_file(const char *path, struct dump_summary *out)
{
    annot_reader *reader;
    char *bytes;
    struct stat status;
    errno = 0;
    const uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    const annot_result result = cli_open_file(path, &reader, &bytes);
    const int error = errno;
    if (reader) {
        summarise(reader, result != ANNOT_OK || annot_reader_is_damaged(reader), out);
        annot_reader_close(reader);
    } else {
        const bool has_memory = result == ANNOT_ERROR_IO ? error != ENOMEM && error != EMFILE
                                                         : result != ANNOT_ERROR_OUT_OF_MEMORY;
        *out = (struct dump_summary){.status = has_memory ? DUMP_UNREADABLE : DUMP_NO_MEMORY};
        snprintf(out->why, sizeof out->why, "%s",
                 result == ANNOT_ERROR_IO && error ? strerror(error) : annot_result_text(result));
    }
    free(bytes);
    out->size = size;
}

/* ---- words ---- */

const char *summary_status_text(enum dump_status status)
{
    static const char *const texts[] = {"whole", "damaged", "unreadable", "no memory"};
    return texts[status];
}

void summary_time_text(uint64_t time_ns, char *buffer, size_t capacity)
{
    const time_t seconds = (time_t)(time_ns / 1000000000u);
    struct tm parts;
    buffer[0] = 0;
    if (time_ns == 0)
        return;
#ifdef _WIN32
    if (gmtime_s(&parts, &seconds) != 0)
        return;
#else
    if (!gmtime_r(&seconds, &parts))
        return;
#endif
    const size_t size = strftime(buffer, capacity, "%Y-%m-%d %H:%M:%S", &parts);
    snprintf(buffer + size, capacity - size, ".%09u", (unsigned)(time_ns % 1000000000u));
}
