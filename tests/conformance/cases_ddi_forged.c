/* ANN-DDI-03: reports that no GPU can have caused. Two lists are submitted and wait for a fence, so
 * every claim that something is finished is a lie; a forged report goes into a dump of that device.
 */
#include "kit_dump.h"
#include "kit_tell.h"
#include "os.h"

CASES(ddi_forged_cases, "ddi");

#define NEEDED (TOOLS | LOOKUP)

struct forgery {
    ID3D12Device *device;
    annot_reader *reader; /* of the last dump */
    ID3D12CommandQueue *queue;
    ID3D12Fence *gate;
    struct kit_list a, b;
    uint64_t queue_id;
    uint64_t outer, first, second, elsewhere; /* EventIDs; elsewhere is the other list's */
};

static uint64_t event_of(const annot_reader *reader, const char *name)
{
    annot_reader_entry entry;
    REQUIRE(annot_reader_entry_at(reader, kit_entry(reader, name), &entry));
    return entry.event_id;
}

static const annot_reader *dump(struct forgery *f, const annot_crash_report *report)
{
    annot_reader_close(f->reader);
    return f->reader = kit_dump_with(f->device, report);
}

static void forgery(struct forgery *f)
{
    *f = (struct forgery){.device = kit_device(RETAIL)};
    f->queue = kit_queue(f->device, DIRECT);
    f->gate = kit_fence(f->device, 0);
    f->a = kit_list(f->device, DIRECT);
    f->b = kit_list(f->device, DIRECT);
    kit_name(f->queue, "Q");
    kit_name(f->a.list, "A");
    kit_name(f->b.list, "B");
    kit_scope(&f->a, "outer");
    kit_scope(&f->a, "first");
    kit_end(&f->a);
    kit_scope(&f->a, "second");
    kit_end(&f->a);
    kit_end(&f->a);
    kit_scope(&f->b, "elsewhere");
    kit_end(&f->b);
    kit_list_close(&f->a);
    kit_list_close(&f->b);
    ID3D12CommandList *const both[] = {f->a.list, f->b.list};
    REQUIRE_OK(ID3D12CommandQueue_Wait(f->queue, f->gate, 1));
    ID3D12CommandQueue_ExecuteCommandLists(f->queue, 2, both);
    const annot_reader *reader = dump(f, NULL);
    annot_reader_object object;
    REQUIRE_EQ(kit_dump_named(reader, "Q", &object), 1);
    f->queue_id = object.id;
    f->outer = event_of(reader, "outer");
    f->first = event_of(reader, "first");
    f->second = event_of(reader, "second");
    f->elsewhere = event_of(reader, "elsewhere");
}

static void forgery_done(struct forgery *f)
{
    annot_reader_close(f->reader);
    REQUIRE_OK(ID3D12Fence_Signal(f->gate, 1));
    kit_wait(f->device, f->queue); /* the device lives on */
    kit_list_done(&f->a);
    kit_list_done(&f->b);
    kit_release(f->gate);
    kit_release(f->queue);
    kit_device_done(f->device);
}

static annot_progress row_of(const struct forgery *f, uint64_t started, uint64_t completed)
{
    return (annot_progress){.queue = f->queue_id,
                            .inside = ANNOT_INSIDE_TRACKED,
                            .submission = 1,
                            .state = ANNOT_PROGRESS_STARTED,
                            .started = started,
                            .completed = completed};
}

static const annot_reader *dump_rows(struct forgery *f, const annot_progress *rows, size_t count)
{
    const annot_crash_report report = {
        .size = sizeof report, .progress = rows, .progress_count = count};
    return dump(f, &report);
}

CASE(an_honest_row_is_believed, "ANN-DDI-03 ANN-CRASH-02",
     "Distrust goes so far that a report that fits is turned down too.", .needs = NEEDED)
{
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    const annot_progress row = row_of(&f, f.second, f.first);
    const annot_reader *reader = dump_rows(&f, &row, 1);
    EXPECT_TELLS(reader, "stop Q #1 A: outer / second\n"
                         "queue Q stopped\n"
                         " > #1\n"
                         "  > A\n"
                         "   > outer\n"
                         "    X first\n"
                         "    > second\n"
                         "  ? B\n" /* left out by the report, which promises no order */
                         "   ? elsewhere\n");
    EXPECT_EQ(annot_reader_finding_count(reader), 0);
}

static const char *const lie_rows[] = {"never-issued",
                                       "all-ones",
                                       "inside-another-marker",
                                       "of-another-list",
                                       "completed-of-another-list",
                                       "completed-without-start",
                                       "completed-more-than-started",
                                       "nonsense-state",
                                       NULL};

static annot_progress lie(const struct forgery *f, size_t row)
{
    switch (row) {
    case 0:
        return row_of(f, 0x0000123400000010u, 0);
    case 1:
        return row_of(f, UINT64_MAX, UINT64_MAX);
    case 2:
        return row_of(f, f->outer + 1, 0);
    case 3:
        return row_of(f, f->elsewhere, 0);
    case 4:
        return row_of(f, f->second, f->elsewhere);
    case 5:
        return row_of(f, 0, f->first);
    case 6:
        return row_of(f, f->first, f->outer);
    default: {
        annot_progress odd = row_of(f, 0x0000123400000010u, f->first);
        odd.state = 77;
        return odd;
    }
    }
}

CASE(event_ids_that_can_not_be_are_not_believed, "ANN-DDI-03 ANN-CRASH-02",
     "A driver's wrong EventIDs make markers finished, or blame a list that never ran.",
     .needs = NEEDED, .rows = lie_rows)
{
    AT_END(forgery_done) struct forgery f;
    annot_reader_execution execution;
    annot_evidence evidence;
    forgery(&f);
    const annot_progress row = lie(&f, case_row());
    const annot_reader *reader = dump_rows(&f, &row, 1);
    REQUIRE(annot_reader_execution_at(reader, 0, &execution));
    EXPECT_EQ(execution.state, ANNOT_STATE_UNKNOWN);
    EXPECT_EQ(execution.evidence, ANNOT_EVIDENCE_CONTRADICTORY);
    annot_reader_state(reader, 0, ANNOT_READER_NONE, kit_entry(reader, "outer"), &evidence);
    EXPECT_EQ(evidence, ANNOT_EVIDENCE_CONTRADICTORY);
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_ROW_CONTRADICTORY), 1);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_IN_PROGRESS), 0);
    EXPECT_EQ(annot_reader_stop_count(reader), 0);
}

CASE(an_execution_reported_twice_is_not_believed, "ANN-DDI-03",
     "Of two rows that contradict each other one is picked.", .needs = NEEDED)
{
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    annot_progress rows[2] = {row_of(&f, f.first, 0), row_of(&f, f.second, f.first)};
    rows[1].state = ANNOT_PROGRESS_FINISHED;
    const annot_reader *reader = dump_rows(&f, rows, 2);
    EXPECT(kit_finding(reader, ANNOT_FINDING_ROW_REPEATED) >= 1);
    EXPECT_EQ(kit_state(reader, 0, "first"), ANNOT_STATE_UNKNOWN);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
}

static const char *const stray_rows[] = {"submission", "submission-zero", "list", "bundle", NULL};

CASE(executions_that_do_not_exist_are_told, "ANN-DDI-03",
     "A row for an execution that never was is taken for another's, or vanishes.", .needs = NEEDED,
     .rows = stray_rows)
{
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    annot_progress rows[2] = {row_of(&f, 0, 0), row_of(&f, f.outer, 0)}; /* the second is honest */
    rows[0].state = ANNOT_PROGRESS_FINISHED;
    rows[0].submission = case_row() == 0 ? 2 : case_row() == 1 ? 0 : 1;
    rows[0].list = case_row() == 2 ? 2 : 0;
    rows[0].bundle = case_row() == 3 ? 1 : 0;
    const annot_reader *reader = dump_rows(&f, rows, 2);
    EXPECT_EQ(kit_finding(reader, ANNOT_FINDING_ROW_STRAY), 1);
    EXPECT_EQ(kit_state(reader, 0, "outer"), ANNOT_STATE_IN_PROGRESS);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
}

CASE(rows_of_no_known_queue_are_counted, "ANN-DDI-03 ANN-CRASH-04",
     "A driver's garbage handle is followed, or its row vanishes without a trace.", .needs = NEEDED)
{
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    annot_progress rows[3] = {row_of(&f, f.first, 0), row_of(&f, f.second, f.first),
                              row_of(&f, f.second, f.first)};
    rows[0].queue = 0;
    rows[1].queue = f.queue_id + 1000;
    rows[2].queue = (uintptr_t)&rows;
    const annot_reader *reader = dump_rows(&f, rows, 3);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_PROGRESS_ROWS), 3);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_IN_PROGRESS), 0);
}

CASE(rows_past_the_limit_are_not_read, "ANN-DDI-03",
     "A report without end makes a dump without end.", .needs = NEEDED)
{
    AT_END(forgery_done) struct forgery f;
    const size_t count = ANNOT_CRASH_REPORT_MAX_ROWS + 5;
    annot_progress *rows = calloc(count, sizeof *rows);
    REQUIRE(rows);
    forgery(&f);
    rows[count - 1] = row_of(&f, f.second, f.first); /* would be believed */
    const annot_reader *reader = dump_rows(&f, rows, count);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_PROGRESS_ROWS), ANNOT_CRASH_REPORT_MAX_ROWS);
    EXPECT_EQ(kit_state(reader, 0, "first"), ANNOT_STATE_UNKNOWN);
    rows[ANNOT_CRASH_REPORT_MAX_ROWS - 1] = rows[count - 1];
    reader = dump_rows(&f, rows, count); /* the last that counts */
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_PROGRESS_ROWS), ANNOT_CRASH_REPORT_MAX_ROWS - 1);
    EXPECT_EQ(kit_state(reader, 0, "first"), ANNOT_STATE_FINISHED);
    free(rows);
}

static const char *const broken_rows[] = {"rows-without-memory", "blob-without-memory", "size-zero",
                                          "size-huge",           "any-order",           NULL};

CASE(a_report_that_makes_no_sense_spoils_nothing, "ANN-DDI-03",
     "A report's counts and pointers are followed, and the process crashes in its crash handler.",
     .needs = NEEDED, .rows = broken_rows)
{
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    const annot_progress row = row_of(&f, f.second, f.first);
    annot_crash_report report = {.size = sizeof report, .fault_address = 0xdead0000};
    switch (case_row()) {
    case 0:
        report.progress_count = SIZE_MAX;
        break;
    case 1:
        report.blob_size = SIZE_MAX;
        break;
    case 2:
        report.size = 0;
        break;
    case 3:
        report.size = UINT32_MAX;
        break;
    default:
        report.order_window = ANNOT_ORDER_UNKNOWN;
        report.progress = &row;
        report.progress_count = 1;
    }
    const annot_reader *reader = dump(&f, &report);
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    EXPECT(device.is_known);
    EXPECT(kit_has_entry(reader, "elsewhere"));
    annot_reader_hang hang;
    annot_reader_get_hang(reader,
                          &hang); /* a device that hung has no fault, so it is a claim only */
    EXPECT_EQ(device.fault_address, 0);
    EXPECT_EQ(hang.fault_otherwise, 0xdead0000);
    EXPECT_EQ(hang.fault_against, ANNOT_WITNESS_DRIVER);
    EXPECT_EQ(kit_count_state(reader, ANNOT_STATE_FINISHED), 0);
}

enum { PAGE = 65536, SPARE = sizeof(annot_progress) * 3 };

CASE(
    a_report_that_is_not_there_is_told, "ANN-DDI-03 ANN-CRASH-04",
    "Where a driver's rows or its blob end in memory that is not there, the process crashes in its "
    "crash handler, or what could be read is lost, or nobody is told.",
    .needs = NEEDED)
{
    AT_END(forgery_done) struct forgery f;
    unsigned char *pages = os_map(2 * PAGE);
    REQUIRE(pages);
    forgery(&f);
    const annot_progress row = row_of(&f, f.second, f.first);
    void *const rows = pages + PAGE - SPARE, *const blob = pages + PAGE - 1000;
    os_take(pages + PAGE, PAGE);
    memset(blob, 'b', 1000);
    annot_crash_report report = {.size = sizeof report, .blob = blob, .blob_size = PAGE};
    annot_reader_blob info;
    const annot_reader *reader = dump(&f, &report);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_UNREADABLE), 1);
    REQUIRE(annot_reader_blob_at(reader, 0, &info));
    EXPECT_EQ(info.size, PAGE);
    EXPECT(strstr(kit_report(reader), "could not be read"));

    memset(pages + PAGE - SPARE, 0, SPARE);
    memcpy(rows, &row, sizeof row);
    report = (annot_crash_report){.size = sizeof report, .progress = rows, .progress_count = 1000};
    reader = dump(&f, &report);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_UNREADABLE), 1);
    EXPECT_EQ(annot_reader_loss(reader, ANNOT_LOSS_PROGRESS_ROWS), 2); /* of no queue */
    EXPECT_EQ(kit_state(reader, 0, "first"), ANNOT_STATE_FINISHED);
    report.progress_count = 3; /* all there */
    EXPECT_EQ(annot_reader_loss(dump(&f, &report), ANNOT_LOSS_UNREADABLE), 0);
}

CASE(a_drivers_blob_is_carried_as_it_is, "ANN-DDI-03 ANN-DDI-02",
     "The driver's own data is cut, changed or taken for records of the dump.", .needs = NEEDED)
{
    enum { BLOB_SIZE = 3 << 20 };
    AT_END(forgery_done) struct forgery f;
    forgery(&f);
    uint8_t *blob = malloc(BLOB_SIZE), *read = malloc(BLOB_SIZE);
    REQUIRE(blob && read);
    for (size_t i = 0; i < BLOB_SIZE; i++)
        blob[i] = (uint8_t)(i * 2654435761u >> 11);
    const annot_crash_report report = {.size = sizeof report, .blob = blob, .blob_size = BLOB_SIZE};
    const annot_reader *reader = dump(&f, &report);
    annot_reader_blob info;
    REQUIRE(annot_reader_blob_at(reader, 0, &info));
    EXPECT_EQ(info.kind, ANNOT_BLOB_DRIVER);
    REQUIRE_EQ(info.size, BLOB_SIZE);
    EXPECT_EQ(annot_reader_blob_read(reader, 0, 0, read, BLOB_SIZE), BLOB_SIZE);
    EXPECT_BYTES(read, blob, BLOB_SIZE);
    free(blob);
    free(read);
}
