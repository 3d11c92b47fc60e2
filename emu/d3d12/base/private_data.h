/* An object's data for GetPrivateData, and its names. SetName and
 * SetPrivateData(WKPDID_D3DDebugObjectNameW) set the wide name; WKPDID_D3DDebugObjectName sets the
 * narrow name [ANN-NAME-06]. Any thread may call these functions. */
#pragma once

#include "base/com.h"

#include <annot/annot.h>
#include <pthread.h>

struct private_datum;

struct private_data {
    pthread_mutex_t lock;
    struct private_datum *first;
    /* The annotation object that gets the names; NULL for a device [ANN-NAME-02]. */
    annot_object *named;
};

void private_data_init(struct private_data *store, annot_object *named);

/* Releases the stored interfaces and frees the data. The store is then empty and usable. */
void private_data_clear(struct private_data *store);
void private_data_finish(struct private_data *store);

HRESULT private_data_get(struct private_data *store, const GUID *guid, UINT *size, void *data);
HRESULT private_data_set(struct private_data *store, const GUID *guid, UINT size, const void *data);
HRESULT private_data_set_interface(struct private_data *store, const GUID *guid,
                                   const IUnknown *object);
HRESULT private_data_set_name(struct private_data *store, const WCHAR *name);
