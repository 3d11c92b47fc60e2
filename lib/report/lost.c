/* Writes the part of a text report about losses and about damage of the dump. */
#include "report/report_page.h"

#include <string.h>

/* Calls ODDITY(member, words for one, words for several) for each oddity that is no finding. */
#define ODDITIES(ODDITY, W)                                                                        \
    ODDITY(cut_payloads, "payload cut at 32,768 bytes", "payloads cut at 32,768 bytes")            \
    ODDITY(changed, "payload that the application changed after it was recorded",                  \
           "payloads that the application changed after they were recorded")                       \
    ODDITY(unreadable, "payload in memory that the application had freed",                         \
           "payloads in memory that the application had freed")                                    \
    ODDITY(cut_names, "object name cut", "object names cut")                                       \
    ODDITY(surplus, "surplus " W(end) " in a recording", "surplus " W(end) "s in recordings")      \
    ODDITY(unclosed, W(begin) " without its " W(end) " in the recording",                          \
           W(begin) "s without their " W(end) " in the recording")                                 \
    ODDITY(elsewhere, "scope of a queue that began on one thread and ended on another thread",     \
           "scopes of queues that began on one thread and ended on another thread")                \
    ODDITY(crossing, "scope opened and closed by different " W(list) "s (also counted above)",     \
           "scopes opened and closed by different " W(list) "s (also counted above)")              \
    ODDITY(expired, "finished " W(list) " without its recording (" W(allocator) " reset)",         \
           "finished " W(list) "s without their recordings (" W(allocator) "s reset)")

#define SLOT(member, one, many)               ODDITY_##member,
#define LOSS(name, number, member, one, many) {one, many},
#define ODDITY(member, one, many)             {one, many},

enum { ODDITIES(SLOT, ANNOT_IN_D3D12) ODDITY_COUNT };

bool annot__is_unmarked(const struct annot__page *page, uint64_t id)
{
    annot_reader_object object;
    return annot__is_layer(page->reader) && annot_reader_object_find(page->reader, id, &object) &&
           object.kind == 0 && !annot__text_begins(object.kind_name, "Vk");
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

/* Counts oddities. The layer, not the program, splits markers that are not marked one by one, so
 * unpaired scopes of such markers are not counted. */
static uint64_t count_oddities(const struct annot__page *page, uint64_t of[ODDITY_COUNT])
{
    const annot_reader *reader = page->reader;
    uint64_t dropped = 0;
    memset(of, 0, ODDITY_COUNT * sizeof *of);
    of[ODDITY_changed] = reader->payloads.changed;
    of[ODDITY_unreadable] = reader->payloads.unreadable;
    of[ODDITY_cut_payloads] = reader->payloads.cut;
    of[ODDITY_expired] = reader->expired;
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *stream = &reader->streams[i];
        dropped += stream->dropped;
        if (annot__is_unmarked(page, stream->object))
            continue;
        of[ODDITY_surplus] += stream->surplus_ends;
        of[ODDITY_elsewhere] += stream->closed_elsewhere;
        if (!stream->is_open || stream->is_queue)
            of[ODDITY_unclosed] += stream->unclosed.count;
    }
    for (uint32_t i = 0; i < reader->crossing_count; i++)
        of[ODDITY_crossing] += reader->crossings[i].count;
    for (uint32_t i = 0; i < reader->object_count; i++)
        of[ODDITY_cut_names] += reader->objects[i].fields.name_size > reader->objects[i].name.size;
    return dropped;
}

/* Writes a number with the words for one or for several. */
static bool write_count(struct annot__page *page, uint64_t count, const char *const words[2])
{
    if (count > 0)
        annot__item(page, 1, NULL, "%llu %s\n", (unsigned long long)count, words[count > 1]);
    return count > 0;
}

static bool write_losses(struct annot__page *page)
{
    static const char *const losses[][ANNOT__LOSS_SLOTS][2] = {
        ANNOT__IN_VOICES(ANNOT_LOSSES, LOSS)};
    static const char *const oddities[][ODDITY_COUNT][2] = {ANNOT__IN_VOICES(ODDITIES, ODDITY)};
    const annot_reader *reader = page->reader;
    uint64_t odd[ODDITY_COUNT];
    const uint64_t dropped = count_oddities(page, odd);
    bool is_any = false;
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++) {
        const bool is_more = i == ANNOT__LOSS_SLOT_MARKERS && dropped > reader->losses[i];
        is_any |=
            write_count(page, is_more ? dropped : reader->losses[i], losses[reader->voice][i]);
    }
    for (uint32_t i = 0; i < ODDITY_COUNT; i++)
        is_any |= write_count(page, odd[i], oddities[reader->voice][i]);
    return is_any;
}

void annot__write_lost(struct annot__page *page)
{
    annot__head(page, "LOST OR ODD");
    bool is_any = write_losses(page);
    is_any |= annot__write_disputes(page);
    if (page->names_cut > 0) {
        is_any = true;
        annot__item(
            page, 1, NULL,
            "%llu name%s cut after %d bytes in this report; --output json has whole names\n",
            (unsigned long long)page->names_cut, page->names_cut == 1 ? " is" : "s are",
            ANNOT_REPORT_NAME_LIMIT);
    }
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(page->reader, i, &finding); i++) {
        is_any = true;
        annot__item(page, 1, NULL, "%s (%s%llu time%s", finding.text,
                    finding.finding_class == ANNOT_FINDING_DAMAGE ? "damage, " : "",
                    (unsigned long long)finding.count, annot__plural(finding.count));
        if (finding.finding_class == ANNOT_FINDING_DAMAGE)
            annot__format(page, ", first at byte %llu", (unsigned long long)finding.offset);
        annot__say(page, ")\n");
    }
    if (!is_any)
        annot__item(page, 1, NULL, "Nothing was lost.\n");
}
