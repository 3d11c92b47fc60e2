/* A step of an engine: its largest size and its results. */
#pragma once

#define EMU_ENGINE_STEP_BYTES 65536u /* bytes of a long packet that one step does */

enum emu_engine_status {
    EMU_ENGINE_DONE,     /* the buffer is at its end */
    EMU_ENGINE_BUSY,     /* it made progress, and has more work */
    EMU_ENGINE_SPINNING, /* running, without progress */
    EMU_ENGINE_FAULT     /* the engine stopped for ever; `fault` has the reason */
};
