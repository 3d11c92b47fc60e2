/* ANN-TDR: what a program sees of timeouts. What the kernel asks its driver, and what drivers do
 * wrong there, is behind no interface of D3D12: tests/d3d12/dred/timeouts.c has it. */
#include "kit_scene.h"

CASES(tdr_cases, "tdr");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

enum { FORCED = 1, ENGINE_TIMEOUT = 6, ENGINE_PAGE_FAULT = 12 }; /* DXGK_TDR_TYPE */
enum { ADAPTER = 0x117, ENGINE = 0x141 };                        /* bug checks */

static annot_reader_tdr tdr_of(struct kit_scene *scene)
{
    annot_reader_tdr tdr;
    REQUIRE(annot_reader_get_tdr(kit_crash(scene), &tdr));
    return tdr;
}

static const char *const stop_rows[] = {"hang", "page-fault", "forced", NULL};

CASE(the_type_says_what_stopped_it, "ANN-TDR-11 ANN-TDR-12",
     "A page fault, a hang and a reset by order look alike in a dump.", .needs = NEEDED,
     .rows = stop_rows)
{
    static const struct {
        uint32_t type, reason, payload;
    } expected[] = {{ENGINE_TIMEOUT, ENGINE, sizeof(DXGK_TDR_PAYLOAD_ENGINE_TIMEOUT)},
                    {ENGINE_PAGE_FAULT, ENGINE, 0},
                    {FORCED, ADAPTER, 0}};
    OPEN_NAMED_SCENE(NULL);
    if (case_row() == 0)
        kit_spin(&scene, &list);
    else if (case_row() == 1)
        kit_touch(&scene, &list, 0x700000000000);
    else
        kit_work(&scene, &list, 0);
    kit_execute(queue, &list);
    if (case_row() == 2)
        the_runtime.force_tdr(scene.device);
    const annot_reader_tdr tdr = tdr_of(&scene);
    EXPECT_EQ(tdr.type, expected[case_row()].type);
    EXPECT_EQ(tdr.reason, expected[case_row()].reason);
    EXPECT_EQ(tdr.payload_size, expected[case_row()].payload);
    EXPECT_EQ(tdr.last_completed, 0);
    EXPECT_EQ(tdr.last_submitted, case_row() == 2 ? tdr.last_submitted : 1);
}

static void hang_once(const emu_config *config)
{
    OPEN_SCENE(config);
    OWNED ID3D12CommandQueue *queue = kit_queue(scene.device, DIRECT);
    OWNED_LIST list = kit_list(scene.device, DIRECT);
    kit_spin(&scene, &list);
    kit_execute(queue, &list);
    the_runtime.run_until_idle(scene.device);
    EXPECT_EQ(scene.removals, 1);
}

/* A kernel-mode driver that can't reset an engine: every timeout is the adapter's. */
static const emu_kernel_driver plain = {
    .size = sizeof(emu_kernel_driver), .version = EMU_KERNEL_DRIVER_VERSION, .name = "plain"};

static const char *const limit_rows[] = {"adapter", "engine", NULL};

CASE(sixth_in_a_minute_stops, "ANN-TDR-13",
     "A program that hangs the GPU again and again may go on for ever (that no device can be made "
     "is a decision of this project).",
     .needs = NEEDED, .rows = limit_rows)
{
    const int most = case_row() == 0 ? 5 : 4;
    ID3D12Device *device = NULL;
    emu_config config = kit_config();
    config.tdr_limits = true;
    config.kernel_driver = case_row() == 0 ? &plain : NULL;
    for (int i = 0; i < most; i++)
        hang_once(&config);
    EXPECT_OK(kit_device_try(&config, &device));
    kit_device_done(device);
    hang_once(&config);
    EXPECT_HR(kit_device_try(&config, &device), 0x887A0005); /* DXGI_ERROR_DEVICE_REMOVED */
}

static const char *const guilty_rows[] = {"first-queue", "second-queue", NULL};

CASE(the_guilty_queue_is_the_first_stop, "ANN-TDR-11 ANN-CRASH-03",
     "A queue that was busy when another one failed stands first under what hung, because it was "
     "made first.",
     .needs = NEEDED, .rows = guilty_rows)
{
    annot_reader_stop stop;
    OPEN_SCENE(NULL);
    OWNED ID3D12CommandQueue *first = kit_named_queue(&scene, DIRECT, "First");
    OWNED ID3D12CommandQueue *second = kit_named_queue(&scene, COMPUTE, "Second");
    ID3D12CommandQueue *guilty = case_row() == 0 ? first : second;
    ID3D12CommandQueue *busy = case_row() == 0 ? second : first;
    struct kit_list fault = kit_named_list(&scene, case_row() == 0 ? DIRECT : COMPUTE, "Fault"),
                    work = kit_named_list(&scene, case_row() == 0 ? COMPUTE : DIRECT, "Work");
    kit_hang(&scene, &work, "Long");
    kit_execute(busy, &work);
    the_runtime.run_steps(scene.device, 20);
    kit_scope(&fault, "Bad");
    kit_touch(&scene, &fault, 0x700000000000);
    kit_end(&fault);
    kit_execute(guilty, &fault);
    const annot_reader *reader = kit_crash(&scene);
    REQUIRE_EQ(annot_reader_stop_count(reader), 2);
    for (size_t i = 0; annot_reader_stop_at(reader, i, &stop); i++)
        EXPECT_EQ(stop.is_guilty, i == 0);
    char path[64];
    annot_reader_stop_path(reader, 0, path, sizeof path);
    EXPECT(strcmp(path, "Bad") == 0);
    kit_list_done(&fault);
    kit_list_done(&work);
}
