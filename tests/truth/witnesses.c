/* Who looks on: drivers, settings, callbacks. */
#include "play.h"

#include <dlfcn.h>
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

/* A kernel-mode driver that can do nothing. */
static const emu_kernel_driver bare = {
    .size = sizeof bare, .version = EMU_KERNEL_DRIVER_VERSION, .name = "bare"};

void witnesses_configure(const struct program *program, const char *folder, struct outcome *outcome)
{
    const struct witnesses *w = &program->witnesses;
    char marker[16];
    emu_config config = EMU_CONFIG_INIT;
    snprintf(outcome->path, sizeof outcome->path, "%s/truth-%ld.annotdmp", folder, (long)getpid());
    config.driver = strcmp(w->driver, LESS) == 0 ? TRUTH_LESS : w->driver;
    config.order = EMU_ORDER_SEEDED;
    config.seed = program->seed;
    if (strcmp(w->driver, "hostile") == 0) /* work is done as it was recorded */
        config.seed = (program->seed << 6) | EMU_LIES_MARKERS | EMU_LIES_REPORT;
    config.reset_in_flight = w->resets_in_flight;
    config.debug_layer = w->has_callbacks;
    config.kernel_driver = w->has_bare_kernel ? &bare : NULL;
    if (w->budget != 0)
        config.memory_budget = w->budget * (uint64_t)65536;
    config.dump_path = outcome->path;
    config.on_removed = on_removed;
    config.user = outcome;
    config.hang = (emu_hang){.place = (emu_hang_place)w->hang_place,
                             .count = w->hang_count,
                             .kind = (emu_hang_kind)w->hang_kind};
    snprintf(marker, sizeof marker, "m%u", w->hang_count);
    if (w->hang_place == EMU_HANG_AT_MARKER)
        config.hang.marker = marker;
    if (w->has_times)
        config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
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
    (void)category, (void)severity, (void)id, (void)text;
    if (FAILED(ID3D12Device_GetDeviceRemovedReason(run->gpu.device)) ||
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
    if (w->has_callbacks) {
        ID3D12InfoQueue1 *queue = NULL;
        MUST(ID3D12Device_QueryInterface(run->gpu.device, &IID_ID3D12InfoQueue1, (void **)&queue));
        MUST(ID3D12InfoQueue1_RegisterMessageCallback(
            queue, on_message, D3D12_MESSAGE_CALLBACK_FLAG_NONE, run, &run->cookie));
        ID3D12InfoQueue1_Release(queue);
    }
}

void witnesses_close(struct run *run)
{
    ID3D12InfoQueue1 *queue = NULL;
    if (!run->program->witnesses.has_callbacks)
        return;
    MUST(ID3D12Device_QueryInterface(run->gpu.device, &IID_ID3D12InfoQueue1, (void **)&queue));
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(queue, run->cookie));
    ID3D12InfoQueue1_Release(queue);
}
