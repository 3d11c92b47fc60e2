/* Finds the kind of failure that a dump shows, and the dump's evidence, after the suspects and
 * waits were found. */
#include "hang/failure.h"

#include "hang/hang.h"
#include "hang/unfinished.h"

#include <annot/dump.h>

/* ---- which evidence there is ---- */

static uint32_t lost(const annot_reader *reader, uint32_t slot, uint32_t source)
{
    return reader->losses[slot] > 0 ? source : 0;
}

static void find_sources(annot_reader *reader)
{
    annot_reader_hang *hang = &reader->hang;
    const bool is_file = reader->voice == ANNOT_VOICE_FILE;
    uint32_t has = 0;
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        has |= reader->streams[i].is_queue && !is_file ? ANNOT_SOURCE_FENCES : 0u;
        has |= reader->streams[i].markers > 0 ? ANNOT_SOURCE_ANNOTATIONS : 0u;
    }
    has |= hang->guilty != 0 || hang->is_anothers ? ANNOT_SOURCE_KERNEL : 0u;
    has |= reader->device.has_report ? ANNOT_SOURCE_REPORT : 0u;
    has |= reader->crumb_count > 0 ? ANNOT_SOURCE_BREADCRUMBS : 0u;
    has |= reader->held_count > 0 ? ANNOT_SOURCE_WAITS : 0u;
    has |= reader->range_count > 0 ? ANNOT_SOURCE_ADDRESSES : 0u;
    has |= annot__fact_of(reader, "message.1").size > 0 ? ANNOT_SOURCE_MESSAGES : 0u;
    hang->cut_sources = lost(reader, ANNOT__LOSS_SLOT_MARKERS, ANNOT_SOURCE_ANNOTATIONS) |
                        lost(reader, ANNOT__LOSS_SLOT_PROGRESS_CUT, ANNOT_SOURCE_REPORT) |
                        lost(reader, ANNOT__LOSS_SLOT_UNREADABLE, ANNOT_SOURCE_REPORT);
    if (annot_reader_is_damaged(reader)) /* damage may be why the dump lacks evidence */
        hang->cut_sources |= ~has & ANNOT__SOURCES_ALL;
    hang->available = has & ~hang->cut_sources;
}

/* ---- the kind ---- */

static annot_failure fault_of(const annot_reader *reader)
{
    uint64_t distance;
    const struct annot__dump_RANGE *range = annot__fault_range(reader);
    if (reader->fault_count == 0 || reader->range_count == 0)
        return ANNOT_FAILURE_FAULT;
    if (range)
        return range->flags & ANNOT_RANGE_FREED ? ANNOT_FAILURE_FAULT_FREED
                                                : ANNOT_FAILURE_FAULT_LIVE;
    return annot__fault_near(reader, &distance) ? ANNOT_FAILURE_FAULT_BEYOND
                                                : ANNOT_FAILURE_FAULT_NOWHERE;
}

/* Whether no work is under way, and a queue waits for a fence that only waiting work would signal,
 * or no work. */
static bool is_deadlock(const annot_reader *reader, annot_certainty *certainty)
{
    bool found = false;
    const annot_reader_suspect *suspect = annot__known_suspect(reader);
    if (suspect && (suspect->is_begun || suspect->role == ANNOT_SUSPECT_IN_PROGRESS))
        return false;
    for (uint32_t i = 0; i < reader->wait_count; i++) {
        const annot_reader_wait *wait = &reader->waits[i];
        if (wait->queue != ANNOT__NONE && wait->fence != 0 && wait->suspect == ANNOT__NONE &&
            (wait->flags & (ANNOT_WAIT_CPU | ANNOT_WAIT_SHARED)) == 0)
            found = true;
        if (wait->is_in_circle)
            *certainty = ANNOT_CERTAINTY_CERTAIN;
    }
    return found;
}

static annot_failure hang_of(const annot_reader *reader, annot_certainty *certainty)
{
    const annot_reader_suspect *suspect = annot__known_suspect(reader);
    *certainty = ANNOT_CERTAINTY_LIKELY; /* the CPU or another device may signal the fence */
    if (is_deadlock(reader, certainty))
        return ANNOT_FAILURE_DEADLOCK;
    if (!suspect) {
        *certainty = ANNOT_CERTAINTY_UNKNOWN;
        return ANNOT_FAILURE_HANG;
    }
    const bool is_sure = suspect->place <= ANNOT_SUSPECT_STARTED && suspect->against == 0;
    const bool is_only = suspect->candidates <= 1 && !suspect->runs_on;
    if (suspect->certainty == ANNOT_OPERATION_NONE ||
        (suspect->certainty == ANNOT_OPERATION_AMONG && suspect->crumbs == ANNOT__NONE)) {
        *certainty = is_sure ? ANNOT_CERTAINTY_CERTAIN : ANNOT_CERTAINTY_LIKELY;
        return ANNOT_FAILURE_HANG_QUEUE;
    }
    *certainty = is_sure && is_only ? ANNOT_CERTAINTY_CERTAIN : ANNOT_CERTAINTY_LIKELY;
    return ANNOT_FAILURE_HANG_OPERATION;
}

static annot_failure failure_of(const annot_reader *reader, annot_certainty *certainty)
{
    const annot_text reason = reader->texts[ANNOT__DUMP_TEXT_REASON];
    const annot_text removed = annot__fact_of(reader, "removed");
    const uint32_t error = reader->device.error;
    *certainty = ANNOT_CERTAINTY_CERTAIN;
    if (reader->hang.slow.size > 0)
        return ANNOT_FAILURE_SLOW;
    if (reader->hang.is_anothers)
        return ANNOT_FAILURE_RESET;
    if (error == ANNOT_DEVICE_ERROR_APPLICATION)
        return ANNOT_FAILURE_APPLICATION;
    if (error == ANNOT_DEVICE_ERROR_PAGE_FAULT || reader->fault_count > 0)
        return fault_of(reader);
    if (annot__text_begins(reason, ANNOT_REASON_REFUSED) ||
        annot__text_begins(removed, "DXGI_ERROR_INVALID_CALL"))
        return ANNOT_FAILURE_REFUSED;
    if (error == ANNOT_DEVICE_ERROR_HUNG)
        return hang_of(reader, certainty);
    if (error == ANNOT_DEVICE_ERROR_NONE && reader->has_device)
        return ANNOT_FAILURE_NONE;
    *certainty = ANNOT_CERTAINTY_UNKNOWN;
    return ANNOT_FAILURE_LOST;
}

void annot__settle_failure(annot_reader *reader)
{
    annot_certainty certainty;
    find_sources(reader);
    reader->hang.failure = (uint32_t)failure_of(reader, &certainty);
    if (certainty == ANNOT_CERTAINTY_CERTAIN && annot_reader_is_damaged(reader))
        certainty = ANNOT_CERTAINTY_LIKELY;
    /* the runtime lists only its objects; a driver has memory of its own */
    if (reader->hang.failure == ANNOT_FAILURE_FAULT_BEYOND ||
        reader->hang.failure == ANNOT_FAILURE_FAULT_NOWHERE)
        certainty = ANNOT_CERTAINTY_LIKELY;
    reader->hang.certainty = (uint32_t)certainty;
}

/* ---- words ---- */

#define WORD(name, number, word, sentence)     word,
#define SENTENCE(name, number, word, sentence) sentence,

static uint32_t known(uint32_t failure)
{
    return failure <= ANNOT_FAILURE_LOST ? failure : ANNOT_FAILURE_LOST;
}

const char *annot_failure_word(uint32_t failure)
{
    static const char *const words[] = {ANNOT_FAILURES(WORD)};
    return words[known(failure)];
}

const char *annot_failure_sentence(uint32_t failure)
{
    static const char *const sentences[] = {ANNOT_FAILURES(SENTENCE)};
    return sentences[known(failure)];
}

const char *annot_certainty_word(uint32_t certainty)
{
    return certainty == ANNOT_CERTAINTY_CERTAIN  ? "certain"
           : certainty == ANNOT_CERTAINTY_LIKELY ? "likely"
                                                 : "unknown";
}
