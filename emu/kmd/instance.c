/* The kernel's creation and end. */
#include "kmd/types.h"

#include <assert.h>
#include <stdlib.h>

struct emu_kmd *emu_kmd_create(const struct emu_kmd_desc *desc)
{
    struct emu_kmd *kmd = calloc(1, sizeof *kmd);
    if (!kmd)
        goto err0;
    kmd->desc = *desc;
    if (kmd->desc.tdr_timeout_ns == 0)
        kmd->desc.tdr_timeout_ns = EMU_KMD_TDR_TIMEOUT_NS;
    if (kmd->desc.tdr_timeout_ns > EMU_KMD_TIMEOUT_LIMIT_NS)
        kmd->desc.tdr_timeout_ns = EMU_KMD_TIMEOUT_LIMIT_NS;
    kmd->random = desc->seed;
    atomic_init(&kmd->stop, false);
    if (pthread_mutex_init(&kmd->lock, NULL) != 0)
        goto err1;
    if (pthread_mutex_init(&kmd->step_lock, NULL) != 0)
        goto err2;
    if (!emu__kmd_cond_init(&kmd->idle_cond))
        goto err3;
    if (!emu__kmd_cond_init(&kmd->stored))
        goto err4;
    kmd->driver = desc->driver ? desc->driver : &emu__kernel_driver;
    kmd->adapter.kmd = kmd;
    kmd->driver_adapter = kmd->driver->adapter_create ? kmd->driver->adapter_create(&kmd->adapter)
                                                      : (void *)&kmd->adapter;
    if (kmd->driver_adapter && emu__kmd_blob_reserve(kmd, 1) && emu__kmd_history_init(kmd) &&
        emu__kmd_debug_init(kmd))
        return kmd;
    emu_kmd_destroy(kmd);
    return NULL;
err4:
    pthread_cond_destroy(&kmd->idle_cond);
err3:
    pthread_mutex_destroy(&kmd->step_lock);
err2:
    pthread_mutex_destroy(&kmd->lock);
err1:
    free(kmd);
err0:
    return NULL;
}

void emu_kmd_destroy(struct emu_kmd *kmd)
{
    if (!kmd)
        return;
    atomic_store(&kmd->stop, true);
    while (kmd->queues)
        emu__kmd_queue_abandon(kmd->queues);
    assert(!kmd->fences);
    if (kmd->driver_adapter && kmd->driver->adapter_destroy)
        kmd->driver->adapter_destroy(kmd->driver_adapter);
    free(kmd->pairs);
    emu__kmd_debug_finish(kmd);
    pthread_cond_destroy(&kmd->stored);
    pthread_cond_destroy(&kmd->idle_cond);
    pthread_mutex_destroy(&kmd->step_lock);
    pthread_mutex_destroy(&kmd->lock);
    free(kmd->blob);
    free(kmd);
}
