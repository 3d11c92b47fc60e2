/* Progress words, which an engine writes to GPU memory. After an engine was stopped, only these
 * words tell its progress. No word is half written. Zeroed memory means "not started". */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum emu_progress_state {
    EMU_PROGRESS_NOT_STARTED = 0,
    EMU_PROGRESS_STARTED = 1,
    EMU_PROGRESS_FINISHED = 2
};

/* The progress of a list's execution, of a bundle's execution in a list, or of a queue's markers.
 * Queue markers never have the state finished. */
struct emu_progress {
    _Atomic uint64_t started;   /* EventID of the last BeginEvent or SetMarker that was reached */
    _Atomic uint64_t completed; /* EventID of the last marker or scope whose work is done */
    _Atomic uint32_t state;     /* an emu_progress_state */
    uint32_t reserved;
};

struct emu_queue_progress {
    struct emu_progress markers;
    /* Number of the last command buffer that the engine began; crash reports need it. */
    _Atomic uint64_t sequence;
};

_Static_assert(sizeof(struct emu_progress) == 24, "rows are this far apart in GPU memory");
_Static_assert(sizeof(struct emu_queue_progress) == 32, "layout");
