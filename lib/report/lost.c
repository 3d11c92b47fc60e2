/* The part of a text report about losses and about what is wrong with the dump. */
#include "report/report_page.h"

#include <string.h>

static bool write_count(struct annot__page *page, uint64_t count, const char *one, const char *many)
{
    if (count == 0)
        return false;
    annot__item(page, 1, NULL, "%llu %s\n", (unsigned long long)count,
                annot__words(page, count == 1 ? one : many));
    return true;
}

struct totals {
    uint64_t dropped, surplus, crossing, unclosed, elsewhere, cut_payloads, cut_names;
    uint64_t changed, unreadable; /* payloads by reference */
};

static bool is_command_buffer(annot_text kind)
{
    return kind.size > 2 && memcmp(kind.data, "Vk", 2) == 0;
}

bool annot__is_unmarked(const struct annot__page *page, uint64_t id)
{
    annot_reader_object object;
    return page->voice != ANNOT__VOICE_D3D12 &&
           annot_reader_object_find(page->reader, id, &object) && object.kind == 0 &&
           !is_command_buffer(object.kind_name);
}

uint32_t annot__bundle_number(struct annot__page *page, uint32_t entry)
{
    const annot_reader *reader = page->reader;
    const uint32_t stream = annot__entry_stream(reader, entry);
    const struct annot__range *calls = &reader->streams[stream].bundles;
    if (page->calls.stream != stream || page->calls.last > entry)
        page->calls.seen = page->calls.unmarked = 0;
    page->calls.stream = stream;
    page->calls.last = entry;
    for (; page->calls.seen < calls->count; page->calls.seen++) {
        const uint32_t call = reader->bundles[calls->first + page->calls.seen];
        if (call >= entry)
            break;
        page->calls.unmarked += annot__is_unmarked(page, annot__entry_bundle(reader, call).object);
    }
    return annot__entry_bundle(reader, entry).ordinal - page->calls.unmarked;
}

/* The layer, not the program, parts the markers that are not marked one by one, so their scopes
 * without one end are not counted. */
static struct totals totals_of(const struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    struct totals totals = {.changed = reader->payloads.changed,
                            .unreadable = reader->payloads.unreadable,
                            .cut_payloads = reader->payloads.cut};
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        totals.dropped += reader->streams[i].dropped;
        if (annot__is_unmarked(page, reader->streams[i].object))
            continue;
        totals.surplus += reader->streams[i].surplus_ends;
        totals.elsewhere += reader->streams[i].closed_elsewhere;
        if (!reader->streams[i].is_open || reader->streams[i].is_queue)
            totals.unclosed += reader->streams[i].unclosed.count;
    }
    for (uint32_t i = 0; i < reader->crossing_count; i++)
        totals.crossing += reader->crossings[i].count;
    for (uint32_t i = 0; i < reader->object_count; i++)
        totals.cut_names += reader->objects[i].fields.name_size > reader->objects[i].name.size;
    return totals;
}

#define LOSS_WORDS(name, number, member, one, many) {one, many},

static bool write_losses(struct annot__page *page)
{
    static const char *const losses[][2] = {ANNOT_LOSSES(LOSS_WORDS)};
    const annot_reader *reader = page->reader;
    struct totals totals = totals_of(page);
    bool is_any = false;
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++) {
        uint64_t count = reader->losses[i];
        if (i == ANNOT__LOSS_SLOT_MARKERS && totals.dropped > count)
            count = totals.dropped;
        is_any |= write_count(page, count, losses[i][0], losses[i][1]);
    }
    is_any |= write_count(page, totals.cut_payloads, "payload cut at 32,768 bytes",
                          "payloads cut at 32,768 bytes");
    is_any |= write_count(page, totals.changed,
                          "payload that the application changed after it was recorded",
                          "payloads that the application changed after they were recorded");
    is_any |=
        write_count(page, totals.unreadable, "payload whose memory the application had given back",
                    "payloads whose memory the application had given back");
    is_any |= write_count(page, totals.cut_names, "object name cut", "object names cut");
    is_any |= write_count(page, totals.surplus, "surplus EndEvent in a recording",
                          "surplus EndEvents in recordings");
    is_any |= write_count(page, totals.unclosed, "BeginEvent without its EndEvent in the recording",
                          "BeginEvents without their EndEvent in the recording");
    is_any |= write_count(page, totals.elsewhere,
                          "scope of a queue that another thread ended than the one that began it",
                          "scopes of queues that other threads ended than those that began them");
    is_any |=
        write_count(page, totals.crossing,
                    "scope opened by one list and closed by a later one (counted above too)",
                    "scopes opened by one list and closed by a later one (counted above too)");
    is_any |= write_count(page, reader->expired,
                          "finished list whose recording is gone: its allocator was reset",
                          "finished lists whose recordings are gone: their allocators were reset");
    return is_any;
}

void annot__write_lost(struct annot__page *page)
{
    annot__head(page, "LOST OR ODD");
    bool is_any = write_losses(page);
    is_any |= annot__write_disputes(page);
    if (page->names_cut > 0) {
        is_any = true;
        annot__item(page, 1, NULL,
                    "%llu mention%s of names longer than %d bytes, cut above; "
                    "--output json has them whole\n",
                    (unsigned long long)page->names_cut, annot__plural(page->names_cut),
                    ANNOT_REPORT_NAME_LIMIT);
    }
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(page->reader, i, &finding); i++) {
        is_any = true;
        annot__item(page, 1, NULL, "%s (%s%llu time%s", annot__words(page, finding.text),
                    finding.finding_class == ANNOT_FINDING_DAMAGE ? "damage, " : "",
                    (unsigned long long)finding.count, annot__plural(finding.count));
        if (finding.finding_class == ANNOT_FINDING_DAMAGE)
            annot__format(page, ", first at byte %llu", (unsigned long long)finding.offset);
        annot__say(page, ")\n");
    }
    if (!is_any)
        annot__item(page, 1, NULL, "Nothing was lost.\n");
}
