/* The environment variables as annot-emulator(7) promises them, for programs that are not written
 * for the emulator. */
#include "kit.h"

#include <sys/stat.h>
#include <unistd.h>

struct run {
    HRESULT reason;    /* GetDeviceRemovedReason */
    UINT64 dispatched; /* how many of the two dispatches were done */
};

/* Two lists with a dispatch in a submission each; the second is in a scope "frame 2 /
 * particles". */
static struct run run_program_with(const emu_config *config)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(config);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *pipeline = kit_pipeline(device, signature, EMU_KERNEL_FILL);
    OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
    ID3D12CommandAllocator *allocators[2];
    ID3D12GraphicsCommandList *lists[2];
    UINT32 *words = NULL;
    struct run run = {S_OK, 0};
    kit_set_mode(device, MODE_RETAIL);
    MUST(ID3D12Resource_Map(buffer, 0, NULL, (void **)&words)); /* a removed device maps nothing */
    for (UINT i = 0; i < 2; i++) {
        allocators[i] = kit_allocator(device, DIRECT);
        lists[i] = kit_list(device, allocators[i], DIRECT);
        if (i == 1)
            ID3D12GraphicsCommandList_BeginEvent(lists[i], 1, "frame 2 / particles", 20);
        kit_dispatch(lists[i], signature, pipeline, buffer, NULL, i + 1, 1);
        if (i == 1)
            ID3D12GraphicsCommandList_EndEvent(lists[i]);
        MUST(ID3D12GraphicsCommandList_Close(lists[i]));
    }
    for (int i = 0; i < 2; i++) {
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList *const *)&lists[i]);
        emu_run_until_idle(device);
    }
    run.reason = ID3D12Device_GetDeviceRemovedReason(device);
    run.dispatched = words[0];
    for (int i = 0; i < 2; i++)
        RELEASE(lists[i], allocators[i]);
    return run;
}

static struct run run_program(void)
{
    emu_config config = kit_config();
    return run_program_with(&config);
}

/* "environment-PID-1%.annotdmp" */
static const char *dump_path(void)
{
    static char path[64];
    snprintf(path, sizeof path, "environment-%d-1%%.annotdmp", (int)getpid());
    return path;
}

static void expect_report(const char *scope)
{
    char text[256];
    AT_END(at_end_close) annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, dump_path(), &reader), ANNOT_OK);
    annot_reader_stop_path(reader, 0, text, sizeof text);
    cr_assert_str_eq(text, scope);
}

/* A name that no other process has. Good until it is asked for twice more. */
static const char *own_name(const char *noun)
{
    static char names[2][64];
    static int next;
    next = !next;
    snprintf(names[next], sizeof names[next], "environment-%d-%s", (int)getpid(), noun);
    return names[next];
}

static void set(const char *name, const char *value)
{
    cr_assert_eq(setenv(name, value, 1), 0);
}

Test(environment, a_place_is_where_the_gpu_hangs)
{
    static const struct {
        const char *place;
        UINT64 dispatched;
    } cases[] = {{"dispatch:1", 0},
                 {"dispatch:2", 1},
                 {"list:2", 1},
                 {"submission:1", 0},
                 {"marker:*/ part?cles", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set("EMU_HANG", cases[i].place);
        const struct run run = run_program();
        cr_assert_eq(run.reason, DXGI_ERROR_DEVICE_HUNG, "%s", cases[i].place);
        cr_assert_eq(run.dispatched, cases[i].dispatched, "%s", cases[i].place);
    }
}

/* "with '*' for any text and '?' for one byte" */
Test(environment, a_marker_is_named_by_a_pattern)
{
    static const struct {
        const char *glob;
        bool fits; /* "frame 2 / particles" */
    } cases[] = {{"frame 2 / particles", true},
                 {"*", true},
                 {"*particles", true},
                 {"frame*", true},
                 {"frame 2 / particles*", true},
                 {"frame 2 / particles**", true},
                 {"**", true},
                 {"f*2*a*s", true},
                 {"*frame 2 / particles*", true},
                 {"*art*", true},
                 {"*a*a*", true},
                 {"?rame 2 / particle?", true},
                 {"*?frame 2 / particles", false},
                 {"frame 2 / particles?", false},
                 {"frame 2 / particle", false},
                 {"rame 2 / particles", false},
                 {"*particle", false},
                 {"*z*", false},
                 {"frame*3*particles", false},
                 {"Frame 2 / particles", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char place[64];
        snprintf(place, sizeof place, "marker:%s", cases[i].glob);
        set("EMU_HANG", place);
        const struct run run = run_program();
        cr_assert_eq(run.reason == DXGI_ERROR_DEVICE_HUNG, cases[i].fits, "%s", place);
        cr_assert_eq(run.dispatched, cases[i].fits ? 1 : 2, "%s", place);
    }
}

/* "The first of EMU_HANG, EMU_FAULT and EMU_LOSE counts, and none where emu_config.hang names a
 * place." */
Test(environment, the_first_place_counts)
{
    set("EMU_LOSE", "list:1");
    set("EMU_FAULT", "dispatch:2");
    set("EMU_HANG", "nowhere");
    struct run run = run_program();
    cr_assert_eqs(run.reason, DXGI_ERROR_DEVICE_HUNG, run.dispatched, 1, "the fault's");
    set("EMU_HANG", "submission:1");
    run = run_program();
    cr_assert_eqs(run.reason, DXGI_ERROR_DEVICE_HUNG, run.dispatched, 0, "the hang's");
    unsetenv("EMU_HANG");
    unsetenv("EMU_FAULT");
    cr_assert_eq(run_program().reason, DXGI_ERROR_DEVICE_REMOVED);

    emu_config config = kit_config();
    config.hang = (emu_hang){EMU_HANG_AT_DISPATCH, 2, EMU_HANG_SPINS, NULL};
    run = run_program_with(&config);
    cr_assert_eqs(run.reason, DXGI_ERROR_DEVICE_HUNG, run.dispatched, 1, "the program's");
}

Test(environment, what_is_no_place_hangs_nothing)
{
    static const char *const places[] = {
        "dispatch:3",  "draw:1",           "dispatch:0", "dispatch:-1", "dispatch:", "dispatch",
        "dispatch:1x", "marker:particles", "marker:",    "1",           " list:1"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        set("EMU_HANG", places[i]);
        const struct run run = run_program();
        cr_assert_eqs(run.reason, S_OK, run.dispatched, 2, "%s", places[i]);
    }
}

Test(environment, a_hang_at_a_marker_is_reported_in_its_scope)
{
    set("EMU_HANG", "marker:frame 2*");
    set("EMU_DUMP", "environment-%p-%n%%.annotdmp");
    cr_assert_eq(run_program().reason, DXGI_ERROR_DEVICE_HUNG);
    expect_report("frame 2 / particles");
    unlink(dump_path());
}

/* A percent sign with anything else behind it, or nothing, is itself; what the program names beats
 * the environment. */
Test(environment, a_dump_is_where_it_should_be)
{
    char path[96];
    emu_config config = EMU_CONFIG_INIT;
    set("EMU_LOSE", "list:1");
    set("EMU_DUMP", "environment-%%%p-%d%n.annotdmp%");
    snprintf(path, sizeof path, "environment-%%%d-%%d1.annotdmp%%", (int)getpid());
    cr_assert_eq(run_program().reason, DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(unlink(path), 0, "%s", path);
    config.order = EMU_ORDER_SEEDED;
    config.dump_path = own_name("named");
    cr_assert_eq(run_program_with(&config).reason, DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(unlink(config.dump_path), 0);
    snprintf(path, sizeof path, "environment-%%%d-%%d2.annotdmp%%", (int)getpid());
    cr_assert(access(path, F_OK) != 0);
}

Test(environment, a_fault_is_at_an_address_without_memory)
{
    set("EMU_FAULT", "dispatch:2");
    set("EMU_DUMP", "environment-%p-%n%%.annotdmp");
    cr_assert_eq(run_program().reason, DXGI_ERROR_DEVICE_HUNG);
    annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, dump_path(), &reader), ANNOT_OK);
    annot_reader_device info;
    annot_reader_get_device(reader, &info);
    cr_assert_eq(info.error, ANNOT_DEVICE_ERROR_PAGE_FAULT);
    cr_assert(info.fault_address != 0);
    annot_reader_close(reader);
    unlink(dump_path());
}

/* "DXGI_ERROR_DEVICE_REMOVED: the device was physically removed from the system, or a driver
 * upgrade occurred." */
Test(environment, a_lost_device_did_not_hang)
{
    set("EMU_LOSE", "list:2");
    const struct run run = run_program();
    cr_assert_eqs(run.reason, DXGI_ERROR_DEVICE_REMOVED, run.dispatched, 1);
}

/* Filters are the program's; whoever looks from outside sees everything. */
Test(environment, messages_are_printed_whatever_the_filters_say)
{
    char line[256] = "";
    const char *path = own_name("messages");
    struct stat kind;
    unlink(path);
    set("EMU_MESSAGES", path);
    ID3D12Device *device = kit_device();
    ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_ERROR;
    D3D12_INFO_QUEUE_FILTER filter = {.DenyList = {.NumSeverities = 1, .pSeverityList = &severity}};
    MUST(ID3D12InfoQueue_PushStorageFilter(queue, &filter));
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    MUST(ID3D12GraphicsCommandList_SetName(list, L"shadows \u00e9"));
    MUST(ID3D12GraphicsCommandList_Close(list));
    cr_assert(FAILED(ID3D12GraphicsCommandList_Close(list)));
    MUST(ID3D12GraphicsCommandList_SetName(list, NULL));
    cr_assert(FAILED(ID3D12GraphicsCommandList_Close(list)));
    RELEASE(queue, list, allocator);
    kit_close(device);
    FILE *file = fopen(path, "r");
    cr_assert(file && fgets(line, sizeof line, file));
    cr_assert(strncmp(line, "d3d12: ERROR 547: ", 18) == 0, "%s", line);
    cr_assert(strstr(line, " 'shadows \u00e9')\n"), "%s", line);
    cr_assert(fgets(line, sizeof line, file) && strstr(line, " (object ") && !strchr(line, '\''));
    cr_assert_eqs(fstat(fileno(file), &kind), 0, kind.st_mode & 0777, 0600);
    fclose(file);
    unlink(path);
}

Test(environment, messages_are_appended)
{
    char text[512] = "";
    const char *path = own_name("appended");
    set("EMU_MESSAGES", path);
    for (int i = 0; i < 2; i++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        kit_set_mode(device, (D3D12_USER_DEFINED_ANNOTATION_MODE)77);
    }
    FILE *file = fopen(path, "r");
    cr_assert(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    const char *end = strchr(text, '\n');
    cr_assert(end && strncmp(text, end + 1, (size_t)(end + 1 - text)) == 0, "%s", text);
    fclose(file);
    unlink(path);
}

/* ANN-SEC: a planted link is not followed. */
Test(environment, messages_go_to_no_link)
{
    const char *link = own_name("link"), *target = own_name("target");
    cr_assert_eq(symlink(target, link), 0);
    set("EMU_MESSAGES", link);
    kit_close(kit_device());
    cr_assert(access(target, F_OK) != 0);
    unlink(link);
}

/* ---- what goes to stderr ---- */

/* An adapter and a device as a program makes them that doesn't know emu_configure. */
static ID3D12Device *program_device(void)
{
    IUnknown *adapter = NULL;
    ID3D12Device *device = NULL;
    if (emu_adapter_create(NULL, (void **)&adapter) != ANNOT_OK)
        return NULL;
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    IUnknown_Release(adapter);
    return device;
}

/* The text on stderr while a program makes and ends a device, and is refused an order. */
static const char *heard_on_stderr(void)
{
    static char text[1024];
    char path[] = "/tmp/annot-environment-XXXXXX";
    const int to = mkstemp(path), before = dup(2);
    cr_assert(to >= 0 && before >= 0);
    unlink(path);
    dup2(to, 2);
    ID3D12Device *device = program_device();
    if (device) {
        kit_set_mode(device, (D3D12_USER_DEFINED_ANNOTATION_MODE)77);
        kit_close(device);
    }
    dup2(before, 2);
    close(before);
    const ssize_t size = pread(to, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    close(to);
    return text;
}

/* "A value that can't be used is ignored, with a message on stderr." */
Test(environment, a_value_that_can_not_be_used_is_told)
{
    static const struct {
        const char *name, *good, *bad;
    } cases[] = {
        {"EMU_HANG", "dispatch:1", "dispatch"},
        {"EMU_HANG", "list:19", "list:1a"},
        {"EMU_FAULT", "draw:4000000000", "draw:x"},
        {"EMU_LOSE", "submission:2", "list:0"},
        {"EMU_ORDER", "threads", "random"},
        {"EMU_ORDER", "seeded", "seeded "},
        {"EMU_SEED", "18446744073709551615", "-1"},
        {"EMU_SEED", "0x3F", "abc"},
        {"EMU_SEED", "0", "12x"},
        {"EMU_SEED", "7", "18446744073709551616"},
        {"EMU_FRESH_MEMORY", "7", "-7"},
        {"ANNOT_TIMELINE", "1", "2"},
        {"ANNOT_TIMELINE", "0", "yes"},
        {"EMU_DRIVER", "legacy", "nobody"},
        {"EMU_MESSAGES", "", "/nowhere/messages"},
    };
    heard_on_stderr(); /* a recorder tells its path with the first device */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set(cases[i].name, cases[i].good);
        const char *text = heard_on_stderr();
        cr_assert_str_empty(text, "%s=%s: %s", cases[i].name, cases[i].good, text);
        set(cases[i].name, cases[i].bad);
        text = heard_on_stderr();
        const char *end = strchr(text, '\n');
        cr_assert(strstr(text, cases[i].bad) && end && end[1] == '\0', "%s=%s: %s", cases[i].name,
                  cases[i].bad, text);
        unsetenv(cases[i].name);
    }
}

Test(environment, messages_go_to_stderr_when_asked)
{
    (void)heard_on_stderr(); /* what a recorder in front says first is no message */
    set("EMU_MESSAGES", "stderr");
    const char *text = heard_on_stderr();
    cr_assert(strncmp(text, "d3d12: ", 7) == 0, "%s", text);
    cr_assert_eq(strchr(text, '\n')[1], '\0', "%s", text);
    cr_assert_eq(write(2, "", 0), 0, "it is still open");
}

/* "`emu_config.order`, in programs that don't call `emu_configure`": only the seeded order leaves
 * steps to be taken. */
Test(environment, the_order_is_for_programs_that_configure_nothing)
{
    static const struct {
        const char *order;
        bool configured, seeded;
    } cases[] = {{"seeded", false, true}, {"seeded", true, false}, {"threads", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const emu_config config = EMU_CONFIG_INIT;
        set("EMU_ORDER", cases[i].order);
        cr_assert_eq(emu_configure(cases[i].configured ? &config : NULL), ANNOT_OK);
        AT_END(kit_closed) ID3D12Device *device = program_device();
        OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
        OWNED ID3D12Fence *fence = kit_fence(device, 0);
        MUST(ID3D12CommandQueue_Signal(queue, fence, 1));
        if (cases[i].seeded) {
            cr_assert_eqs(ID3D12Fence_GetCompletedValue(fence), 0, emu_run_steps(device, 1), 1);
            emu_run_until_idle(device);
            cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 1);
        } else {
            cr_assert_eq(emu_run_steps(device, 1), 0, "threads take theirs");
            MUST(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
        }
    }
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

static void run_with_everything(void)
{
    static const char *const settings[][2] = {
        {"EMU_HANG", "nowhere"},  {"EMU_FAULT", "marker:no such*"},
        {"EMU_LOSE", "list:9"},   {"EMU_ORDER", "seeded"},
        {"EMU_SEED", "77"},       {"ANNOT_TIMELINE", "0"},
        {"EMU_DUMP", "%p-%n%%"},  {"EMU_MESSAGES", "stderr"},
        {"EMU_DRIVER", "legacy"}, {"EMU_KERNEL_DRIVER_PATH", "no such file"}};
    const emu_kernel_driver own = {sizeof own, EMU_KERNEL_DRIVER_VERSION, .name = "own"};
    emu_config config = EMU_CONFIG_INIT;
    void *adapter = NULL, *out = NULL;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        set(settings[i][0], settings[i][1]);
    cr_assert_eq(emu_adapter_create(NULL, &adapter), ANNOT_OK);
    EXPECT_HR(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &out),
              DXGI_ERROR_UNSUPPORTED); /* the kernel-mode driver */
    IUnknown_Release((IUnknown *)adapter);
    config.kernel_driver = &own;
    config.driver = "reorder";
    config.dump_path = "no such dump";
    config.hang = (emu_hang){EMU_HANG_AT_MARKER, 1, EMU_HANG_SPINS, "no such marker"};
    config.order = EMU_ORDER_SEEDED;
    kit_close(kit_device_with(&config));
    unsetenv("EMU_KERNEL_DRIVER_PATH");
    unsetenv("EMU_SEED");
    kit_close(program_device());
}

Test(environment, devices_leave_no_memory_behind)
{
    cr_assert_eq(kit_left_behind(run_with_everything), 0);
}

/* ---- emu_configure ---- */

/* The limits are those of emu.h; a refused configuration changes nothing. */
Test(environment, configurations_out_of_range_are_refused)
{
#define CONFIGURED(change, result)                                                                 \
    do {                                                                                           \
        emu_config config = EMU_CONFIG_INIT;                                                       \
        change;                                                                                    \
        cr_assert_eq(emu_configure(&config), (result), "%s", #change);                             \
    } while (0)
    CONFIGURED(config.driver = "no such driver", ANNOT_OK); /* which is seen when it is refused */
    CONFIGURED(config.order = (emu_order)2, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.hang.place = EMU_HANG_AT_MARKER, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.tdr_payload = (emu_tdr_payload)4, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.tdr_payload = (emu_tdr_payload)-1, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.tdr_buffer = (1u << 20) + 1, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.marker_type =
                   (D3DWDDM1_3DDI_MARKER_TYPE)(D3DWDDM1_3DDI_MARKER_TYPE_PROFILE + 1),
               ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.gpu_clock.hz = 16000000001, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.gpu_clock.ppm = 100001, ANNOT_ERROR_INVALID_ARGUMENT);
    CONFIGURED(config.gpu_clock.ppm = -100001, ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert(!program_device(), "what was refused took nothing's place");
    CONFIGURED(config.order = EMU_ORDER_SEEDED, ANNOT_OK);
    CONFIGURED((config.hang.place = EMU_HANG_AT_MARKER, config.hang.marker = ""), ANNOT_OK);
    CONFIGURED(config.tdr_payload = EMU_TDR_PAYLOAD_LONGER, ANNOT_OK);
    CONFIGURED(config.tdr_buffer = 1u << 20, ANNOT_OK);
    CONFIGURED(config.marker_type = D3DWDDM1_3DDI_MARKER_TYPE_PROFILE, ANNOT_OK);
    CONFIGURED(config.gpu_clock.hz = 16000000000, ANNOT_OK);
    CONFIGURED(config.gpu_clock.ppm = 100000, ANNOT_OK);
    CONFIGURED(config.gpu_clock.ppm = -100000, ANNOT_OK);
#undef CONFIGURED
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* "Strings are copied": the program may change or free its own afterwards. */
Test(environment, configured_strings_are_copied)
{
    char driver[] = "legacy", marker[] = "*", path[64];
    emu_config config = EMU_CONFIG_INIT;
    snprintf(path, sizeof path, "%s", dump_path());
    config.order = EMU_ORDER_SEEDED;
    config.driver = driver;
    config.dump_path = path;
    config.hang = (emu_hang){EMU_HANG_AT_MARKER, 1, EMU_HANG_SPINS, marker};
    config.debug_layer = true;
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    memset(driver, 'x', sizeof driver - 1);
    memset(path, 'x', sizeof path - 1);
    marker[0] = 'x';
    ID3D12Device *device = program_device();
    cr_assert(device);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12GraphicsCommandList_SetMarker(list, 1, "any", 4);
    kit_execute(queue, list);
    emu_run_until_idle(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
    cr_assert_eq(unlink(dump_path()), 0);
    RELEASE(list, allocator, queue);
    kit_close(device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}
