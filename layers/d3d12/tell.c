/* Prints what works on this device, in lines for people: the output of `annot d3d12 --probe`. */
#include "../intercept/runtime.h"
#include "layer.h"
#include "runtime.h"
#include "environment.h"

#include <stdio.h>
#include <string.h>

bool layer_is_asked(void)
{
    const char *probe = os_environment_borrow("ANNOT_D3D12_PROBE");
    return probe && strcmp(probe, "tell") == 0;
}

static void tell_lists(UINT flags)
{
    static const char *const types[] = {"direct", "bundle", "compute", "copy"};
    const char *before = "";
    printf("WriteBufferImmediate      ");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!(flags >> i & 1))
            continue;
        printf("%s%s", before, types[i]);
        before = ", ";
    }
    puts(flags ? " (according to the device)" : "no");
}

static const char *yes_or_no(bool yes)
{
    return yes ? "yes" : "no";
}

static bool has_dred(void)
{
    void *settings = layer_dred_settings();
    if (settings)
        object_release(settings);
    return settings;
}

static void tell_runtime(ID3D12Device *device)
{
    struct layer_runtime runtime;
    layer_runtime_read(device, &runtime);
    const char *const lines[][2] = {{"loaded", runtime.loaded},
                                    {"core", runtime.core},
                                    {"adapter (DXGI)", runtime.adapter.name},
                                    {"adapter's driver (DXGI)", runtime.adapter.driver},
                                    {"Wine", runtime.adapter.wine}};
    const char *named = os_environment_borrow("ANNOT_D3D12_RUNTIME"); /* annot's command sets it */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (*lines[i][1] && !(named && strcmp(lines[i][1], named) == 0))
            printf("%-25s %s\n", lines[i][0], lines[i][1]);
}

const char *layer_evidence_text(const struct layer_device *device)
{
    static const char *const texts[5][2] = {
        {"completed submissions only", "DRED's breadcrumbs, and completed submissions"},
        {"WriteBufferImmediate into a READBACK buffer; words may be lost with the device",
         "WriteBufferImmediate into a READBACK buffer; words may be lost with the device; DRED"},
        {"WriteBufferImmediate into memory that survives the device",
         "WriteBufferImmediate into memory that survives the device; DRED"},
        {"CopyBufferRegion between barriers into a READBACK buffer; words may be lost with the "
         "device",
         "CopyBufferRegion between barriers into a READBACK buffer; words may be lost with the "
         "device; DRED's page faults"},
        {"CopyBufferRegion between barriers into memory that survives the device",
         "CopyBufferRegion between barriers into memory that survives the device; DRED's page "
         "faults"}};
    const unsigned kind = device->evidence == LAYER_EVIDENCE_IMMEDIATE ? 1
                          : device->evidence == LAYER_EVIDENCE_COPY    ? 3
                                                                       : 0;
    return texts[kind + (kind && device->memory.is_own)]
                [device->dred.is_there && device->dred.has_breadcrumbs];
}

static void tell_order(const struct layer_found *found)
{
    if (found->ordered == LAYER_ORDER_UNKNOWN) {
        puts("words while shaders ran   not tried");
        return;
    }
    if (found->ordered == LAYER_ORDER_COPIES)
        puts("words while shaders ran   not tried, because the counting shader did not finish");
    printf("words while %-13s %s (%u observations in between, %u words late, %u early)\n",
           found->ordered == LAYER_ORDER_COPIES ? "copies ran" : "shaders ran",
           found->late || found->early ? "out of order"
           : found->between            ? "in order"
                                       : "not seen",
           found->between, found->late, found->early);
}

void layer_tell(const struct layer_device *device, UINT immediate, const struct layer_found *found)
{
    tell_runtime(device->real);
    tell_lists(immediate);
    printf("memory that survives      %s\n", yes_or_no(found->own_memory));
    printf("READBACK memory           %s\n", yes_or_no(found->readback));
    printf("words that a list wrote   %s\n",
           immediate && found->was_tried ? found->came ? "came" : "did not come" : "not tried");
    printf("words that were copied    %s\n",
           found->was_tried ? found->copies_came ? "came" : "did not come" : "not tried");
    tell_order(found);
    printf("DRED                      %s\n", yes_or_no(has_dred()));
    printf("evidence                  %s\n", layer_evidence_text(device));
    fflush(stdout);
}
