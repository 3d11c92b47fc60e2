#include "reach.h"
#include "../../intercept/d3d12.h"
#include "../../intercept/held.h"
#include "../../intercept/resource.h"
#include "hashed.h"

#include <stdatomic.h>

#define ADDRESSES_MAX 4096u /* if calls name more addresses, the GPU may write all memory */
#define QUERY_MOST    256u  /* most bytes that one query resolves to */

struct written { /* a resource that calls name for writes */
    uint64_t identity;
    struct reach_range range;
    UT_hash_handle hh;
};

struct address { /* an address behind which the GPU may write */
    uint64_t first, size;
    UT_hash_handle hh;
};

bool reach_methods[SCHEMA_METHODS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct written *resources;
static struct address *addresses;
static bool is_everything;        /* true: the GPU's writes are unknown, or memory ran out */
static bool has_views;            /* whether a list may write without naming the memory */
static const struct object *list; /* the list that records the call; NULL: a call on a device */
static atomic_uint_fast64_t version;

/* ---- which calls ---- */

/* Commands that write at addresses in memory, or whose writes are not followed. */
#define UNLIMITED(iface, name) [METHOD_##iface##_##name] = true,
static const bool has_no_limits[SCHEMA_METHODS] = {D3D12_UNLIMITED(UNLIMITED)};

void reach_open(void)
{
    static const uint16_t others[] = {
        METHOD_ID3D12GraphicsCommandList_CopyBufferRegion,
        METHOD_ID3D12GraphicsCommandList_CopyTextureRegion,
        METHOD_ID3D12GraphicsCommandList_CopyResource,
        METHOD_ID3D12GraphicsCommandList_CopyTiles,
        METHOD_ID3D12GraphicsCommandList_ResolveSubresource,
        METHOD_ID3D12GraphicsCommandList1_AtomicCopyBufferUINT,
        METHOD_ID3D12GraphicsCommandList1_AtomicCopyBufferUINT64,
        METHOD_ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView,
        METHOD_ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView,
        METHOD_ID3D12GraphicsCommandList_SOSetTargets,
        METHOD_ID3D12GraphicsCommandList_ExecuteBundle,
        METHOD_ID3D12Device_CreateUnorderedAccessView,
        METHOD_ID3D12Device_CreateRenderTargetView,
        METHOD_ID3D12Device15_TryCreateUnorderedAccessView,
        METHOD_ID3D12Device15_TryCreateRenderTargetView,
        METHOD_ID3D12Device_CreateCommandSignature,
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        reach_methods[others[i]] = true;
    for (int i = 0; i < SCHEMA_METHODS; i++) {
        const struct schema_method_row *m = &schema_methods[i];
        reach_methods[i] |=
            has_no_limits[i] || (strcmp(m->name, "ResolveQueryData") == 0 && !m->has_result) ||
            strcmp(m->name, "WriteBufferImmediate") == 0 || strcmp(m->name, "DiscardResource") == 0;
    }
}

/* ---- written memory; the lock is held ---- */

static void add_everything(void)
{
    is_everything = true;
    atomic_fetch_add(&version, 1);
}

static void note_writer(void)
{
    has_views |= !list || !object_set_note(list, OBJECT_NOTE_RECORDER, 1);
}

/* Widens a range. Rows stay rows if all have one pitch, or the range has all bytes. False: the
 * range has not changed. */
static bool widen(struct reach_range *range, uint64_t first, uint64_t size, uint64_t row,
                  uint64_t pitch)
{
    const uint64_t end = size > UINT64_MAX - first ? UINT64_MAX : first + size;
    const bool is_none = range->first == range->end;
    const bool has_rows = is_none || (range->row == row && range->pitch == pitch && pitch &&
                                      range->first % pitch == first % pitch);
    if (!is_none && first >= range->first && end <= range->end && (has_rows || !range->pitch))
        return false;
    *range = (struct reach_range){is_none || first < range->first ? first : range->first,
                                  is_none || end > range->end ? end : range->end, row,
                                  has_rows ? pitch : 0};
    return true;
}

static void add_rows(const void *resource, uint64_t first, uint64_t size, uint64_t row,
                     uint64_t pitch)
{
    const struct object *object = object_at((void *)(uintptr_t)resource);
    struct written *w;
    if (!object || !object_is(object, TYPE_ID3D12Resource)) /* a program's mistake */
        return;
    if (list || resource_describe(object->real).size) /* not a texture */
        note_writer();
    const uint64_t identity = object->more->identity;
    TABLE_FIND_OR_ADD(resources, identity, identity, w);
    if (!w)
        add_everything();
    else if (widen(&w->range, first, size, row, pitch))
        atomic_fetch_add(&version, 1);
}

static void add_resource(const void *resource, uint64_t first, uint64_t size)
{
    add_rows(resource, first, size, 0, 0);
}

static void add_address(uint64_t first, uint64_t size)
{
    struct address *a;
    if (!first)
        return;
    note_writer();
    HASH_FIND(hh, addresses, &first, sizeof first, a);
    if (a && a->size >= size)
        return;
    if (!a && HASH_COUNT(addresses) < ADDRESSES_MAX)
        TABLE_FIND_OR_ADD(addresses, first, first, a);
    if (!a) {
        add_everything();
        return;
    }
    a->size = size;
    atomic_fetch_add(&version, 1);
}

/* ---- calls ---- */

static const void *pointer(uint64_t arg)
{
    return (const void *)(uintptr_t)arg;
}

/* Notes the rows of the footprint, without the padding behind each row. */
static void note_texture_copy(const D3D12_TEXTURE_COPY_LOCATION *to)
{
    if (!to || to->Type != D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT)
        return;
    const D3D12_SUBRESOURCE_FOOTPRINT *f = &to->PlacedFootprint.Footprint;
    const D3D12_RESOURCE_DESC slice = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                       .Width = f->Width,
                                       .Height = f->Height ? f->Height : 1,
                                       .DepthOrArraySize = 1,
                                       .MipLevels = 1,
                                       .Format = f->Format,
                                       .SampleDesc.Count = 1};
    const struct object *object = object_at(to->pResource);
    uint32_t rows = slice.Height;
    const uint64_t row = object ? resource_row_size(object->real, &slice, &rows) : 0;
    const uint64_t size = (uint64_t)rows * (f->Depth ? f->Depth : 1) * f->RowPitch;
    if (row && row < f->RowPitch)
        add_rows(to->pResource, to->PlacedFootprint.Offset, size - f->RowPitch + row, row,
                 f->RowPitch);
    else
        add_resource(to->pResource, to->PlacedFootprint.Offset, size);
}

static void note_outputs(uint64_t count, const D3D12_STREAM_OUTPUT_BUFFER_VIEW *views)
{
    for (uint64_t i = 0; views && i < (uint32_t)count; i++) {
        add_address(views[i].BufferLocation, views[i].SizeInBytes);
        add_address(views[i].BufferFilledSizeLocation, 8);
    }
}

static void note_immediate(uint64_t count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *params)
{
    for (uint64_t i = 0; params && i < (uint32_t)count; i++)
        add_address(params[i].Dest, 4);
}

/* Commands of such a signature read the addresses that shaders write to from memory. */
static void note_signature(const D3D12_COMMAND_SIGNATURE_DESC *desc)
{
    for (uint32_t i = 0; desc && desc->pArgumentDescs && i < desc->NumArgumentDescs; i++)
        if (desc->pArgumentDescs[i].Type == D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW)
            add_everything();
}

void reach_note(uint16_t method, const struct object *self, const uint64_t *args)
{
    const char *name = schema_methods[method].name, *iface = schema_methods[method].iface;
    pthread_mutex_lock(&lock);
    list = strncmp(iface, "ID3D12GraphicsCommandList", 25) == 0 ? self : NULL;
    switch (method) {
    case METHOD_ID3D12GraphicsCommandList_CopyBufferRegion:
        add_resource(pointer(args[0]), args[1], args[4]);
        break;
    case METHOD_ID3D12GraphicsCommandList_CopyTextureRegion:
        note_texture_copy(pointer(args[0]));
        break;
    case METHOD_ID3D12GraphicsCommandList_CopyTiles:
        add_resource(pointer(args[3]), 0, UINT64_MAX);
        break;
    case METHOD_ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView:
    case METHOD_ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView:
        add_address(args[1], UINT64_MAX);
        break;
    case METHOD_ID3D12GraphicsCommandList_SOSetTargets:
        note_outputs(args[1], pointer(args[2]));
        break;
    case METHOD_ID3D12Device_CreateUnorderedAccessView:
    case METHOD_ID3D12Device15_TryCreateUnorderedAccessView:
        add_resource(pointer(args[0]), 0, UINT64_MAX);
        add_resource(pointer(args[1]), 0, UINT64_MAX);
        break;
    case METHOD_ID3D12Device_CreateCommandSignature:
        note_signature(pointer(args[0]));
        break;
    default:
        if (strcmp(name, "WriteBufferImmediate") == 0)
            note_immediate(args[0], pointer(args[1]));
        else if (strcmp(name, "ResolveQueryData") == 0)
            add_resource(pointer(args[4]), args[5], (args[3] & UINT32_MAX) * QUERY_MOST);
        else if (has_no_limits[method])
            add_everything();
        else /* the first resource is the written one */
            add_resource(pointer(args[0]), 0, UINT64_MAX);
        break;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- questions ---- */

uint64_t reach_version(void)
{
    return atomic_load(&version);
}

bool reach_is_written(uint64_t count, void *const *lists)
{
    pthread_mutex_lock(&lock);
    bool is_written = is_everything || has_views || !lists;
    pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; !is_written && i < (uint32_t)count; i++) {
        const struct object *each = object_at(lists[i]);
        is_written = !each || object_note(each, OBJECT_NOTE_RECORDER);
    }
    return is_written;
}

struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size)
{
    const uint64_t identity = object->more->identity;
    struct reach_range all = {0};
    struct written *w;
    struct address *a;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, resources, &identity, sizeof identity, w);
    if (is_everything)
        all.end = size;
    else if (w)
        all = w->range;
    for (a = addresses; a && !is_everything; a = a->hh.next)
        if (address && a->first >= address && a->first - address < size)
            (void)widen(&all, a->first - address, a->size, 0, 0);
    pthread_mutex_unlock(&lock);
    all.first = all.first < size ? all.first : size;
    all.end = all.end < size ? all.end : size;
    return all;
}

void reach_forget(const struct object *object)
{
    const uint64_t identity = object->more->identity;
    struct written *w;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, resources, &identity, sizeof identity, w);
    if (w) {
        HASH_DEL(resources, w);
        free(w);
    }
    pthread_mutex_unlock(&lock);
}
