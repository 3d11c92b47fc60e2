/* Device removed extended data (DRED) of one device: breadcrumbs of work that the GPU may not have
 * finished, and ranges of addresses. After a removal ID3D12DeviceRemovedExtendedData, 1 and 2,
 * report the breadcrumbs and the ranges [DeviceRemovedExtendedData; ANN-DRED].
 *
 *     settings   the parts of DRED that the process enables
 *     log        the operations of a recording
 *     words      the memory that the GPU writes
 *     execution  a log, words, and the submission
 *     range      an object and its addresses
 *     output     D3D12's nodes, which are made when the application asks for them
 *
 * After a removal, this data never changes. */
#pragma once

#include "dred/output.h"
#include "dred/settings.h"

#include <annot/dump.h>

struct dred {
    /* The COM interface that the device shows to the program. */
    ID3D12DeviceRemovedExtendedData2 data;
    IUnknown *owner;
    struct dred_enablement on;
    struct dred_ranges ranges;
    pthread_mutex_t lock; /* guards everything below */
    struct dred_words words;
    /* The executions in the order of their submissions, the oldest first. */
    struct dred_execution *executions;
    bool frozen; /* the device is removed */
    annot_device_error error;
    uint64_t fault_address;
    annot_crumbs *rows; /* rows for the dump, one for each breadcrumb word of an execution;
                           allocated before the removal */
    size_t row_count, row_capacity;
    /* DRED's nodes for the program; NULL: the program has not asked for them yet. */
    struct dred_output *output;
};

void dred_init(struct dred *dred, void *owner, struct dred_enablement on, emu_gpu *gpu);
void dred_finish(struct dred *dred); /* call this when no engine can run any more */

/* Returns the interface with this IID, without a reference; NULL if DRED doesn't have it. */
void *dred_find(struct dred *dred, const IID *riid);

/* Notes a submission before the driver gets it. Stores the address of each list's breadcrumbs in
 * `addresses`, or 0 if memory ran out. */
void dred_submit(struct dred *dred, const struct dred_submission *submission,
                 const struct dred_source *sources, uint32_t count, uint64_t *addresses);
/* Removes a submission, because the driver or the kernel refused it. */
void dred_cancel(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial);
/* Notes that the queue has finished all up to submission `serial`. Any thread may call it. */
void dred_retire(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial);

/* Called after every engine has stopped; then no data changes any more. Allocates nothing. */
void dred_freeze(struct dred *dred, annot_device_error error, uint64_t fault_address);
