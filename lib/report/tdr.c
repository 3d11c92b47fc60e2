/* Writes the kernel-mode driver's answers into the text report. */
#include "report/report_page.h"

#include <annot/dump.h>

/* ---- for people ---- */

static const struct {
    uint32_t flag;
    const char *text;
} faults[] = {
    {ANNOT_TDR_OVERRUN, "the driver wrote past the end of its buffer, so the buffer is not kept"},
    {ANNOT_TDR_FAILED, "the driver's function failed"},
    {ANNOT_TDR_FORGED_CONTEXT, "the context that the driver calls guilty is not of this device"},
    {ANNOT_TDR_SLOW, "the driver exceeded TdrDdiDelay: Windows would have stopped with 0x116"},
    {ANNOT_TDR_PAYLOAD_CHANGED, "the driver changed bytes of the payload outside of hContext"},
    {ANNOT_TDR_RESET_FAILED, "the engine could not be reset, so the adapter was reset"},
};

/* Writes who calls the stop's queue, or another queue, guilty. */
static void say_guilt(struct annot__page *page, bool is_guilty)
{
    const struct annot__dump_TDR *tdr = &page->reader->tdr.fields;
    if (is_guilty && tdr->context != 0) {
        annot__item(page, 2, "guilty", "yes, according to the kernel-mode driver\n");
    } else if (is_guilty) {
        annot__item(page, 2, "guilty", "yes, according to the kernel: the queue's engine %s\n",
                    tdr->type == 10 || tdr->type == 12 ? "had a page fault" : "timed out");
    } else if (tdr->context != 0) {
        annot__item(page, 2, "guilty", "no, the kernel-mode driver names another queue: ");
        annot__say_object(page, tdr->context);
        annot__say(page, "\n");
    }
}

/* Writes who is guilty, unless all work that hung is the guilty queue's. */
void annot__write_guilt(struct annot__page *page, const annot_reader_suspect *suspect)
{
    const annot_reader *reader = page->reader;
    bool has_other = false;
    for (uint32_t i = 0; i < reader->suspect_count && !has_other; i++)
        has_other = reader->suspects[i].role == ANNOT_SUSPECT_IN_PROGRESS;
    if (reader->hang.guilty != 0 && has_other)
        say_guilt(page, suspect->role == ANNOT_SUSPECT_GUILTY);
}

void annot__write_tdr(struct annot__page *page)
{
    annot_reader_tdr tdr;
    if (!annot_reader_get_tdr(page->reader, &tdr))
        return;
    annot__item(page, 1, "TDR", "%s (type %u), reason 0x%x", annot_tdr_type_text(tdr.type),
                tdr.type, tdr.reason);
    if (tdr.node != UINT32_MAX)
        annot__format(page, ", node %u, fences %llu completed, %llu submitted", tdr.node,
                      (unsigned long long)tdr.last_completed,
                      (unsigned long long)tdr.last_submitted);
    if (tdr.queue != 0 && tdr.queue != tdr.context) {
        annot__say(page, ", engine of ");
        annot__say_object(page, tdr.queue);
    }
    annot__say(page, "\n");
    annot__begin(page, 1, "");
    if (tdr.ddi == 0) {
        annot__say(page, "the kernel-mode driver collects no debug information\n");
        return;
    }
    annot__format(page, "%s: bucketing key 0x%x, payload %u bytes",
                  tdr.ddi == 2 ? "DxgkDdiCollectDbgInfo2" : "DxgkDdiCollectDbgInfo",
                  tdr.bucketing_key, tdr.payload_size);
    if (tdr.context != 0) {
        annot__say(page, ", guilty: ");
        annot__say_object(page, tdr.context);
    }
    annot__say(page, "\n");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (tdr.flags & faults[i].flag)
            annot__item(page, 1, "", "%s\n", faults[i].text);
}
