/*
 * ID3DDestructionNotifier of a device child or of the device: callbacks for the moment when nothing
 * uses the object any more, but its members still exist. The last registered callback is called
 * first. Any thread.
 */
#pragma once

#include "base/com.h"

#include <pthread.h>

struct destruction_callback;

struct destruction {
    ID3DDestructionNotifier iface; /* an interface of the object `owner` */
    IUnknown *owner;
    pthread_mutex_t lock;
    struct destruction_callback *last;
    UINT last_id, current_id; /* the newest ID; the ID being called, 0: none */
};

void destruction_init(struct destruction *destruction, void *owner);
/* Without calling anybody. */
void destruction_finish(struct destruction *destruction);

/* Calls the callbacks. They may use the owner, and take and release references, so its count must
 * be above 0. */
void destruction_notify(struct destruction *destruction);

/* Does what ID3DDestructionNotifier::RegisterDestructionCallback does; `id` may be NULL. */
HRESULT destruction_register(struct destruction *destruction, PFN_DESTRUCTION_CALLBACK function,
                             void *data, UINT *id);
