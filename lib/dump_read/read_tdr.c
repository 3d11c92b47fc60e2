/* Reads the kernel's questions to the kernel-mode driver, and the answers. */
#include "dump_read/builder.h"

#include <annot/dump.h>

ANNOT__READ(TDR)
{
    const uint32_t faults = ANNOT_TDR_OVERRUN | ANNOT_TDR_FAILED | ANNOT_TDR_FORGED_CONTEXT |
                            ANNOT_TDR_SLOW | ANNOT_TDR_PAYLOAD_CHANGED;
    if (reader->tdr.is_there || builder->is_damaged)
        return;
    struct annot__tdr *tdr = &reader->tdr;
    tdr->fields = *fields;
    tdr->payload = builder->record.variable;
    if (tdr->fields.payload_size > ANNOT_TDR_PAYLOAD_MAX ||
        tdr->payload.size < 2 * (size_t)tdr->fields.payload_size)
        tdr->fields.payload_size = 0;
    tdr->is_there = true;
    if (tdr->fields.flags & faults)
        ANNOT__FIND(&reader->findings, KERNEL_DRIVER, builder->record.offset, tdr->fields.flags);
}
