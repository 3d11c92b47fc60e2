/*
 * The reports of DirectX dump files, word for word: of a file that was written out of a
 * page fault's dump, and how long lists are cut [ANN-FILE-15, ANN-JOIN-01].
 */
#include "asserts.h"
#include "dump_builder.h"
#include "dxdmp/dxdmp_report.h"
#include "dxdmp_file.h"
#include "guarded.h"
#include "sink.h"

#include <annot/ddi.h>
#include <annot/dump.h>
#include <annot/dxdmp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(dxdmp_report, .fini = guarded_expect_nothing_left);

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

static struct converted *convert_fault(uint32_t count)
{
    struct dump dump;
    page_fault(&dump, count);
    return convert(&dump);
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
    struct converted *c = convert_fault(3);
    char *words = report_of_file(c->file, false, NULL);
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
    struct converted *c = convert_fault(3);
    char *words = report_of_file(c->file, true, NULL);
    cr_assert_str_eq(words, json_expected);
    free(words);
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
    struct converted *c = convert_fault(20);
    char *text = report_of_file(c->file, false, NULL);
    cr_assert_eq(count_of(text, ": not done"), 16);
    cr_assert_eq(count_of(text, "  live   "), 16);
    cr_assert_eq(count_of(text, "  freed  "), 16);
    cr_assert_eq(count_of(text, "    tick"), 7, "and one without a name");
    cr_assert(strstr(text, "\n  3 more (--all)\n  18 of them had done nothing"));
    cr_assert(strstr(text, "\n  live   resource 0x35 (unnamed)\n"));
    cr_assert(strstr(text, "\n  2 more live (--all)\n  freed  resource \"Lights\"\n"));
    cr_assert(strstr(text, "\n  2 more freed (--all)\n"));
    cr_assert(strstr(text, "\n    10 more (--all)\n"));
    free(text);
    text = report_of_file(c->file, false, &(annot_report_options){.all = true});
    cr_assert_eq(count_of(text, ": not done"), 19);
    cr_assert_eq(count_of(text, "  live   "), 18);
    cr_assert_eq(count_of(text, "  freed  "), 18);
    cr_assert_eq(count_of(text, "    tick"), 17);
    cr_assert_eq(count_of(text, "(--all)"), 0);
    free(text);
    converted_free(c);
}

/* ---- what stands in a file ---- */

/* dxdmp.h: when names have filled 4 times the file's size, and 1 MiB, further ones are left out. */
Test(dxdmp_report, names_fill_four_times_the_file_and_no_more)
{
    const annot_dxdmp dump = {.size = 1000};
    struct dxdmp_names names;
    memset(&names, 0x77, sizeof names);
    dxdmp_names_init(&names, &dump);
    cr_expect_eq(names.left_out, 0);
    cr_expect(dxdmp_names_take(&names, 4000));
    cr_expect_not(dxdmp_names_take(&names, (1u << 20) + 1));
    cr_expect_eq(names.left_out, 1);
    cr_expect(dxdmp_names_take(&names, 1u << 20));
    cr_expect_not(dxdmp_names_take(&names, 1));
    cr_expect(dxdmp_names_take(&names, 0));
    cr_expect_eq(names.left_out, 2);
}

static void put_owner(struct file *file, const char *type, uint64_t handle, uint64_t count)
{
    memory(file, type, 0, 16 + 8 * count);
    put(file, handle, 8);
    put(file, count, 8);
    for (uint64_t i = 0; i < count; i++)
        put(file, 1, 8);
}

/* There is no finding but this. */
Test(dxdmp_report, that_names_are_left_out_is_lost_or_odd_by_itself)
{
    enum { NAME = 1024, OWNERS = 140 };
    struct file file = file_begin(1);
    memset(file.bytes + 28, 0, 8); /* the time is a name, too */
    memory(&file, "ApAn", 1, 16);
    put(&file, 1, 8);
    put(&file, 1, 8);
    memory(&file, "AADT", 1, NAME);
    for (unsigned i = 0; i < NAME; i++)
        put(&file, 'x', 1);
    for (unsigned i = 0; i < OWNERS; i++)
        put_owner(&file, "AACQ", i, 8);
    for (unsigned less = 0; less < 2; less++) { /* the padding makes room for one more */
        while (!less && (4 * file.size + (1u << 20)) / NAME < 8 * OWNERS - 1)
            section(&file, "DvCf", 0);
        const unsigned named = (unsigned)((4 * file.size + (1u << 20)) / NAME);
        annot_dxdmp *dump = open_file(&file);
        char *text = report_of_file(dump, false, NULL);
        cr_expect_eq(count_of(text, "\n    xxx"), named < 8 * OWNERS ? named : 8 * OWNERS);
        cr_expect_eq(strstr(text, "\nLOST OR ODD\n  1 names were left out: ") != NULL, !less, "%s",
                     strstr(text, "LOST"));
        cr_expect_eq(strstr(text, "LOST OR ODD") != NULL, !less);
        cr_expect_eq(strstr(text, "\n    ...  0x0000000000000001\n") != NULL, !less);
        free(text);
        annot_dxdmp_close(dump);
        for (unsigned i = 0; i < NAME / 64; i++)
            section(&file, "DvCf", 0);
    }
    free(file.bytes);
}
