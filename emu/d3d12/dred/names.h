/* The two names that DRED shows of an object: char only where WKPDID_D3DDebugObjectName was set,
 * wide from SetName or WKPDID_D3DDebugObjectNameW [DeviceRemovedExtendedData]. */
#pragma once

#include "base/private_data.h"

struct dred_names {
    char *a;
    WCHAR *w; /* NUL-terminated; NULL: none, or no memory */
};

/* Copies of what the object has now. */
struct dred_names dred_names_copy(struct private_data *store);
void dred_names_free(struct dred_names *names);
