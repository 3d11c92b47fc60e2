/* How often the GPU may be reset: TdrLimitCount and TdrLimitTime of Windows [TDR registry keys]. */
#pragma once

#include <stdbool.h>

#define TDR_LIMIT_COUNT   5u /* the allowed timeouts of an adapter; an engine may have one less */
#define TDR_LIMIT_SECONDS 60u

/* Notes that an adapter, or one of its engines, was reset now. */
void tdr_limit_note(bool is_adapter);

/* Whether resets happened too often within the last TDR_LIMIT_SECONDS. */
bool tdr_limit_is_reached(void);
