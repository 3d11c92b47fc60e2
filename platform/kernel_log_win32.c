/* Windows has no such log, and Wine's process numbers differ from Linux's. */
#include "kernel_log.h"

const char *const kernel_log_path = 0;

void kernel_log_read(struct kernel_log *kernel, const char *path)
{
    (void)kernel, (void)path;
}

long kernel_log_process(void)
{
    return 0;
}
