/* A step of an engine: how much it executes, and with which result. */
#pragma once

#define EMU_ENGINE_STEP_BYTES 65536u /* of a long packet */

enum emu_engine_status {
    EMU_ENGINE_DONE,     /* the buffer is at its end */
    EMU_ENGINE_BUSY,     /* made progress, there is more */
    EMU_ENGINE_SPINNING, /* running, without progress */
    EMU_ENGINE_FAULT     /* stopped for ever: see `fault` */
};
