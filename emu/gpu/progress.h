/* Progress words. An engine writes them to GPU memory while it runs. After an engine was stopped,
 * only these words tell its progress. Writes are whole; zeroed memory means "not started". */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum emu_progress_state {
    EMU_PROGRESS_NOT_STARTED = 0,
    EMU_PROGRESS_STARTED = 1,
    EMU_PROGRESS_FINISHED = 2
};

/* The progress of one execution of a list, or of a bundle in a list, or of a queue's markers. A
 * queue's markers never finish. */
struct emu_progress {
    _Atomic uint64_t started;   /* EventID of the last Begin or Set that the engine reached */
    _Atomic uint64_t completed; /* EventID of the last marker or scope that ended */
    _Atomic uint32_t state;     /* an emu_progress_state */
    uint32_t reserved;
};

struct emu_queue_progress {
    struct emu_progress markers;
    _Atomic uint64_t sequence; /* number of the last command buffer that began, for crash reports */
};

_Static_assert(sizeof(struct emu_progress) == 24, "rows are this far apart in GPU memory");
_Static_assert(sizeof(struct emu_queue_progress) == 32, "layout");
