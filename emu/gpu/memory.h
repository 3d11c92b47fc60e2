/* The page table behind gpu.h, shown to its test only. */
#ifndef EMU_GPU_MEMORY_H
#define EMU_GPU_MEMORY_H

#include "gpu.h"

#include <pthread.h>
#include <stdatomic.h>

struct emu_gpu_allocation {
    uint64_t address;
    uint64_t size;
    void *cpu;                 /* the aligned start within `host` */
    void *host;                /* what calloc returned */
    atomic_uint_fast32_t refs; /* 1 for the mapping, 1 per access that is under way */
};

struct emu_gpu {
    pthread_rwlock_t lock;
    struct emu_gpu_allocation **mapped; /* by ascending address; no two overlap */
    size_t count;
    size_t capacity;
    uint64_t next; /* where the search for an automatic address goes on */
    uint64_t end;  /* no automatic address at or above */
    emu_gpu_hang hang_at;
    _Atomic uint64_t hang_countdown;
};

#endif
