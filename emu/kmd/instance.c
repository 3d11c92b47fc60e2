/* The kernel's creation and end. */
#include "kmd/types.h"

#include <assert.h>
#include <stdlib.h>

emu_kmd *emu_kmd_create(const emu_kmd_desc *desc)
{
    emu_kmd *kmd = calloc(1, sizeof *kmd);
    if (!kmd)
        goto err0;
    kmd->desc = *desc;
    if (kmd->desc.tdr_timeout_ns == 0)
        kmd->desc.tdr_timeout_ns = EMU_KMD_TDR_TIMEOUT_NS;
    if (kmd->desc.tdr_timeout_ns > EMU_KMD_TIMEOUT_LIMIT_NS)
        kmd->desc.tdr_timeout_ns = EMU_KMD_TIMEOUT_LIMIT_NS;
    kmd->random = desc->seed;
    atomic_init(&kmd->stop, false);
    if (!emu__kmd_blob_reserve(kmd, 1))
        goto err1;
    if (pthread_mutex_init(&kmd->lock, NULL) != 0)
        goto err2;
    if (pthread_mutex_init(&kmd->step_lock, NULL) != 0)
        goto err3;
    if (!emu__kmd_cond_init(&kmd->idle_cond))
        goto err4;
    if (!emu__kmd_cond_init(&kmd->stored))
        goto err5;
    return kmd;
err5:
    pthread_cond_destroy(&kmd->idle_cond);
err4:
    pthread_mutex_destroy(&kmd->step_lock);
err3:
    pthread_mutex_destroy(&kmd->lock);
err2:
    free(kmd->blob);
err1:
    free(kmd);
err0:
    return NULL;
}

void emu_kmd_destroy(emu_kmd *kmd)
{
    if (!kmd)
        return;
    atomic_store(&kmd->stop, true);
    while (kmd->queues)
        emu__kmd_queue_abandon(kmd->queues);
    assert(!kmd->fences);
    pthread_cond_destroy(&kmd->stored);
    pthread_cond_destroy(&kmd->idle_cond);
    pthread_mutex_destroy(&kmd->step_lock);
    pthread_mutex_destroy(&kmd->lock);
    free(kmd->blob);
    free(kmd);
}
