#include "shared.h"
#include "../../intercept/held.h"

#include "os_handle.h"
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

struct given {
    struct given *next;
    uint64_t handle, identity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct given *all;

void shared_note(uint64_t place)
{
    struct given *g = calloc(1, sizeof *g);
    if (!g)
        return;
    memcpy(&g->handle, (void *)(uintptr_t)place, sizeof g->handle);
    g->identity = os_handle_identity(g->handle);
    pthread_mutex_lock(&lock);
    LL_PREPEND(all, g);
    pthread_mutex_unlock(&lock);
}

uint64_t shared_original(uint64_t handle)
{
    struct given *g;
    if (!os_has_handle(handle))
        return UINT64_MAX;
    const uint64_t identity = os_handle_identity(handle);
    pthread_mutex_lock(&lock);
    LL_SEARCH_SCALAR(all, g, identity, identity);
    const uint64_t original = g ? g->handle : handle;
    const bool is_known = g != NULL;
    pthread_mutex_unlock(&lock);
    if (!is_known)
        recorder_say(
            "a shared handle does not come from the D3D12 library, so replay can't open it",
            "OpenSharedHandle");
    return original;
}
