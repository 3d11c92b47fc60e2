/* How often the GPU may be recovered: TdrLimitCount and TdrLimitTime of Windows [TDR registry
 * keys]. */
#pragma once

#include <stdbool.h>

#define TDR_LIMIT_COUNT   5u /* of an adapter; one less of its engines */
#define TDR_LIMIT_SECONDS 60u

/* An adapter, or an engine of one, was reset now. */
void tdr_limit_note(bool is_adapter);

/* Whether this happened too often within the last TDR_LIMIT_SECONDS. */
bool tdr_limit_is_reached(void);
