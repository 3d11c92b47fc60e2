/* ANN-DDI-02: what each of the emulator's drivers is, as far as it differs from the others. */
#include "kit_scene.h"
#include "kit_tell.h"
#include "os.h"

#include <inttypes.h>

CASES(ddi_driver_cases, "ddi");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

/* ---- warp ---- */

/* The text of a file, NUL-terminated; static. */
static const char *text_of(const char *path)
{
    static char text[8192];
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

CASE(warp_logs_what_it_gets, "ANN-DDI-02 ANN-MARK-01 ANN-MARK-02",
     "The driver that keeps nothing hears nothing either, and nobody can tell.",
     .needs = EMULATOR | SPY, .drivers = WARP)
{
    static const char *const calls[] = {"QueueBeginEvent", "QueueSetMarker", "QueueEndEvent",
                                        "ListBeginEvent",  "ListSetMarker",  "ListEndEvent",
                                        "SetName"};
    const char *path = case_file("log");
    os_set_environment("EMU_WARP_LOG", path);
    ID3D12Device *device = kit_spied_device(RETAIL);
    EXPECT(kit_is_supported(device));
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    struct kit_list list = kit_list(device, DIRECT);
    ID3D12CommandQueue_BeginEvent(queue, 1, "queue", 6);
    ID3D12CommandQueue_SetMarker(queue, 1, "queue", 6);
    ID3D12CommandQueue_EndEvent(queue);
    kit_begin(&list, 1, "list", 5);
    kit_set(&list, 1, "list", 5);
    kit_end(&list);
    kit_name(list.list, "L");
    const char *log = text_of(path);
    EXPECT_EQ(count_of(log, "\n"), 7);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char wanted[96];
        EXPECT_EQ_AT(i, count_of(log, calls[i]), 1);
        snprintf(wanted, sizeof wanted, " %" PRIu64 " metadata ", spy_at(i)->event_id);
        EXPECT(count_of(log, wanted) >= 1);
    }
    kit_list_done(&list);
    kit_release(queue);
    kit_device_done(device);
    os_set_environment("EMU_WARP_LOG", NULL);
}

/* ---- reference and reorder: where the report says that a list stopped ---- */

enum { PASSES = 24, SEEDS = 16 };

struct stopped {
    uint32_t window;
    unsigned marker; /* Begins and Ends that were passed, by the EventID that was started last;
                        PASSES: none */
};

/* The middle one of `PASSES` passes hangs. */
static struct stopped stop_in_the_middle(uint64_t seed, const char *path)
{
    struct kit_scene scene;
    struct stopped stopped = {.marker = 0};
    annot_reader_execution execution;
    annot_reader_device device;
    annot_reader_entry entry;
    emu_config config = kit_config();
    config.seed = kit_seed(seed);
    config.dump_path = path;
    kit_scene(&scene, &config);
    ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");
    struct kit_list list = kit_named_list(&scene, DIRECT, "L");
    for (unsigned i = 0; i < seed % PASSES; i++) /* other EventIDs, other places */
        kit_queue_scope(queue, "before");
    for (unsigned i = 0; i < PASSES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        kit_marker(&list, name);
        if (i == PASSES / 2)
            kit_spin(&scene, &list);
        else
            kit_work(&scene, &list, i);
    }
    kit_execute(queue, &list);
    const annot_reader *reader = kit_crash(&scene);
    annot_reader_get_device(reader, &device);
    stopped.window = device.order_window;
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    REQUIRE(
        annot_reader_entry_at(reader, annot_reader_entry_find(reader, execution.started), &entry));
    stopped.marker = (unsigned)strtoul(entry.data, NULL, 10);
    kit_list_done(&list);
    kit_release(queue);
    kit_scene_done(&scene);
    return stopped;
}

CASE(the_reference_driver_finds_the_very_marker, "ANN-DDI-02 ANN-CRASH-01",
     "EventIDs don't come back from GPU memory, or those of the place next door do.",
     .needs = NEEDED)
{
    const char *path = case_file("annotdmp");
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct stopped stopped = stop_in_the_middle(seed, path);
        EXPECT_EQ(stopped.window, 0);
        EXPECT_EQ(stopped.marker, PASSES / 2);
    }
}

CASE(reorder_moves_markers_within_its_window, "ANN-DDI-02 ANN-CRASH-05",
     "The driver that moves markers moves none, or farther than it says, and nothing is learnt "
     "about reports in doubt.",
     .needs = NEEDED, .drivers = REORDER)
{
    const char *path = case_file("annotdmp");
    unsigned moved = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct stopped stopped = stop_in_the_middle(seed, path);
        const unsigned off = (unsigned)abs((int)stopped.marker - PASSES / 2);
        EXPECT(stopped.window > 0 && stopped.window < PASSES);
        EXPECT(off <= stopped.window);
        moved += off > 0;
    }
    EXPECT(moved > 0);
}
