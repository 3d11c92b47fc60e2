/* Linked against the shared library and loaded by annot-bench: its calls go the way of every
 * application that doesn't take libannot.a, through the procedure linkage table. */
#include <annot/annot.h>

void bench_shared_runtime_only(uint32_t calls);

static annot_context *make_list(annot_device **device, annot_object **object)
{
    annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST};
    annot_context *list = NULL;
    if (annot_device_create(NULL, device) != ANNOT_OK)
        return NULL;
    if (annot_object_create(*device, &desc, object) == ANNOT_OK)
        annot_context_create(*object, &list);
    return list;
}

void bench_shared_runtime_only(uint32_t calls)
{
    static annot_device *device;
    static annot_object *object;
    static annot_context *list;
    static const char payload[32];
    if (!list)
        list = make_list(&device, &object); /* for the process's life */
    for (uint32_t i = calls; list && i != 0; i--)
        annot_context_set_marker(list, 2, payload, sizeof payload);
}
