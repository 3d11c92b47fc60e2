/*
 * Words that the GPU writes: WriteBufferImmediate, MARKER_IN in front of a marker's work and
 * MARKER_OUT behind it. It is allowed in render passes and is not predicated; in bundles and on
 * kinds of lists where the device doesn't have it, nothing is written and all is unknown. A device
 * that has it for no kind of lists gets copies: copies.c.
 *
 * Their memory is the process's own where the runtime can open it as a heap: only that is
 * documented to survive the removal of a device. Else it is a READBACK buffer.
 */
#include "../intercept/library.h"
#include "layer.h"
#include "pages.h"

#include <stdio.h>
#include <string.h>

/* ---- memory ---- */

static const D3D12_RESOURCE_DESC buffer_desc = {
    .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
    .Width = LAYER_WORD_BYTES,
    .Height = 1,
    .DepthOrArraySize = 1,
    .MipLevels = 1,
    .SampleDesc = {1, 0},
    .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
};

static void release(struct layer_device *device, void *object)
{
    if (!object)
        return;
    object_release(object);
    layer_device_let_go(device);
}

void layer_buffer_release(struct layer_device *device, void *buffer)
{
    release(device, buffer);
}

void *layer_buffer_create(struct layer_device *device, D3D12_HEAP_TYPE type, UINT64 size,
                          D3D12_RESOURCE_STATES state, void **mapped)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    D3D12_RESOURCE_DESC desc = buffer_desc;
    void *buffer = NULL;
    desc.Width = size;
    *mapped = NULL;
    if (device->real->lpVtbl->CreateCommittedResource(device->real, &heap, D3D12_HEAP_FLAG_NONE,
                                                      &desc, state, NULL,
                                                      layer_iid(TYPE_ID3D12Resource), &buffer) < 0)
        return NULL;
    layer_device_hold(device);
    ID3D12Resource *resource = buffer;
    if (resource->lpVtbl->Map(resource, 0, NULL, mapped) >= 0 && *mapped)
        return buffer;
    release(device, buffer);
    return NULL;
}

static bool place_buffer(struct layer_device *device, struct layer_memory *memory)
{
    D3D12_RESOURCE_DESC desc = buffer_desc;
    void *buffer = NULL;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER; /* as such heaps are */
    if (device->real->lpVtbl->CreatePlacedResource(device->real, memory->heap, 0, &desc,
                                                   D3D12_RESOURCE_STATE_COPY_DEST, NULL,
                                                   layer_iid(TYPE_ID3D12Resource), &buffer) < 0)
        return false;
    layer_device_hold(device);
    memory->buffer = buffer;
    return true;
}

static bool open_own_memory(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    D3D12_FEATURE_DATA_EXISTING_HEAPS existing = {FALSE};
    void *found = NULL, *heap = NULL;
    if (device->real->lpVtbl->CheckFeatureSupport(device->real, D3D12_FEATURE_EXISTING_HEAPS,
                                                  &existing, sizeof existing) < 0 ||
        !existing.Supported ||
        device->real->lpVtbl->QueryInterface(device->real, layer_iid(TYPE_ID3D12Device3), &found) <
            0)
        return false;
    void *pages = pages_take(LAYER_WORD_BYTES);
    ID3D12Device3 *device3 = found;
    const HRESULT opened = pages ? device3->lpVtbl->OpenExistingHeapFromAddress(
                                       device3, pages, layer_iid(TYPE_ID3D12Heap), &heap)
                                 : E_OUTOFMEMORY;
    object_release(device3);
    if (opened >= 0) {
        layer_device_hold(device);
        memory->heap = heap;
        if (place_buffer(device, memory)) {
            memory->mapped = pages;
            memory->is_own = true;
            return true;
        }
        release(device, heap);
        memory->heap = NULL;
    }
    pages_give(pages, LAYER_WORD_BYTES);
    return false;
}

static bool open_readback(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    memory->buffer = layer_buffer_create(device, D3D12_HEAP_TYPE_READBACK, LAYER_WORD_BYTES,
                                         D3D12_RESOURCE_STATE_COPY_DEST, &memory->mapped);
    if (memory->buffer)
        memset(memory->mapped, 0, LAYER_WORD_BYTES);
    return memory->buffer != NULL;
}

void layer_words_finish(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    layer_copies_finish(device);
    release(device, memory->buffer);
    release(device, memory->heap);
    if (memory->is_own)
        pages_give(memory->mapped, LAYER_WORD_BYTES);
    *memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
}

/* ---- writes ---- */

bool layer_device_has_words(const struct layer_device *device)
{
    return device->evidence == LAYER_EVIDENCE_IMMEDIATE || device->evidence == LAYER_EVIDENCE_COPY;
}

uint16_t layer_words_writer(const struct layer_device *device)
{
    return device->evidence == LAYER_EVIDENCE_COPY ? TYPE_ID3D12GraphicsCommandList
                                                   : TYPE_ID3D12GraphicsCommandList2;
}

bool layer_words_are_written(const struct layer_device *device, const struct layer_list *list)
{
    return layer_device_has_words(device) && list->real && (device->writes_flags >> list->type & 1);
}

bool layer_words_may_come(const struct layer_list *list)
{
    return list->mirror.device->evidence != LAYER_EVIDENCE_COPY ||
           !(list->in_pass || list->is_predicated || list->is_protected);
}

void layer_word_write(const struct layer_device *device, void *list, uint64_t offset,
                      uint32_t value, D3D12_WRITEBUFFERIMMEDIATE_MODE mode)
{
    ID3D12GraphicsCommandList2 *writer = list;
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER word = {device->memory.address + offset, value};
    if (device->evidence == LAYER_EVIDENCE_COPY)
        layer_copies_write_constant(device, list, offset, value);
    else
        writer->lpVtbl->WriteBufferImmediate(writer, 1, &word, &mode);
}

void layer_words_write(const struct layer_device *device, const struct layer_list *list,
                       bool is_started, uint32_t value)
{
    const uint64_t offset = is_started ? list->words.started : list->words.completed;
    if (!list->is_marked || !layer_words_may_come(list))
        return;
    if (device->evidence == LAYER_EVIDENCE_COPY && value >= LAYER_CONSTANTS)
        layer_copies_write(device, list->arena, list->real, offset, value);
    else
        layer_word_write(device, list->real, offset, value,
                         is_started ? D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN
                                    : D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
}

void layer_words_write_prologue(const struct layer_device *device, void *writer,
                                const annot_prologue *prologue)
{
    const D3D12_WRITEBUFFERIMMEDIATE_MODE in = D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN;
    const D3D12_WRITEBUFFERIMMEDIATE_MODE out = D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT;
    layer_word_write(device, writer, prologue->entered, ANNOT_WORD_ENTERED, in);
    layer_word_write(device, writer, prologue->restarted, 0, in);
    layer_word_write(device, writer, prologue->entered, ANNOT_WORD_LEFT, in);
    layer_word_write(device, writer, prologue->claimed, ANNOT_WORD_ENTERED, out);
    layer_word_write(device, writer, prologue->cleared, 0, out);
    layer_word_write(device, writer, prologue->claimed, ANNOT_WORD_LEFT, out);
}

/* ---- what works ---- */

static bool is_probe_wanted(void)
{
    const char *probe = library_setting("ANNOT_D3D12_PROBE");
    return !probe || strcmp(probe, "0") != 0;
}

/* Words by this kind, which are tried: true, it is taken. */
static bool try_words(struct layer_device *device, enum layer_evidence kind, UINT flags, bool *came)
{
    device->evidence = kind;
    if (kind == LAYER_EVIDENCE_COPY && !layer_copies_open(device))
        return false;
    *came = is_probe_wanted() && layer_probe_words(device);
    if (*came || !is_probe_wanted()) {
        device->writes_flags = flags;
        return true;
    }
    return false;
}

static bool open_memory(struct layer_device *device, struct layer_found *found)
{
    found->own_memory =
        layer_settings.evidence != LAYER_EVIDENCE_READBACK && open_own_memory(device);
    found->readback = !found->own_memory && open_readback(device);
    if (!found->own_memory && !found->readback)
        return false;
    device->memory.address =
        device->memory.buffer->lpVtbl->GetGPUVirtualAddress(device->memory.buffer);
    return device->memory.address != 0;
}

/* The best kind that works; FENCE when none does. */
static void open_words(struct layer_device *device, UINT immediate, struct layer_found *found)
{
    enum {
        COPY_FLAGS =
            D3D12_COMMAND_LIST_SUPPORT_FLAG_DIRECT | D3D12_COMMAND_LIST_SUPPORT_FLAG_COMPUTE
    };
    found->was_tried = is_probe_wanted();
    if (layer_settings.evidence <= LAYER_EVIDENCE_READBACK && immediate &&
        try_words(device, LAYER_EVIDENCE_IMMEDIATE, immediate, &found->came))
        return;
    if (layer_settings.evidence <= LAYER_EVIDENCE_COPY &&
        try_words(device, LAYER_EVIDENCE_COPY, COPY_FLAGS, &found->copies_came))
        return;
    device->evidence = LAYER_EVIDENCE_FENCE;
}

/* Kinds that weren't needed are tried, too. */
static void tell_all(const struct layer_device *device, UINT immediate, struct layer_found *found)
{
    struct layer_device other = *device;
    other.memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
    other.constants = NULL;
    if (!found->own_memory) {
        found->own_memory = open_own_memory(&other);
        layer_words_finish(&other);
    }
    if (!found->readback || !found->copies_came) {
        found->readback = open_readback(&other);
        if (!found->copies_came && found->readback && found->was_tried)
            try_words(&other, LAYER_EVIDENCE_COPY, 0, &found->copies_came);
        layer_words_finish(&other);
    }
    layer_tell(device, immediate, found);
}

void layer_words_open(struct layer_device *device)
{
    D3D12_FEATURE_DATA_D3D12_OPTIONS3 options = {0};
    struct layer_found found = {0};
    UINT immediate = 0;
    device->evidence = LAYER_EVIDENCE_FENCE;
    if (device->real->lpVtbl->CheckFeatureSupport(device->real, D3D12_FEATURE_D3D12_OPTIONS3,
                                                  &options, sizeof options) >= 0)
        immediate = options.WriteBufferImmediateSupportFlags;
    if (layer_settings.evidence <= LAYER_EVIDENCE_COPY && open_memory(device, &found))
        open_words(device, immediate, &found);
    if (layer_is_asked()) {
        if (layer_device_has_words(device) && found.was_tried)
            layer_probe_order(device, &found);
        tell_all(device, immediate, &found);
    }
    if (device->evidence == LAYER_EVIDENCE_FENCE)
        layer_words_finish(device);
}

const char *layer_evidence_text(const struct layer_device *device)
{
    static const char *const texts[5][2] = {
        {"completed submissions only", "DRED's breadcrumbs, and completed submissions"},
        {"WriteBufferImmediate, in a READBACK buffer: words may be lost with the device",
         "WriteBufferImmediate, in a READBACK buffer: words may be lost with the device; DRED"},
        {"WriteBufferImmediate, in memory that survives the device",
         "WriteBufferImmediate, in memory that survives the device; DRED"},
        {"CopyBufferRegion between barriers, in a READBACK buffer: words may be lost with the "
         "device",
         "CopyBufferRegion between barriers, in a READBACK buffer: words may be lost with the "
         "device; DRED's page faults"},
        {"CopyBufferRegion between barriers, in memory that survives the device",
         "CopyBufferRegion between barriers, in memory that survives the device; DRED's page "
         "faults"}};
    const unsigned kind = device->evidence == LAYER_EVIDENCE_IMMEDIATE ? 1
                          : device->evidence == LAYER_EVIDENCE_COPY    ? 3
                                                                       : 0;
    return texts[kind + (kind && device->memory.is_own)]
                [device->dred.is_there && device->dred.has_breadcrumbs];
}
