/* The best evidence that works on a device that was just made. */
#include "layer.h"
#include "environment.h"

#include <string.h>

static bool is_probe_wanted(void)
{
    const char *probe = os_environment_borrow("ANNOT_D3D12_PROBE");
    return !probe || strcmp(probe, "0") != 0;
}

void layer_evidence_finish(struct layer_device *device)
{
    layer_copies_finish(device);
    layer_memory_finish(device);
}

/* Tries words of this kind; true means that the layer uses this kind. */
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
        layer_settings.evidence != LAYER_EVIDENCE_READBACK && layer_memory_open_own(device);
    found->readback = !found->own_memory && layer_memory_open_readback(device);
    if (!found->own_memory && !found->readback)
        return false;
    device->memory.address =
        device->memory.buffer->lpVtbl->GetGPUVirtualAddress(device->memory.buffer);
    return device->memory.address != 0;
}

/* Chooses the best kind of words that works, or else FENCE. */
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
    if (layer_settings.evidence <= LAYER_EVIDENCE_COPY && !layer_dred_counts_copies(device) &&
        try_words(device, LAYER_EVIDENCE_COPY, COPY_FLAGS, &found->copies_came))
        return;
    device->evidence = LAYER_EVIDENCE_FENCE;
}

/* Also tries the kinds that the layer doesn't need, and prints the results. */
static void tell_all(const struct layer_device *device, UINT immediate, struct layer_found *found)
{
    struct layer_device other = *device;
    other.memory = (struct layer_memory){NULL, false, NULL, NULL, 0};
    other.constants = NULL;
    if (!found->own_memory) {
        found->own_memory = layer_memory_open_own(&other);
        layer_evidence_finish(&other);
    }
    if (!found->readback || !found->copies_came) {
        found->readback = layer_memory_open_readback(&other);
        if (!found->copies_came && found->readback && found->was_tried)
            try_words(&other, LAYER_EVIDENCE_COPY, 0, &found->copies_came);
        layer_evidence_finish(&other);
    }
    layer_tell(device, immediate, found);
}

void layer_evidence_open(struct layer_device *device)
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
        layer_evidence_finish(device);
}
