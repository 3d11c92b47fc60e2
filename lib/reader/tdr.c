/* Gives programs the kernel-mode driver's answers. */
#include "reader/ask.h"

#include "base/search.h"

#include <annot/dump.h>

bool annot_reader_get_tdr(const annot_reader *reader, annot_reader_tdr *out)
{
    const struct annot__dump_TDR *fields = &reader->tdr.fields;
    if (!reader->tdr.is_there)
        return false;
    *out = (annot_reader_tdr){
        .queue = fields->queue,
        .context = fields->context,
        .last_completed = fields->last_completed,
        .last_submitted = fields->last_submitted,
        .time = fields->time,
        .type = fields->type,
        .reason = fields->reason,
        .ddi = fields->ddi,
        .status = (int32_t)fields->status,
        .bucketing_key = fields->bucketing_key,
        .dma_offset = fields->dma_offset,
        .node = fields->node,
        .flags = fields->flags,
        .payload_size = fields->payload_size,
        .payload = reader->tdr.payload.data,
        .returned = reader->tdr.payload.data + fields->payload_size,
    };
    return true;
}

const char *annot_tdr_type_text(uint32_t type)
{
    static const char names[] =
        "UNKNOWN\0FORCED\0PREEMPT_TIMEOUT\0VSYNC_TIMEOUT\0DOD_PRESENT_FORCED\0DOD_PRESENT_TIMEOUT\0"
        "ENGINE_TIMEOUT\0DOD_VSYNC_FORCED\0DOD_VSYNC_TIMEOUT\0ENGINE_TIMEOUT_PROMOTED\0PAGE_FAULT\0"
        "INVALID_FENCE\0ENGINE_PAGE_FAULT\0DISPLAY_ENGINE_FAULT";
    const char *name = ANNOT__WORD_AT(names, type);
    return name ? name : names;
}
