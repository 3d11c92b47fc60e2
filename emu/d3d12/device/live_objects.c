#include "device/live_objects.h"

#include "containers.h"
#include "gate.h"

void live_objects_init(struct live_objects *objects)
{
    *objects = (struct live_objects){.first = NULL};
    pthread_mutex_init(&objects->lock, NULL);
}

void live_objects_finish(struct live_objects *objects)
{
    pthread_mutex_destroy(&objects->lock);
}

void live_objects_add(struct live_objects *objects, struct live_object *object)
{
    emu_lock(&objects->lock);
    DL_APPEND(objects->first, object);
    objects->count++;
    emu_unlock(&objects->lock);
}

void live_objects_remove(struct live_objects *objects, struct live_object *object)
{
    emu_lock(&objects->lock);
    DL_DELETE(objects->first, object);
    objects->count--;
    emu_unlock(&objects->lock);
}
