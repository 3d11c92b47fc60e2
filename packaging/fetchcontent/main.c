/* A layer's first minute: a device, a list, a marker, and where the marker went. */
#include <annot/annot.h>

#include <stdio.h>

int main(void)
{
    annot_device *device;
    annot_object *object;
    annot_arena *arena;
    annot_context *list;
    const annot_object_desc desc = {.type = ANNOT_OBJECT_COMMAND_LIST};
    if (annot_device_create(NULL, &device) != ANNOT_OK ||
        annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL) != ANNOT_OK ||
        annot_object_create(device, &desc, &object) != ANNOT_OK ||
        annot_arena_create(device, &arena) != ANNOT_OK ||
        annot_context_create(object, &list) != ANNOT_OK)
        return 1;
    annot_context_open(list, arena);
    annot_context_set_marker(list, 1, "hello", 6);
    annot_context_close(list);
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    printf("libannot %s keeps %llu bytes\n", annot_version(), (unsigned long long)stats.live_bytes);
    annot_context_destroy(list);
    annot_arena_destroy(arena);
    annot_object_destroy(object);
    annot_device_destroy(device);
    return stats.live_bytes == 0;
}
