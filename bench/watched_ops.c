/*
 * A copy of 256 bytes, recorded and executed by the emulator: with nothing that watches it, with
 * DRED's breadcrumbs, with time stamps. For callgrind, as ops.c is: bench/instructions.sh holds
 * what watching adds against its goals. The seeded order executes on this thread.
 */
#define INITGUID
#include "setup.h"

#define COUNT 1000u

struct program {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Resource *from, *to;
};

static struct program program_make(bool has_crumbs, bool has_times)
{
    struct program p;
    ID3D12DeviceRemovedExtendedDataSettings *settings;
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.marker_type =
        has_times ? D3DWDDM1_3DDI_MARKER_TYPE_PROFILE : D3DWDDM1_3DDI_MARKER_TYPE_NONE;
    emu_configure(&config);
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings, (void **)&settings));
    ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement(
        settings, has_crumbs ? D3D12_DRED_ENABLEMENT_FORCED_ON : D3D12_DRED_ENABLEMENT_FORCED_OFF);
    ID3D12DeviceRemovedExtendedDataSettings_Release(settings);
    p.device = make_device();
    p.queue = make_queue(p.device, D3D12_COMMAND_LIST_TYPE_DIRECT, L"Queue");
    p.allocator = make_allocator(p.device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    p.list = make_list(p.device, p.allocator, D3D12_COMMAND_LIST_TYPE_DIRECT, L"List");
    p.from = make_buffer(p.device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"From");
    p.to = make_buffer(p.device, D3D12_HEAP_TYPE_DEFAULT, 4096, L"To");
    return p;
}

/* A device that lives is the next one too. */
static void program_finish(const struct program *p)
{
    IUnknown *const parts[] = {(IUnknown *)p->from,      (IUnknown *)p->to,
                               (IUnknown *)p->list,      (IUnknown *)p->queue,
                               (IUnknown *)p->allocator, (IUnknown *)p->device};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        IUnknown_Release(parts[i]);
}

static void copy(const struct program *p)
{
    for (unsigned i = 0; i < COUNT; i++)
        ID3D12GraphicsCommandList_CopyBufferRegion(p->list, p->to, 0, p->from, 0, 256);
    MUST(ID3D12GraphicsCommandList_Close(p->list));
    ID3D12CommandQueue_ExecuteCommandLists(p->queue, 1, (ID3D12CommandList *const *)&p->list);
    emu_run_until_idle(p->device);
    MUST(ID3D12CommandAllocator_Reset(p->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(p->list, p->allocator, NULL));
}

#define OP(name)                                                                                   \
    __attribute__((noinline)) static void op_##name(const struct program *p)                       \
    {                                                                                              \
        copy(p);                                                                                   \
    }

OP(copy)
OP(copy_breadcrumbs)
OP(copy_times)

int main(void)
{
    static const struct {
        void (*run)(const struct program *);
        bool has_crumbs, has_times;
    } ops[] = {
        {op_copy, false, false}, {op_copy_breadcrumbs, true, false}, {op_copy_times, false, true}};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const struct program p = program_make(ops[i].has_crumbs, ops[i].has_times);
        copy(&p); /* memory is warm now */
        ops[i].run(&p);
        program_finish(&p);
    }
    printf("%u\n", COUNT);
    return 0;
}
