/* The witnesses: drivers, settings, callbacks. */
#include "play.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static void on_removed(void *user, annot_device_error error, const char *path)
{
    struct outcome *outcome = user;
    (void)error;
    if (path)
        snprintf(outcome->is_removed ? outcome->other : outcome->dump, sizeof outcome->dump, "%s",
                 path);
    outcome->is_removed = true;
}

/* ---- a driver that calls back ---- */

/* It takes all markers and names for the one behind it, and asks the library as a driver may. */
static struct {
    annot_driver driver;
    D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table, behind;
    annot_device *device;
    atomic_uint lost_lookups; /* lists are recorded on several threads */
} asking;

static void ask(uint64_t event)
{
    annot_device_stats stats;
    annot_marker_info info;
    char payload[64];
    if (!asking.device)
        return;
    annot_device_get_stats(asking.device, &stats);
    const annot_lookup found =
        annot_device_lookup(asking.device, event, &info, payload, sizeof payload);
    if (found != ANNOT_LOOKUP_LIVE && found != ANNOT_LOOKUP_DROPPED)
        atomic_fetch_add(&asking.lost_lookups, 1);
}

#define ASKS(name, Handle, Pfn)                                                                    \
    static void ANNOT_DDI_CALL name(Handle of, uint32_t metadata, const void *data, uint32_t size, \
                                    uint64_t event)                                                \
    {                                                                                              \
        ask(event);                                                                                \
        asking.behind.Pfn(of, metadata, data, size, event);                                        \
    }
ASKS(begin_queue, D3D12DDI_HCOMMANDQUEUE, pfnCmdQueueBeginEvent)
ASKS(mark_queue, D3D12DDI_HCOMMANDQUEUE, pfnCmdQueueSetMarker)
ASKS(begin_list, D3D12DDI_HCOMMANDLIST, pfnCmdListBeginEvent)
ASKS(mark_list, D3D12DDI_HCOMMANDLIST, pfnCmdListSetMarker)

static void let_ask(const char *driver, emu_config *config)
{
    const annot_driver *behind =
        emu_driver_annotation(strcmp(driver, LESS) == 0 ? "reference" : driver);
    asking.device = NULL;
    atomic_store(&asking.lost_lookups, 0);
    if (!behind || !behind->annotation)
        return;
    asking.driver = *behind;
    asking.behind = asking.table = *behind->annotation;
    asking.table.pfnCmdQueueBeginEvent = begin_queue;
    asking.table.pfnCmdQueueSetMarker = mark_queue;
    asking.table.pfnCmdListBeginEvent = begin_list;
    asking.table.pfnCmdListSetMarker = mark_list;
    asking.driver.annotation = &asking.table;
    config->annotation = &asking.driver;
}

/* ---- settings ---- */

/* A kernel-mode driver that can do nothing. */
static const emu_kernel_driver bare = {
    .size = sizeof bare, .version = EMU_KERNEL_DRIVER_VERSION, .name = "bare"};

/* One that holds the queue guilty that was made in a turn of its choice. */
static uintptr_t contexts, guilty;

static void *false_context(void *adapter, uint32_t node)
{
    (void)adapter, (void)node;
    return (void *)++contexts;
}

static NTSTATUS false_reset(void *adapter, DXGKARG_RESETENGINE *reset)
{
    (void)adapter, (void)reset;
    return STATUS_SUCCESS;
}

static NTSTATUS false_word(void *adapter, const DXGKARG_COLLECTDBGINFO2 *info)
{
    DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT *payload = info->TdrPayload;
    (void)adapter;
    if (payload && info->TdrPayloadSize >= sizeof *payload && contexts > 0)
        payload->hContext = (void *)(guilty % contexts + 1);
    return STATUS_SUCCESS;
}

static const emu_kernel_driver false_kernel = {.size = sizeof false_kernel,
                                               .version = EMU_KERNEL_DRIVER_VERSION,
                                               .name = "false",
                                               .context_create = false_context,
                                               .DxgkDdiResetEngine = false_reset,
                                               .DxgkDdiCollectDbgInfo2 = false_word};

/* Whether memory runs out: then a message says whether a submission was lost. */
static bool fails(const struct program *program)
{
    for (uint32_t i = 0; i < program->count; i++)
        if (program->ops[i].kind == OP_FAIL)
            return true;
    return false;
}

void witnesses_configure(const struct program *program, const char *folder, struct outcome *outcome)
{
    const struct witnesses *w = &program->witnesses;
    char marker[MARKER_TEXT_MAX];
    emu_config config = EMU_CONFIG_INIT;
    snprintf(outcome->path, sizeof outcome->path, "%s/truth-%ld.annotdmp", folder, (long)getpid());
    config.driver = strcmp(w->driver, LESS) == 0 ? TRUTH_LESS : w->driver;
    config.order = EMU_ORDER_SEEDED;
    config.seed = program->seed;
    if (strcmp(w->driver, "hostile") == 0) /* work is done as it was recorded */
        config.seed = (program->seed << 6) | EMU_LIES_MARKERS | EMU_LIES_REPORT;
    config.reset_in_flight = w->resets_in_flight;
    config.in_flight = outcome->truth.in_flight = w->in_flight > 0 ? w->in_flight : 1;
    outcome->truth.has_barriers = strcmp(w->driver, LESS) != 0;
    config.debug_layer = w->has_callbacks || fails(program);
    config.kernel_driver = w->kernel == KERNEL_BARE    ? &bare
                           : w->kernel == KERNEL_FALSE ? &false_kernel
                                                       : NULL;
    contexts = 0;
    guilty = (uintptr_t)(program->seed / 7);
    if (w->budget != 0)
        config.memory_budget = w->budget * (uint64_t)65536;
    config.dump_path = outcome->path;
    config.on_removed = on_removed;
    config.user = outcome;
    config.hang = (emu_hang){.place = (emu_hang_place)w->hang_place,
                             .count = w->hang_count,
                             .kind = (emu_hang_kind)w->hang_kind};
    program_marker(marker, program->first_name + w->hang_count);
    if (w->hang_place == EMU_HANG_AT_MARKER) {
        config.hang.marker = marker;
        outcome->truth.hang = program->first_name + w->hang_count;
    }
    if (w->has_times)
        config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    if (w->has_callbacks)
        let_ask(w->driver, &config);
    if (emu_configure(&config) != ANNOT_OK)
        abort();
    gpu_set_dred((enum dred)w->dred);
}

/* A program may do nearly everything where it is told of a message. */
static void on_message(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                       D3D12_MESSAGE_ID id, LPCSTR text, void *user)
{
    struct run *run = user;
    ID3D12Fence *fence = NULL;
    (void)category, (void)severity, (void)text;
    run->is_lost = run->is_lost || (int)id == (int)EMU_MESSAGE_SUBMISSION_LOST;
    if (!run->program->witnesses.has_callbacks || run->outcome->has_failed ||
        FAILED(ID3D12Device_GetDeviceRemovedReason(run->gpu.device)) ||
        FAILED(ID3D12Device_CreateFence(run->gpu.device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                        (void **)&fence)))
        return;
    gpu_name(fence, "made in a callback");
    ID3D12Fence_Release(fence);
}

void witnesses_open(struct run *run)
{
    const struct witnesses *w = &run->program->witnesses;
    if (strcmp(w->driver, LESS) == 0) {
        void *module = dlopen(TRUTH_LESS, RTLD_NOW); /* the runtime has it open, too */
        run->less_next_is_null = module ? dlsym(module, "truth_next_is_null") : NULL;
        if (run->less_next_is_null)
            *run->less_next_is_null = false;
    }
    if (w->has_callbacks)
        asking.device = emu_annot_device(run->gpu.device);
    if (!w->has_callbacks && !fails(run->program))
        return;
    ID3D12InfoQueue1 *queue = AS(ID3D12InfoQueue1, run->gpu.device);
    MUST(ID3D12InfoQueue1_RegisterMessageCallback(
        queue, on_message, D3D12_MESSAGE_CALLBACK_FLAG_NONE, run, &run->cookie));
    ID3D12InfoQueue1_Release(queue);
}

void witnesses_close(struct run *run)
{
    if (run->program->witnesses.has_callbacks)
        run->outcome->lost_lookups = atomic_load(&asking.lost_lookups);
    if (run->cookie == 0)
        return;
    ID3D12InfoQueue1 *queue = AS(ID3D12InfoQueue1, run->gpu.device);
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(queue, run->cookie));
    ID3D12InfoQueue1_Release(queue);
}
