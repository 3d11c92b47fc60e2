/* The clock of the GPU. The CPU's clock has another rate and another start. */
#include "gpu/memory.h"

#define NS_PER_S 1000000000u

static uint64_t rate_of(const struct emu_gpu_clock *clock)
{
    const int64_t hz = (int64_t)clock->hz;
    return (uint64_t)(hz + hz / 1000000 * clock->ppm + hz % 1000000 * clock->ppm / 1000000);
}

bool emu_gpu_set_clock(emu_gpu *gpu, const struct emu_gpu_clock *clock)
{
    struct emu_gpu_clock known = *clock;
    if (known.hz == 0)
        known.hz = NS_PER_S;
    if (known.hz > EMU_GPU_CLOCK_LIMIT_HZ || known.ppm < -100000 || known.ppm > 100000)
        return false;
    gpu->clock = known;
    gpu->clock_rate = rate_of(&known);
    return true;
}

const struct emu_gpu_clock *emu_gpu_get_clock(const emu_gpu *gpu)
{
    return &gpu->clock;
}

/* Converts seconds and their fraction apart, so that no product overflows. */
uint64_t emu_gpu_counter(const emu_gpu *gpu, uint64_t nanoseconds)
{
    const uint64_t seconds = nanoseconds / NS_PER_S, rest = nanoseconds % NS_PER_S;
    return gpu->clock.offset + seconds * gpu->clock_rate + rest * gpu->clock_rate / NS_PER_S;
}

uint32_t emu_gpu_stamp_size(const emu_gpu *gpu)
{
    return gpu->clock.stamp_bits == 32 ? 4 : 8;
}

uint64_t emu_gpu_stamp(const emu_gpu *gpu, uint64_t counter)
{
    const uint32_t bits = gpu->clock.stamp_bits;
    const uint64_t mask = bits >= 32 && bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    uint64_t value = counter & mask;
    if (value == 0)
        value = 1;
    if (bits == 0)
        return __builtin_bswap64(value);
    return bits > 32 && bits < 64 ? value | 0xA5A5A5A5A5A5A5A5u << bits : value;
}
