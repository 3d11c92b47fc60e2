#include "dred/dred.h"
#include "array.h"
#include "gate.h"

#include <utlist.h>

/* ---- executions ---- */

static void drop(struct dred *dred, struct dred_execution *execution)
{
    DL_DELETE(dred->executions, execution);
    dred->row_count -= execution->run.count;
    dred_execution_destroy(&dred->words, execution);
}

static bool reserve_rows(struct dred *dred, size_t more)
{
    if (!ARRAY_RESERVE(dred->rows, dred->row_capacity, dred->row_count + more))
        return false;
    dred->row_count += more;
    return true;
}

/* Adds an execution. Returns the address of the execution's words; 0: out of memory. */
static uint64_t add(struct dred *dred, const struct dred_submission *submission,
                    const struct dred_source *source, uint32_t index)
{
    if (!source->log)
        return 0;
    struct dred_execution *execution =
        dred_execution_create(&dred->words, submission, source, index);
    if (!execution)
        return 0;
    if (!reserve_rows(dred, execution->run.count)) {
        dred_execution_destroy(&dred->words, execution);
        return 0;
    }
    DL_APPEND(dred->executions, execution);
    return execution->run.address;
}

void dred_submit(struct dred *dred, const struct dred_submission *submission,
                 const struct dred_source *sources, uint32_t count, uint64_t *addresses)
{
    emu_lock(&dred->lock);
    for (uint32_t i = 0; i < count; i++)
        addresses[i] = dred->frozen ? 0 : add(dred, submission, &sources[i], i);
    emu_unlock(&dred->lock);
}

static void drop_between(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t first,
                         uint64_t last)
{
    struct dred_execution *execution, *next;
    emu_lock(&dred->lock);
    if (!dred->frozen)
        DL_FOREACH_SAFE(dred->executions, execution, next)
        {
            if (execution->queue == queue && execution->serial >= first &&
                execution->serial <= last)
                drop(dred, execution);
        }
    emu_unlock(&dred->lock);
}

void dred_cancel(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial)
{
    drop_between(dred, queue, serial, serial);
}

void dred_retire(struct dred *dred, const ID3D12CommandQueue *queue, uint64_t serial)
{
    if (dred->on.breadcrumbs)
        drop_between(dred, queue, 0, serial);
}

/* ---- the removal ---- */

static annot_crumbs row_of(const struct dred *dred, const struct dred_execution *execution,
                           uint32_t word)
{
    const struct dred_log *log = word == 0 ? execution->log : execution->log->bundles[word - 1];
    annot_crumbs row = {.queue = execution->queue_object,
                        .submission = execution->serial,
                        .list = execution->index,
                        .bundle = word,
                        .done = dred_execution_word(execution, word),
                        .flags = ANNOT_CRUMBS_HAS_END};
    if (dred->on.markers_only)
        row.flags |= ANNOT_CRUMBS_MARKERS_ONLY;
    if (log && dred_is_end(row.done, log->count)) {
        row.done = log->count;
        row.flags |= ANNOT_CRUMBS_ENDED;
    }
    if (log) {
        row.log = log->id;
        row.count = log->count;
        row.markers = log->markers;
        row.kept = dred_log_kept(log);
        row.ops = log->ops;
    }
    return row;
}

static void fill_rows(struct dred *dred)
{
    const struct dred_execution *execution;
    size_t count = 0;
    DL_FOREACH(dred->executions, execution)
    {
        for (uint32_t word = 0; word < execution->run.count; word++)
            if (word == 0 || execution->log->bundles[word - 1])
                dred->rows[count++] = row_of(dred, execution, word);
    }
    dred->row_count = count;
}

void dred_freeze(struct dred *dred, annot_device_error error, uint64_t fault_address)
{
    emu_lock(&dred->lock);
    dred->frozen = true;
    dred->error = error;
    dred->fault_address = fault_address;
    fill_rows(dred);
    emu_unlock(&dred->lock);
    dred_ranges_freeze(&dred->ranges);
}

/* ---- ID3D12DeviceRemovedExtendedData2 ---- */

static struct dred *impl_from_data(ID3D12DeviceRemovedExtendedData2 *iface)
{
    return container_of(iface, struct dred, data);
}

COM_FACE(data, ID3D12DeviceRemovedExtendedData2, impl_from_data(iface)->owner)

/* Returns the output, which is made at the first request. "Not enabled" comes before "not removed";
 * the documentation has both codes and no order. */
static HRESULT get(struct dred *dred, bool is_enabled, const void *out,
                   const struct dred_output **output)
{
    if (!out)
        return E_INVALIDARG;
    if (!is_enabled)
        return DXGI_ERROR_UNSUPPORTED;
    HRESULT hr = S_OK;
    emu_lock(&dred->lock);
    if (!dred->frozen)
        hr = DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    else if (!dred->output && (dred->output = dred_output_create(dred->executions, &dred->ranges,
                                                                 dred->fault_address)) == NULL)
        hr = E_OUTOFMEMORY;
    *output = dred->output;
    emu_unlock(&dred->lock);
    return hr;
}

#define DATA_OUTPUT(method, type, is_enabled, ...)                                                 \
    static HRESULT STDMETHODCALLTYPE data_##method(ID3D12DeviceRemovedExtendedData2 *iface,        \
                                                   type *out)                                      \
    {                                                                                              \
        struct dred *dred = impl_from_data(iface);                                                 \
        const struct dred_output *output;                                                          \
        HRESULT hr = get(dred, dred->on.is_enabled, out, &output);                                 \
        if (SUCCEEDED(hr))                                                                         \
            *out = (type){__VA_ARGS__};                                                            \
        return hr;                                                                                 \
    }

DATA_OUTPUT(GetAutoBreadcrumbsOutput, D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT, breadcrumbs,
            (void *)output->nodes)
DATA_OUTPUT(GetAutoBreadcrumbsOutput1, D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1, breadcrumbs,
            output->nodes)
DATA_OUTPUT(GetPageFaultAllocationOutput, D3D12_DRED_PAGE_FAULT_OUTPUT, page_faults,
            dred->fault_address, (void *)output->allocations[0], (void *)output->allocations[1])
DATA_OUTPUT(GetPageFaultAllocationOutput1, D3D12_DRED_PAGE_FAULT_OUTPUT1, page_faults,
            dred->fault_address, output->allocations[0], output->allocations[1])
DATA_OUTPUT(GetPageFaultAllocationOutput2, D3D12_DRED_PAGE_FAULT_OUTPUT2, page_faults,
            dred->fault_address, output->allocations[0], output->allocations[1],
            D3D12_DRED_PAGE_FAULT_FLAGS_NONE)

static D3D12_DRED_DEVICE_STATE STDMETHODCALLTYPE
data_GetDeviceState(ID3D12DeviceRemovedExtendedData2 *iface)
{
    struct dred *dred = impl_from_data(iface);
    emu_lock(&dred->lock);
    const annot_device_error error = dred->frozen ? dred->error : ANNOT_DEVICE_ERROR_NONE;
    emu_unlock(&dred->lock);
    return error == ANNOT_DEVICE_ERROR_HUNG         ? D3D12_DRED_DEVICE_STATE_HUNG
           : error == ANNOT_DEVICE_ERROR_PAGE_FAULT ? D3D12_DRED_DEVICE_STATE_PAGEFAULT
                                                    : D3D12_DRED_DEVICE_STATE_UNKNOWN;
}

static CONST_VTBL ID3D12DeviceRemovedExtendedData2Vtbl data_vtable = {
    COM_FACE_ENTRIES(data),
    COM_METHODS(data, GetAutoBreadcrumbsOutput, GetPageFaultAllocationOutput,
                GetAutoBreadcrumbsOutput1, GetPageFaultAllocationOutput1,
                GetPageFaultAllocationOutput2, GetDeviceState),
};

void *dred_find(struct dred *dred, const IID *riid)
{
    return com_same(riid, &IID_ID3D12DeviceRemovedExtendedData) ||
                   com_same(riid, &IID_ID3D12DeviceRemovedExtendedData1) ||
                   com_same(riid, &IID_ID3D12DeviceRemovedExtendedData2)
               ? &dred->data
               : NULL;
}

/* ---- life ---- */

void dred_init(struct dred *dred, void *owner, struct dred_enablement on, emu_gpu *gpu)
{
    *dred = (struct dred){.data = {&data_vtable}, .owner = owner, .on = on, .words = {.gpu = gpu}};
    dred_ranges_init(&dred->ranges, on.page_faults);
    pthread_mutex_init(&dred->lock, NULL);
}

void dred_finish(struct dred *dred)
{
    dred_output_destroy(dred->output);
    while (dred->executions)
        drop(dred, dred->executions);
    dred_words_finish(&dred->words);
    dred_ranges_finish(&dred->ranges);
    free(dred->rows);
    pthread_mutex_destroy(&dred->lock);
}
