/* ANN-CRASH: the state of each marker, and the evidence for it. */
#include "kit_scene.h"
#include "kit_tell.h"

CASES(crash_state_cases, "crash");

#define NEEDED (EMULATOR | HANG | DUMP | KERNELS)

/* Two submissions, the first of which a fence completed; the second hangs after its first scope. */
struct two_frames {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list first, second;
};

static const annot_reader *two_frames(struct two_frames *t, const emu_config *config)
{
    kit_scene(&t->scene, config);
    t->queue = kit_named_queue(&t->scene, DIRECT, "Q");
    t->first = kit_named_list(&t->scene, DIRECT, "A");
    t->second = kit_named_list(&t->scene, DIRECT, "B");
    kit_scope(&t->first, "Frame 1");
    kit_work(&t->scene, &t->first, 0);
    kit_end(&t->first);
    kit_run(t->scene.device, t->queue, &t->first);
    kit_scope(&t->second, "Done");
    kit_work(&t->scene, &t->second, 1);
    kit_end(&t->second);
    kit_hang(&t->scene, &t->second, "Stuck");
    kit_scope(&t->second, "Never");
    kit_end(&t->second);
    kit_execute(t->queue, &t->second);
    return kit_crash(&t->scene);
}

static void two_frames_done(struct two_frames *t)
{
    kit_list_done(&t->first);
    kit_list_done(&t->second);
    kit_release(t->queue);
    kit_scene_done(&t->scene);
}

CASE(without_a_report_only_the_fence_is_believed, "ANN-CRASH-02 ANN-DDI-02",
     "The emulator knows where its GPU stopped and puts it into the dump of a driver that doesn't.",
     .needs = NEEDED, .drivers = WARP | LEGACY)
{
    AT_END(two_frames_done) struct two_frames t;
    const annot_reader *reader = two_frames(&t, NULL);
    annot_evidence evidence;
    EXPECT_TELLS(reader, "queue Q unknown\n"
                         " X #1\n"
                         "  X A\n"
                         "   X Frame 1\n"
                         " ? #2\n"
                         "  ? B\n"
                         "   ? Done\n"
                         "   ? Stuck\n"
                         "   ? Never\n");
    annot_reader_state(reader, 0, ANNOT_READER_NONE, kit_entry(reader, "Frame 1"), &evidence);
    EXPECT_EQ(evidence, ANNOT_EVIDENCE_FENCE);
    annot_reader_state(reader, 1, ANNOT_READER_NONE, kit_entry(reader, "Stuck"), &evidence);
    EXPECT(evidence == ANNOT_EVIDENCE_NO_ROW || evidence == ANNOT_EVIDENCE_NO_REPORT);
}

CASE(a_driver_that_saw_no_markers_reports_none, "ANN-CRASH-02",
     "States of markers come from somewhere else than the driver, which was never told of them.",
     .needs = NEEDED | SPY)
{
    AT_END(two_frames_done) struct two_frames t;
    emu_config config = kit_config();
    config.annotation = spy_driver(NULL);
    const annot_reader *reader = two_frames(&t, &config);
    annot_reader_execution execution;
    REQUIRE(annot_reader_execution_at(reader, 1, &execution));
    EXPECT_EQ(execution.started, 0);
    EXPECT_EQ(execution.completed, 0);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 1); /* Frame 1, by the fence */
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_IN_PROGRESS), 0);
}

CASE(the_drivers_word_is_labelled_as_such, "ANN-CRASH-02",
     "What a fence proves and what a driver says can't be told apart.", .needs = NEEDED)
{
    AT_END(two_frames_done) struct two_frames t;
    const annot_reader *reader = two_frames(&t, NULL);
    annot_reader_execution execution;
    annot_reader_entry entry;
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    EXPECT_EQ(execution.evidence, ANNOT_EVIDENCE_FENCE);
    REQUIRE(annot_reader_execution_at(reader, 1, &execution));
    EXPECT_EQ(execution.evidence, ANNOT_EVIDENCE_DRIVER);
    REQUIRE(annot_reader_entry_at(reader, kit_entry(reader, "Stuck"), &entry));
    EXPECT_EQ(execution.started, entry.event_id);
    REQUIRE(annot_reader_entry_at(reader, kit_entry(reader, "Done"), &entry));
    EXPECT_EQ(execution.completed, entry.event_id);
}

/* ---- what is said against what was done ---- */

enum { SCOPES = 24 };
static const unsigned hang_places[] = {1, 2, 3, 5, 8, 13, 21, 24};
static const char *const hang_rows[] = {"1", "2", "3", "5", "8", "13", "21", "24", NULL};

struct passes {
    struct kit_scene scene;
    ID3D12CommandQueue *queue;
    struct kit_list list;
    unsigned hang; /* counted from 1: the pass that hangs */
};

/* Pass i stores words[i]; one of them hangs instead. */
static const annot_reader *passes(struct passes *p)
{
    emu_config config = kit_config();
    p->hang = hang_places[case_row()];
    config.seed = kit_seed(p->hang);
    config.hang = (emu_hang){.place = EMU_HANG_AT_DISPATCH, .count = p->hang};
    kit_scene(&p->scene, &config);
    p->queue = kit_named_queue(&p->scene, DIRECT, "Q");
    p->list = kit_named_list(&p->scene, DIRECT, "L");
    for (unsigned i = 0; i < SCOPES; i++) {
        char name[16];
        snprintf(name, sizeof name, "pass %u", i);
        kit_scope(&p->list, name);
        kit_work(&p->scene, &p->list, i);
        kit_end(&p->list);
    }
    kit_execute(p->queue, &p->list);
    return kit_crash(&p->scene);
}

static void passes_done(struct passes *p)
{
    kit_list_done(&p->list);
    kit_release(p->queue);
    kit_scene_done(&p->scene);
}

static annot_state pass_state(const annot_reader *reader, unsigned i, annot_evidence *evidence)
{
    char name[16];
    snprintf(name, sizeof name, "pass %u", i);
    return annot_reader_state(reader, 0, ANNOT_READER_NONE, kit_entry(reader, name), evidence);
}

CASE(what_is_finished_has_its_work_done, "ANN-CRASH-01 ANN-CRASH-05",
     "A pass is called finished whose results are not in memory, or not started although they are.",
     .needs = NEEDED, .drivers = ALL_DRIVERS & ~HOSTILE, .rows = hang_rows)
{
    AT_END(passes_done) struct passes p;
    const annot_reader *reader = passes(&p);
    for (unsigned i = 0; i < SCOPES; i++) {
        const annot_state state = pass_state(reader, i, NULL);
        EXPECT_EQ_AT(i, p.scene.words[i], i + 1 < p.hang);
        EXPECT(state != ANNOT_STATE_FINISHED || p.scene.words[i] == 1);
        EXPECT(state != ANNOT_STATE_NOT_STARTED || p.scene.words[i] == 0);
        EXPECT(state != ANNOT_STATE_IN_PROGRESS || i + 1 == p.hang);
    }
}

CASE(a_driver_in_order_leaves_no_doubt, "ANN-CRASH-01 ANN-CRASH-02",
     "Passes whose state the driver's report settles are called unknown.", .needs = NEEDED,
     .rows = hang_rows)
{
    AT_END(passes_done) struct passes p;
    const annot_reader *reader = passes(&p);
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    EXPECT_EQ(device.order_window, 0);
    for (unsigned i = 0; i < SCOPES; i++)
        EXPECT_EQ(pass_state(reader, i, NULL), i + 1 < p.hang    ? ANNOT_STATE_FINISHED
                                               : i + 1 == p.hang ? ANNOT_STATE_IN_PROGRESS
                                                                 : ANNOT_STATE_NOT_STARTED);
}

CASE(a_reordering_drivers_doubt_is_labelled, "ANN-CRASH-05 ANN-DDI-02",
     "A driver that moves markers is believed to the letter near the hang.", .needs = NEEDED,
     .drivers = REORDER, .rows = hang_rows)
{
    AT_END(passes_done) struct passes p;
    const annot_reader *reader = passes(&p);
    annot_reader_device device;
    annot_evidence evidence;
    annot_reader_get_device(reader, &device);
    EXPECT(device.order_window > 0);
    EXPECT_EQ(pass_state(reader, p.hang - 1, &evidence), ANNOT_STATE_UNKNOWN);
    EXPECT_EQ(evidence, ANNOT_EVIDENCE_REORDERED);
    EXPECT(strstr(kit_report(reader), "This driver may reorder markers"));
    if (p.hang == 1) /* far behind the hang, and far before it, there is none */
        EXPECT_EQ(pass_state(reader, SCOPES - 1, NULL), ANNOT_STATE_NOT_STARTED);
    if (p.hang == SCOPES)
        EXPECT_EQ(pass_state(reader, 0, NULL), ANNOT_STATE_FINISHED);
}

/* ---- scopes that cross lists ---- */

struct crossing {
    struct kit_scene scene;
    ID3D12CommandQueue *queue, *other;
    struct kit_list open, inside, close, foreign;
};

/* "Frame" is opened by Open and closed by Close; Inside lies between, Foreign on another queue. */
static void crossing(struct crossing *c)
{
    kit_scene(&c->scene, NULL);
    c->queue = kit_named_queue(&c->scene, DIRECT, "Q");
    c->other = kit_named_queue(&c->scene, COMPUTE, "Other");
    c->open = kit_named_list(&c->scene, DIRECT, "Open");
    c->inside = kit_named_list(&c->scene, DIRECT, "Inside");
    c->close = kit_named_list(&c->scene, DIRECT, "Close");
    c->foreign = kit_named_list(&c->scene, COMPUTE, "Foreign");
    kit_scope(&c->open, "Frame");
    kit_scope(&c->open, "Depth");
    kit_work(&c->scene, &c->open, 0);
    kit_end(&c->open);
    kit_scope(&c->inside, "Shadow");
}

static void crossing_done(struct crossing *c)
{
    kit_list_done(&c->open);
    kit_list_done(&c->inside);
    kit_list_done(&c->close);
    kit_list_done(&c->foreign);
    kit_release(c->other);
    kit_release(c->queue);
    kit_scene_done(&c->scene);
}

CASE(a_scope_that_crosses_lists_surrounds_what_is_between, "ANN-CRASH-06 ANN-CRASH-03",
     "A frame's scope ends with the list that opened it, and the hang inside is shown outside "
     "(decision of this project).",
     .needs = NEEDED)
{
    AT_END(crossing_done) struct crossing c;
    crossing(&c);
    kit_spin(&c.scene, &c.inside);
    kit_end(&c.inside);
    kit_end(&c.close);
    kit_scope(&c.foreign, "Elsewhere");
    kit_end(&c.foreign);
    kit_execute(c.queue, &c.open);
    kit_execute(c.queue, &c.inside);
    kit_execute(c.queue, &c.close);
    const annot_reader *reader = kit_crash(&c.scene);
    EXPECT_TELLS(reader, "stop Q #2 Inside: Frame / Shadow\n"
                         "queue Q stopped\n"
                         " X #1\n"
                         "  X Open\n"
                         "   > Frame (open)\n"
                         "    X Depth\n"
                         " > #2\n"
                         "  > Inside\n"
                         "   > Shadow\n"
                         " . #3\n"
                         "  . Close\n"
                         "   end\n"
                         "queue Other idle\n");
    EXPECT(strstr(kit_report(reader), "Frame  (crosses lists: opened in submission 1, list 1)") !=
           NULL);
}

CASE(a_crossing_scope_ends_where_it_is_closed, "ANN-CRASH-06",
     "A scope that an earlier list closed is still shown around later work, or around another "
     "queue's (decision of this project).",
     .needs = NEEDED)
{
    AT_END(crossing_done) struct crossing c;
    crossing(&c);
    kit_end(&c.inside);
    kit_end(&c.inside); /* closes Frame */
    kit_hang(&c.scene, &c.close, "After");
    kit_hang(&c.scene, &c.foreign, "Elsewhere");
    kit_execute(c.queue, &c.open);
    kit_run(c.scene.device, c.queue, &c.inside);
    kit_execute(c.queue, &c.close);
    kit_execute(c.other, &c.foreign);
    const annot_reader *reader = kit_crash(&c.scene);
    char path[64];
    for (size_t i = 0; i < annot_reader_stop_count(reader); i++) {
        annot_reader_stop_path(reader, i, path, sizeof path);
        EXPECT(strcmp(path, "After") == 0 || strcmp(path, "Elsewhere") == 0);
    }
    EXPECT(annot_reader_stop_count(reader) >= 1);
    EXPECT_EQ(kit_state(reader, 0, "Frame"), ANNOT_STATE_FINISHED);
}
