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

/* Defines the methods of IUnknown and ID3D12Object. `object` is an expression that uses `iface`: a
 * pointer to a struct with `private_data`, which the functions kind_query, kind_add_ref and
 * kind_release take. `linkage` is static or extern. */
#define OBJECT_METHODS(linkage, noun, I, kind, object)                                             \
    linkage HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)     \
    {                                                                                              \
        return kind##_query(object, riid, out);                                                    \
    }                                                                                              \
    linkage ULONG STDMETHODCALLTYPE noun##_AddRef(I *iface)                                        \
    {                                                                                              \
        return kind##_add_ref(object);                                                             \
    }                                                                                              \
    linkage ULONG STDMETHODCALLTYPE noun##_Release(I *iface)                                       \
    {                                                                                              \
        return kind##_release(object);                                                             \
    }                                                                                              \
    linkage HRESULT STDMETHODCALLTYPE noun##_GetPrivateData(I *iface, REFGUID guid, UINT *size,    \
                                                            void *data)                            \
    {                                                                                              \
        return private_data_get(&(object)->private_data, guid, size, data);                        \
    }                                                                                              \
    linkage HRESULT STDMETHODCALLTYPE noun##_SetPrivateData(I *iface, REFGUID guid, UINT size,     \
                                                            const void *data)                      \
    {                                                                                              \
        return private_data_set(&(object)->private_data, guid, size, data);                        \
    }                                                                                              \
    linkage HRESULT STDMETHODCALLTYPE noun##_SetPrivateDataInterface(I *iface, REFGUID guid,       \
                                                                     const IUnknown *data)         \
    {                                                                                              \
        return private_data_set_interface(&(object)->private_data, guid, data);                    \
    }                                                                                              \
    linkage HRESULT STDMETHODCALLTYPE noun##_SetName(I *iface, LPCWSTR name)                       \
    {                                                                                              \
        return private_data_set_name(&(object)->private_data, name);                               \
    }
