/* Limits the GPU's resets as Windows' TdrLimitCount and TdrLimitTime do [TDR registry keys]. */
#pragma once

#include <stdbool.h>

#define TDR_LIMIT_COUNT   5u /* limit of an adapter's timeouts; an engine's limit is 1 less */
#define TDR_LIMIT_SECONDS 60u

/* Notes a reset: of a whole adapter if `is_adapter` is true, otherwise of an engine. */
void tdr_limit_note(bool is_adapter);

/* Returns whether there were too many resets in the last TDR_LIMIT_SECONDS seconds. */
bool tdr_limit_is_reached(void);
