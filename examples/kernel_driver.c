/*
 * A kernel-mode driver in a shared object, for the emulator. It works like the built-in one, but
 * its debug information is a line of text, and it names the queue that caused the timeout.
 *
 *     EMU_KERNEL_DRIVER_PATH=lib/kernel_driver.so ANNOT_TIMELINE=1 bin/hang --seed 1
 *     annot show hang.annotdmp                    # TDR ENGINE_TIMEOUT …, guilty: "Graphics queue"
 *     annot show hang.annotdmp --blob 2 -o blob   # "TDR type 6: an engine stopped in a packet …"
 */
#include <emu/kernel.h>

#include <stdio.h>
#include <string.h>

static const emu_kernel_host *host;
static emu_kernel_driver driver;

static NTSTATUS collect(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    uint32_t opcode = 0;
    /* The payload may be missing or of another version: its size says what may be touched. */
    const NTSTATUS status = host->reference->DxgkDdiCollectDbgInfo2(adapter, info);
    if (status < 0 || info->BufferSize < 64)
        return status;
    if (info->TdrPayloadSize >= sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT))
        opcode = info->pExtension->BucketingKey & 0xFFFF;
    memset(info->pBuffer, 0, info->BufferSize);
    snprintf(info->pBuffer, 64, "TDR type %d: an engine stopped in a packet of kind %u",
             (int)info->TdrType, opcode);
    return STATUS_SUCCESS;
}

EMU_KERNEL_EXPORT const emu_kernel_driver *emu_kernel_driver_open(const emu_kernel_host *the_host)
{
    if (the_host->version != EMU_KERNEL_DRIVER_VERSION || the_host->size != sizeof *the_host)
        return NULL;
    host = the_host;
    driver = *host->reference;
    driver.name = "example";
    driver.DxgkDdiCollectDbgInfo2 = collect;
    return &driver;
}
