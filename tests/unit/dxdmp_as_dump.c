/* The annotation dump that is made of a DirectX dump file, byte by byte as docs/DXDMP.md says; how
 * much of a file it is made of, and where there is no memory or room for it [ANN-FILE]. */
#include "dump_builder.h"
#include "dxdmp_file.h"
#include "sink.h"

#include <annot/dump.h>
#include <annot/dxdmp.h>

TestSuite(dxdmp_as_dump, .fini = guarded_expect_nothing_left);

enum { SET_MARKER, BEGIN, END, DISPATCH = 6, COPY = 9 };

/* A node of the list at `list` and the queue at `queue`, with 16-bit names. */
static void put_node(struct file *file, uint64_t list, uint64_t queue, const uint8_t *ops,
                     uint32_t count, uint32_t done)
{
    const uint64_t contexts[] = {0, 0x40, 1, 0x41, 2, 0x42};
    const uint64_t fields[] = {
        0, list, 0, queue, list, queue, count, list + 1, done | 3ull << 32, list + 2};
    section(file, "DRBN", 80);
    for (unsigned i = 0; i < 10; i++)
        put(file, fields[i], 8);
    memory(file, "DCHR", list + 1, (uint64_t)count * 4);
    for (uint32_t i = 0; i < count; i++)
        put(file, ops[i] == 0xEE ? 256 : ops[i], 4);
    memory(file, "DBCC", list + 2, sizeof contexts);
    for (unsigned i = 0; i < 6; i++)
        put(file, contexts[i], 8);
}

static const uint8_t first_ops[] = {BEGIN, SET_MARKER, BEGIN, DISPATCH, END, END, END};
static const uint8_t second_ops[] = {COPY, 0xEE, BEGIN};

static struct file file_of_nodes(void)
{
    struct file file = file_begin(1);
    wide(&file, "WSTR", 5, "Game.exe");
    section(&file, "ApDs", 56);
    put(&file, 5, 8);
    for (int i = 0; i < 6; i++)
        put(&file, UINT64_MAX, 8);
    section(&file, "AdIn", 368);
    for (size_t i = 0; i < 368 / 8; i++)
        put(&file, i == 0 ? 'G' : i == 40 ? UINT64_C(0x001F000000657C55) : 0, 8);
    put_node(&file, 0xA00, 0x900, second_ops, 3, 0); /* waits: behind the others of its queue */
    put_node(&file, 0xB00, 0x900, first_ops, 7, 4);
    put_node(&file, 0xC00, 0x910, second_ops, 3, 3);
    put_node(&file, 0xD00, 0x900, second_ops, 3, 9); /* more than it has: all */
    wide(&file, "DRWS", 0xA00, "List A");
    wide(&file, "DRWS", 0xB00, "B");
    narrow(&file, "DRAS", 1, "of no operation");
    wide(&file, "DRWS", 0x900, "Queue");
    wide(&file, "DRWS", 0x40, "Frame");
    wide(&file, "DRWS", 0x42, "Sky");
    section(&file, "DRPF", 16);
    put(&file, 0x12345000, 8);
    put(&file, 0, 8);
    for (int is_freed = 0; is_freed < 2; is_freed++) {
        section(&file, is_freed ? "DFAN" : "DEAN", 32);
        put(&file, 0, 8);
        put(&file, 0x900, 8);
        put(&file, is_freed ? 25 : 34, 8);
        put(&file, 0x9000, 8);
    }
    return file;
}

static void expect_object(struct dump *dump, uint64_t id, uint32_t kind, uint32_t flags,
                          const char *name)
{
    dump_add_with(dump, OBJECT, name, strlen(name), .id = id, .kind = kind, .flags = flags,
                  .name_size = (uint32_t)strlen(name));
}

/* Of the file as a whole, behind which its facts are. */
static void put_writer(struct dump *dump, bool has_nodes, uint32_t left_out)
{
    char words[80];
    dump_text(dump, ANNOT__DUMP_TEXT_WRITER, "DirectX dump file");
    if (!has_nodes)
        dump_add(dump, LOSS, .count = 1, .what = ANNOT_LOSS_UNTOLD);
    static const char guid[] = "GUID0102030405060708090a0b0c0d0e0f10, uploaded to Watson";
    dump_add_with(dump, FACT, guid, sizeof guid - 1, .source = 3, .key_size = 4);
    snprintf(words, sizeof words, "lists%u of DRED's lists are left out: DRED has too many",
             left_out);
    if (left_out > 0)
        dump_add_with(dump, FACT, words, strlen(words), .source = 3, .key_size = 5);
}

static void expect_submission(struct dump *dump, uint64_t serial, uint64_t node)
{
    uint8_t list[16] = {(uint8_t)(node + 1),
                        (uint8_t)((node + 1) >> 8), [8] = (uint8_t)(2 * node + 2),
                        (uint8_t)((2 * node + 2) >> 8)};
    dump_add_with(dump, SUBMISSION, list, 16, .serial = serial, .count = 1);
}

/* The sections that every such dump begins with. */
static void tell_device(struct dump *dump)
{
    struct annot__dump_DEVICE device = {.guid_low = 0x0807060504030201,
                                        .guid_high = 0x100f0e0d0c0b0a09,
                                        .time = UINT64_C(1781740800000000000),
                                        .error = 7,
                                        .order_window = UINT32_MAX,
                                        .pointer_size = 8};
    dump_start_device(dump, &device);
    dump->size = ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_SECTION_HEADER; /* other texts */
    dump->records = 0;
    dump->next_event = 0x100000010;
    dump_put_DEVICE(dump, &device, NULL, 0);
}

/* The same dump as another writer makes it, by what the document says of the file above. */
static void tell_nodes(struct dump *dump)
{
    tell_device(dump);
    dump_text(dump, ANNOT__DUMP_TEXT_APPLICATION, "Game.exe");
    dump_text(dump, ANNOT__DUMP_TEXT_ADAPTER, "G");
    dump_text(dump, ANNOT__DUMP_TEXT_DRIVER, "31.0.101.31829");
    put_writer(dump, true, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    expect_object(dump, 1, 19, 2, "Queue");
    expect_object(dump, 2, 22, 2, "List A");
    expect_object(dump, 4, 22, 2, "B");
    expect_object(dump, 5, 19, 0, "");
    expect_object(dump, 6, 22, 0, "");
    expect_object(dump, 8, 22, 0, "");
    expect_object(dump, 528, 34, 2, "Queue");
    expect_object(dump, 529, 25, 3, "Queue");
    for (uint64_t node = 0; node < 4; node++) {
        dump_recording(dump, node + 1, 2 * node + 2);
        if (node != 1) {
            dump_begin(dump, "Sky");
            continue;
        }
        dump_begin(dump, "Frame");
        dump_set(dump, "");
        dump_begin(dump, "Sky");
        dump_end(dump);
        dump_end(dump);
        dump_end(dump); /* one too many */
    }
    dump_queue(dump, 1, 3, 0);
    expect_submission(dump, 1, 3);
    expect_submission(dump, 2, 1);
    expect_submission(dump, 3, 0);
    dump_queue(dump, 5, 1, 0);
    expect_submission(dump, 1, 2);
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add(dump, FAULT, .address = 0x12345000, .source = ANNOT_FAULT_RUNTIME);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    const struct annot__dump_CRUMBS crumbs[] = {
        {.queue = 1, .submission = 1, .log = 4, .count = 3, .done = 3, .markers = 1},
        {.queue = 1, .submission = 2, .log = 2, .count = 7, .done = 4, .markers = 6},
        {.queue = 5, .submission = 1, .log = 3, .count = 3, .done = 3, .markers = 1}};
    for (int i = 0; i < 3; i++)
        dump_put_CRUMBS(dump, &crumbs[i], NULL, 0);
    for (uint64_t node = 0; node < 4; node++)
        dump_put_OPS(dump, &(struct annot__dump_OPS){.log = node + 1},
                     node == 1 ? first_ops : (const uint8_t[]){COPY, 255, BEGIN},
                     node == 1 ? 7 : 3);
    for (uint32_t i = 0; i < 2; i++)
        dump_add(dump, RANGE, .address = 0x12345000, .object = 528 + i, .kind = i ? 25 : 34,
                 .flags = i);
    dump_finish(dump);
}

/* Expects exactly this dump of this file, and that readers take it. Frees both. */
static void expect_made(struct file *file, struct dump *expected)
{
    struct kept made;
    annot_reader *reader = reader_of_file(file, &made);
    size_t at = 0;
    while (at < made.size && at < expected->size && (uint8_t)made.data[at] == expected->data[at])
        at++;
    cr_expect_eq(at, expected->size, "byte %zu is %#x, not %#x", at, (uint8_t)made.data[at],
                 expected->data[at < expected->size ? at : 0]);
    cr_expect_eq(made.size, expected->size);
    cr_expect_not(annot_reader_is_damaged(reader));
    annot_reader_close(reader);
    dump_free(expected);
    free(made.data);
    file_end(file);
}

Test(dxdmp_as_dump, nodes_of_dred_become_a_dump_as_the_document_says)
{
    struct dump expected;
    struct file file = file_of_nodes();
    tell_nodes(&expected);
    expect_made(&file, &expected);
}

static annot_result as_dump(const struct file *file, const annot_report_sink *sink)
{
    return annot_dxdmp_as_dump(&guarded_memory, file->bytes, file->size, sink);
}

Test(dxdmp_as_dump, a_damaged_file_makes_a_dump_without_a_closing_mark_and_a_full_disk_is_told)
{
    struct kept made = {0};
    unsigned left = 0;
    AT_END(file_end) struct file file = file_of_nodes();
    const struct {
        annot_reader_desc known;
        char more; /* something of a version to come */
    } newer = {guarded_memory, 1};
    file.size -= 5;
    const annot_report_sink sink = kept_sink(&made), full = full_sink(&left), none = {&made, NULL};
    cr_expect_eq(as_dump(&file, &full), ANNOT_ERROR_IO);
    cr_expect_eq(as_dump(&file, &none), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(as_dump(&file, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_as_dump(NULL, NULL, 1, &sink), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dxdmp_as_dump(NULL, NULL, 0, &sink), ANNOT_ERROR_NOT_A_DUMP);
    cr_expect_eq(annot_dxdmp_as_dump_sized(&newer.known, sizeof newer, file.bytes, file.size,
                                           &sink),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(made.size, 0);
    cr_assert_eq(as_dump(&file, &sink), ANNOT_OK);
    annot_reader *reader = dump_open(
        &(struct dump){.data = (uint8_t *)made.data, .size = made.size}, ANNOT_ERROR_INCOMPLETE);
    annot_reader_close(reader);
    free(made.data);
}

Test(dxdmp_as_dump, where_memory_runs_out_nothing_is_given_and_nothing_left)
{
    struct kept made = {0};
    AT_END(file_end) struct file file = file_of_nodes();
    const annot_report_sink sink = kept_sink(&made);
    unsigned allocation = 0;
    annot_result result;
    do {
        cr_expect_eq(made.size, 0);
        guarded_fail_at(++allocation);
        result = as_dump(&file, &sink);
        guarded_fail_at(0);
        cr_expect(result == ANNOT_ERROR_OUT_OF_MEMORY || result == ANNOT_OK, "%d", result);
    } while (result != ANNOT_OK && allocation < 1000);
    cr_expect_gt(allocation, 7);
    cr_expect_gt(made.size, 0);
    free(made.data);
}

Test(dxdmp_as_dump, the_dump_inside_is_given_as_it_is)
{
    static const char inside[] = ANNOT__DUMP_MAGIC "and so on";
    struct kept made = {0};
    unsigned left = 0;
    AT_END(file_end) struct file file = file_of_nodes();
    narrow(&file, "UmBl", 0, inside);
    const annot_report_sink sink = kept_sink(&made), full = full_sink(&left);
    cr_expect_eq(as_dump(&file, &full), ANNOT_ERROR_IO);
    cr_assert_eq(as_dump(&file, &sink), ANNOT_OK);
    cr_assert_eq(made.size, sizeof inside);
    cr_expect_str_eq(made.data, inside);
    free(made.data);
}

/* ---- how much of a file ---- */

/* Lists that are done, of one queue as far as they count, and allocations around an address that
 * may have faulted. */
static struct file file_of(uint32_t lists, uint32_t allocations, bool has_fault)
{
    struct file file = file_begin(1);
    for (uint32_t i = 0; i < lists; i++)
        put_node(&file, 0x10000 + 16 * i, i < 256 ? 0x900 : 0x910, second_ops, 1, 1);
    for (uint32_t i = 0; i < allocations; i++) {
        section(&file, "DEAN", 32);
        for (unsigned k = 0; k < 4; k++)
            put(&file, k == 2 ? 34 : 0, 8);
    }
    if (has_fault) {
        section(&file, "DRPF", 16);
        put(&file, 0x12345000, 8);
        put(&file, 0, 8);
    }
    return file;
}

static void tell_lists(struct dump *dump, uint32_t lists, uint32_t allocations, bool has_fault)
{
    const uint32_t left_out = lists > 256 ? lists - 256 : 0;
    tell_device(dump);
    put_writer(dump, lists > 0, left_out);
    lists -= left_out;
    allocations = allocations < 64 ? allocations : 64;
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    if (lists > 0)
        expect_object(dump, 1, 19, 0, "");
    for (uint32_t i = 0; i < lists; i++)
        expect_object(dump, 2 * i + 2, 22, 0, "");
    for (uint32_t i = 0; i < allocations; i++)
        expect_object(dump, 528 + i, 34, 0, "");
    dump_section(dump, ANNOT__DUMP_SECTION_LISTS);
    for (uint32_t i = 0; i < lists; i++)
        dump_recording(dump, i + 1, 2 * i + 2);
    dump_section(dump, ANNOT__DUMP_SECTION_QUEUES);
    if (lists > 0)
        dump_queue(dump, 1, lists, 0);
    for (uint32_t i = 0; i < lists; i++)
        expect_submission(dump, i + 1, i);
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    if (has_fault)
        dump_add(dump, FAULT, .address = 0x12345000, .source = ANNOT_FAULT_RUNTIME);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 0; i < lists; i++)
        dump_add(dump, CRUMBS, .queue = 1, .submission = i + 1, .log = i + 1, .count = 1,
                 .done = 1);
    for (uint32_t i = 0; i < lists; i++)
        dump_put_OPS(dump, &(struct annot__dump_OPS){.log = i + 1}, second_ops, 1);
    for (uint32_t i = 0; has_fault && i < allocations; i++)
        dump_add(dump, RANGE, .address = 0x12345000, .object = 528 + i, .kind = 34);
    dump_finish(dump);
}

Test(dxdmp_as_dump, the_first_256_nodes_and_64_allocations_count)
{
    static const struct {
        uint32_t lists, allocations;
        bool has_fault;
    } rows[] = {{0, 0, false}, {0, 3, false},  {1, 3, true},   {1, 63, true},   {1, 64, true},
                {1, 65, true}, {255, 0, true}, {256, 0, true}, {257, 1, false}, {300, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dump expected;
        struct file file = file_of(rows[i].lists, rows[i].allocations, rows[i].has_fault);
        tell_lists(&expected, rows[i].lists, rows[i].allocations, rows[i].has_fault);
        expect_made(&file, &expected);
    }
}

/* [ANN-MARK-10]: of the scopes that are open at a list's end, too. */
Test(dxdmp_as_dump, scopes_of_any_depth_are_closed_by_their_ends)
{
    enum { CLOSED = 5000, OPEN = 3, DEEP = OPEN + CLOSED };
    static uint8_t deep[OPEN + 2 * CLOSED];
    struct file file = file_begin(1);
    struct dump expected, *dump = &expected;
    memset(deep, BEGIN, DEEP);
    memset(deep + DEEP, END, CLOSED);
    put_node(&file, 0xA00, 0x900, deep, sizeof deep, 0);
    tell_device(dump);
    put_writer(dump, true, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    expect_object(dump, 1, 19, 0, "");
    expect_object(dump, 2, 22, 0, "");
    dump_recording(dump, 1, 2);
    for (uint64_t i = 0; i < DEEP; i++) {
        dump_add(dump, BEGIN, .event_id = 0x100000010 + 16 * i,
                 .parent = i > 0 ? 0x100000000 + 16 * i : 0, .metadata = 1,
                 .flags = i < OPEN ? 0 : ANNOT__DUMP_MARKER_CLOSED);
    }
    dump_queue(dump, 1, 1, 0);
    expect_submission(dump, 1, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t at = 0; at < sizeof deep; at += 4096)
        dump_add_with(dump, OPS, deep + at, sizeof deep - at < 4096 ? sizeof deep - at : 4096,
                      .log = 1, .first = at);
    dump_finish(dump);
    expect_made(&file, dump);
}

Test(dxdmp_as_dump, a_list_of_as_many_operations_as_there_are_numbers_ends)
{
    struct kept made;
    AT_END(file_end) struct file file = file_begin(1);
    annot_reader_crumbs crumbs;
    put_node(&file, 0xA00, 0x900, second_ops, 3, 1);
    memset(file.bytes + 256 + 16 + 48, 0xFF, 4);
    annot_reader *reader = reader_of_file(&file, &made);
    cr_assert(annot_reader_crumbs_at(reader, 0, &crumbs));
    cr_expect_eqs(crumbs.count, UINT32_MAX, crumbs.done, 1);
    cr_expect_eq(annot_reader_op(reader, 0, 0), ANNOT_READER_NONE);
    annot_reader_close(reader);
    free(made.data);
}

/* ---- long lists ---- */

/* More operations than DRED keeps: those that it keeps are in the dump and in a file that is made
 * of it, in their places; the others and the count of markers are not known. */
Test(dxdmp_as_dump, of_a_long_list_the_last_65536_operations_become_breadcrumbs)
{
    enum { RING = 65536 };
    static const uint32_t counts[] = {RING - 1, RING, RING + 1, RING + 4099};
    for (size_t row = 0; row < 4; row++) {
        const uint32_t count = counts[row], first = count > RING ? count - RING : 0;
        const uint32_t done = count - 7;
        uint32_t *ops = malloc(count * sizeof *ops), kind;
        for (uint32_t i = 0; i < count; i++)
            ops[i] = i % 300 == 299 ? 400 : i % 97 == 0 ? 0 : 3 + i % 40;
        struct file file = file_begin(1);
        struct kept made, again = {0};
        const annot_report_sink to_again = kept_sink(&again);
        annot_reader_crumbs crumbs;
        node(&file, ops, count, done, NULL, 0);
        annot_reader *reader = reader_of_file(&file, &made);
        cr_assert(annot_reader_crumbs_at(reader, 0, &crumbs));
        cr_expect_eqs(crumbs.count, count, crumbs.done, done);
        cr_expect_eq(crumbs.is_joined, count <= RING, "the markers are all there");
        cr_assert_eq(annot_dxdmp_write(reader, &to_again), ANNOT_OK);
        struct dxdmp *copy = model_of(&(struct file){(unsigned char *)again.data, again.size, 0});
        const struct dxdmp_node found = nth_node(copy, 0);
        cr_expect_eqs(found.op_count, count, found.done, done);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t known = i < first ? ANNOT_READER_NONE : ops[i] < 256 ? ops[i] : 255;
            if (annot_reader_op(reader, 0, i) != known)
                cr_assert_fail("%u of %u: %u, not %u", i, count, annot_reader_op(reader, 0, i),
                               known);
            if (dxdmp_node_op(copy, &found, i, &kind) != (i >= first) ||
                (i >= first && kind != known))
                cr_assert_fail("%u of %u in the copy", i, count);
        }
        dxdmp_close(copy);
        annot_reader_close(reader);
        file_end(&file);
        free(made.data);
        free(again.data);
        free(ops);
    }
}
