/* How often the GPU may be reset: Windows' TdrLimitCount and TdrLimitTime [TDR registry keys]. */
#pragma once

#include <stdbool.h>

#define TDR_LIMIT_COUNT   5u /* most timeouts of an adapter; an engine may have one timeout less */
#define TDR_LIMIT_SECONDS 60u

/* Notes a reset: of an adapter, or of one of its engines. */
void tdr_limit_note(bool is_adapter);

/* Whether too many resets happened within the last TDR_LIMIT_SECONDS. */
bool tdr_limit_is_reached(void);
