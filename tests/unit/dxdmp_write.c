/* DirectX dump files that are written out of annotation dumps: byte by byte, and what becomes of
 * each thing of a dump, as docs/DXDMP.md says [ANN-FILE-15, ANN-SEC-04]. */
#include "dump_builder.h"
#include "dxdmp_file.h"
#include "sink.h"

#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/dxdmp.h>

TestSuite(dxdmp_write, .fini = guarded_expect_nothing_left);

/* The n-th memory buffer of this type. */
static const struct dxdmp_section *nth(const struct converted *c, const char *type, size_t n)
{
    for (uint32_t i = 0; i < c->file->section_count; i++)
        if (c->file->sections[i].is_memory && c->file->sections[i].type == code(type) && n-- == 0)
            return &c->file->sections[i];
    cr_assert(false, "no section %s", type);
    return NULL;
}

/* DX_DUMP_FILE_D3D_OBJECT_TYPE, as Microsoft's DXDumpFileFormat.h has it, of each D3D12DDI handle
 * type; what it has no number for is an extension. */
Test(dxdmp_write, objects_have_the_published_types)
{
    enum { EXTENSION = 35, ENTRY = 24, TYPE = 16 };
    static const uint32_t types[][2] = {
        {D3D12DDI_HT_RESOURCE, 5},
        {D3D12DDI_HT_DESCRIPTOR_HEAP, 6},
        {D3D12DDI_HT_HEAP, 8},
        {D3D12DDI_HT_FENCE, 9},
        {D3D12DDI_HT_QUERY_HEAP, 10},
        {D3D12DDI_HT_COMMAND_SIGNATURE, 11},
        {D3D12DDI_HT_PIPELINE_LIBRARY, 12},
        {D3D12DDI_HT_VIDEO_DECODER, 13},
        {D3D12DDI_HT_VIDEO_PROCESSOR, 15},
        {D3D12DDI_HT_CRYPTOSESSION, 18},
        {D3D12DDI_HT_CRYPTOSESSIONPOLICY, 19},
        {D3D12DDI_HT_PROTECTEDRESOURCESESSION, 20},
        {D3D12DDI_HT_VIDEO_DECODER_HEAP, 21},
        {D3D12DDI_HT_STATE_OBJECT, 22},
        {D3D12DDI_HT_METACOMMAND, 23},
        {D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR, 28},
        {D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP, 29},
        {D3D12DDI_HT_VIDEO_EXTENSION_COMMAND, 30},
        {D3D12DDI_HT_VIDEO_ENCODER, 32},
        {D3D12DDI_HT_VIDEO_ENCODER_HEAP, 33},
        {D3D12DDI_HT_SCHEDULINGGROUP, EXTENSION},
        {D3D12DDI_HT_PASS, EXTENSION},
        {4711, EXTENSION},
    };
    enum { COUNT = sizeof types / sizeof types[0] };
    struct dump dump = dump_started(ERROR_HUNG, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        dump_object(&dump, 100 + i, types[i][0], "an object");
    dump_finish(&dump);
    struct converted *c = convert(&dump);
    const struct dxdmp_section *objects = nth(c, "DGO0", 0);
    cr_assert_eq(objects->key, COUNT);
    cr_assert_eq(objects->size, COUNT * ENTRY);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint8_t *at = c->file->bytes + objects->data + i * ENTRY;
        cr_expect_eq(at[0], 100 + i);
        cr_expect_eq(at[TYPE], types[i][1], "kind %u has type %u", types[i][0], at[TYPE]);
    }
    converted_free(c);
}

/* DXDMP.md: `ApBl`, `KmBl`, `UmBl`, and the dump itself, which stands behind the others. */
Test(dxdmp_write, blobs_are_in_the_section_of_whose_they_are)
{
    static const struct {
        uint32_t kind;
        const char *section, *bytes;
    } blobs[] = {{ANNOT_BLOB_DRIVER, "UmBl", "driver"},
                 {ANNOT_BLOB_KERNEL, "KmBl", "kernel"},
                 {ANNOT_BLOB_APPLICATION, "ApBl", "application"}};
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint32_t i = 0; i < 3; i++) {
        const size_t size = strlen(blobs[i].bytes);
        dump_add_with(&dump, BLOB, blobs[i].bytes, size, .metadata = 40 + i, .size = size,
                      .kind = blobs[i].kind, .index = i);
    }
    dump_finish(&dump);
    struct converted *c = convert(&dump);
    for (uint32_t i = 0; i < 3; i++) {
        const struct dxdmp_section *section = nth(c, blobs[i].section, 0);
        cr_expect_eq(section->key, 40 + i, "%s", blobs[i].section);
        cr_assert_eq(section->size, strlen(blobs[i].bytes), "%s", blobs[i].section);
        cr_expect_arr_eq(c->file->bytes + section->data, blobs[i].bytes, section->size);
    }
    const struct dxdmp_section *itself = nth(c, "UmBl", 1);
    cr_assert_eq(itself->size, c->dump.size);
    cr_expect_arr_eq(c->file->bytes + itself->data, c->dump.data, itself->size);
    converted_free(c);
}

/* ANN-SEC-04: a blob's size is the dump's word, and what all of them have is in the dump. */
Test(dxdmp_write, blobs_are_no_longer_than_the_dump_however_long_they_say_they_are)
{
    static const uint64_t sizes[] = {6, 5000, UINT64_MAX, 7};
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint32_t i = 0; i < 4; i++)
        dump_add_with(&dump, BLOB, "blob", 4, .size = sizes[i], .kind = ANNOT_BLOB_APPLICATION,
                      .index = i);
    for (uint32_t i = 0; i < 200; i++) /* so that the first two fit */
        dump_put_LOSS(&dump, &(struct annot__dump_LOSS){.count = 1, .what = 1}, NULL, 0);
    dump_finish(&dump);
    struct converted *c = convert(&dump);
    const size_t room = c->dump.size - 6 - 5000;
    cr_assert_gt(c->dump.size, 5006);
    cr_expect_eq(nth(c, "ApBl", 0)->size, 6);
    cr_expect_eq(nth(c, "ApBl", 1)->size, 5000);
    cr_expect_eq(nth(c, "ApBl", 2)->size, room);
    cr_expect_eq(nth(c, "ApBl", 3)->size, 0);
    cr_expect_str_eq((const char *)c->file->bytes + nth(c, "ApBl", 1)->data, "blob",
                     "and zeros behind it");
    converted_free(c);
}

/* 100 ns from 1601 on; 0 where it is not known. */
Test(dxdmp_write, times_are_written_to_100_ns)
{
    static const uint64_t times[] = {0, UINT64_C(1781740800000000000),
                                     UINT64_C(1781740800000000099), UINT64_C(1781740800000000100),
                                     UINT64_C(1781740800123456789)};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct dump dump;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = 7, .time = times[i]});
        dump_finish(&dump);
        struct converted *c = convert(&dump);
        cr_expect_eq(dxdmp_header(c->file, 28, 8),
                     times[i] ? times[i] / 100 + UINT64_C(116444736000000000) : 0);
        converted_free(c);
    }
}

/* ---- the whole file ---- */

enum { SET = 0, BEGIN = 1, END = 2, DISPATCH = 6 };
enum { QUEUE = 19, PIPELINE = 21, LIST = 22, FENCE = 23, HEAP = 25, RESOURCE = 34 };
#define FIRST UINT64_C(0x500000010) /* EventID of a dump's first marker */
#define FAULT UINT64_C(0x7000)

static void put_object(struct dump *dump, uint64_t id, uint32_t kind, const char *name)
{
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(dump, OBJECT, name, strlen(name), .id = id, .handle = 0xC0DE0000 + id,
                  .kind = kind, .list_type = kind == QUEUE || kind == LIST ? 2 : 0,
                  .flags = *name ? 2 : 0, .name_size = (uint32_t)strlen(name));
}

static void put_crumbs(struct dump *dump, uint64_t submission, uint64_t log, uint32_t count,
                       uint32_t done)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = 21, .submission = submission, .log = log, .count = count,
             .done = done, .markers = count);
}

static void put_ops(struct dump *dump, uint64_t log, uint32_t first, const uint8_t *ops,
                    uint32_t count)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = log, .first = first}, ops, count);
}

static void put_range(struct dump *dump, uint64_t address, uint64_t size, uint64_t object,
                      bool is_freed)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, RANGE, .address = address, .size = size, .object = object, .kind = RESOURCE,
             .flags = is_freed);
}

static const uint8_t frame_ops[] = {BEGIN, SET, DISPATCH, END};

/* One list, executed three times: finished, stopped in its dispatch, and not begun. */
static void a_fault(struct dump *dump)
{
    dump_start(dump, ERROR_PAGE_FAULT, 0);
    put_object(dump, 21, QUEUE, "Q");
    put_object(dump, 41, RESOURCE, "Lights");
    put_object(dump, 42, HEAP, "");
    put_object(dump, 43, FENCE, "F");
    put_object(dump, 44, PIPELINE, "P");
    put_object(dump, 45, RESOURCE, "Shadow map");
    dump_add(dump, OBJECT, .id = 46, .kind = RESOURCE, .flags = ANNOT__DUMP_OBJECT_DESTROYED);
    dump_add(dump, RESOURCE, .object = 41, .width = 512, .dimension = 1, .height = 1,
             .memory = ANNOT_MEMORY_PLACED);
    dump_add(dump, RESOURCE, .object = 45, .width = 64, .dimension = 3, .format = 40, .height = 32,
             .depth = 6, .mips = 7, .samples = 4, .memory = ANNOT_MEMORY_COMMITTED);
    put_object(dump, 100, LIST, "L");
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame");
    dump_set(dump, "sky");
    dump_end(dump);
    dump_queue(dump, 21, 3, 1);
    dump_set(dump, "");
    for (uint64_t i = 1; i <= 3; i++)
        dump_submit(dump, i, 1, (uint64_t[]){1});
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = FAULT}, NULL, 0);
    put_crumbs(dump, 1, 5, 4, 4);
    put_crumbs(dump, 2, 5, 4, 2);
    put_crumbs(dump, 3, 5, 4, UINT32_MAX);
    put_ops(dump, 5, 0, frame_ops, 4);
    put_range(dump, FAULT, 1, 41, true);
    put_range(dump, FAULT, 0, 42, false);              /* of unknown size */
    put_range(dump, FAULT + 5, UINT64_MAX, 41, false); /* behind it */
    put_range(dump, FAULT - 5, 5, 41, false);          /* in front of it */
    dump_section(dump, ANNOT__DUMP_SECTION_QUEUES);
    dump_add(dump, WAIT, .queue = 21, .fence = 43, .value = 9, .reached = 7);
    dump_finish(dump);
}

/* A memory buffer that fills to 8 bytes. */
static void begin(struct file *file, const char *type, uint64_t key, size_t size)
{
    section(file, "Memr", 24 + (size + 7) / 8 * 8);
    put(file, code(type), 8);
    put(file, size, 8);
    put(file, key, 8);
}

static void text16(struct file *file, const char *type, uint64_t key, const char *ascii)
{
    const size_t size = 2 * (strlen(ascii) + 1);
    begin(file, type, key, size);
    for (const char *at = ascii; *at; at++)
        put(file, (unsigned char)*at, 2);
    put(file, 0, 2);
    for (size_t i = size; i % 8; i++)
        put(file, 0, 1);
}

static void words(struct file *file, unsigned count, const uint64_t *values)
{
    for (unsigned i = 0; i < count; i++)
        put(file, values[i], 8);
}
#define WORDS(file, ...)                                                                           \
    words(file, sizeof(uint64_t[]){__VA_ARGS__} / 8, (const uint64_t[]){__VA_ARGS__})

/* Its names, history and contexts have the keys from `key` on. */
static void tell_node(struct file *file, uint64_t key, uint32_t done)
{
    text16(file, "DRWS", key, "L");
    text16(file, "DRWS", key + 1, "Q");
    begin(file, "DCHR", key + 2, 16);
    for (unsigned i = 0; i < 4; i++)
        put(file, frame_ops[i], 4);
    text16(file, "DRWS", key + 3, "Frame");
    text16(file, "DRWS", key + 4, "sky");
    begin(file, "DBCC", key + 5, 32);
    WORDS(file, 0, key + 3, 1, key + 4);
    section(file, "DRBN", 80);
    WORDS(file, 0, key, 0, key + 1, 100, 21, 4, key + 2, done | 2ull << 32, key + 5);
}

static void tell_allocation(struct file *file, const char *type, uint64_t name, uint64_t object)
{
    section(file, type, 32);
    WORDS(file, 0, name, RESOURCE, object);
}

static void tell_payload(struct file *file, uint64_t event_id, const char *text)
{
    begin(file, "AADT", event_id, strlen(text));
    for (size_t i = 0; i < (strlen(text) + 7) / 8 * 8; i++)
        put(file, i < strlen(text) ? (unsigned char)text[i] : 0, 1);
}

static struct file tell_fault(const struct dump *dump)
{
    const uint64_t none = UINT64_MAX;
    struct file file = file_begin(1);
    memset(file.bytes + 8, 0, 256 - 8);
    file.bytes[24] = ERROR_PAGE_FAULT;
    text16(&file, "WSTR", 1, "game");
    section(&file, "ApDs", 56);
    WORDS(&file, 1, none, 0, none, 0, 0, 0);
    section(&file, "AdIn", 368);
    for (unsigned i = 0; i < 368 / 8; i++)
        put(&file, 0, 8);
    section(&file, "DRIN", 12);
    WORDS(&file, 4 | 7ull << 32);
    put(&file, 0x887A0006, 4);
    tell_node(&file, 1, 2);
    tell_node(&file, 7, 0);
    section(&file, "DRPF", 16);
    WORDS(&file, FAULT, 0);
    tell_allocation(&file, "DEAN", 0, 42);
    text16(&file, "DRWS", 13, "Lights");
    tell_allocation(&file, "DFAN", 13, 41);
    text16(&file, "WSTR", 2, "Lights");
    text16(&file, "WSTR", 3, "Shadow map");
    begin(&file, "DRs0", 2, 256);
    WORDS(&file, 41, 2, 0xC0DE0029, FAULT + 5, 0, 0); /* placed */
    WORDS(&file, 1, 0, 512, 1, 0, 1ull << 32, 0, 0, 0, 0);
    WORDS(&file, 45, 3, 0xC0DE002D, 0, 0, 1); /* committed */
    WORDS(&file, 3, 0, 64, 32 | 6ull << 32 | 7ull << 48, 40 | 4ull << 32, 0, 0, 0, 0, 0);
    text16(&file, "WSTR", 4, "F");
    begin(&file, "DFn0", 1, 40);
    WORDS(&file, 43, 4, 0xC0DE002B, 0, 7);
    text16(&file, "WSTR", 5, "Q");
    begin(&file, "DCQ0", 1, 40);
    WORDS(&file, 21, 5, 0xC0DE0015, 2, 0);
    text16(&file, "WSTR", 6, "L");
    begin(&file, "DCL0", 1, 32);
    WORDS(&file, 100, 6, 0xC0DE0064, 2);
    text16(&file, "WSTR", 7, "L");
    begin(&file, "DCA0", 1, 32);
    WORDS(&file, 1 | 1ull << 63, 7, 1, 2);
    begin(&file, "DGO0", 1, 24);
    WORDS(&file, 42, none, 8);
    text16(&file, "WSTR", 8, "P");
    begin(&file, "DPS0", 1, 48);
    WORDS(&file, 44, 8, 0xC0DE002C, 0, 0, 0);
    begin(&file, "ApAn", 3, 48);
    WORDS(&file, FIRST, 1 | 1ull << 32, FIRST + 16, 1 | 2ull << 32, FIRST + 32, 1 | 2ull << 32);
    tell_payload(&file, FIRST, "Frame");
    tell_payload(&file, FIRST + 16, "sky");
    tell_payload(&file, FIRST + 32, "");
    begin(&file, "AACA", 0, 32);
    WORDS(&file, 1, 2, FIRST, FIRST + 16);
    begin(&file, "AACQ", 0, 24);
    WORDS(&file, 0xC0DE0015, 1, FIRST + 32);
    begin(&file, "UmBl", 0, dump->size);
    for (size_t i = 0; i < dump->size; i++)
        put(&file, dump->data[i], 1);
    return file;
}

Test(dxdmp_write, a_fault_is_written_byte_by_byte_as_the_layout_is_published)
{
    struct dump dump;
    a_fault(&dump);
    struct converted *c = convert(&dump);
    struct file expected = tell_fault(&c->dump);
    size_t at = 0;
    while (at < expected.size && at < c->bytes.size &&
           expected.bytes[at] == (unsigned char)c->bytes.data[at])
        at++;
    cr_expect_eqs(at, expected.size, c->bytes.size, expected.size);
    free(expected.bytes);
    converted_free(c);
}

/* ---- what there is none of, too much of, and half ---- */

/* DXGI_ADAPTER_DESC3 has 128 characters with the NUL; a string as many as a report names. */
Test(dxdmp_write, long_names_are_cut)
{
    enum { NAME = 64 << 10 };
    static const size_t sizes[][2] = {{127, NAME}, {128, NAME + 1}, {300, NAME + 999}};
    static char name[NAME + 1000], found[NAME + 1000];
    memset(name, 'n', sizeof name);
    for (size_t i = 0; i < 3; i++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_add_with(&dump, TEXT, name, sizes[i][0], ANNOT__DUMP_TEXT_ADAPTER);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        dump_add_with(&dump, OBJECT, name, sizes[i][1], .id = 1, .kind = QUEUE, .flags = 2,
                      .name_size = (uint32_t)sizes[i][1]);
        dump_finish(&dump);
        struct converted *c = convert(&dump);
        cr_expect_eq(dxdmp_adapter(c->file, found, sizeof found), 127);
        cr_expect_eq(dxdmp_string(c->file, nth(c, "DCQ0", 0), 8, found, sizeof found), NAME,
                     "row %zu", i);
        converted_free(c);
    }
}

Test(dxdmp_write, a_dump_that_is_cut_is_inside_as_it_is)
{
    for (size_t less = 1; less < 9; less++) {
        struct dump dump;
        a_fault(&dump);
        dump.size -= less;
        struct converted *c = convert(&dump);
        const struct dxdmp_section *inner = dxdmp_inner(c->file);
        cr_assert(inner && inner->size == c->dump.size);
        cr_expect_eq(memcmp(c->file->bytes + inner->data, c->dump.data, inner->size), 0);
        cr_expect_eq(c->bytes.size % 8, 4, "the 12 bytes of DRIN alone are not a multiple of 8");
        converted_free(c);
    }
}

/* ---- histories and contexts ---- */

/* A list with a surplus End, a bundle and two markers, and what is known of its operations. */
static const struct history_row {
    const char *what;
    uint32_t count, first, known; /* operations, and those that the dump has */
    uint64_t dropped;
    uint32_t kept, contexts;
} history_rows[] = {{"everything", 5, 0, 5, 0, 5, 2},
                    {"not the first", 5, 1, 4, 0, 0, 0},
                    {"not the last", 5, 0, 4, 0, 0, 0},
                    {"a marker fewer than there are", 3, 0, 3, 0, 3, 0},
                    {"one operation", 1, 0, 1, 0, 1, 0},
                    {"none", 0, 0, 0, 0, 0, 0},
                    {"markers that were dropped", 5, 0, 5, 1, 5, 0}};

Test(dxdmp_write, a_history_is_whole_and_contexts_are_counted_against_it)
{
    static const uint8_t ops[] = {END, DISPATCH, SET, BEGIN, DISPATCH};
    for (size_t i = 0; i < sizeof history_rows / sizeof history_rows[0]; i++) {
        const struct history_row *row = &history_rows[i];
        struct dxdmp_thing thing;
        char name[16];
        struct dump dump = dump_started(ERROR_HUNG, 0);
        put_object(&dump, 21, QUEUE, "Q");
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = row->dropped,
                 .surplus_ends = 1);
        dump_end(&dump);
        dump_bundle(&dump, 1, 0, 102);
        dump_set(&dump, "sky");
        dump_begin(&dump, "Frame");
        dump_submitted(&dump);
        put_crumbs(&dump, 1, 5, row->count, UINT32_MAX);
        if (row->known > 0)
            put_ops(&dump, 5, row->first, ops + row->first, row->known);
        dump_finish(&dump);
        struct converted *c = convert(&dump);
        const struct dxdmp_node found = nth_node(c->file, 0);
        cr_expect_eqs(found.op_count, row->count, found.ops_kept, row->kept, "%s", row->what);
        cr_expect_eqs(found.ops != NULL, row->kept > 0, found.contexts != NULL, row->contexts > 0,
                      "%s", row->what);
        cr_expect_eq(found.context_count, row->contexts, "%s", row->what);
        cr_assert(nth_thing(c->file, DXDMP_NODES, 0, &thing));
        cr_expect_eq(dxdmp_u64(c->file, thing.section, 56) != 0, row->kept > 0, "%s", row->what);
        for (uint32_t k = 0; k < row->contexts; k++) { /* of the two markers, and no bundle */
            const uint64_t keys[] = {0, dxdmp_context_of(c->file, &found, 2 + k)};
            dxdmp_dred_string(c->file, keys, name, sizeof name);
            cr_expect_str_eq(name, k == 0 ? "sky" : "Frame", "%s", row->what);
        }
        converted_free(c);
    }
}

/* ---- how much ---- */

/* [ANN-SEC-04]: 200 executions of one recording. A history is written while the file is no longer
 * than twice the dump and 512 KiB. */
Test(dxdmp_write, histories_end_where_the_file_is_twice_the_dump)
{
    enum { COUNT = 4096, TIMES = 60 };
    static uint8_t ops[COUNT];
    struct dump dump = dump_started(ERROR_HUNG, 0);
    struct dxdmp_thing thing = {0};
    struct dxdmp_node found;
    unsigned kept = 0;
    memset(ops, DISPATCH, sizeof ops);
    put_object(&dump, 21, QUEUE, "Q");
    for (uint32_t i = 0; i < TIMES; i++)
        put_crumbs(&dump, i + 1, 5, COUNT, 1);
    put_ops(&dump, 5, 0, ops, COUNT);
    dump_finish(&dump);
    struct converted *c = convert(&dump);
    const uint64_t most = 2 * ((uint64_t)c->dump.size + (256 << 10)) + 1;
    while (dxdmp_next(c->file, DXDMP_NODES, &thing)) {
        dxdmp_node_of(c->file, thing.section, &found);
        const struct dxdmp_section *last = found.ops ? found.ops : thing.section;
        cr_expect_eq(found.ops != NULL, last->header <= most, "list %u at %zu", thing.number,
                     last->header);
        kept += found.ops != NULL;
    }
    cr_expect(kept > 30 && kept < TIMES, "%u", kept);
    converted_free(c);
}

/* Lists of which the dump has no operation are looked at, too, up to its size and 256 KiB. */
Test(dxdmp_write, histories_end_where_as_many_operations_were_looked_at)
{
    enum { LISTS = 5, MOST = 65535 };
    size_t size = 0;
    for (int over = -1; over < 2; over++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        uint32_t left = over < 0 ? 0 : (uint32_t)size + (256 << 10) - 1 + (uint32_t)over;
        for (uint32_t i = 0; i < LISTS; i++) {
            const uint32_t count = left < MOST ? left : MOST;
            put_crumbs(&dump, i + 1, 5, count, 0);
            left -= count;
        }
        cr_assert_eq(left, 0);
        put_crumbs(&dump, LISTS + 1, 6, 1, 0);
        put_ops(&dump, 6, 0, frame_ops, 1);
        dump_finish(&dump);
        size = dump.size;
        struct converted *c = convert(&dump);
        cr_expect_eq(nth_node(c->file, LISTS).ops_kept, over <= 0, "%d", over);
        converted_free(c);
    }
}
