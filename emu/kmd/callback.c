/* Whether this thread is inside a callback. */
#include "kmd/types.h"

static _Thread_local unsigned callback_depth;

void emu__kmd_enter_callback(void)
{
    callback_depth++;
}

void emu__kmd_leave_callback(void)
{
    callback_depth--;
}

bool emu__kmd_in_callback(void)
{
    return callback_depth != 0;
}
