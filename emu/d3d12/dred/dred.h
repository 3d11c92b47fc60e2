/* Device removed extended data (DRED) of one device: breadcrumbs of work that the GPU may not have
 * finished, and ranges of addresses. After a removal ID3D12DeviceRemovedExtendedData, 1 and 2,
 * report the breadcrumbs and the ranges [DeviceRemovedExtendedData; ANN-DRED].
 *
 *     settings   what the process wants
 *     log        the operations of a recording
 *     words      the memory that the GPU writes
 *     execution  a log, words, and the submission
 *     range      addresses and their object
 *     output     D3D12's nodes, made from all these when the application asks for them
 *
 * After a removal, this data never changes. */
#pragma once

#include "dred/output.h"
#include "dred/settings.h"

#include <annot/dump.h>

struct dred {
    ID3D12DeviceRemovedExtendedData2
        data; /* the COM interface that the device shows to the program */
    IUnknown *owner;
    struct dred_enablement on;
    struct dred_ranges ranges;
    pthread_mutex_t lock; /* guards everything below */
    struct dred_words words;
    struct dred_execution *executions; /* the executions, oldest submission first */
    bool frozen;                       /* the device is removed */
    annot_device_error error;
    uint64_t fault_address;
    annot_crumbs *rows; /* a dump's rows, one for each breadcrumb word of the executions; allocated
                           before the removal */
    size_t row_count, row_capacity;
    struct dred_output *output; /* NULL: the program has not asked for the output yet */
};

void dred_init(struct dred *dred, void *owner, struct dred_enablement on, emu_gpu *gpu);
void dred_finish(struct dred *dred); /* no engine may run now */

/* Returns the interface with this IID, without a reference, or NULL if there is none. */
void *dred_find(struct dred *dred, const IID *riid);

/* Called before the driver gets the submission. Stores the address of each list's breadcrumbs in
 * `addresses`, or 0 if memory ran out. */
void dred_submit(struct dred *dred, const struct dred_submission *submission,
                 const struct dred_source *sources, uint32_t count, uint64_t *addresses);
/* Removes a submission that was refused. */
void dred_cancel(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial);
/* Notes that the queue has finished everything up to submission `serial`. Any thread. */
void dred_retire(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial);

/* Called after every engine has stopped. Then the data no longer changes. Allocates nothing. */
void dred_freeze(struct dred *dred, annot_device_error error, uint64_t fault_address);
