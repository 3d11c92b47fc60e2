#include "call.h"

#include "../../intercept/abi.h"
#include "../../intercept/resource.h"

#include <stdlib.h>
#include <string.h>

/* ---- methods ---- */

/* Takes a structure, which is behind a pointer if larger than a word; zeros: the trace has none. */
static void take_local(void *local, size_t size, const uint64_t *arg)
{
    const void *from = size <= sizeof *arg ? (const void *)arg : (const void *)(uintptr_t)*arg;
    if (from)
        memcpy(local, from, size);
    else
        memset(local, 0, size);
}

#define LOCAL(ctype, name, ...)                                                                    \
    ctype name;                                                                                    \
    take_local((void *)&name, sizeof name, &args[n_]);                                             \
    n_++;

#define CALL_BEGIN(iface, name)                                                                    \
    static void call_##iface##_##name(void *This, const uint64_t *args, struct call_result *to_)   \
    {                                                                                              \
        size_t n_ = 0;                                                                             \
        D3D12_PARAMS_##iface##_##name(LOCAL)(void) n_, (void)args, (void)to_;

#define CALL_NOTHING(iface, name, result, slot)                                                    \
    CALL_BEGIN(iface, name)                                                                        \
    ABI_METHOD(This, iface, name, slot)(This D3D12_PARAMS_##iface##_##name(ABI_PASS));             \
    }
#define CALL_VALUE(iface, name, result, slot)                                                      \
    CALL_BEGIN(iface, name)                                                                        \
    result result_ =                                                                               \
        ABI_METHOD(This, iface, name, slot)(This D3D12_PARAMS_##iface##_##name(ABI_PASS));         \
    memcpy(&to_->word, &result_, sizeof result_);                                                  \
    }
#ifdef INTERCEPT_STRUCTS_BY_POINTER
#define CALL_STRUCT(iface, name, result, slot)                                                     \
    CALL_BEGIN(iface, name)                                                                        \
    _Static_assert(sizeof(result) <= CALL_STRUCT_MAX, "the result is larger than it can be");      \
    ABI_METHOD(This, iface, name, slot)                                                            \
    (This, (result *)(void *)to_->structure D3D12_PARAMS_##iface##_##name(ABI_PASS));              \
    memcpy(&to_->word, to_->structure, sizeof(result) <= 8 ? sizeof(result) : 0);                  \
    }
#else
#define CALL_STRUCT(iface, name, result, slot)                                                     \
    CALL_BEGIN(iface, name)                                                                        \
    _Static_assert(sizeof(result) <= CALL_STRUCT_MAX, "the result is larger than it can be");      \
    const result result_ =                                                                         \
        ABI_METHOD(This, iface, name, slot)(This D3D12_PARAMS_##iface##_##name(ABI_PASS));         \
    memcpy(to_->structure, &result_, sizeof result_);                                              \
    memcpy(&to_->word, &result_, sizeof(result) <= 8 ? sizeof(result) : 0);                        \
    }
#endif
#define CALL(iface, name, digest, how, result, kind, ref, size, first, count, slot)                \
    CALL_##how(iface, name, result, slot)
D3D12_METHODS(CALL)

typedef void (*method_call)(void *self, const uint64_t *args, struct call_result *result);
#define ROW_OF(iface, name, ...) call_##iface##_##name,
static const method_call methods[] = {D3D12_METHODS(ROW_OF)};

void call_method(unsigned method, void *self, const uint64_t *args, struct call_result *result)
{
    methods[method](self, args, result);
}

/* ---- exports ---- */

#define EXPORT_BEGIN(name)                                                                         \
    static void call_export_##name(void *function, const uint64_t *args, struct call_result *to_)  \
    {                                                                                              \
        real_##name real_;                                                                         \
        size_t n_ = 0;                                                                             \
        memcpy(&real_, &function, sizeof real_);                                                   \
        D3D12_PARAMS_##name(LOCAL)(void) n_, (void)args, (void)to_;
#define EXPORT_NOTHING(name, result)                                                               \
    typedef void(WINAPI * real_##name)(D3D12_SIGNATURE_##name);                                    \
    EXPORT_BEGIN(name)                                                                             \
    real_(D3D12_NAMES_##name);                                                                     \
    }
#define EXPORT_VALUE(name, result)                                                                 \
    typedef result(WINAPI *real_##name)(D3D12_SIGNATURE_##name);                                   \
    EXPORT_BEGIN(name)                                                                             \
    result result_ = real_(D3D12_NAMES_##name);                                                    \
    memcpy(&to_->word, &result_, sizeof result_);                                                  \
    }
#define EXPORT(none, name, digest, how, result, ...) EXPORT_##how(name, result)
D3D12_EXPORTS(EXPORT)

typedef void (*export_call)(void *function, const uint64_t *args, struct call_result *result);
#define EXPORT_ROW(none, name, ...) call_export_##name,
static const export_call exports[] = {D3D12_EXPORTS(EXPORT_ROW)};

void call_export(unsigned method, void *function, const uint64_t *args, struct call_result *result)
{
    exports[method - SCHEMA_EXPORT_FIRST](function, args, result);
}

/* ---- the replayer's own calls ---- */

void call_fence_wait(void *fence, uint64_t value)
{
    ID3D12Fence *f = fence;
    if (f->lpVtbl->GetCompletedValue(f) < value)
        f->lpVtbl->SetEventOnCompletion(f, value, NULL);
}

void call_fence_set(void *fence, uint64_t value)
{
    ID3D12Fence *f = fence;
    f->lpVtbl->Signal(f, value);
}

void call_queue_wait(void *queue)
{
    ID3D12CommandQueue *q = queue;
    void *device = NULL, *fence = NULL;
    if (q->lpVtbl->GetDevice(q, iid_of(TYPE_ID3D12Device), &device) < 0)
        return;
    ID3D12Device *d = device;
    if (d->lpVtbl->CreateFence(d, 0, D3D12_FENCE_FLAG_NONE, iid_of(TYPE_ID3D12Fence), &fence) >=
        0) {
        ID3D12Fence *f = fence;
        if (q->lpVtbl->Signal(q, f, 1) >= 0)
            call_fence_wait(f, 1);
        f->lpVtbl->Release(f);
    }
    d->lpVtbl->Release(d);
}

uint64_t call_heap_span(void *heap, uint32_t *to)
{
    ID3D12DescriptorHeap *h = heap;
    void *device = NULL;
    UINT step = 0;
#ifdef INTERCEPT_STRUCTS_BY_POINTER
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    h->lpVtbl->GetDesc(h, &desc);
#else
    const D3D12_DESCRIPTOR_HEAP_DESC desc = h->lpVtbl->GetDesc(h);
#endif
    if (h->lpVtbl->GetDevice(h, iid_of(TYPE_ID3D12Device), &device) >= 0) {
        ID3D12Device *d = device;
        step = d->lpVtbl->GetDescriptorHandleIncrementSize(d, desc.Type);
        d->lpVtbl->Release(d);
    }
    if (to)
        *to = step;
    return (uint64_t)desc.NumDescriptors * step;
}

uint64_t call_heap_desc_size(const void *desc)
{
    const D3D12_HEAP_DESC *d = desc;
    return d->SizeInBytes;
}

uint64_t call_resource_desc_size(const void *desc)
{
    const D3D12_RESOURCE_DESC *d = desc;
    const uint64_t factors[] = {d->Height, d->DepthOrArraySize, d->SampleDesc.Count, 32};
    uint64_t size = d->Width;
    if (d->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER)
        return size;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        const uint64_t factor = factors[i] ? factors[i] : 1;
        size = size > UINT64_MAX / factor ? UINT64_MAX : size * factor;
    }
    /* a subresource with one or two planes may begin at a multiple of 64 KiB */
    const uint64_t gaps = (uint64_t)d->DepthOrArraySize * (d->MipLevels ? d->MipLevels : 16) << 17;
    return size > UINT64_MAX - gaps ? UINT64_MAX : size + gaps;
}

bool call_set_address(void *device, uint64_t address)
{
    ID3D12DeviceTools *tools = object_query(device, iid_of(TYPE_ID3D12DeviceTools));
    if (!tools)
        return false;
    tools->lpVtbl->SetNextAllocationAddress(tools, address);
    tools->lpVtbl->Release(tools);
    return true;
}

uint64_t call_resource_size(void *resource)
{
    const D3D12_RESOURCE_DESC desc = resource_desc_of(resource);
    return desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER ? desc.Width : 0;
}

void *call_identity(void *object)
{
    void *found = object_peek(object, iid_of(TYPE_IUnknown));
    return found ? found : object;
}

void call_forget(void *object, const uint8_t guid[16])
{
    ID3D12Object *known = object_peek(object, iid_of(TYPE_ID3D12Object));
    GUID id;
    memcpy(&id, guid, sizeof id);
    if (known)
        known->lpVtbl->SetPrivateDataInterface(known, &id, NULL);
}

/* ---- stand-ins ---- */

static HRESULT STDMETHODCALLTYPE stand_in_query(IUnknown *self, REFIID riid, void **out)
{
    if (!riid || !out)
        return E_POINTER;
    const bool is_known = memcmp(riid, iid_of(TYPE_IUnknown), sizeof *riid) == 0 ||
                          memcmp(riid, iid_of(TYPE_ID3D12LifetimeOwner), sizeof *riid) == 0;
    *out = is_known ? self : NULL;
    return is_known ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE stand_in_count(IUnknown *self)
{
    (void)self;
    return 1;
}

/* Returns 1: a callback that decides whether to go on says yes. */
static UINT STDMETHODCALLTYPE nothing(void)
{
    return 1;
}

void *call_stand_in(void)
{
    /* ID3D12LifetimeOwner has one method more than IUnknown. A runtime calls no other method of a
     * program's object. */
    static struct {
        IUnknownVtbl unknown;
        UINT(STDMETHODCALLTYPE *more[4])(void);
    } table = {{stand_in_query, stand_in_count, stand_in_count},
               {nothing, nothing, nothing, nothing}};
    static IUnknown stand_in;
    stand_in.lpVtbl = &table.unknown;
    return &stand_in;
}

uint64_t call_callback(void)
{
    UINT(STDMETHODCALLTYPE * function)(void) = nothing;
    uint64_t word = 0;
    memcpy(&word, &function, sizeof function);
    return word;
}
