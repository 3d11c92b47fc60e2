#include "base/destruction.h"

#include "containers.h"
#include "gate.h"

struct destruction_callback {
    struct destruction_callback *next; /* registered earlier */
    PFN_DESTRUCTION_CALLBACK function;
    void *data;
    UINT id;
};

static struct destruction *impl_from_ID3DDestructionNotifier(ID3DDestructionNotifier *iface)
{
    return container_of(iface, struct destruction, iface);
}

COM_FACE(destruction, ID3DDestructionNotifier, impl_from_ID3DDestructionNotifier(iface)->owner)

HRESULT destruction_register(struct destruction *destruction, PFN_DESTRUCTION_CALLBACK function,
                             void *data, UINT *id)
{
    struct destruction_callback *callback = malloc(sizeof *callback);
    if (!callback)
        return E_OUTOFMEMORY;
    callback->function = function;
    callback->data = data;
    emu_lock(&destruction->lock);
    callback->id = 0; /* nobody can ask for it to go */
    if (id)
        callback->id = *id = ++destruction->last_id;
    LL_PREPEND(destruction->last, callback);
    emu_unlock(&destruction->lock);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE destruction_RegisterDestructionCallback(
    ID3DDestructionNotifier *iface, PFN_DESTRUCTION_CALLBACK function, void *data, UINT *id)
{
    if (!function)
        return DXGI_ERROR_INVALID_CALL;
    return destruction_register(impl_from_ID3DDestructionNotifier(iface), function, data, id);
}

/* A callback may unregister itself while it runs; it is not in the list any more. */
static HRESULT STDMETHODCALLTYPE
destruction_UnregisterDestructionCallback(ID3DDestructionNotifier *iface, UINT id)
{
    struct destruction *destruction = impl_from_ID3DDestructionNotifier(iface);
    emu_lock(&destruction->lock);
    struct destruction_callback *found = NULL;
    if (id != 0)
        LL_SEARCH_SCALAR(destruction->last, found, id, id);
    if (found)
        LL_DELETE(destruction->last, found);
    const bool known = found != NULL || (id != 0 && id == destruction->current_id);
    emu_unlock(&destruction->lock);
    free(found);
    return known ? S_OK : DXGI_ERROR_NOT_FOUND;
}

static struct destruction_callback *take_last(struct destruction *destruction)
{
    emu_lock(&destruction->lock);
    struct destruction_callback *last = destruction->last;
    if (last)
        LL_DELETE(destruction->last, last);
    destruction->current_id = last != NULL ? last->id : 0;
    emu_unlock(&destruction->lock);
    return last;
}

void destruction_notify(struct destruction *destruction)
{
    for (struct destruction_callback *last; (last = take_last(destruction)) != NULL;) {
        last->function(last->data);
        free(last);
    }
}

static CONST_VTBL ID3DDestructionNotifierVtbl destruction_vtable = {
    COM_FACE_ENTRIES(destruction),
    .RegisterDestructionCallback = destruction_RegisterDestructionCallback,
    .UnregisterDestructionCallback = destruction_UnregisterDestructionCallback,
};

void destruction_init(struct destruction *destruction, void *owner)
{
    *destruction = (struct destruction){.iface = {&destruction_vtable}, .owner = owner};
    pthread_mutex_init(&destruction->lock, NULL);
}

void destruction_finish(struct destruction *destruction)
{
    for (struct destruction_callback *last; (last = take_last(destruction)) != NULL;)
        free(last);
    pthread_mutex_destroy(&destruction->lock);
}
