/* The kernel-mode driver that EMU_KERNEL_DRIVER_PATH names: loaded once, never unloaded. */
#pragma once

#include <emu/kernel.h>

/* NULL: it can't be used; why is on stderr, once a path. */
const emu_kernel_driver *kernel_module_find(const char *path);
