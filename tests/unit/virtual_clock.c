/* No time is shown that is none: a dump says that its clock is virtual, and reports don't make a
 * date of it [ANN-TRUTH-04]. */
#include "device_dump.h"
#include "dump_builder.h"
#include "spy.h"

#include <annot/dump.h>

static void is_virtual(const annot_reader *reader, uint64_t time, const char *line)
{
    annot_reader_device about;
    annot_reader_get_device(reader, &about);
    cr_expect(about.has_virtual_clock && about.time == 0 && about.virtual_time == time);
    AT_END(at_end_free_report) char *text = device_dump_text(reader, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, line), "%s", text);
    cr_expect_null(strstr(text, "1970"), "%s", text);
    annot_report_free(text);
    text = device_dump_text(reader, ANNOT_REPORT_JSON);
    char member[64];
    snprintf(member, sizeof member, "\"virtual_time\":\"%llu\"", (unsigned long long)time);
    cr_expect(strstr(text, "\"time\":\"0\"") && strstr(text, member), "%s", text);
}

static void check_written(uint64_t time, const char *line)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    const annot_dump_info info = {
        .error = ANNOT_DEVICE_ERROR_HUNG, .time = time, .has_virtual_clock = true};
    AT_END(device_dump_done) struct device_dump dump = device_dump_with(device, &info);
    is_virtual(dump.reader, time, line);
}

Test(virtual_clock, is_said_and_is_no_date)
{
    check_written(2010458681, "time         2.010458681 s on the virtual clock (no date)\n");
    check_written(0, "time         0.000000000 s on the virtual clock (no date)\n");
    check_written(UINT64_C(1700000000000000000), "time         1700000000.000000000 s on the virt");
}

/* Their writers said nothing of the clock; nobody has a GPU that hung before 2000. */
Test(virtual_clock, is_seen_in_dumps_of_before)
{
    AT_END(dump_free) struct dump dump;
    dump_start_device(&dump, &(struct annot__dump_DEVICE){.time = 2010458681, .error = ERROR_HUNG});
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    is_virtual(reader, 2010458681, "time         2.010458681 s on the virtual clock (no date)\n");
}

Test(virtual_clock, a_time_of_day_stays_one)
{
    AT_END(dump_free) struct dump dump;
    annot_reader_device about;
    dump_start_device(&dump, &(struct annot__dump_DEVICE){.time = UINT64_C(1700000000000000000),
                                                          .error = ERROR_HUNG});
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_get_device(reader, &about);
    cr_expect(!about.has_virtual_clock && about.virtual_time == 0);
    cr_expect_eq(about.time, UINT64_C(1700000000000000000));
    AT_END(at_end_free_report) char *text = device_dump_text(reader, ANNOT_REPORT_TEXT);
    cr_expect(strstr(text, "time         2023-11-14 22:13:20 UTC\n"), "%s", text);
}

/* An unknown time is not shown. */
Test(virtual_clock, no_time_is_neither)
{
    AT_END(dump_free) struct dump dump;
    annot_reader_device about;
    dump_start_device(&dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG});
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_get_device(reader, &about);
    cr_expect(!about.has_virtual_clock && about.time == 0);
    AT_END(at_end_free_report) char *text = device_dump_text(reader, ANNOT_REPORT_TEXT);
    cr_expect_null(strstr(text, "\n  time "), "%s", text);
}
