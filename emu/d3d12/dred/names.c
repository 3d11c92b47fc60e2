#include "dred/names.h"

/* Copies the private data under this GUID, with one character of zeros behind it. */
static void *copy(struct private_data *store, const GUID *guid, size_t unit)
{
    UINT size = 0;
    void *name = NULL;
    while (private_data_get(store, guid, &size, NULL) == S_OK && size >= unit) {
        UINT capacity = size;
        free(name);
        name = calloc(1, (size_t)size + unit);
        if (!name || private_data_get(store, guid, &capacity, name) == S_OK)
            return name; /* otherwise the object was renamed meanwhile */
    }
    free(name);
    return NULL;
}

struct dred_names dred_names_copy(struct private_data *store)
{
    return (struct dred_names){copy(store, &WKPDID_D3DDebugObjectName, 1),
                               copy(store, &WKPDID_D3DDebugObjectNameW, sizeof(WCHAR))};
}

void dred_names_free(struct dred_names *names)
{
    free(names->a);
    free(names->w);
    *names = (struct dred_names){NULL, NULL};
}
