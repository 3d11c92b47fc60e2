/* In place of emulator.c, when the emulator is not built. */
#include "bench.h"

void bench_suite_emulator(void)
{
    bench_note("no emulator rows: it was not built (-DANNOT_EMU=ON)");
}

void bench_suite_runtime(void)
{
    if (bench_options_now.runtime)
        bench_note("no runtime rows: the emulator, which stands beside it, was not built");
}
