/*
 * Words that the GPU writes: WriteBufferImmediate, MARKER_IN in front of a marker's work and
 * MARKER_OUT behind it. It is allowed in render passes and is not predicated; in bundles and on
 * kinds of lists where the device doesn't have it, nothing is written and all is unknown.
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
    static const D3D12_HEAP_PROPERTIES properties = {.Type = D3D12_HEAP_TYPE_READBACK};
    struct layer_memory *memory = &device->memory;
    void *buffer = NULL, *mapped = NULL;
    if (device->real->lpVtbl->CreateCommittedResource(
            device->real, &properties, D3D12_HEAP_FLAG_NONE, &buffer_desc,
            D3D12_RESOURCE_STATE_COPY_DEST, NULL, layer_iid(TYPE_ID3D12Resource), &buffer) < 0)
        return false;
    layer_device_hold(device);
    memory->buffer = buffer;
    if (memory->buffer->lpVtbl->Map(memory->buffer, 0, NULL, &mapped) < 0 || !mapped) {
        release(device, buffer);
        memory->buffer = NULL;
        return false;
    }
    memset(mapped, 0, LAYER_WORD_BYTES);
    memory->mapped = mapped;
    return true;
}

void layer_words_finish(struct layer_device *device)
{
    struct layer_memory *memory = &device->memory;
    release(device, memory->buffer);
    release(device, memory->heap);
    if (memory->is_own)
        pages_give(memory->mapped, LAYER_WORD_BYTES);
    *memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
}

/* ---- writes ---- */

bool layer_words_are_written(const struct layer_device *device, const struct layer_list *list)
{
    return device->evidence == LAYER_EVIDENCE_IMMEDIATE && list->real &&
           (device->writes_flags >> list->type & 1);
}

void layer_word_write(const struct layer_device *device, void *list, uint64_t offset,
                      uint32_t value, D3D12_WRITEBUFFERIMMEDIATE_MODE mode)
{
    ID3D12GraphicsCommandList2 *writer = list;
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER word = {device->memory.address + offset, value};
    writer->lpVtbl->WriteBufferImmediate(writer, 1, &word, &mode);
}

void layer_words_write(const struct layer_device *device, const struct layer_list *list,
                       bool is_started, uint32_t value)
{
    if (list->is_marked)
        layer_word_write(device, list->real,
                         is_started ? list->words.started : list->words.completed, value,
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

/* Memory for words, and words in it. */
static bool open_words(struct layer_device *device, struct layer_found *found)
{
    found->own_memory =
        layer_settings.evidence < LAYER_EVIDENCE_READBACK && open_own_memory(device);
    found->readback = !found->own_memory && open_readback(device);
    if (!found->own_memory && !found->readback)
        return false;
    device->memory.address =
        device->memory.buffer->lpVtbl->GetGPUVirtualAddress(device->memory.buffer);
    if (!device->memory.address)
        return false;
    found->was_tried = is_probe_wanted();
    found->came = found->was_tried && layer_probe_words(device);
    return found->came || !found->was_tried;
}

void layer_words_open(struct layer_device *device)
{
    D3D12_FEATURE_DATA_D3D12_OPTIONS3 options = {0};
    struct layer_found found = {0};
    device->evidence = LAYER_EVIDENCE_FENCE;
    if (device->real->lpVtbl->CheckFeatureSupport(device->real, D3D12_FEATURE_D3D12_OPTIONS3,
                                                  &options, sizeof options) >= 0)
        device->writes_flags = options.WriteBufferImmediateSupportFlags;
    if (layer_settings.evidence <= LAYER_EVIDENCE_READBACK && device->writes_flags &&
        open_words(device, &found))
        device->evidence = LAYER_EVIDENCE_IMMEDIATE;
    if (layer_is_asked()) {
        struct layer_device other = *device; /* what wasn't needed is tried too */
        other.memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
        if (!found.own_memory && !found.readback) {
            found.own_memory = open_own_memory(&other);
            layer_words_finish(&other);
        }
        if (!found.readback) {
            found.readback = open_readback(&other);
            layer_words_finish(&other);
        }
        if (found.came)
            layer_probe_order(device, &found);
        layer_tell(device, &found);
    }
    if (device->evidence == LAYER_EVIDENCE_FENCE)
        layer_words_finish(device);
}

const char *layer_evidence_text(const struct layer_device *device)
{
    static const char *const texts[3][2] = {
        {"completed submissions only", "DRED's breadcrumbs, and completed submissions"},
        {"WriteBufferImmediate, in a READBACK buffer: words may be lost with the device",
         "WriteBufferImmediate, in a READBACK buffer: words may be lost with the device; DRED"},
        {"WriteBufferImmediate, in memory that survives the device",
         "WriteBufferImmediate, in memory that survives the device; DRED"}};
    const unsigned words = device->evidence == LAYER_EVIDENCE_FENCE ? 0
                           : device->memory.is_own                  ? 2
                                                                    : 1;
    return texts[words][device->dred.is_there && device->dred.has_breadcrumbs];
}
