/*
 * ID3DDestructionNotifier of a device child or of the device: callbacks for the moment when
 * nothing uses the object any more, and everything that it refers to still exists. The one that
 * registered last is called first. Any thread.
 */
#pragma once

#include "base/com.h"

#include <pthread.h>

struct destruction_callback;

struct destruction {
    ID3DDestructionNotifier iface; /* a face of `owner` */
    IUnknown *owner;
    pthread_mutex_t lock;
    struct destruction_callback *last;
    UINT last_id, current_id; /* that being called; 0: none */
};

void destruction_init(struct destruction *destruction, void *owner);
/* Without calling anybody. */
void destruction_finish(struct destruction *destruction);

/* Callbacks may look at the owner and take references that they give back, so its count must be
 * above 0. */
void destruction_notify(struct destruction *destruction);

/* Does what ID3DDestructionNotifier::RegisterDestructionCallback does; `id` may be NULL. */
HRESULT destruction_register(struct destruction *destruction, PFN_DESTRUCTION_CALLBACK function,
                             void *data, UINT *id);
