/* The parts of a dump that the page shows beside its tree: the answer, the place of the stop,
 * objects, facts, findings; and the columns that follow. */
#include "page_json.h"

#include <annot/fleet.h>

#include <stdlib.h>
#include <string.h>

static void say(struct annot__json *out, const char *key, annot_text text)
{
    char buffer[NAME_MAX_SIZE];
    annot__json_bytes(out, key, buffer, cli_printable(text, buffer, sizeof buffer));
}

static void say_device(struct annot__json *out, const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    annot__json_format(out, "device:{error:%u fault_count:" JSON_U64 " fault_address:" JSON_HEX "}",
                       device.error, device.fault_count, device.fault_address);
}

static bool say_text(struct annot__json *out, const char *key, const annot_reader *reader,
                     const annot_report_options *options)
{
    char *text = NULL;
    const bool is_good =
        annot_report_memory(reader, ANNOT_REPORT_TEXT, options, &text, NULL) == ANNOT_OK;
    annot__json_string(out, key, is_good ? text : "");
    annot_report_free(text);
    return is_good;
}

/* Writes the text report: the parts around the tree, in lines, and the whole, for paper. */
static bool say_report(struct annot__json *out, const struct page *page)
{
    const annot_report_options lines = {.outline = true, .dump = page->dump};
    const annot_report_options whole = {
        .operations = true, .node_limit = 1000, .size_limit = 1 << 18, .dump = page->dump};
    return say_text(out, "outline", page->reader, &lines) &&
           say_text(out, "text", page->reader, &whole);
}

static void say_index(struct annot__json *out, const char *key, uint32_t value)
{
    if (value == NONE)
        annot__json_string(out, key, NULL);
    else
        annot__json_number(out, key, value);
}

static void say_stops(struct annot__json *out, const annot_reader *reader)
{
    annot_reader_stop stop;
    annot__json_format(out, "stops:[");
    for (size_t i = 0; i < 256 && annot_reader_stop_at(reader, i, &stop); i++) {
        annot__json_format(out, "{execution:" JSON_U64, (uint64_t)stop.execution);
        say_index(out, "entry", stop.entry);
        say_index(out, "bundle", stop.bundle);
        say_index(out, "bundle_entry", stop.bundle_entry);
        annot__json_format(out, "}");
    }
    annot__json_format(out, "]");
}

static void say_objects(struct annot__json *out, const annot_reader *reader)
{
    annot_reader_object object;
    annot__json_format(out, "objects:[");
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        annot__json_format(out, "{id:" JSON_DIGITS " type:%s", object.id,
                           annot_object_type_text(object.type));
        if (object.name.size > 0)
            say(out, "name", object.name);
        if (object.is_destroyed)
            annot__json_format(out, "destroyed:%d", true);
        annot__json_format(out, "}");
    }
    annot__json_format(out, "]");
}

static void say_ranges(struct annot__json *out, const struct page *page)
{
    annot_reader_range range;
    annot__json_format(out, "ranges:[");
    for (size_t i = 0; annot_reader_range_at(page->reader, i, &range); i++) {
        annot__json_format(out, "{address:" JSON_HEX " size:" JSON_DIGITS, range.address,
                           range.size);
        say_index(out, "object", page_object_of(page, range.object));
        annot_reader_object object = {0};
        annot_reader_object_find(page->reader, range.object, &object);
        annot__json_format(
            out, "made:" JSON_DIGITS " destroyed:" JSON_DIGITS " freed:%d freed_before:%g}",
            object.made, object.destroyed, range.is_freed, (double)range.freed_before / 1e9);
    }
    annot__json_format(out, "]");
}

static void say_crumbs(struct annot__json *out, const struct page *page)
{
    const annot_reader *reader = page->reader;
    annot_reader_crumbs crumbs;
    annot_reader_stream queue;
    annot__json_format(out, "crumbs:[");
    for (size_t i = 0; i < 65536 && annot_reader_crumbs_at(reader, i, &crumbs); i++) {
        const bool has_queue = annot_reader_stream_at(reader, crumbs.queue, &queue);
        annot__json_format(out, "{");
        say_index(out, "queue", has_queue ? page_object_of(page, queue.object) : NONE);
        annot__json_format(out, "submission:" JSON_DIGITS " list:%u bundle:%u count:%u",
                           crumbs.submission, crumbs.list, crumbs.bundle, crumbs.count);
        say_index(out, "done", crumbs.done == ANNOT_CRUMBS_NOT_BEGUN ? NONE : crumbs.done);
        if (crumbs.done < crumbs.count)
            annot__json_format(out, "operation:%s",
                               annot_op_text(annot_reader_op(reader, i, crumbs.done)));
        annot__json_format(out, "}");
    }
    annot__json_format(out, "]");
}

static void say_facts(struct annot__json *out, const annot_reader *reader)
{
    annot_reader_fact fact;
    annot_reader_blob blob;
    annot__json_format(out, "facts:[");
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        annot__json_format(out, "{");
        say(out, "key", fact.key);
        say(out, "value", fact.value);
        annot__json_format(out, "source:%s}", annot_fact_source_text(fact.source));
    }
    annot__json_format(out, "] blobs:[");
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        annot__json_format(out, "{index:%u kind:%s size:" JSON_DIGITS "}", blob.index,
                           annot_blob_kind_text(blob.kind), (uint64_t)blob.size);
    annot__json_format(out, "]");
}

static bool say_signature(struct annot__json *out, const annot_reader *reader)
{
    annot_identity signature;
    const bool is_good = annot_reader_identity(reader, &signature) == ANNOT_OK;
    annot__json_format(out, "signature:{id:%s title:%s}", signature.id, signature.title);
    return is_good;
}

/* Writes the page's words. */
static void say_words(struct annot__json *out, const annot_reader *reader)
{
#define WORDS(W)                                                                                   \
    {                                                                                              \
        W(list), W(bundle)                                                                         \
    }
    static const char *const words[][2] = {WORDS(ANNOT_IN_D3D12), WORDS(ANNOT_IN_LAYER),
                                           WORDS(ANNOT_IN_FILE), WORDS(ANNOT_IN_VULKAN)};
    annot__json_format(out, "words:{list:%s bundle:%s}", words[annot_reader_voice(reader)][0],
                       words[annot_reader_voice(reader)][1]);
}

static void say_evidences(struct annot__json *out, const annot_reader *reader)
{
    annot__json_format(out, "evidences:[");
    for (int i = 0; i < 32; i++)
        annot__json_string(out, NULL, annot_evidence_text(reader, (annot_evidence)i));
    annot__json_format(out, "]");
}

static void say_raw(struct annot__json *out, const char *key, const struct cli_bytes *inner)
{
    annot__json_open(out, key, "[");
    if (inner->size > 0)
        out->write(out->user, inner->data, inner->size);
    annot__json_format(out, "]");
}

#define BYTE_ROW(name) {#name, 1},
#define WORD_ROW(name) {#name, 4},
static const struct {
    const char *name;
    unsigned width;
} columns[] = {COLUMNS(BYTE_ROW, WORD_ROW)};

static void say_columns(struct annot__json *out, const struct page *page)
{
    annot__json_format(out, "columns:[");
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i == COLUMN_color && !page->has_color)
            continue;
        annot__json_format(out, "[%s%u" JSON_U64 "]", columns[i].name, columns[i].width,
                           (uint64_t)(page->columns[i].size / columns[i].width));
    }
    annot__json_format(out, "]");
}

bool page_say_all(struct annot__json *out, const struct page *page)
{
    annot__json_format(out, "{");
    bool is_good = say_report(out, page);
    say_device(out, page->reader);
    annot__json_format(out, "damaged:%d times:{tick:" JSON_DIGITS " end:" JSON_DIGITS "}",
                       annot_reader_is_damaged(page->reader), page->tick, page->end);
    is_good &= say_signature(out, page->reader);
    say_stops(out, page->reader);
    say_objects(out, page->reader);
    say_ranges(out, page);
    say_crumbs(out, page);
    annot__json_format(out, "cut:" JSON_DIGITS, page->cut);
    say_facts(out, page->reader);
    say_evidences(out, page->reader);
    say_words(out, page->reader);
    say_raw(out, "names", &page->names);
    say_raw(out, "far_ids", &page->far_ids);
    say_columns(out, page);
    annot__json_format(out, "}");
    return is_good;
}
