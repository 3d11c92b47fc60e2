/* How often the GPU may be reset: Windows' TdrLimitCount and TdrLimitTime [TDR registry keys]. */
#pragma once

#include <stdbool.h>

#define TDR_LIMIT_COUNT   5u /* limit of timeouts of an adapter; the limit of an engine is 1 less */
#define TDR_LIMIT_SECONDS 60u

/* Notes that an adapter was reset (`is_adapter`), or one of its engines. */
void tdr_limit_note(bool is_adapter);

/* Whether too many resets happened within the last TDR_LIMIT_SECONDS. */
bool tdr_limit_is_reached(void);
