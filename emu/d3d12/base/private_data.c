#include "base/private_data.h"

#include "base/result.h"
#include "base/wide.h"
#include "containers.h"

struct private_datum {
    struct private_datum *next;
    GUID guid;
    IUnknown *object; /* SetPrivateDataInterface's; NULL: bytes */
    UINT size;
    _Alignas(8) unsigned char bytes[];
};

void private_data_init(struct private_data *store, annot_object *named)
{
    pthread_mutex_init(&store->lock, NULL);
    store->first = NULL;
    store->named = named;
}

static void datum_free(struct private_datum *datum)
{
    if (datum != NULL && datum->object != NULL)
        datum->object->lpVtbl->Release(datum->object);
    free(datum);
}

void private_data_clear(struct private_data *store)
{
    pthread_mutex_lock(&store->lock);
    struct private_datum *datum = store->first;
    store->first = NULL;
    pthread_mutex_unlock(&store->lock);
    struct private_datum *each, *next;
    LL_FOREACH_SAFE(datum, each, next)
    datum_free(each);
}

void private_data_finish(struct private_data *store)
{
    private_data_clear(store);
    pthread_mutex_destroy(&store->lock);
}

/* The lock is held. NULL: there is none. */
static struct private_datum *find(struct private_data *store, const GUID *guid)
{
    struct private_datum *datum;
    LL_FOREACH(store->first, datum)
    if (com_same(&datum->guid, guid))
        break;
    return datum;
}

/* Puts `datum` (NULL: nothing) where `guid` was; returns what was there. The lock is held. */
static struct private_datum *replace(struct private_data *store, const GUID *guid,
                                     struct private_datum *datum)
{
    struct private_datum *old = find(store, guid);
    if (old != NULL)
        LL_DELETE(store->first, old);
    if (datum != NULL)
        LL_PREPEND(store->first, datum);
    return old;
}

static struct private_datum *datum_create(const GUID *guid, UINT size, const void *data)
{
    struct private_datum *datum = malloc(sizeof *datum + size);
    if (datum == NULL)
        return NULL;
    datum->next = NULL;
    datum->guid = *guid;
    datum->object = NULL;
    datum->size = size;
    if (size > 0)
        memcpy(datum->bytes, data, size);
    return datum;
}

/* Swaps the datum and tells the annotation library the name in the same critical section, so that two threads that
 * name one object leave the same name in both places. `name` is what the driver is to see, NULL to clear. */
static HRESULT swap_named(struct private_data *store, const GUID *guid, struct private_datum *datum,
                          const WCHAR *name)
{
    HRESULT hr = S_OK;
    pthread_mutex_lock(&store->lock);
    if (store->named != NULL)
        hr = hresult_from_annot(
            annot_object_set_name(store->named, name, (annot_text_unit)sizeof(WCHAR)));
    struct private_datum *old = replace(store, guid, datum);
    pthread_mutex_unlock(&store->lock);
    datum_free(old);
    return hr;
}

HRESULT private_data_set_name(struct private_data *store, const WCHAR *name)
{
    size_t length = 0;
    while (name != NULL && name[length] != 0)
        length++;
    if (length > UINT32_MAX / sizeof(WCHAR) - 1)
        return E_INVALIDARG;
    struct private_datum *datum = NULL;
    if (name != NULL) {
        datum = datum_create(&WKPDID_D3DDebugObjectNameW, (UINT)(length * sizeof(WCHAR)), name);
        if (datum == NULL)
            return E_OUTOFMEMORY;
    }
    return swap_named(store, &WKPDID_D3DDebugObjectNameW, datum, name);
}

/* Wide characters that need not end in NUL as a string that does; malloc'ed. */
static WCHAR *terminate_wide(const void *data, UINT size)
{
    size_t count = size / sizeof(WCHAR);
    WCHAR *wide = malloc((count + 1) * sizeof *wide);
    if (wide == NULL)
        return NULL;
    memcpy(wide, data, count * sizeof *wide);
    wide[count] = 0;
    return wide;
}

static HRESULT set_name_datum(struct private_data *store, const GUID *guid,
                              struct private_datum *datum)
{
    if (datum == NULL)
        return swap_named(store, guid, NULL, NULL);
    WCHAR *name = com_same(guid, &WKPDID_D3DDebugObjectName)
                      ? wide_from_utf8(datum->bytes, datum->size)
                      : terminate_wide(datum->bytes, datum->size);
    if (name == NULL) {
        datum_free(datum);
        return E_OUTOFMEMORY;
    }
    HRESULT hr = swap_named(store, guid, datum, name);
    free(name);
    return hr;
}

static bool is_name(const GUID *guid)
{
    return com_same(guid, &WKPDID_D3DDebugObjectNameW) ||
           com_same(guid, &WKPDID_D3DDebugObjectName);
}

HRESULT private_data_set(struct private_data *store, const GUID *guid, UINT size, const void *data)
{
    if (guid == NULL || size > UINT32_MAX - sizeof(WCHAR))
        return E_INVALIDARG;
    struct private_datum *datum = NULL;
    if (data != NULL) {
        datum = datum_create(guid, size, data);
        if (datum == NULL)
            return E_OUTOFMEMORY;
    }
    if (is_name(guid))
        return set_name_datum(store, guid, datum);

    pthread_mutex_lock(&store->lock);
    struct private_datum *old = replace(store, guid, datum);
    pthread_mutex_unlock(&store->lock);
    HRESULT hr = data == NULL && old == NULL ? S_FALSE : S_OK;
    datum_free(old);
    return hr;
}

HRESULT private_data_set_interface(struct private_data *store, const GUID *guid,
                                   const IUnknown *object)
{
    if (object == NULL)
        return private_data_set(store, guid, 0, NULL);
    if (guid == NULL)
        return E_INVALIDARG;
    struct private_datum *datum = datum_create(guid, 0, NULL);
    if (datum == NULL)
        return E_OUTOFMEMORY;
    datum->object = (IUnknown *)(uintptr_t)object; /* COM's AddRef takes no const */
    datum->object->lpVtbl->AddRef(datum->object);

    pthread_mutex_lock(&store->lock);
    struct private_datum *old = replace(store, guid, datum);
    pthread_mutex_unlock(&store->lock);
    datum_free(old);
    return S_OK;
}

static HRESULT copy_datum(const struct private_datum *datum, UINT *size, void *data)
{
    const UINT capacity = *size;
    *size = datum->object != NULL ? (UINT)sizeof datum->object : datum->size;
    if (data == NULL)
        return S_OK;
    if (capacity < *size)
        return DXGI_ERROR_MORE_DATA;
    if (datum->object != NULL) {
        datum->object->lpVtbl->AddRef(datum->object);
        memcpy(data, &datum->object, sizeof datum->object);
    } else {
        memcpy(data, datum->bytes, datum->size);
    }
    return S_OK;
}

HRESULT private_data_get(struct private_data *store, const GUID *guid, UINT *size, void *data)
{
    if (guid == NULL || size == NULL)
        return E_INVALIDARG;
    HRESULT hr = DXGI_ERROR_NOT_FOUND;
    pthread_mutex_lock(&store->lock);
    const struct private_datum *datum = find(store, guid);
    if (datum != NULL)
        hr = copy_datum(datum, size, data);
    else
        *size = 0;
    pthread_mutex_unlock(&store->lock);
    return hr;
}
