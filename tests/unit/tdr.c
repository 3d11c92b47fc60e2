/* The kernel-mode driver's words: written, read back, and in the text report [ANN-TDR]. */
#include "device_dump.h"
#include "dump_builder.h"

TestSuite(tdr, .fini = guarded_expect_nothing_left);

enum { ADAPTER = 0x117, ENGINE = 0x141, NO_NODE = -1 };

static const annot_tdr asked = {
    .queue = 3,
    .context = 4,
    .last_completed = 6,
    .last_submitted = 9,
    .time = 5000000,
    .type = 6,
    .reason = ENGINE,
    .ddi = 2,
    .status = -1073741823,
    .bucketing_key = 0xC0DE,
    .dma_offset = 0x40,
    .node = 2,
    .payload_size = 3,
    .payload = {1, 2, 3},
    .returned = {1, 2, 9},
    .flags = ANNOT_TDR_FAILED | ANNOT_TDR_RESET_FAILED,
};

static bool has_finding(const annot_reader *reader)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.kind == ANNOT_FINDING_KERNEL_DRIVER)
            return true;
    return false;
}

static struct device_dump written(const annot_tdr *tdr)
{
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .tdr = tdr};
    struct device_dump dump = {0};
    const annot_dump_sink sink = {&dump, device_dump_write, device_dump_finish};
    const annot_device_desc desc = {0};
    annot_dump_writer *writer;
    annot_device *device;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    cr_assert_eq(annot_dump_write(writer, &info, &sink), ANNOT_OK);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    cr_assert_eq(annot_reader_open_memory(&guarded_memory, dump.data, dump.size, &dump.reader),
                 ANNOT_OK);
    return dump;
}

Test(tdr, what_is_written_is_read)
{
    AT_END(device_dump_done) struct device_dump dump = written(&asked);
    annot_reader_tdr read;
    cr_assert(annot_reader_get_tdr(dump.reader, &read));
    cr_assert_eq3(read.queue, 3, read.context, 4, read.last_completed, 6);
    cr_assert_eq3(read.last_submitted, 9, read.time, 5000000, read.type, 6);
    cr_assert_eq3(read.reason, ENGINE, read.ddi, 2, read.status, asked.status);
    cr_assert_eq3(read.bucketing_key, 0xC0DE, read.dma_offset, 0x40, read.node, 2);
    cr_assert_eqs(read.flags, asked.flags, read.payload_size, 3);
    cr_assert_arr_eq(read.payload, asked.payload, 3);
    cr_assert_arr_eq(read.returned, asked.returned, 3);
    cr_assert(has_finding(dump.reader));
}

Test(tdr, a_payload_is_cut_and_none_is_none)
{
    annot_tdr tdr = asked;
    annot_reader_tdr read;
    tdr.payload_size = 4096;
    tdr.flags = ANNOT_TDR_RESET_FAILED;
    tdr.payload[ANNOT_TDR_PAYLOAD_MAX - 1] = 7;
    AT_END(device_dump_done) struct device_dump dump = written(&tdr);
    cr_assert(annot_reader_get_tdr(dump.reader, &read));
    cr_assert_eq(read.payload_size, ANNOT_TDR_PAYLOAD_MAX);
    cr_assert_arr_eq(read.payload, tdr.payload, ANNOT_TDR_PAYLOAD_MAX);
    cr_assert_arr_eq(read.returned, tdr.returned, ANNOT_TDR_PAYLOAD_MAX);
    cr_assert(!has_finding(dump.reader), "a reset that failed is no fault of what it said");
    device_dump_done(&dump);
    dump = written(NULL);
    cr_assert(!annot_reader_get_tdr(dump.reader, &read));
}

/* ---- from files that say anything ---- */

static annot_reader *read_from(struct dump *dump, const struct annot__dump_TDR *tdr, size_t bytes)
{
    static const unsigned char payload[256];
    *dump = (struct dump){0};
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 4, 19, "Compute");
    dump_section(dump, ANNOT__DUMP_SECTION_TDR);
    dump_put_TDR(dump, tdr, payload, bytes);
    return dump_open(dump, ANNOT_OK);
}

static uint32_t payload_of(uint32_t said, size_t bytes)
{
    struct dump dump;
    annot_reader_tdr read;
    annot_reader *reader = read_from(&dump, &(struct annot__dump_TDR){.payload_size = said}, bytes);
    cr_assert(annot_reader_get_tdr(reader, &read));
    annot_reader_close(reader);
    dump_free(&dump);
    return read.payload_size;
}

/* Twice as many bytes as the payload has: as it was given, and as it came back. */
Test(tdr, a_payload_that_is_not_there_is_none)
{
    cr_assert_eq(payload_of(40, 80), 40);
    cr_assert_eq(payload_of(40, 79), 0);
    cr_assert_eq(payload_of(64, 128), 64);
    cr_assert_eq(payload_of(65, 130), 0);
    cr_assert_eq(payload_of(UINT32_MAX, 16), 0);
}

static void expect_text(const struct annot__dump_TDR *tdr, const char *expected)
{
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = read_from(&dump, tdr, 80);
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    const char *at = strstr(text, "  TDR ");
    cr_assert(at && strncmp(at, expected, strlen(expected)) == 0, "%s\n%s", expected, text);
}

Test(tdr, the_report_says_type_payload_and_what_was_wrong)
{
    expect_text(&(struct annot__dump_TDR){.type = 2, .reason = ADAPTER, .node = (uint32_t)NO_NODE},
                "  TDR          PREEMPT_TIMEOUT (type 2), reason 0x117\n"
                "               the kernel-mode driver collects no debug information\n");
    expect_text(&(struct annot__dump_TDR){.type = 6,
                                          .reason = ENGINE,
                                          .node = 2,
                                          .last_completed = 6,
                                          .last_submitted = 9,
                                          .ddi = 2,
                                          .bucketing_key = 0xC0DE,
                                          .payload_size = 40,
                                          .context = 4},
                "  TDR          ENGINE_TIMEOUT (type 6), reason 0x141, node 2, fences 6 completed, "
                "9 submitted\n"
                "               DxgkDdiCollectDbgInfo2: bucketing key 0xc0de, payload 40 bytes, "
                "guilty: \"Compute\"\n");
    expect_text(
        &(struct annot__dump_TDR){
            .type = 9, .reason = ADAPTER, .node = (uint32_t)NO_NODE, .ddi = 1, .flags = 63},
        "  TDR          ENGINE_TIMEOUT_PROMOTED (type 9), reason 0x117\n               "
        "DxgkDdiCollectDbgInfo: bucketing key 0x0, payload 0 bytes\n               the driver "
        "wrote past the end of its buffer, so the buffer is not kept\n               the driver's "
        "function failed\n               the context that the driver calls guilty is not of this "
        "device\n               the driver exceeded TdrDdiDelay: Windows would have stopped with "
        "0x116\n               the driver changed bytes of the payload outside of hContext\n       "
        "        the engine could not be reset, so the adapter was reset\n");
}

/* docs/schema: all that the text says, with the payload before and after, as hexadecimal digits. */
Test(tdr, json_has_every_field_of_it)
{
    AT_END(device_dump_done) struct device_dump dump = written(&asked);
    AT_END(at_end_free) char *json = report_of(dump.reader, true, NULL);
    const char *at = strstr(json, "\"tdr\":{");
    cr_assert(at, "%s", json);
    static const char expected[] =
        "\"tdr\":{\"type\":\"ENGINE_TIMEOUT\",\"type_number\":6,\"reason\":321,\"ddi\":2,"
        "\"status\":\"0xc0000001\",\"bucketing_key\":\"0xc0de\",\"dma_buffer_offset\":\"0x40\","
        "\"node\":2,\"queue\":\"3\",\"queue_name\":null,\"guilty\":\"4\",\"guilty_name\":null,"
        "\"last_completed\":\"6\",\"last_submitted\":\"9\",\"nanoseconds\":\"5000000\",";
    cr_expect_eq(strncmp(at, expected, sizeof expected - 1), 0, "%s", at);
    cr_expect(strstr(at, ",\"payload\":\"010203\",\"returned\":\"010209\"}"), "%s", at);
}

/* DXGK_TDR_TYPE as published. */
Test(tdr, types_have_the_published_names)
{
    static const char *const names[] = {"UNKNOWN",
                                        "FORCED",
                                        "PREEMPT_TIMEOUT",
                                        "VSYNC_TIMEOUT",
                                        "DOD_PRESENT_FORCED",
                                        "DOD_PRESENT_TIMEOUT",
                                        "ENGINE_TIMEOUT",
                                        "DOD_VSYNC_FORCED",
                                        "DOD_VSYNC_TIMEOUT",
                                        "ENGINE_TIMEOUT_PROMOTED",
                                        "PAGE_FAULT",
                                        "INVALID_FENCE",
                                        "ENGINE_PAGE_FAULT",
                                        "DISPLAY_ENGINE_FAULT"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert_str_eq(annot_tdr_type_text(i), names[i]);
    cr_assert_str_eq(annot_tdr_type_text(14), "UNKNOWN");
    cr_assert_str_eq(annot_tdr_type_text(UINT32_MAX), "UNKNOWN");
}
