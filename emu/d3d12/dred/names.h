/* An object's two names in DRED: a char name if WKPDID_D3DDebugObjectName was set, and a wide name
 * from SetName or WKPDID_D3DDebugObjectNameW [DeviceRemovedExtendedData]. */
#pragma once

#include "base/private_data.h"

struct dred_names {
    char *a;
    WCHAR *w; /* NUL-terminated names; NULL: the object has no such name, or memory ran out */
};

/* Copies the object's present names. Free them with dred_names_free. */
struct dred_names dred_names_copy(struct private_data *store);
void dred_names_free(struct dred_names *names);
