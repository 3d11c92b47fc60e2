/* Writes what the kernel asked the kernel-mode driver, and the answers. */
#include "dump_write/writer.h"

#include <string.h>

void annot__write_section_TDR(annot_dump_writer *writer)
{
    const annot_tdr *tdr = writer->info->tdr;
    unsigned char payload[2 * ANNOT_TDR_PAYLOAD_MAX];
    if (!tdr)
        return;
    const uint32_t size =
        tdr->payload_size < ANNOT_TDR_PAYLOAD_MAX ? tdr->payload_size : ANNOT_TDR_PAYLOAD_MAX;
    memcpy(payload, tdr->payload, size);
    memcpy(payload + size, tdr->returned, size);
    annot__write_TDR(writer,
                     &(struct annot__dump_TDR){
                         .queue = tdr->queue,
                         .context = tdr->context,
                         .last_completed = tdr->last_completed,
                         .last_submitted = tdr->last_submitted,
                         .time = tdr->time,
                         .type = tdr->type,
                         .reason = tdr->reason,
                         .ddi = tdr->ddi,
                         .status = (uint32_t)tdr->status,
                         .bucketing_key = tdr->bucketing_key,
                         .dma_offset = tdr->dma_offset,
                         .node = tdr->node,
                         .payload_size = size,
                         .flags = tdr->flags,
                     },
                     payload, 2 * size);
}
