/* A kernel-mode driver without functions as a shared object that is wrong in the way that
 * WRONG_kernel_... names; WRONG_kernel_poor: it has no memory for an adapter. */
#include <emu/kernel.h>

static emu_kernel_driver table = {
    .size = sizeof table, .version = EMU_KERNEL_DRIVER_VERSION, .name = "from outside"};

#if defined(WRONG_kernel_poor)
static void *create_none(emu_kernel_adapter *kernel)
{
    (void)kernel;
    return 0;
}
#endif

#if defined(WRONG_kernel_no_entry)
#define emu_kernel_driver_open emu_kernel_driver_opened
EMU_KERNEL_EXPORT const emu_kernel_driver *emu_kernel_driver_open(const emu_kernel_host *host);
#endif

EMU_KERNEL_EXPORT const emu_kernel_driver *emu_kernel_driver_open(const emu_kernel_host *host)
{
    if (host->version != EMU_KERNEL_DRIVER_VERSION || host->size != sizeof *host)
        return 0;
#if defined(WRONG_kernel_null)
    return 0;
#elif defined(WRONG_kernel_version)
    table.version++;
#elif defined(WRONG_kernel_size)
    table.size -= (uint32_t)sizeof(void *);
#elif defined(WRONG_kernel_name)
    table.name = 0;
#elif defined(WRONG_kernel_poor)
    table.adapter_create = create_none;
#endif
    return &table;
}
