#include "corpus.h"

#include "game.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    emu_hang_kind kind;
    const char *marker; /* "": the fault is in the work */
} faults[] = {
#define ROW(name, kind, marker) {#name, EMU_HANG_##kind, marker},
    GAME_FAULTS(ROW) UNSEEN_FAULTS(ROW)
#undef ROW
};

size_t corpus_fault_count(void)
{
    return FAULT_COUNT;
}

size_t corpus_fault_first_unseen(void)
{
    return FAULT_FIRST_UNSEEN;
}

const char *corpus_fault_name(size_t fault)
{
    return faults[fault].name;
}

/* Most players have the driver that takes annotations. */
const char *corpus_driver(uint64_t seed)
{
    static const char *const drivers[] = {"reference", "reference", "reference", "reorder",
                                          "warp",      "legacy",    "reference", "reference"};
    uint64_t random = seed ^ 0x5DEECE66D;
    return drivers[game_below(&random, 8)];
}

/* ---- a frame ---- */

struct recorder {
    struct game *game;
    atomic_int *next;
    uint64_t random;
};

/* The frames ahead of the one that hangs are recorded while the device is removed. */
static void must_unless_removed(struct game *game, HRESULT result)
{
    if (FAILED(result) && SUCCEEDED(ID3D12Device_GetDeviceRemovedReason(game->device)))
        MUST(result);
}

static void record(struct game *game, int index, uint64_t random)
{
    struct pass *pass = &game->passes[index];
    const int slot = game->frame % SLOTS;
    pass->list = pass->lists[slot];
    must_unless_removed(game, ID3D12CommandAllocator_Reset(pass->allocators[slot]));
    must_unless_removed(game,
                        ID3D12GraphicsCommandList_Reset(pass->list, pass->allocators[slot], NULL));
    pass->record(game, pass, random + (uint64_t)index);
    must_unless_removed(game, ID3D12GraphicsCommandList_Close(pass->list));
}

/* A worker takes the next pass that nobody has. */
static void *work(void *argument)
{
    const struct recorder *recorder = argument;
    int index;
    while ((index = atomic_fetch_add(recorder->next, 1)) < recorder->game->pass_count)
        record(recorder->game, index, recorder->random);
    return NULL;
}

static void record_frame(struct game *game)
{
    pthread_t threads[8];
    atomic_int next = 0;
    struct recorder recorder = {game, &next, game_next(&game->random)};
    int started = 0;
    for (; started < game->threads - 1; started++)
        if (pthread_create(&threads[started], NULL, work, &recorder) != 0)
            break;
    work(&recorder);
    while (started-- > 0)
        pthread_join(threads[started], NULL);
}

static void submit(struct pass *passes, int count)
{
    ID3D12CommandList *lists[PASSES_MAX];
    for (int i = 0; i < count; i++)
        lists[i] = (ID3D12CommandList *)passes[i].list;
    ID3D12CommandQueue_ExecuteCommandLists(passes[0].queue, (UINT)count, lists);
}

/* Lists of one queue go in submissions of any size. */
static void submit_graphics(struct game *game, int first)
{
    PIXBeginEvent(game->graphics, 0, "Frame %d", game->frame);
    for (int i = first; i < game->pass_count;) {
        int count = 1 + game_below(&game->random, 4);
        if (count > game->pass_count - i)
            count = game->pass_count - i;
        submit(&game->passes[i], count);
        i += count;
    }
    PIXEndEvent(game->graphics);
}

static ID3D12Fence *fence_of(struct game *game, ID3D12CommandQueue *queue)
{
    return queue == game->compute ? game->culled
           : queue == game->copy  ? game->uploaded
                                  : game->shown;
}

static void submit_other(struct game *game, struct pass *pass)
{
    ID3D12CommandQueue *queue = pass->queue;
    if (queue == game->video)
        PIXBeginEvent(queue, 0, "Video frame %d", game->frame);
    submit(pass, 1);
    if (queue == game->video)
        PIXEndEvent(queue);
    if (pass[1].queue != queue) /* its last one */
        ID3D12CommandQueue_Signal(queue, fence_of(game, queue), (UINT64)game->frame);
}

static void submit_last(struct game *game, int graphics)
{
    const UINT64 value = (UINT64)game->frame;
    if (game->has_waits)
        ID3D12CommandQueue_Wait(game->graphics, game->culled, value);
    submit_graphics(game, graphics);
    for (int i = 0; i < graphics; i++)
        ID3D12CommandQueue_Wait(game->graphics, fence_of(game, game->passes[i].queue), value);
    ID3D12CommandQueue_Signal(game->graphics, game->done, value);
}

/* Seeded order lets only some steps happen until the timeout of a hang, where a GPU has two seconds
 * for them: the queue with the fault comes last, behind all work that the others can do. */
static void submit_frame(struct game *game)
{
    ID3D12CommandQueue *bad = game->bad_queue;
    int graphics = 0;
    while (game->passes[graphics].queue != game->graphics)
        graphics++;
    for (int i = 0; i < graphics; i++)
        if (game->passes[i].queue != bad)
            submit_other(game, &game->passes[i]);
    if (bad != game->graphics)
        submit_last(game, graphics);
    if (game->is_patient)
        emu_run_steps(game->device, 1 << 20);
    for (int i = 0; i < graphics; i++)
        if (game->passes[i].queue != bad && game->is_patient)
            ID3D12Fence_SetEventOnCompletion(fence_of(game, game->passes[i].queue),
                                             (UINT64)game->frame, NULL);
    for (int i = 0; i < graphics; i++)
        if (game->passes[i].queue == bad)
            submit_other(game, &game->passes[i]);
    if (bad == game->graphics)
        submit_last(game, graphics);
}

/* False: the device is removed. */
static bool run_frame(struct game *game)
{
    if (game->frame > SLOTS)
        ID3D12Fence_SetEventOnCompletion(game->done, (UINT64)(game->frame - SLOTS), NULL);
    if (FAILED(ID3D12Device_GetDeviceRemovedReason(game->device)))
        return false;
    record_frame(game);
    submit_frame(game);
    return true;
}

/* ---- a run ---- */

void corpus_set_dred(bool is_on)
{
    const D3D12_DRED_ENABLEMENT enablement =
        is_on ? D3D12_DRED_ENABLEMENT_FORCED_ON : D3D12_DRED_ENABLEMENT_FORCED_OFF;
    ID3D12DeviceRemovedExtendedDataSettings1 *settings = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings1, (void **)&settings));
    ID3D12DeviceRemovedExtendedDataSettings1_SetAutoBreadcrumbsEnablement(settings, enablement);
    ID3D12DeviceRemovedExtendedDataSettings1_SetPageFaultEnablement(settings, enablement);
    ID3D12DeviceRemovedExtendedDataSettings1_Release(settings);
}

static bool crash_application(struct game *game, const char *path)
{
    char reason[64];
    annot_dump_writer *writer;
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_APPLICATION, .reason = reason};
    snprintf(reason, sizeof reason, "SIGSEGV at 0x%llx",
             (unsigned long long)game_next(&game->random));
    if (annot_dump_writer_create(emu_annot_device(game->device), &writer) != ANNOT_OK)
        return false;
    const bool is_written = annot_dump_write_file(writer, &info, path) == ANNOT_OK;
    annot_dump_writer_destroy(writer);
    return is_written;
}

static bool removed;

static void on_removed(void *user, annot_device_error error, const char *path)
{
    (void)user, (void)error;
    removed = path != NULL;
}

static void configure(struct game *game, const struct corpus_run *run, const char *path)
{
    static char marker[64];
    emu_config config = EMU_CONFIG_INIT;
    /* real threads and a real timeout in some runs: they take their time */
    config.order = game_below(&game->random, 32) == 0 ? EMU_ORDER_THREADS : EMU_ORDER_SEEDED;
    config.tdr_timeout_ns = config.order == EMU_ORDER_THREADS ? 200000000 : 0;
    config.driver = corpus_driver(run->seed);
    config.seed = game_next(&game->random) << 5;
    config.dump_path = path;
    config.on_removed = on_removed;
    if (faults[game->fault].marker[0]) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(marker, sizeof marker, faults[game->fault].marker, game->fault_frame);
#pragma GCC diagnostic pop
        config.hang = (emu_hang){EMU_HANG_AT_MARKER, 1, faults[game->fault].kind, marker};
    }
    emu_configure(&config);
    corpus_set_dred(run->breadcrumbs);
}

static bool is_fault(enum fault fault)
{
    return fault == FAULT_lighting_unmapped || fault == FAULT_lighting_freed ||
           fault == FAULT_particles_freed || fault == FAULT_bloom_unmapped ||
           fault == FAULT_terrain_freed || faults[fault].kind != EMU_HANG_SPINS;
}

bool corpus_play(size_t fault, const struct corpus_run *run, const char *path)
{
    struct game game = {.fault = (enum fault)fault, .random = run->seed * 1000003 + fault};
    game.fault_frame = 1 + game_below(&game.random, 5);
    game.threads = 1 << game_below(&game.random, 3);
    game.workers = 1 + game_below(&game.random, WORKERS_MAX);
    game.has_waits = game_below(&game.random, 4) != 0;
    /* a hang leaves the other queues time for all their work; a fault stops them where they are */
    game.is_patient = (!is_fault(game.fault) && fault != FAULT_crash_while_busy) ||
                      game_below(&game.random, 2) != 0;
    removed = false;
    configure(&game, run, path);
    game_open(&game);
    const int ahead = game.is_patient ? 0 : SLOTS;
    for (game.frame = 1; game.frame <= game.fault_frame + ahead; game.frame++) {
        if (game.frame == game.fault_frame && game.freed) {
            if (game.frame > 1)
                ID3D12Fence_SetEventOnCompletion(game.done, (UINT64)game.frame - 1, NULL);
            ID3D12Resource_Release(game.freed);
            game.freed = NULL;
        }
        if (!run_frame(&game))
            break;
    }
    if (fault == FAULT_crash_while_busy) {
        emu_run_steps(game.device, (uint64_t)game_below(&game.random, 200));
        removed = crash_application(&game, path);
    }
    ID3D12Fence_SetEventOnCompletion(game.done, (UINT64)game.frame - 1, NULL);
    if (fault == FAULT_application_crash)
        removed = crash_application(&game, path);
    game_close(&game);
    return removed;
}
