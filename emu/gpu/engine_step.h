/* The largest step of an engine, and the results of a step. */
#pragma once

#define EMU_ENGINE_STEP_BYTES                                                                      \
    65536u /* limit of the bytes of a long packet that one step executes */

enum emu_engine_status {
    EMU_ENGINE_DONE,     /* the engine is at the end of the buffer */
    EMU_ENGINE_BUSY,     /* the engine made progress, and has more work */
    EMU_ENGINE_SPINNING, /* the engine runs without progress */
    EMU_ENGINE_FAULT     /* the engine stopped for ever; `fault` has the reason */
};
