/* Lets a test choose where the GPU hangs: counts down the places of one kind. */
#include "gpu/memory.h"

void emu_gpu_script_hang(emu_gpu *gpu, enum emu_gpu_hang at, uint64_t count,
                         enum emu_gpu_hang_kind kind)
{
    gpu->hang_kind = kind;
    gpu->hang_at = at;
    atomic_store(&gpu->hang_countdown, count);
}

bool emu_gpu_hangs_here(emu_gpu *gpu, enum emu_gpu_hang place)
{
    return gpu->hang_at == place && atomic_fetch_sub(&gpu->hang_countdown, 1) == 1;
}

enum emu_gpu_hang_kind emu_gpu_scripted_kind(const emu_gpu *gpu)
{
    return gpu->hang_kind;
}
