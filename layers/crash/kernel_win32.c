/* Windows has no such log; Wine's processes have numbers of their own. */
#include "kernel.h"

const char *const crash_kernel_log = 0;

void crash_kernel_read(struct crash_kernel *kernel, const char *path)
{
    (void)kernel, (void)path;
}

long crash_kernel_process(void)
{
    return 0;
}
