#include "session/shader_cache_session.h"

#include "base/abi.h"
#include "device/device.h"

D3D12_CHILD_METHODS(d3d12_shader_cache_session, ID3D12ShaderCacheSession)

static const struct {
    HRESULT hr;
    D3D12_MESSAGE_ID id;
    const char *text;
} troubles[] = {
    {E_INVALIDARG, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_INVALIDARGS, "invalid argument"},
    {DXGI_ERROR_ALREADY_EXISTS, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_ALREADYPRESENT,
     "there is a value with this key"},
    {DXGI_ERROR_CACHE_FULL, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_CACHEFULL,
     "the cache would grow past its maximum size"},
    {DXGI_ERROR_NOT_CURRENTLY_AVAILABLE, D3D12_MESSAGE_ID_SHADERCACHESESSION_DISABLED,
     "caches are disabled"},
};

/* One message for each answer that is one to worry about; passes the answer on. */
static HRESULT tell(struct d3d12_device *device, HRESULT hr, const char *method)
{
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++)
        if (troubles[i].hr == hr)
            d3d12_device_warning(device, troubles[i].id, "ID3D12ShaderCacheSession::%s: %s", method,
                                 troubles[i].text);
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_shader_cache_session_FindValue(
    ID3D12ShaderCacheSession *iface, const void *key, UINT key_size, void *value, UINT *value_size)
{
    struct d3d12_shader_cache_session *session = impl_from_ID3D12ShaderCacheSession(iface);
    HRESULT hr = E_INVALIDARG;
    if (key && key_size != 0 && value_size)
        hr = shader_cache_find(session->cache, key, key_size, value, value_size);
    return tell(session->child.device, hr, "FindValue");
}

static HRESULT STDMETHODCALLTYPE
d3d12_shader_cache_session_StoreValue(ID3D12ShaderCacheSession *iface, const void *key,
                                      UINT key_size, const void *value, UINT value_size)
{
    struct d3d12_shader_cache_session *session = impl_from_ID3D12ShaderCacheSession(iface);
    HRESULT hr = E_INVALIDARG;
    if (key && key_size != 0 && value && value_size != 0)
        hr = shader_cache_store(session->cache, key, key_size, value, value_size);
    return tell(session->child.device, hr, "StoreValue");
}

static void STDMETHODCALLTYPE
d3d12_shader_cache_session_SetDeleteOnDestroy(ID3D12ShaderCacheSession *iface)
{
    shader_cache_delete_on_destroy(impl_from_ID3D12ShaderCacheSession(iface)->cache);
}

ABI_STRUCT_METHOD(D3D12_SHADER_CACHE_SESSION_DESC, d3d12_shader_cache_session_GetDesc,
                  ID3D12ShaderCacheSession *iface)
{
    ABI_RETURN_STRUCT(impl_from_ID3D12ShaderCacheSession(iface)->desc);
}

static CONST_VTBL ID3D12ShaderCacheSessionVtbl d3d12_shader_cache_session_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_shader_cache_session),
    .FindValue = d3d12_shader_cache_session_FindValue,
    .StoreValue = d3d12_shader_cache_session_StoreValue,
    .SetDeleteOnDestroy = d3d12_shader_cache_session_SetDeleteOnDestroy,
    .GetDesc = d3d12_shader_cache_session_GetDesc,
};

static void shader_cache_session_release(struct d3d12_child *child)
{
    struct d3d12_shader_cache_session *session =
        container_of(child, struct d3d12_shader_cache_session, child);
    if (session->cache)
        shader_cache_close(session->cache);
}

static const struct d3d12_child_class shader_cache_session_class = {
    .kind = ANNOT_HT_SHADER_CACHE_SESSION,
    .iids = (const IID *const[]){&IID_ID3D12ShaderCacheSession, NULL},
    .methods = &d3d12_shader_cache_session_vtable,
    .release = shader_cache_session_release,
    .immediate = true, /* the GPU never uses it */
};

static bool is_valid(const D3D12_SHADER_CACHE_SESSION_DESC *desc)
{
    static const GUID none;
    return desc && !com_same(&desc->Identifier, &none) &&
           (desc->Mode == D3D12_SHADER_CACHE_MODE_MEMORY ||
            desc->Mode == D3D12_SHADER_CACHE_MODE_DISK) &&
           ((UINT)desc->Flags & ~(UINT)(D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED |
                                        D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR)) == 0;
}

static HRESULT open_cache(struct d3d12_device *device, const D3D12_SHADER_CACHE_SESSION_DESC *desc,
                          struct shader_cache **out)
{
    static const char method[] = "ID3D12Device9::CreateShaderCacheSession";
    if (!is_valid(desc))
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_INVALIDARGS,
                                    "%s: invalid description", method);
    const HRESULT hr = shader_cache_open(desc, out);
    if (hr == DXGI_ERROR_ALREADY_EXISTS)
        d3d12_device_warning(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_ALREADYOPEN,
                             "%s: the cache is open with another version or mode", method);
    if (hr == DXGI_ERROR_NOT_CURRENTLY_AVAILABLE)
        d3d12_device_warning(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_DISABLED,
                             "%s: caches are disabled", method);
    return hr;
}

HRESULT d3d12_shader_cache_session_create(struct d3d12_device *device,
                                          const D3D12_SHADER_CACHE_SESSION_DESC *desc,
                                          struct d3d12_shader_cache_session **out)
{
    struct d3d12_shader_cache_session *session =
        d3d12_child_begin(device, &shader_cache_session_class, sizeof *session);
    if (!session)
        return E_OUTOFMEMORY;
    const HRESULT hr = open_cache(device, desc, &session->cache);
    if (SUCCEEDED(hr))
        session->desc = *desc;
    *out = session;
    return d3d12_child_end(&session->child, hr);
}
