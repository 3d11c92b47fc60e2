/* A device's removal with all that a dump can have (breadcrumbs, times, a timeout's payload, blobs
 * of application, driver and kernel), again and again: with the n-th allocation failing, with all
 * from the n-th on, and killed at the n-th system call that writes the dump. Under the dump's name
 * is then a whole dump or nothing [ANN-CRASH, -DRED, -HIST, -TDR, -FILE].
 *
 * The allocator is replaced by counting functions (failing_malloc.h). */
#include "failing_malloc.h"

#ifdef UNSUITED
int main(void)
{
    return 77;
}
#else

#include "d3d12_failing.h"

#include <annot/reader.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- system calls at which the process is killed ---- */

static bool watching;   /* the dump is being written */
static long kill_at;    /* the n-th call from here; 0: none */
static bool kill_later; /* behind it, or before it and half done */

/* Whether the process ends now: before the call, or behind it. */
static bool is_last(void)
{
    return watching && kill_at > 0 && --kill_at == 0;
}

static void die(void)
{
    raise(SIGKILL);
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    const bool last = is_last();
    const ssize_t written =
        syscall(SYS_write, descriptor, data, last && !kill_later ? size / 2 : size);
    if (last)
        die();
    return written;
}

int fsync(int descriptor)
{
    (void)descriptor; /* the disk's time is not what this is about */
    if (is_last())
        die();
    return 0;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    const bool last = is_last();
    if (last && !kill_later)
        die();
    const long result = syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    if (last)
        die();
    return (int)result;
}

/* ---- the dump ---- */

static char folder[] = "/tmp/annot-moments-XXXXXX";
static char path[64];

/* Whether there is one; there is nothing else, but what a killed process left under another name.
 * Everything goes. */
static bool take_dump(bool was_killed)
{
    bool is_there = false;
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char name[512];
        annot_reader *reader = NULL;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        const bool is_final = strcmp(name, path) == 0;
        const annot_result result = annot_reader_open_file(NULL, name, &reader);
        if (is_final && (result != ANNOT_OK || annot_reader_is_damaged(reader)))
            complain("half a dump under the final name");
        if (!is_final && !was_killed)
            complain("something is left beside the dump");
        annot_reader_close(reader);
        unlink(name);
        is_there |= is_final;
    }
    closedir(directory);
    return is_there;
}

/* ---- a device that is removed ---- */

static struct {
    unsigned removals;
    bool has_path;
    ID3D12DevicePreview *preview;
} told;

static void on_removed(void *user, annot_device_error error, const char *written)
{
    (void)user, (void)error;
    watching = false;
    told.removals++;
    told.has_path = written != NULL;
}

static UINT on_begin(UINT64 flags)
{
    static char blob[200000];
    (void)flags;
    for (UINT64 i = 0; i < 20; i++)
        OK(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, blob, i < 8 ? sizeof blob : 5, i));
    watching = true;
    return 1;
}

struct life {
    ID3D12Device *device;
    ID3D12DevicePreview *preview;
    ID3D12DeviceRemovedExtendedData1 *dred;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *done, *stuck;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *spin;
    ID3D12Resource *buffer;
};

static bool make_all(struct life *l)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = direct};
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    return make_pipeline(l->device, EMU_KERNEL_SPIN, &l->signature, &l->spin) &&
           MADE_OK(ID3D12CommandQueue, &l->queue, l->device, CreateCommandQueue, &queue) &&
           MADE_OK(ID3D12CommandAllocator, &l->allocator, l->device, CreateCommandAllocator,
                   direct) &&
           MADE_OK(ID3D12Resource, &l->buffer, l->device, CreateCommittedResource, &local,
                   D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, NULL) &&
           OK(ID3D12Resource_SetName(l->buffer, L"buffer"));
}

static bool make_list(struct life *l, ID3D12GraphicsCommandList **list, bool hangs)
{
    if (!MADE_OK(ID3D12GraphicsCommandList, list, l->device, CreateCommandList, 0,
                 D3D12_COMMAND_LIST_TYPE_DIRECT, l->allocator, NULL))
        return false;
    for (int i = 0; i < 20; i++) {
        ID3D12GraphicsCommandList_BeginEvent(*list, 1, "scope", 6);
        ID3D12GraphicsCommandList_CopyBufferRegion(*list, l->buffer, 0, l->buffer, 4096, 64);
    }
    if (hangs) {
        ID3D12GraphicsCommandList_SetComputeRootSignature(*list, l->signature);
        ID3D12GraphicsCommandList_SetPipelineState(*list, l->spin);
        ID3D12GraphicsCommandList_Dispatch(*list, 1, 1, 1);
    }
    return OK(ID3D12GraphicsCommandList_Close(*list));
}

static void execute(struct life *l, ID3D12GraphicsCommandList *list)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list, (ID3D12CommandList *)list};
    ID3D12CommandQueue_ExecuteCommandLists(l->queue, 2, lists);
    emu_run_until_idle(l->device);
}

static void look_back(struct life *l)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT1 crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT1 fault;
    OK(ID3D12DeviceRemovedExtendedData1_GetAutoBreadcrumbsOutput1(l->dred, &crumbs));
    OK(ID3D12DeviceRemovedExtendedData1_GetPageFaultAllocationOutput1(l->dred, &fault));
}

static void play(struct life *l)
{
    kit_set_mode(l->device, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12DevicePreview, (void **)&l->preview);
    ID3D12Device_QueryInterface(l->device, &IID_ID3D12DeviceRemovedExtendedData1,
                                (void **)&l->dred);
    told.preview = l->preview;
    ID3D12DevicePreview_SetDumpFileCallbacks(l->preview, on_begin, NULL);
    if (!make_all(l) || !make_list(l, &l->done, false) || !make_list(l, &l->stuck, true))
        return;
    execute(l, l->done);
    execute(l, l->stuck);
    if (FAILED(ID3D12Device_GetDeviceRemovedReason(l->device)))
        look_back(l);
}

static void live_once(void)
{
    struct life l = {0};
    memset(&told, 0, sizeof told);
    if (OK(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&l.device)))
        play(&l);
    void *const all[] = {l.dred,      l.preview, l.stuck, l.done,      l.buffer,
                         l.signature, l.spin,    l.queue, l.allocator, l.device};
    release_any(all, sizeof all / sizeof all[0]);
    watching = false;
}

/* ---- one by one ---- */

/* Returns whether the n-th allocation existed. */
static bool live_with_failure(long n, bool from_there_on)
{
    const long before = allocated();
    const bool existed = fail_in(live_once, n, from_there_on);
    if (take_dump(false) != told.has_path || told.removals > 1)
        complain("what was told of the dump is not so");
    if (!existed && !told.has_path)
        complain("no dump, and memory enough");
    if (allocated() != before)
        complain("allocations are left");
    return existed;
}

/* Returns whether the n-th call existed. */
static bool live_and_be_killed(long n, bool later)
{
    int status;
    failing = n;
    const pid_t child = fork();
    if (child == 0) {
        kill_at = n;
        kill_later = later;
        live_once();
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
        complain("the child failed");
    const bool is_there = take_dump(true);
    if (WIFEXITED(status) && !is_there)
        complain("no dump, and nobody killed it");
    return WIFSIGNALED(status);
}

int main(void)
{
    emu_config config = EMU_CONFIG_INIT;
    long once = 1, on = 1, halves = 1, wholes = 1;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/dump.annotdmp", folder);
    config.order = EMU_ORDER_SEEDED;
    config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    config.dump_path = path;
    config.on_removed = on_removed;
    if (emu_configure(&config) != ANNOT_OK)
        return 1;
    record_all();
    live_once(); /* what libc keeps for ever is had now */
    if (!take_dump(false))
        complain("no dump at all");
    while (live_with_failure(once, false))
        once++;
    while (live_with_failure(on, true))
        on++;
    while (live_and_be_killed(halves, false))
        halves++;
    while (live_and_be_killed(wholes, true))
        wholes++;
    printf("%ld allocations failed one by one, %ld times all the rest; killed at %ld calls\n",
           once - 1, on - 1, halves + wholes - 2);
    emu_configure(NULL);
    rmdir(folder);
    return once > 50 && halves > 5 ? 0 : 1;
}
#endif
