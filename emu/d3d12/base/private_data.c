#include "base/private_data.h"

#include "base/result.h"
#include "base/wide.h"
#include "containers.h"
#include "gate.h"

struct private_datum {
    struct private_datum *next;
    GUID guid;
    bool is_interface; /* the datum is from SetPrivateDataInterface */
    IUnknown *object;  /* NULL: bytes, or an interface that is NULL */
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
    if (datum && datum->object)
        datum->object->lpVtbl->Release(datum->object);
    free(datum);
}

void private_data_clear(struct private_data *store)
{
    emu_lock(&store->lock);
    struct private_datum *datum = store->first;
    store->first = NULL;
    emu_unlock(&store->lock);
    struct private_datum *each, *next;
    LL_FOREACH_SAFE(datum, each, next)
    datum_free(each);
}

void private_data_finish(struct private_data *store)
{
    private_data_clear(store);
    pthread_mutex_destroy(&store->lock);
}

/* Finds a datum; NULL: there is none. The lock is held. */
static struct private_datum *find(struct private_data *store, const GUID *guid)
{
    struct private_datum *datum;
    LL_FOREACH(store->first, datum)
    if (com_same(&datum->guid, guid))
        break;
    return datum;
}

/* Replaces the datum by `datum` (NULL: nothing). Returns the old datum. The lock is held. */
static struct private_datum *replace(struct private_data *store, const GUID *guid,
                                     struct private_datum *datum)
{
    struct private_datum *old = find(store, guid);
    if (old)
        LL_DELETE(store->first, old);
    if (datum)
        LL_PREPEND(store->first, datum);
    return old;
}

static struct private_datum *datum_create(const GUID *guid, UINT size, const void *data)
{
    struct private_datum *datum = malloc(sizeof *datum + size);
    if (!datum)
        return NULL;
    datum->next = NULL;
    datum->guid = *guid;
    datum->is_interface = false;
    datum->object = NULL;
    datum->size = size;
    if (size > 0)
        memcpy(datum->bytes, data, size);
    return datum;
}

/* Copies wide characters and adds a NUL; the caller frees the copy. */
static WCHAR *terminate_wide(const void *data, UINT size)
{
    size_t count = size / sizeof(WCHAR);
    WCHAR *wide = malloc((count + 1) * sizeof *wide);
    if (!wide)
        return NULL;
    memcpy(wide, data, count * sizeof *wide);
    wide[count] = 0;
    return wide;
}

/* Returns the name in the driver's form, for the caller to free. NULL: out of memory. */
static WCHAR *wide_name(const struct private_datum *datum)
{
    return com_same(&datum->guid, &WKPDID_D3DDebugObjectName)
               ? wide_from_utf8(datum->bytes, datum->size)
               : terminate_wide(datum->bytes, datum->size);
}

static bool is_name(const GUID *guid)
{
    return com_same(guid, &WKPDID_D3DDebugObjectNameW) ||
           com_same(guid, &WKPDID_D3DDebugObjectName);
}

/* The object's other name, wide or char, which stays when the name under `guid` is removed. NULL:
 * none. The caller holds the lock. */
static const struct private_datum *other_name(struct private_data *store, const GUID *guid)
{
    const struct private_datum *other =
        find(store, com_same(guid, &WKPDID_D3DDebugObjectName) ? &WKPDID_D3DDebugObjectNameW
                                                               : &WKPDID_D3DDebugObjectName);
    return other && !other->is_interface ? other : NULL;
}

/* Swaps the datum and tells the annotation library the name in the same critical section, so that
 * two threads that name one object leave the same name in both places. A value that is no text
 * (NULL, an interface) clears this name; the object then has its other name [ANN-NAME-04, -06]. */
static HRESULT swap(struct private_data *store, const GUID *guid, struct private_datum *datum)
{
    HRESULT hr = S_OK;
    WCHAR *name = NULL;
    emu_lock(&store->lock);
    const struct private_datum *source =
        datum && !datum->is_interface ? datum : other_name(store, guid);
    if (is_name(guid) && source && !(name = wide_name(source))) {
        emu_unlock(&store->lock);
        datum_free(datum);
        return E_OUTOFMEMORY;
    }
    if (is_name(guid) && store->named)
        hr = hresult_from_annot(
            annot_object_set_name(store->named, name, (annot_text_unit)sizeof(WCHAR)));
    struct private_datum *old = replace(store, guid, datum);
    emu_unlock(&store->lock);
    if (!datum && !old && !is_name(guid))
        hr = S_FALSE; /* no datum was removed */
    datum_free(old);
    free(name);
    return hr;
}

HRESULT private_data_set(struct private_data *store, const GUID *guid, UINT size, const void *data)
{
    if (!guid || (data && size > UINT32_MAX - sizeof(WCHAR)))
        return E_INVALIDARG;
    struct private_datum *datum = data ? datum_create(guid, size, data) : NULL;
    return data && !datum ? E_OUTOFMEMORY : swap(store, guid, datum);
}

/* The text gets its terminator, as if a program had set it by SetPrivateData. */
HRESULT private_data_set_name(struct private_data *store, const WCHAR *name)
{
    const size_t length = name ? wide_length(name) + 1 : 0;
    if (length > UINT32_MAX / sizeof *name)
        return E_INVALIDARG;
    return private_data_set(store, &WKPDID_D3DDebugObjectNameW, (UINT)(length * sizeof *name),
                            name);
}

HRESULT private_data_set_interface(struct private_data *store, const GUID *guid,
                                   const IUnknown *object)
{
    if (!guid)
        return E_INVALIDARG;
    struct private_datum *datum = datum_create(guid, 0, NULL);
    if (!datum)
        return E_OUTOFMEMORY;
    datum->is_interface = true;
    datum->object = (IUnknown *)(uintptr_t)object; /* COM's AddRef takes no const */
    if (object)
        datum->object->lpVtbl->AddRef(datum->object);
    return swap(store, guid, datum);
}

static HRESULT copy_datum(const struct private_datum *datum, UINT *size, void *data)
{
    const UINT capacity = *size;
    *size = datum->is_interface ? (UINT)sizeof datum->object : datum->size;
    if (!data)
        return S_OK;
    if (capacity < *size)
        return DXGI_ERROR_MORE_DATA;
    if (datum->is_interface) {
        if (datum->object)
            datum->object->lpVtbl->AddRef(datum->object);
        memcpy(data, &datum->object, sizeof datum->object);
    } else {
        memcpy(data, datum->bytes, datum->size);
    }
    return S_OK;
}

HRESULT private_data_get(struct private_data *store, const GUID *guid, UINT *size, void *data)
{
    if (!guid || !size)
        return E_INVALIDARG;
    HRESULT hr = DXGI_ERROR_NOT_FOUND;
    emu_lock(&store->lock);
    const struct private_datum *datum = find(store, guid);
    if (datum)
        hr = copy_datum(datum, size, data);
    else
        *size = 0;
    emu_unlock(&store->lock);
    return hr;
}
