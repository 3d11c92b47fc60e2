/* A submission that the kernel's queue has no room for was never made: the application is told, its
 * list isn't in flight, and neither dumps nor evidence know of it [ANN-CRASH-02, ANN-DDI-03]. Every
 * allocation that ExecuteCommandLists makes fails once, the one of the kernel's queue among them:
 * that is full, behind a wait.
 */
#include "failing_malloc.h"

#ifdef UNSUITED
int main(void)
{
    return 77;
}
#else

#include <unistd.h>

static long failing;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d, allocation %ld: %s\n", __LINE__, failing, #condition);       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define MUST(call) CHECK(SUCCEEDED(call))

#define INITGUID
#include "../d3d12_objects.h"

#include <annot/timeline.h>

/* A wait and so many submissions: what a queue of the kernel has room for without an allocation. */
enum { DONE = 15, PATH_MAX_SIZE = 64 };

struct list {
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
};

struct scene {
    bool has_crumbs, has_times;
    ID3D12Device *device;
    ID3D12InfoQueue *messages;
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    struct list made, lost, last;
    bool has_failed, is_lost;
    char path[PATH_MAX_SIZE];
};

static struct list make_list(struct scene *s, const WCHAR *name)
{
    struct list l;
    l.allocator = kit_allocator(s->device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    l.list = kit_list(s->device, l.allocator, D3D12_COMMAND_LIST_TYPE_DIRECT);
    MUST(ID3D12GraphicsCommandList_SetName(l.list, name));
    ID3D12GraphicsCommandList_SetMarker(l.list, 1, "marker", 7);
    MUST(ID3D12GraphicsCommandList_Close(l.list));
    return l;
}

static void release_list(struct list l)
{
    RELEASE(l.list, l.allocator);
}

static void execute(struct scene *s, struct list l)
{
    ID3D12CommandList *list = (ID3D12CommandList *)l.list;
    ID3D12CommandQueue_ExecuteCommandLists(s->queue, 1, &list);
}

static UINT64 lost_messages(const struct scene *s)
{
    UINT64 count = 0;
    for (UINT64 i = 0; i < ID3D12InfoQueue_GetNumStoredMessages(s->messages); i++) {
        D3D12_MESSAGE message[16];
        SIZE_T size = sizeof message;
        MUST(ID3D12InfoQueue_GetMessage(s->messages, i, message, &size));
        count += (int)message->ID == EMU_MESSAGE_SUBMISSION_LOST;
    }
    return count;
}

/* The GPU stops before the list of the first submission behind those that are made. */
static void start(struct scene *s)
{
    emu_config config = EMU_CONFIG_INIT;
    ID3D12DeviceRemovedExtendedDataSettings *dred;
    config.order = EMU_ORDER_SEEDED;
    config.debug_layer = true;
    config.dump_path = s->path;
    config.hang = (emu_hang){.place = EMU_HANG_AT_SUBMISSION, .count = DONE + 1};
    if (s->has_times)
        config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    CHECK(emu_configure(&config) == ANNOT_OK);
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings, (void **)&dred));
    ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement(
        dred, s->has_crumbs ? D3D12_DRED_ENABLEMENT_FORCED_ON : D3D12_DRED_ENABLEMENT_FORCED_OFF);
    ID3D12DeviceRemovedExtendedDataSettings_Release(dred);
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&s->device));
    s->messages = AS(ID3D12InfoQueue, s->device);
    kit_set_mode(s->device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    s->queue = kit_queue(s->device, D3D12_COMMAND_LIST_TYPE_DIRECT);
    s->fence = kit_fence(s->device, 0);
    s->made = make_list(s, L"made");
    s->lost = make_list(s, L"lost");
    s->last = make_list(s, L"last");
}

static void end(struct scene *s)
{
    release_list(s->made);
    release_list(s->lost);
    release_list(s->last);
    RELEASE(s->fence, s->queue, s->messages);
    CHECK(ID3D12Device_Release(s->device) == 0);
    remove(s->path);
}

/* Opens the dump at the scene's path, counts what it should hold, and says which list stopped. */
static annot_reader *read_dump(const struct scene *s, size_t submissions)
{
    annot_reader *reader = NULL;
    CHECK(annot_reader_open_file(NULL, s->path, &reader) == ANNOT_OK);
    CHECK(annot_reader_submission_count(reader) == submissions);
    CHECK(annot_reader_execution_count(reader) == submissions);
    CHECK(annot_reader_finding_count(reader) == 0);
    for (uint32_t loss = 0; loss < 32; loss++)
        CHECK(annot_reader_loss(reader, loss) == 0);
    return reader;
}

static void expect_execution(const annot_reader *reader, uint32_t index, const char *name,
                             annot_state state)
{
    annot_reader_execution execution;
    annot_reader_object object;
    CHECK(annot_reader_execution_at(reader, index, &execution));
    CHECK(annot_reader_object_find(reader, execution.object, &object));
    CHECK(object.name.size == strlen(name) && memcmp(object.name.data, name, strlen(name)) == 0);
    CHECK(execution.state == state);
}

/* While the queue waits: the live device's dump, and the allocator. */
static void expect_nothing_in_flight(struct scene *s)
{
    annot_dump_writer *writer = NULL;
    CHECK(annot_dump_writer_create(emu_annot_device(s->device), &writer) == ANNOT_OK);
    CHECK(annot_dump_write_file(writer, NULL, s->path) == ANNOT_OK);
    annot_dump_writer_destroy(writer);
    annot_reader *reader = read_dump(s, DONE);
    for (uint32_t i = 0; i < DONE; i++)
        expect_execution(reader, i, "made", ANNOT_STATE_UNKNOWN);
    annot_reader_close(reader);
    remove(s->path);
    MUST(ID3D12CommandAllocator_Reset(s->lost.allocator));
}

/* Once what was made is done, no object that dies waits for the GPU. */
static void expect_objects_to_die(const struct scene *s)
{
    const long before = allocated();
    ID3D12Fence *fence = kit_fence(s->device, 0);
    CHECK(allocated() > before);
    ID3D12Fence_Release(fence);
    CHECK(allocated() == before);
}

/* Calls of ExecuteCommandLists that the dump has times of. The last list waits for the GPU; one
 * that was never submitted doesn't. */
static size_t count_times(const struct scene *s, const annot_reader *reader)
{
    annot_timeline *timeline = NULL;
    annot_timeline_about about;
    annot_timeline_slice slice;
    size_t count = 0;
    CHECK(annot_timeline_create(reader, &timeline) == ANNOT_OK);
    annot_timeline_get_about(timeline, &about);
    CHECK(!s->is_lost || about.waiting == (s->has_times ? 1 : 0));
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
        count += slice.kind == ANNOT_SLICE_SUBMIT;
    annot_timeline_destroy(timeline);
    return count;
}

/* After the removal: fences, rows, breadcrumbs and times of the submissions that were made. */
static void expect_evidence(const struct scene *s)
{
    const uint32_t stuck = s->is_lost ? 1 : 2;
    annot_reader *reader = read_dump(s, DONE + stuck);
    for (uint32_t i = 0; i < DONE; i++)
        expect_execution(reader, i, "made", ANNOT_STATE_FINISHED);
    for (uint32_t i = 0; i < stuck; i++)
        expect_execution(reader, DONE + i, i + 1 == stuck ? "last" : "lost",
                         ANNOT_STATE_NOT_STARTED);
    /* A submission that was made all the same may have lost them with its allocation. */
    const size_t left_out = s->has_failed && !s->is_lost ? 1 : 0;
    const size_t crumbs = annot_reader_crumbs_count(reader), times = count_times(s, reader);
    CHECK(s->has_crumbs ? crumbs <= stuck && crumbs >= stuck - left_out : crumbs == 0);
    CHECK(s->has_times ? times <= DONE + stuck && times >= DONE + stuck - left_out : times == 0);
    annot_reader_close(reader);
}

/* The n-th allocation of one ExecuteCommandLists fails, if there is one. */
static void play(struct scene *s, long n)
{
    failing = n;
    start(s);
    MUST(ID3D12CommandQueue_Wait(s->queue, s->fence, 1));
    for (int i = 0; i < DONE; i++)
        execute(s, s->made);
    atomic_store(&countdown, n);
    execute(s, s->lost);
    s->has_failed = atomic_exchange(&countdown, 0) == 0;
    s->is_lost = lost_messages(s) == 1;
    CHECK(s->has_failed || !s->is_lost);
    if (s->is_lost)
        expect_nothing_in_flight(s);
    MUST(ID3D12Fence_Signal(s->fence, 1));
    if (s->is_lost) {
        emu_run_until_idle(s->device);
        expect_objects_to_die(s);
    }
    execute(s, s->last);
    emu_run_until_idle(s->device);
    CHECK(ID3D12Device_GetDeviceRemovedReason(s->device) == DXGI_ERROR_DEVICE_HUNG);
    expect_evidence(s);
    end(s);
}

int main(void)
{
    long lost = 0, all = 0;
    for (int kind = 0; kind < 3; kind++) {
        struct scene scene = {.has_failed = true};
        for (long n = 1; scene.has_failed; n++) {
            scene = (struct scene){.has_crumbs = kind == 1, .has_times = kind == 2};
            snprintf(scene.path, sizeof scene.path, "submission-lost-%d.annotdmp", (int)getpid());
            play(&scene, n);
            lost += scene.is_lost;
            all += scene.has_failed;
        }
    }
    emu_configure(NULL);
    printf("%ld allocations failed, %ld submissions were lost by it\n", all, lost);
    return lost >= 6 ? 0 : 1;
}
#endif
