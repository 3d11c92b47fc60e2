/* Writes the kernel's questions to the kernel-mode driver, and the answers. */
#include "dump_write/writer.h"

void annot__write_section_TDR(annot_dump_writer *writer)
{
    const annot_tdr *of = writer->info->tdr;
    unsigned char payload[2 * ANNOT_TDR_PAYLOAD_MAX];
    if (!of)
        return;
    struct annot__dump_TDR fields = ANNOT__DUMP_OF(TDR);
    if (fields.payload_size > ANNOT_TDR_PAYLOAD_MAX)
        fields.payload_size = ANNOT_TDR_PAYLOAD_MAX;
    memcpy(payload, of->payload, fields.payload_size);
    memcpy(payload + fields.payload_size, of->returned, fields.payload_size);
    annot__write_TDR(writer, &fields, payload, 2 * fields.payload_size);
}
