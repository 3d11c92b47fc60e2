/* An object's two names in DRED. WKPDID_D3DDebugObjectName sets a char name; SetName and
 * WKPDID_D3DDebugObjectNameW set a wide name [DeviceRemovedExtendedData]. */
#pragma once

#include "base/private_data.h"

struct dred_names {
    char *a;
    /* The wide name. The wide and narrow names end in NUL; NULL: not set, or memory ran out. */
    WCHAR *w;
};

/* Copies the current names of the object. The caller frees the copies with dred_names_free. */
struct dred_names dred_names_copy(struct private_data *store);
void dred_names_free(struct dred_names *names);
