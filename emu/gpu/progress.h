/*
 * Progress words: what an engine leaves in GPU memory while it runs, and all that is known after it
 * was stopped. The words are written whole, by the engine's thread; zeroed memory reads as "not
 * started".
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum emu_progress_state {
    EMU_PROGRESS_NOT_STARTED = 0,
    EMU_PROGRESS_STARTED = 1,
    EMU_PROGRESS_FINISHED = 2
};

/* One execution: of a list, of a bundle within it, or, never finished, of a queue's own markers. */
struct emu_progress {
    _Atomic uint64_t started;   /* EventID of the last Begin or Set that was reached */
    _Atomic uint64_t completed; /* EventID of the last Set passed or scope left */
    _Atomic uint32_t state;     /* emu_progress_state */
    uint32_t reserved;
};

struct emu_queue_progress {
    struct emu_progress markers;
    _Atomic uint64_t sequence; /* of the buffer that began last, for crash reports */
};

_Static_assert(sizeof(struct emu_progress) == 24, "rows are this far apart in GPU memory");
_Static_assert(sizeof(struct emu_queue_progress) == 32, "layout");
