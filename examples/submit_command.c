/*
 * A user-mode driver from outside that shows what it hands to pfnSubmitCommandCb with each
 * submission: the marker log that joins command lists, API calls and time stamps.
 *
 *     EMU_DRIVER_PATH=lib/submit_command.so ANNOT_TIMELINE=1 bin/hang --seed 1
 *     submission 0x80000003: FT_PROFILE, 60 calls that made the GPU work
 *     submission 0x80000004: BATCHED, 2 lists, 1 history buffer
 *       list 24: 42 calls that made the GPU work, 0xa00000003 to 0xa0000005a
 *       list 25: 24 calls that made the GPU work, 0xb00000003 to 0xb00000031
 *
 * It starts from the reference driver and looks at what that made of queue_submit.
 */
#include <emu/driver.h>

#include <stdio.h>

static const emu_driver *reference;
static emu_driver driver;

/* Numbers of a list share their high half; a low half that goes down carries into it. */
static void show_list(const D3DDDI_BATCHEDMARKERDATA *list)
{
    const uint32_t count = list->CompletedAPISequenceNumberLowSize;
    const uint64_t high = (uint64_t)list->FirstAPISequenceNumberHigh << 32;
    printf("  list %llu: %u calls that made the GPU work",
           (unsigned long long)(uintptr_t)list->hRTCommandListHandle, count);
    if (count)
        printf(", 0x%llx to 0x%llx",
               (unsigned long long)(high | list->pCompletedAPISequenceNumberLow[0]),
               (unsigned long long)(high | list->pCompletedAPISequenceNumberLow[count - 1]));
    putchar('\n');
}

static bool submit(void *queue, const emu_submission *submission, emu_command_buffer *out)
{
    if (!reference->queue_submit(queue, submission, out))
        return false;
    const D3DDDICB_SUBMITCOMMAND *command = out->submit; /* NULL: nobody profiles */
    if (!command)
        return true;
    if (command->MarkerLogType != D3DDDIMLT_BATCHED) { /* one list */
        printf("submission 0x%x: FT_PROFILE, %u calls that made the GPU work\n",
               command->RenderCBSequence, command->CompletedAPISequenceNumberLow0Size);
        return true;
    }
    printf("submission 0x%x: BATCHED, %u lists, %u history buffer\n", command->RenderCBSequence,
           command->BatchedMarkerDataCount, command->NumHistoryBuffers);
    for (uint32_t i = 0; i < command->BatchedMarkerDataCount; i++)
        show_list(&command->pBatchedMarkerData[i]);
    return true;
}

EMU_DRIVER_EXPORT const emu_driver *emu_driver_open(const emu_driver_host *host)
{
    if (host->version != EMU_DRIVER_VERSION || host->size != sizeof *host)
        return NULL;
    reference = host->reference;
    driver = *reference;
    driver.annot.name = "submit_command";
    driver.queue_submit = submit;
    return &driver;
}
