/*
 * The reports of DirectX dump files, word for word: of a file that was written out of a
 * page fault's dump, and how long lists are cut [ANN-FILE-15, ANN-JOIN-01]. And in which sections
 * of such a file objects and blobs stand.
 */
#include "asserts.h"
#include "dump_builder.h"
#include "guarded.h"

#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/dxdmp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(dxdmp_report, .fini = guarded_expect_nothing_left);
TestSuite(dxdmp_write, .fini = guarded_expect_nothing_left);

enum { SET = 0, BEGIN = 1, END = 2, DISPATCH = 6, COPY = 9 };
enum { COMMAND_QUEUE = 19, COMMAND_LIST = 21, HEAP = 25, RESOURCE = 34 }; /* of D3D12DDI */

/* Frame { sky, Shadow { dispatch } }: seven operations, the dispatch is number 4. */
static const uint8_t ops[] = {BEGIN, COPY, SET, BEGIN, DISPATCH, END, END};

#define FAULT UINT64_C(0x7000)

static void range(struct dump *dump, uint64_t address, uint64_t object, uint32_t kind,
                  uint32_t flags)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_RANGE(
        dump,
        &(struct annot__dump_RANGE){
            .address = address, .size = 4096, .object = object, .kind = kind, .flags = flags},
        NULL, 0);
}

static void crumbs(struct dump *dump, uint64_t submission, uint32_t done)
{
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_put_CRUMBS(dump,
                    &(struct annot__dump_CRUMBS){.queue = 21,
                                                 .submission = submission,
                                                 .log = 5,
                                                 .count = sizeof ops,
                                                 .done = done,
                                                 .markers = 5},
                    NULL, 0);
}

/* Executed `count` times: done once, stopped in the dispatch, and then not begun. Beyond three
 * times there are as many unnamed objects around the address, and markers of the queue. */
static void page_fault(struct dump *dump, uint32_t count)
{
    *dump = (struct dump){0};
    dump_start(dump, ERROR_PAGE_FAULT, 0);
    dump_object(dump, 21, COMMAND_QUEUE, "Graphics");
    dump_object(dump, 41, RESOURCE, "Lights");
    dump_object(dump, 42, HEAP, "Old heap");
    dump_object(dump, 100, COMMAND_LIST, "Frame list");
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame");
    dump_set(dump, "sky");
    dump_begin(dump, "Shadow");
    dump_end(dump);
    dump_end(dump);
    dump_queue(dump, 21, count, 1);
    dump_set(dump, "");
    for (uint32_t i = 3; i < count; i++)
        dump_set(dump, "tick");
    for (uint32_t i = 1; i <= count; i++)
        dump_submit(dump, i, 1, (uint64_t[]){1});
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = FAULT}, NULL, 0);
    crumbs(dump, 1, sizeof ops);
    crumbs(dump, 2, 4);
    for (uint32_t i = 3; i <= count; i++)
        crumbs(dump, i, UINT32_MAX);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    range(dump, FAULT - 128, 41, RESOURCE, ANNOT_RANGE_FREED);
    range(dump, FAULT - 4095, 42, HEAP, 0);
    range(dump, FAULT - 4096, 43, HEAP, 0); /* ends before it */
    range(dump, FAULT + 1, 44, HEAP, 0);    /* begins behind it */
    for (uint32_t i = 3; i < count; i++) {
        range(dump, FAULT - i, 50 + i, RESOURCE, 0);
        range(dump, FAULT - i, 80 + i, RESOURCE, ANNOT_RANGE_FREED);
    }
    dump_finish(dump);
}

struct bytes {
    char data[1 << 16];
    size_t size;
};

static bool append(void *user, const void *data, size_t size)
{
    struct bytes *to = user;
    cr_assert(size < sizeof to->data - to->size);
    memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = '\0';
    return true;
}

struct converted {
    struct dump dump;
    annot_reader *reader;
    annot_dxdmp *file;
    struct bytes bytes, report;
};

static struct converted *convert(uint32_t count)
{
    struct converted *c = calloc(1, sizeof *c);
    const annot_report_sink sink = {&c->bytes, append};
    page_fault(&c->dump, count);
    c->reader = dump_open(&c->dump, ANNOT_OK);
    cr_assert_eq(annot_dxdmp_write(c->reader, &sink), ANNOT_OK);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, c->bytes.data, c->bytes.size, &c->file),
                 ANNOT_OK);
    return c;
}

static void converted_free(struct converted *c)
{
    annot_dxdmp_close(c->file);
    annot_reader_close(c->reader);
    dump_free(&c->dump);
    free(c);
}

static const char *report(struct converted *c, bool is_json, bool is_all)
{
    const annot_report_sink sink = {&c->report, append};
    const annot_report_options options = {.all = is_all};
    c->report.size = 0;
    cr_assert_eq(is_json ? annot_dxdmp_report_json(c->file, &options, &sink)
                         : annot_dxdmp_report_text(c->file, &options, &sink),
                 ANNOT_OK);
    return c->report.data;
}

static const char text_expected[] =
    "GPU PAGE FAULT (device error 9)\n"
    "  executable   game\n"
    "  removed      DXGI_ERROR_DEVICE_HUNG (0x887a0006)\n"
    "  GUID         00000000000000000000000000000000\n"
    "\n"
    "UNFINISHED LISTS, by DRED's breadcrumbs\n"
    "  Frame / Shadow\n"
    "    on queue \"Graphics\", list \"Frame list\"\n"
    "    operation 5 of 7, Dispatch: not done; 4, BeginEvent: done\n"
    "  (no marker was open)\n"
    "    on queue \"Graphics\", list \"Frame list\"\n"
    "    operation 1 of 7, BeginEvent: not done\n"
    "  1 of them had done nothing: they may only have waited their turn\n"
    "\n"
    "PAGE FAULT at 0x0000000000007000\n"
    "  live   heap \"Old heap\"\n"
    "  freed  resource \"Lights\"\n"
    "\n"
    "ANNOTATIONS: 4; the file says neither which of them were done nor how they nest\n"
    "  allocator \"Frame list\": 3\n"
    "    Frame  0x0000000500000010\n"
    "    sky  0x0000000500000020\n"
    "    Shadow  0x0000000500000030\n"
    "  queue \"Graphics\": 1\n"
    "    (no name)  0x0000000500000040\n"
    "\n"
    "ALSO IN THE FILE: 5 objects, 1 blobs (";

Test(dxdmp_report, says_a_page_fault_as_text)
{
    struct converted *c = convert(3);
    char *words = strdup(report(c, false, false));
    cr_assert_eq(strncmp(words, text_expected, strlen(text_expected)), 0, "%s", words);
    char end[64];
    snprintf(end, sizeof end, "%zu bytes)\n", c->dump.size);
    cr_assert_str_eq(words + strlen(text_expected), end, "the dump itself");
    free(words);
    converted_free(c);
}

static const char json_expected[] =
    "{\"format\":\"dxdmp\",\"schema\":1,\"version\":1,\"guid\":\"0000000000000000"
    "0000000000000000\",\"error\":9,\"time\":\"0\",\"uploaded\":false,\"debugged\":false,"
    "\"executable"
    "\":\"game\",\"vendor\":0,\"device\":0,\"driver_version\":\"0x0000000000000000\",\"os_bui"
    "ld\":0,\"has_dred\":true,\"removed_reason\":\"0x00000000887a0006\",\"fault_address\":\"0"
    "x0000000000007000\",\"breadcrumbs\":[\n"
    "{\"list_name\":\"Frame list\",\"queue_name\":\"Graphics\",\"list\":\"0x0000000000000064"
    "\",\"queue\":\"0x0000000000000015\",\"operations\":7,\"done\":4,\"path\":\"Frame / Shado"
    "w\",\"last_done\":{\"index\":3,\"kind\":1,\"name\":\"BeginEvent\"},\"first_not_done\":{"
    "\"index\":4,\"kind\":6,\"name\":\"Dispatch\"}},\n"
    "{\"list_name\":\"Frame list\",\"queue_name\":\"Graphics\",\"list\":\"0x0000000000000064"
    "\",\"queue\":\"0x0000000000000015\",\"operations\":7,\"done\":0,\"path\":\"\",\"first_no"
    "t_done\":{\"index\":0,\"kind\":1,\"name\":\"BeginEvent\"}}],\"allocations\":[\n"
    "{\"type\":25,\"type_name\":\"heap\",\"name\":\"Old heap\",\"object\":\"0x000000000000002"
    "a\",\"freed\":false},\n"
    "{\"type\":34,\"type_name\":\"resource\",\"name\":\"Lights\",\"object\":\"0x0000000000000"
    "029\",\"freed\":true}],\"annotations\":[\n"
    "{\"event_id\":\"0x0000000500000010\",\"metadata\":1,\"type\":1,\"size\":\"5\",\"name\":"
    "\"Frame\"},\n"
    "{\"event_id\":\"0x0000000500000020\",\"metadata\":1,\"type\":2,\"size\":\"3\",\"name\":"
    "\"sky\"},\n"
    "{\"event_id\":\"0x0000000500000030\",\"metadata\":1,\"type\":1,\"size\":\"6\",\"name\":"
    "\"Shadow\"},\n"
    "{\"event_id\":\"0x0000000500000040\",\"metadata\":1,\"type\":2,\"size\":\"0\",\"name\":"
    "\"\"}],\"owners\":[\n"
    "{\"kind\":\"allocator\",\"handle\":\"0x0000000000000001\",\"event_ids\":[\"0x00000005000"
    "00010\",\"0x0000000500000020\",\"0x0000000500000030\"]},\n"
    "{\"kind\":\"queue\",\"handle\":\"0x0000000000000000\",\"event_ids\":[\"0x000000050000004"
    "0\"]}],\"objects\":[\n"
    "{\"kind\":\"command queue\",\"address\":\"0x0000000000000015\",\"handle\":\"0x0000000000"
    "000000\",\"name\":\"Graphics\"},\n"
    "{\"kind\":\"other object\",\"address\":\"0x0000000000000029\",\"handle\":\"0x00000000000"
    "00000\",\"name\":\"Lights\"},\n"
    "{\"kind\":\"other object\",\"address\":\"0x000000000000002a\",\"handle\":\"0x00000000000"
    "00000\",\"name\":\"Old heap\"},\n"
    "{\"kind\":\"other object\",\"address\":\"0x0000000000000064\",\"handle\":\"0x00000000000"
    "00000\",\"name\":\"Frame list\"},\n"
    "{\"kind\":\"command allocator\",\"address\":\"0x0000000000000001\",\"handle\":\"0x000000"
    "0000000001\",\"name\":\"Frame list\"}],\"findings\":[],\"names_left_out\":\"0\"}\n";

Test(dxdmp_report, says_a_page_fault_as_json)
{
    struct converted *c = convert(3);
    cr_assert_str_eq(report(c, true, false), json_expected);
    converted_free(c);
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

Test(dxdmp_report, long_lists_are_cut_unless_all_is_asked_for)
{
    struct converted *c = convert(20);
    const char *text = report(c, false, false);
    cr_assert_eq(count_of(text, ": not done"), 16);
    cr_assert_eq(count_of(text, "  live   "), 16);
    cr_assert_eq(count_of(text, "  freed  "), 16);
    cr_assert_eq(count_of(text, "    tick"), 7, "and one without a name");
    cr_assert(strstr(text, "\n  3 more (--all)\n  18 of them had done nothing"));
    cr_assert(strstr(text, "\n  live   resource 0x35 (unnamed)\n"));
    cr_assert(strstr(text, "\n  2 more live (--all)\n  freed  resource \"Lights\"\n"));
    cr_assert(strstr(text, "\n  2 more freed (--all)\n"));
    cr_assert(strstr(text, "\n    10 more (--all)\n"));
    text = report(c, false, true);
    cr_assert_eq(count_of(text, ": not done"), 19);
    cr_assert_eq(count_of(text, "  live   "), 18);
    cr_assert_eq(count_of(text, "  freed  "), 18);
    cr_assert_eq(count_of(text, "    tick"), 17);
    cr_assert_eq(count_of(text, "(--all)"), 0);
    converted_free(c);
}

/* ---- sections ---- */

/* The n-th memory buffer of this type. */
static annot_dxdmp_section section_of(const struct converted *c, const char *type, size_t n)
{
    annot_dxdmp_section section = {0};
    const uint32_t wanted = ANNOT_DXDMP_FOURCC(type[0], type[1], type[2], type[3]);
    for (size_t i = 0; annot_dxdmp_section_at(c->file, i, &section); i++)
        if (section.mem_type == wanted && n-- == 0)
            return section;
    cr_assert(false, "no section %s", type);
    return section;
}

static struct converted *convert_dump(const struct dump *dump)
{
    struct converted *c = calloc(1, sizeof *c);
    const annot_report_sink sink = {&c->bytes, append};
    c->dump = *dump;
    c->reader = dump_open(&c->dump, ANNOT_OK);
    cr_assert_eq(annot_dxdmp_write(c->reader, &sink), ANNOT_OK);
    cr_assert_eq(annot_dxdmp_open_memory(&guarded_memory, c->bytes.data, c->bytes.size, &c->file),
                 ANNOT_OK);
    return c;
}

/* DX_DUMP_FILE_D3D_OBJECT_TYPE, as Microsoft's DXDumpFileFormat.h has it, of each D3D12DDI handle
 * type; what it has no number for is an extension. */
Test(dxdmp_write, objects_have_the_published_types)
{
    enum { EXTENSION = 35, ENTRY = 24, TYPE = 16 };
    static const uint32_t types[][2] = {
        {D3D12DDI_HT_COMMAND_ALLOCATOR, 1},
        {D3D12DDI_HT_PIPELINE_STATE, 2},
        {D3D12DDI_HT_RESOURCE, 5},
        {D3D12DDI_HT_DESCRIPTOR_HEAP, 6},
        {D3D12DDI_HT_ROOT_SIGNATURE, 7},
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
    struct dump dump = {0};
    dump_start(&dump, ERROR_HUNG, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        dump_object(&dump, 100 + i, types[i][0], "an object");
    dump_finish(&dump);
    struct converted *c = convert_dump(&dump);
    const annot_dxdmp_section objects = section_of(c, "DGO0", 0);
    cr_assert_eq(objects.key, COUNT);
    cr_assert_eq(objects.size, COUNT * ENTRY);
    for (uint32_t i = 0; i < COUNT; i++) {
        const unsigned char *at = (const unsigned char *)objects.data + i * ENTRY;
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
    struct dump dump = {0};
    dump_start(&dump, ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint32_t i = 0; i < 3; i++) {
        const size_t size = strlen(blobs[i].bytes);
        dump_put_BLOB(&dump,
                      &(struct annot__dump_BLOB){
                          .metadata = 40 + i, .size = size, .kind = blobs[i].kind, .index = i},
                      blobs[i].bytes, size);
    }
    dump_finish(&dump);
    struct converted *c = convert_dump(&dump);
    for (uint32_t i = 0; i < 3; i++) {
        const annot_dxdmp_section section = section_of(c, blobs[i].section, 0);
        cr_expect_eq(section.key, 40 + i, "%s", blobs[i].section);
        cr_assert_eq(section.size, strlen(blobs[i].bytes), "%s", blobs[i].section);
        cr_expect_arr_eq(section.data, blobs[i].bytes, section.size);
    }
    const annot_dxdmp_section itself = section_of(c, "UmBl", 1);
    cr_assert_eq(itself.size, c->dump.size);
    cr_expect_arr_eq(itself.data, c->dump.data, itself.size);
    converted_free(c);
}

/* ANN-SEC-04: a blob's size is the dump's word, and what all of them have is in the dump. */
Test(dxdmp_write, blobs_are_no_longer_than_the_dump_however_long_they_say_they_are)
{
    static const uint64_t sizes[] = {6, 5000, UINT64_MAX, 7};
    struct dump dump = {0};
    dump_start(&dump, ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    for (uint32_t i = 0; i < 4; i++)
        dump_put_BLOB(&dump,
                      &(struct annot__dump_BLOB){
                          .size = sizes[i], .kind = ANNOT_BLOB_APPLICATION, .index = i},
                      "blob", 4);
    for (uint32_t i = 0; i < 200; i++) /* so that the first two fit */
        dump_put_LOSS(&dump, &(struct annot__dump_LOSS){.count = 1, .what = 1}, NULL, 0);
    dump_finish(&dump);
    struct converted *c = convert_dump(&dump);
    const size_t room = c->dump.size - 6 - 5000;
    cr_assert_gt(c->dump.size, 5006);
    cr_expect_eq(section_of(c, "ApBl", 0).size, 6);
    cr_expect_eq(section_of(c, "ApBl", 1).size, 5000);
    cr_expect_eq(section_of(c, "ApBl", 2).size, room);
    cr_expect_eq(section_of(c, "ApBl", 3).size, 0);
    cr_expect_str_eq(section_of(c, "ApBl", 1).data, "blob", "and zeros behind it");
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
        annot_dxdmp_info info;
        dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = 7, .time = times[i]});
        dump_finish(&dump);
        struct converted *c = convert_dump(&dump);
        annot_dxdmp_get_info(c->file, &info);
        cr_expect_eq(info.time, times[i] / 100 * 100);
        converted_free(c);
    }
}
