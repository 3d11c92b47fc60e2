/* The limit of an engine's step, and the possible results of a step. */
#pragma once

#define EMU_ENGINE_STEP_BYTES 65536u /* limit of a long packet's bytes that one step executes */

enum emu_engine_status {
    EMU_ENGINE_DONE,     /* the engine is at the end of the buffer */
    EMU_ENGINE_BUSY,     /* the engine has done some work, and has more work */
    EMU_ENGINE_SPINNING, /* the engine runs, but makes no progress */
    EMU_ENGINE_FAULT     /* the engine stopped for ever; `fault` has the reason */
};
