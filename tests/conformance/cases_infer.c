/* ANN-DDI-03: what lists of one queue say about each other. The driver's rows tell the truth of
 * some lists and leave the others out; what it promises of their order decides them, or leaves them
 * open. What has to be said is counted from all states that the lists can have had. */
#include "kit_dump.h"
#include "kit_tell.h"

CASES(infer_cases, "ddi");

enum { LISTS = 5, FIRST = 3, OUTCOMES = 243 }; /* FIRST: of the first submission; 3 to the LISTS */

struct scene {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12Fence *gate;
    struct kit_list lists[LISTS];
    uint64_t queue_id;
    const char *path; /* of each dump */
};

static const annot_state states[] = {ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS,
                                     ANNOT_STATE_NOT_STARTED};
static const annot_progress_state rows[] = {ANNOT_PROGRESS_FINISHED, ANNOT_PROGRESS_STARTED,
                                            ANNOT_PROGRESS_NOT_STARTED};

/* Index in `states` of one list of an outcome. */
static unsigned of_list(unsigned outcome, unsigned list)
{
    while (list-- > 0)
        outcome /= 3;
    return outcome % 3;
}

static bool keeps(uint32_t promises, unsigned outcome)
{
    for (unsigned i = 1; i < LISTS; i++) {
        const annot_state before = states[of_list(outcome, i - 1)],
                          at = states[of_list(outcome, i)];
        if ((promises & ANNOT_PROMISE_STARTS_IN_ORDER) && before == ANNOT_STATE_NOT_STARTED &&
            at != ANNOT_STATE_NOT_STARTED)
            return false;
        if ((promises & ANNOT_PROMISE_RETIRES_IN_ORDER) && before != ANNOT_STATE_FINISHED &&
            at == ANNOT_STATE_FINISHED)
            return false;
    }
    return true;
}

/* Returns the state that a list has in every outcome with these rows; unknown where they differ. */
static annot_state certain(uint32_t promises, unsigned outcome, unsigned told, unsigned list)
{
    annot_state is = ANNOT_STATE_UNKNOWN;
    for (unsigned other = 0; other < OUTCOMES; other++) {
        bool is_possible = keeps(promises, other);
        for (unsigned i = 0; i < LISTS; i++)
            is_possible =
                is_possible && (!(told >> i & 1) || of_list(other, i) == of_list(outcome, i));
        if (!is_possible)
            continue;
        const annot_state now = states[of_list(other, list)];
        if (is != ANNOT_STATE_UNKNOWN && is != now)
            return ANNOT_STATE_UNKNOWN;
        is = now;
    }
    return is;
}

/* A submission is what its lists are: in progress when they differ. */
static void expect_submissions(const annot_reader *reader, unsigned outcome, unsigned told)
{
    annot_reader_submission submission;
    for (unsigned i = 0; i < 2; i++) {
        const unsigned first = i == 0 ? 0 : FIRST, end = i == 0 ? FIRST : LISTS;
        annot_state wanted = states[of_list(outcome, first)];
        for (unsigned list = first; list < end; list++)
            if (states[of_list(outcome, list)] != wanted)
                wanted = ANNOT_STATE_IN_PROGRESS;
        REQUIRE(annot_reader_submission_at(reader, i, &submission));
        if (submission.state != ANNOT_STATE_UNKNOWN || told == (1 << LISTS) - 1)
            EXPECT_EQ(submission.state, wanted);
    }
}

static void expect_all(const struct scene *scene, uint32_t promises, unsigned outcome,
                       unsigned told)
{
    annot_progress progress[LISTS];
    annot_reader_execution execution;
    size_t count = 0;
    for (unsigned i = 0; i < LISTS; i++)
        if (told >> i & 1)
            progress[count++] = (annot_progress){.queue = scene->queue_id,
                                                 .submission = i < FIRST ? 1 : 2,
                                                 .list = i < FIRST ? i : i - FIRST,
                                                 .state = rows[of_list(outcome, i)]};
    const annot_crash_report report = {
        .size = sizeof report, .progress = progress, .progress_count = count, .promises = promises};
    annot_reader *const reader = kit_dump_at(scene->device, &report, scene->path);
    for (unsigned i = 0; i < LISTS; i++) {
        REQUIRE(annot_reader_execution_at(reader, i, &execution));
        const annot_state wanted = certain(promises, outcome, told, i);
        EXPECT_EQ(execution.state, wanted);
        if (execution.state != wanted)
            case_note("promises %u, outcome %u, rows %u, list %u", (unsigned)promises, outcome,
                      told, i);
    }
    expect_submissions(reader, outcome, told);
    EXPECT_EQ(annot_reader_finding_count(reader), 0);
    annot_reader_close(reader);
}

static void scene_make(struct scene *scene)
{
    ID3D12CommandList *all[LISTS];
    annot_reader_object object;
    *scene = (struct scene){.device = kit_device(RETAIL), .path = case_file("annotdmp")};
    scene->queue = kit_queue(scene->device, DIRECT);
    scene->gate = kit_fence(scene->device, 0);
    kit_name(scene->queue, "Q");
    for (unsigned i = 0; i < LISTS; i++) {
        scene->lists[i] = kit_list(scene->device, DIRECT);
        kit_marker(&scene->lists[i], "marker");
        kit_list_close(&scene->lists[i]);
        all[i] = scene->lists[i].list;
    }
    REQUIRE_OK(ID3D12CommandQueue_Wait(scene->queue, scene->gate, 1));
    ID3D12CommandQueue_ExecuteCommandLists(scene->queue, FIRST, all);
    ID3D12CommandQueue_ExecuteCommandLists(scene->queue, LISTS - FIRST, all + FIRST);
    annot_reader *const reader = kit_dump_at(scene->device, NULL, scene->path);
    REQUIRE_EQ(kit_dump_named(reader, "Q", &object), 1);
    scene->queue_id = object.id;
    annot_reader_close(reader);
}

static void scene_done(struct scene *scene)
{
    REQUIRE_OK(ID3D12Fence_Signal(scene->gate, 1));
    kit_wait(scene->device, scene->queue);
    for (unsigned i = 0; i < LISTS; i++)
        kit_list_done(&scene->lists[i]);
    kit_release(scene->gate);
    kit_release(scene->queue);
    kit_device_done(scene->device);
}

static const char *const promise_rows[] = {"none", "starts", "retires", "both", NULL};

CASE(lists_say_what_others_are, "ANN-DDI-03 ANN-TRUTH-01",
     "A list that the driver says nothing of is called finished, in progress or not started though "
     "it need not be, or is left open though the order of the others decides it.",
     .needs = TOOLS | LOOKUP, .rows = promise_rows)
{
    static const uint32_t promises[] = {
        0, ANNOT_PROMISE_STARTS_IN_ORDER, ANNOT_PROMISE_RETIRES_IN_ORDER,
        ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER};
    static const unsigned every[] = {32, 8, 8, 1}; /* of the choices of rows: dumps take time */
    const size_t row = case_row();
    AT_END(scene_done) struct scene scene;
    scene_make(&scene);
    for (unsigned outcome = 0; outcome < OUTCOMES; outcome++)
        for (unsigned told = 0; told < 1 << LISTS; told++)
            if (keeps(promises[row], outcome) && (outcome + told) % every[row] == 0)
                expect_all(&scene, promises[row], outcome, told);
}
