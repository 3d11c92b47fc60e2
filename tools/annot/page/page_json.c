/* The parts of a dump that the page shows beside its tree: the answer, where it stopped, objects,
 * facts, findings; and which columns follow. */
#include "page_json.h"

#include <annot/fleet.h>

#include <stdlib.h>
#include <string.h>

static void say(struct json_out *out, const char *key, annot_text text)
{
    char buffer[NAME_MAX_SIZE];
    json_out_text(out, key, buffer, page_printable(text, buffer, sizeof buffer));
}

static void say_device(struct json_out *out, const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    json_out_open(out, "device", '{');
    json_out_number(out, "error", device.error);
    json_out_number(out, "fault_count", device.fault_count);
    json_out_hex(out, "fault_address", device.fault_address);
    json_out_close(out, '}');
}

/* The line that answers, and paragraphs of what to do next. */
static void say_answer(struct json_out *out, const annot_reader *reader)
{
    char words[4096];
    annot_reader_answer(reader, words, sizeof words);
    json_out_word(out, "answer", words);
    json_out_open(out, "advice", '[');
    for (size_t i = 0; annot_reader_advice(reader, i, words, sizeof words) > 0; i++)
        json_out_word(out, NULL, words);
    json_out_close(out, ']');
}

static bool say_text(struct json_out *out, const char *key, const annot_reader *reader,
                     const annot_report_options *options)
{
    char *text = NULL;
    const bool is_good =
        annot_report_memory(reader, ANNOT_REPORT_TEXT, options, &text, NULL) == ANNOT_OK;
    json_out_word(out, key, is_good ? text : "");
    annot_report_free(text);
    return is_good;
}

/* The text report: its parts before the tree and behind it, in lines, and all of it, for paper. */
static bool say_report(struct json_out *out, const struct page *page)
{
    const annot_report_options lines = {.outline = true, .dump = page->dump};
    const annot_report_options whole = {
        .operations = true, .node_limit = 1000, .size_limit = 1 << 18, .dump = page->dump};
    return say_text(out, "outline", page->reader, &lines) &&
           say_text(out, "text", page->reader, &whole);
}

static void say_index(struct json_out *out, const char *key, uint32_t value)
{
    if (value == NONE)
        json_out_word(out, key, NULL);
    else
        json_out_number(out, key, value);
}

static void say_stops(struct json_out *out, const annot_reader *reader)
{
    annot_reader_stop stop;
    json_out_open(out, "stops", '[');
    for (size_t i = 0; i < 256 && annot_reader_stop_at(reader, i, &stop); i++) {
        json_out_open(out, NULL, '{');
        json_out_number(out, "execution", stop.execution);
        say_index(out, "entry", stop.entry);
        say_index(out, "bundle", stop.bundle);
        say_index(out, "bundle_entry", stop.bundle_entry);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_objects(struct json_out *out, const annot_reader *reader)
{
    annot_reader_object object;
    json_out_open(out, "objects", '[');
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        json_out_open(out, NULL, '{');
        json_out_long(out, "id", object.id);
        json_out_word(out, "type", annot_object_type_text(object.type));
        if (object.name.size > 0)
            say(out, "name", object.name);
        if (object.is_destroyed)
            json_out_bool(out, "destroyed", true);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_ranges(struct json_out *out, const struct page *page)
{
    annot_reader_range range;
    json_out_open(out, "ranges", '[');
    for (size_t i = 0; annot_reader_range_at(page->reader, i, &range); i++) {
        json_out_open(out, NULL, '{');
        json_out_hex(out, "address", range.address);
        json_out_long(out, "size", range.size);
        say_index(out, "object", page_object_of(page, range.object));
        json_out_bool(out, "freed", range.is_freed);
        json_out_real(out, "freed_before", (double)range.freed_before / 1e9);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_crumbs(struct json_out *out, const struct page *page)
{
    const annot_reader *reader = page->reader;
    annot_reader_crumbs crumbs;
    annot_reader_stream queue;
    json_out_open(out, "crumbs", '[');
    for (size_t i = 0; i < 65536 && annot_reader_crumbs_at(reader, i, &crumbs); i++) {
        const bool has_queue = annot_reader_stream_at(reader, crumbs.queue, &queue);
        json_out_open(out, NULL, '{');
        say_index(out, "queue", has_queue ? page_object_of(page, queue.object) : NONE);
        json_out_long(out, "submission", crumbs.submission);
        json_out_number(out, "list", crumbs.list);
        json_out_number(out, "bundle", crumbs.bundle);
        json_out_number(out, "count", crumbs.count);
        say_index(out, "done", crumbs.done == ANNOT_CRUMBS_NOT_BEGUN ? NONE : crumbs.done);
        if (crumbs.done < crumbs.count)
            json_out_word(out, "operation", annot_op_text(annot_reader_op(reader, i, crumbs.done)));
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

/* One of the library's, in the words of the dump's API. */
static void say_sentence(struct json_out *out, const char *key, const annot_reader *reader,
                         const char *words)
{
    char buffer[512];
    annot_reader_words(reader, words, buffer, sizeof buffer);
    json_out_word(out, key, buffer);
}

static void say_facts(struct json_out *out, const annot_reader *reader)
{
    annot_reader_fact fact;
    annot_reader_blob blob;
    json_out_open(out, "facts", '[');
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        json_out_open(out, NULL, '{');
        say(out, "key", fact.key);
        say(out, "value", fact.value);
        json_out_word(out, "source", annot_fact_source_text(fact.source));
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
    json_out_open(out, "blobs", '[');
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++) {
        json_out_open(out, NULL, '{');
        json_out_number(out, "index", blob.index);
        json_out_word(out, "kind", annot_blob_kind_text(blob.kind));
        json_out_long(out, "size", blob.size);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static bool say_signature(struct json_out *out, const annot_reader *reader)
{
    annot_identity signature;
    const bool is_good = annot_reader_identity(reader, &signature) == ANNOT_OK;
    json_out_open(out, "signature", '{');
    json_out_word(out, "id", signature.id);
    json_out_word(out, "title", signature.title);
    json_out_close(out, '}');
    return is_good;
}

/* The page's words for things. */
static void say_words(struct json_out *out, const annot_reader *reader)
{
    json_out_open(out, "words", '{');
    say_sentence(out, "list", reader, "list");
    say_sentence(out, "bundle", reader, "bundle");
    json_out_close(out, '}');
}

static void say_evidences(struct json_out *out, const annot_reader *reader)
{
    json_out_open(out, "evidences", '[');
    for (int i = 0; i < 32; i++)
        say_sentence(out, NULL, reader, annot_evidence_text((annot_evidence)i));
    json_out_close(out, ']');
}

static void say_raw(struct json_out *out, const char *key, const struct page_bytes *inner)
{
    json_out_open(out, key, '[');
    if (inner && inner->size > 0)
        out->write(out->user, inner->data, inner->size);
    json_out_close(out, ']');
}

#define COLUMN_ROW(name, width) {#name, width},
static const struct {
    const char *name;
    unsigned char width;
} columns[] = {COLUMNS(COLUMN_ROW)};

static void say_columns(struct json_out *out, const struct page *page)
{
    json_out_open(out, "columns", '[');
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i == COLUMN_color && !page->has_color)
            continue;
        json_out_open(out, NULL, '[');
        json_out_word(out, NULL, columns[i].name);
        json_out_number(out, NULL, columns[i].width);
        json_out_number(out, NULL, page->columns[i].size / columns[i].width);
        json_out_close(out, ']');
    }
    json_out_close(out, ']');
}

bool page_say_all(struct json_out *out, const struct page *page)
{
    json_out_open(out, NULL, '{');
    say_answer(out, page->reader);
    bool is_good = say_report(out, page);
    say_device(out, page->reader);
    json_out_bool(out, "damaged", annot_reader_is_damaged(page->reader));
    json_out_open(out, "times", '{');
    json_out_long(out, "tick", page->tick);
    json_out_long(out, "end", page->end);
    json_out_close(out, '}');
    is_good &= say_signature(out, page->reader);
    say_stops(out, page->reader);
    say_objects(out, page->reader);
    say_ranges(out, page);
    say_crumbs(out, page);
    json_out_long(out, "cut", page->cut);
    say_facts(out, page->reader);
    say_evidences(out, page->reader);
    say_words(out, page->reader);
    say_raw(out, "calls", page->calls);
    say_raw(out, "names", &page->names);
    say_raw(out, "far_ids", &page->far_ids);
    say_columns(out, page);
    json_out_close(out, '}');
    return is_good;
}
