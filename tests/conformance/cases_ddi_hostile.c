/* ANN-DDI-02, -03: the hostile driver, which refuses and lies as its seed says. One list runs
 * through, one hangs, one comes after it, and everything may fail: what must hold all the same is
 * what the runtime knows without the driver. */
#include "kit_scene.h"
#include "kit_tell.h"

CASES(ddi_hostile_cases, "ddi");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS | MESSAGES)

enum { SEEDS = 48, LISTS = 3, INNER = 6 };

static const char *const lie_rows[] = {"creation", "recording", "submission", "markers", "report",
                                       "kernel",   "all",       "none",       NULL};
static const unsigned lies[] = {EMU_LIES_CREATION,   EMU_LIES_RECORDING,
                                EMU_LIES_SUBMISSION, EMU_LIES_MARKERS,
                                EMU_LIES_REPORT,     EMU_LIES_KERNEL,
                                EMU_LIES_ALL,        0};

/* How often something happened, over all seeds. */
struct tally {
    unsigned devices, dumps;
    unsigned no_devices, no_queues, no_lists, not_recorded, lost;
    unsigned doubted; /* dumps whose driver was caught */
};

struct trial {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list lists[LISTS];
    bool is_recorded[LISTS], is_executed[LISTS];
    struct tally *tally;
};

/* ---- a frame of which any call may fail ---- */

/* Whether a call succeeded; otherwise it must have failed as documented. */
static bool is_made(HRESULT hr, unsigned *refusals)
{
    if (SUCCEEDED(hr))
        return true;
    EXPECT_HR(hr, E_OUTOFMEMORY);
    ++*refusals;
    return false;
}

static void make_queue(struct trial *t)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = DIRECT};
    const HRESULT hr = ID3D12Device_CreateCommandQueue(t->scene.device, &desc,
                                                       &IID_ID3D12CommandQueue, (void **)&t->queue);
    EXPECT_EQ(is_made(hr, &t->tally->no_queues), t->queue != NULL);
    if (t->queue)
        kit_name(t->queue, "Q");
}

static bool make_list(struct trial *t, struct kit_list *list)
{
    ID3D12Device *const device = t->scene.device;
    list->allocator = kit_allocator(device, DIRECT);
    const HRESULT hr = ID3D12Device_CreateCommandList(device, 0, DIRECT, list->allocator, NULL,
                                                      &IID_ID3D12CommandList, (void **)&list->list);
    EXPECT_EQ(is_made(hr, &t->tally->no_lists), list->list != NULL);
    if (list->list)
        kit_name(list->list, "L");
    return list->list != NULL;
}

/* Scopes and markers that carry the list's number, so that each is one of a kind. */
static bool record(struct trial *t, unsigned number)
{
    const struct kit_list *list = &t->lists[number];
    char name[16];
    snprintf(name, sizeof name, "outer %u", number);
    kit_scope(list, name);
    snprintf(name, sizeof name, "inner %u", number);
    for (int i = 0; i < INNER; i++) {
        kit_scope(list, name);
        kit_work(&t->scene, list, number);
        kit_end(list);
    }
    if (number == 1)
        kit_spin(&t->scene, list);
    snprintf(name, sizeof name, "after %u", number);
    kit_marker(list, name);
    kit_end(list);
    return is_made(kit_list_try_close(list), &t->tally->not_recorded);
}

/* The runtime says what it could not submit, and goes on; a removed device gets nothing more. */
static bool execute(struct trial *t, unsigned number)
{
    if (t->scene.removals)
        return false;
    const UINT64 before = kit_count(t->scene.device, EMU_MESSAGE_SUBMISSION_LOST);
    ID3D12CommandQueue_ExecuteCommandLists(t->queue, 1, &t->lists[number].list);
    const UINT64 lost = kit_count(t->scene.device, EMU_MESSAGE_SUBMISSION_LOST) - before;
    EXPECT(lost <= 1);
    t->tally->lost += (unsigned)lost;
    return lost == 0;
}

static void play(struct trial *t)
{
    make_queue(t);
    for (unsigned i = 0; i < LISTS; i++)
        t->is_recorded[i] = make_list(t, &t->lists[i]) && record(t, i);
    for (unsigned i = 0; t->queue && i < LISTS; i++) {
        kit_queue_scope(t->queue, "frame");
        t->is_executed[i] = t->is_recorded[i] && execute(t, i);
        ID3D12CommandQueue_EndEvent(t->queue);
        if (i != 1) /* the third waits behind the second */
            the_runtime.run_until_idle(t->scene.device);
    }
}

/* ---- what the dump says ---- */

static void expect_text(const annot_reader *reader, uint32_t entry, const char *wanted)
{
    char name[32];
    annot_reader_entry_name(reader, entry, name, sizeof name);
    if (!EXPECT(strcmp(name, wanted) == 0))
        case_note("%s, not %s", name, wanted);
}

/* A list's markers as they were recorded, in their list, in their scopes. */
static void expect_markers(const annot_reader *reader, unsigned number)
{
    char name[16];
    annot_reader_entry outer, entry;
    snprintf(name, sizeof name, "outer %u", number);
    const uint32_t first = kit_entry(reader, name);
    REQUIRE(annot_reader_entry_at(reader, first, &outer));
    EXPECT(outer.kind == ANNOT_ENTRY_BEGIN && outer.is_closed && outer.depth == 0);
    REQUIRE_EQ(outer.last, first + INNER + 1);
    snprintf(name, sizeof name, "inner %u", number);
    for (uint32_t i = first + 1; i < outer.last; i++) {
        REQUIRE(annot_reader_entry_at(reader, i, &entry));
        EXPECT(entry.parent == first && entry.stream == outer.stream && entry.event_id != 0);
        expect_text(reader, i, name);
    }
    snprintf(name, sizeof name, "after %u", number);
    expect_text(reader, outer.last, name);
}

/* A fence's word is the system's, not the driver's: who has it has done its work. */
static void expect_true_fences(const struct trial *t, const annot_reader *reader)
{
    annot_reader_execution execution;
    for (uint32_t i = 0; annot_reader_execution_at(reader, i, &execution); i++)
        if (execution.evidence == ANNOT_EVIDENCE_FENCE)
            EXPECT(execution.state == ANNOT_STATE_FINISHED && t->scene.words[i] == 1);
}

static bool is_doubted(const annot_reader *reader)
{
    annot_reader_execution execution;
    bool is_odd = annot_reader_finding_count(reader) > 0;
    for (uint32_t what = 0; what < 32; what++)
        is_odd |= annot_reader_loss(reader, what) > 0;
    for (uint32_t i = 0; annot_reader_execution_at(reader, i, &execution); i++)
        is_odd |= execution.evidence == ANNOT_EVIDENCE_CONTRADICTORY;
    return is_odd;
}

static void read_dump(struct trial *t)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    REQUIRE_EQ(annot_reader_open_file(NULL, t->scene.path, &reader), ANNOT_OK);
    EXPECT(!annot_reader_is_damaged(reader));
    for (unsigned i = 0; i < LISTS; i++)
        if (t->is_recorded[i])
            expect_markers(reader, i);
    EXPECT_EQ(annot_reader_submission_count(reader),
              t->is_executed[0] + t->is_executed[1] + t->is_executed[2]);
    if (!(lies[case_row()] & EMU_LIES_SUBMISSION))
        expect_true_fences(t, reader);
    EXPECT(strlen(kit_report(reader)) > 0);
    t->tally->dumps++;
    t->tally->doubted += is_doubted(reader);
}

/* ---- seeds ---- */

static void try_seed(uint64_t seed, const char *path, struct tally *tally)
{
    struct trial t = {.tally = tally};
    emu_config config = kit_config();
    config.seed = seed;
    config.dump_path = path;
    if (!is_made(kit_scene_try(&t.scene, &config), &tally->no_devices)) {
        EXPECT(!t.scene.device);
        return;
    }
    tally->devices++;
    play(&t);
    EXPECT(t.scene.removals <= 1);
    EXPECT_EQ(t.scene.removals, FAILED(ID3D12Device_GetDeviceRemovedReason(t.scene.device)));
    if (t.scene.removals)
        read_dump(&t);
    for (unsigned i = 0; i < LISTS; i++)
        kit_list_done(&t.lists[i]);
    kit_release(t.queue);
    kit_scene_done(&t.scene);
}

static struct tally try_seeds(void)
{
    struct tally tally = {0};
    const char *path = case_file("annotdmp");
    for (uint64_t i = 0; i < SEEDS; i++)
        try_seed(i << 6 | lies[case_row()], path, &tally);
    return tally;
}

CASE(hostile_does_harm_to_nobody, "ANN-DDI-03 ANN-CRASH-01",
     "A driver's refusals and lies crash the runtime, leak, damage a dump, or cost it markers that "
     "the runtime has itself.",
     .needs = NEEDED, .drivers = HOSTILE, .rows = lie_rows)
{
    const struct tally tally = try_seeds();
    EXPECT(tally.devices > SEEDS / 2);
    EXPECT(tally.dumps > SEEDS / 4);
}

CASE(hostile_lies_as_its_seed_says, "ANN-DDI-02",
     "The driver that is to fail and lie does not, and what is said of the runtime under it is "
     "worth nothing.",
     .needs = NEEDED, .drivers = HOSTILE, .rows = lie_rows)
{
    const unsigned kind = lies[case_row()];
    const struct tally tally = try_seeds();
    EXPECT_EQ(tally.no_devices > 0, (kind & EMU_LIES_CREATION) != 0);
    EXPECT_EQ(tally.no_queues > 0, (kind & EMU_LIES_CREATION) != 0);
    EXPECT_EQ(tally.no_lists > 0, (kind & EMU_LIES_CREATION) != 0);
    EXPECT_EQ(tally.not_recorded > 0, (kind & EMU_LIES_RECORDING) != 0);
    EXPECT_EQ(tally.lost > 0, (kind & EMU_LIES_SUBMISSION) != 0);
    if (kind & (EMU_LIES_MARKERS | EMU_LIES_REPORT | EMU_LIES_KERNEL))
        EXPECT(tally.doubted > 0);
    if (kind == 0) {
        EXPECT_EQ(tally.doubted, 0);
        EXPECT_EQ(tally.dumps, SEEDS);
    }
}
