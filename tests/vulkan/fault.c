/* VK_KHR_device_fault: reports, each given once, and the vendor's binary. Structures and rules are
 * those of https://docs.vulkan.org/refpages/latest/refpages/source/VK_KHR_device_fault.html */
#include "asserts.h"
#include "kit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static VkDeviceFaultInfoKHR report_of(VkDeviceFaultFlagsKHR flags, uint64_t group, const char *text)
{
    VkDeviceFaultInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR,
        .flags = flags,
        .groupId = group,
        .faultAddressInfo = {VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT, 0xabc123, 0x1000},
        .instructionAddressInfo = {VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
                                   0x5550, 0x10},
        .vendorInfo = {"MMU", 7, 9},
    };
    snprintf(info.description, sizeof info.description, "%s", text);
    return info;
}

/* The report of a device that is lost with these. */
static const char *lose(struct app *app, const VkDeviceFaultInfoKHR *reports, uint32_t count,
                        const struct app_desc *desc)
{
    mock.has_fault_khr = true;
    mock.fault_reports = reports;
    mock.fault_report_count = count;
    app_open(app, desc);
    app_lose(app);
    return app_report(app);
}

static uint64_t blob_size(const struct app *app)
{
    annot_reader *reader;
    char bytes[64];
    if (annot_reader_open_file(NULL, app->dump, &reader) != ANNOT_OK)
        return 0;
    const uint64_t size = annot_reader_blob_count(reader) == 1
                              ? annot_reader_blob_read(reader, 0, 0, bytes, sizeof bytes)
                              : 0;
    annot_reader_close(reader);
    return size;
}

Test(vulkan_fault, reports_are_read_up_to_the_one_that_lost_the_device)
{
    AT_END(app_close) struct app app;
    const VkDeviceFaultInfoKHR reports[] = {
        report_of(VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR | VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR, 3,
                  "first page"),
        report_of(VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR | VK_DEVICE_FAULT_FLAG_VENDOR_KHR |
                      VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR |
                      VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR,
                  4, "shader ran too long"),
        report_of(0, 5, "never asked for")};
    mock.fault_binary = 6;
    const char *report = lose(&app, reports, 3, &(struct app_desc){0});
    cr_expect_not_null(strstr(report, "GPU PAGE FAULT"), "%s", report);
    cr_expect_not_null(strstr(report, "0xabc123"), "%s", report);
    cr_expect_not_null(strstr(report, "first page (group 3, earlier reports are lost)"));
    cr_expect_not_null(strstr(report, "invalid read from 0xabc000 to 0xabcfff"));
    cr_expect_not_null(strstr(report, "shader ran too long (group 4, GPU timeout)"));
    cr_expect_not_null(strstr(report, "instruction pointer of the fault from 0x5550 to 0x555f"));
    cr_expect_not_null(strstr(report, "MMU: code 0x7, data 0x9"));
    cr_expect_null(strstr(report, "never asked for"));
    cr_expect_eq(mock.fault_report_count, 1);
    cr_expect_eq(blob_size(&app), 6);
}

/* Fields whose flag is not set hold nothing. */
Test(vulkan_fault, only_what_the_flags_name_is_told)
{
    AT_END(app_close) struct app app;
    const VkDeviceFaultInfoKHR only =
        report_of(VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, 1, "no more is known");
    const char *report = lose(&app, &only, 1, &(struct app_desc){0});
    cr_expect_not_null(strstr(report, "no more is known (group 1)"), "%s", report);
    cr_expect_null(strstr(report, "PAGE FAULT"), "%s", report);
    cr_expect_null(strstr(report, "0xabc123"));
    cr_expect_null(strstr(report, "0x5550"));
    cr_expect_null(strstr(report, "MMU"));
    cr_expect_eq(blob_size(&app), 0);
}

/* A report may come after the call that returns the loss: the driver is given time, but less than
 * the two seconds after which the layer gives up. */
Test(vulkan_fault, the_driver_is_given_time_to_report)
{
    AT_END(app_close) struct app app;
    const char *report = lose(&app, NULL, 0, &(struct app_desc){0});
    cr_expect_not_null(strstr(report, "vkDeviceWaitIdle"), "%s", report);
    cr_expect_gt(mock.fault_wait, 0);
    cr_expect_lt(mock.fault_wait, 2000000000);
    cr_expect_eq(mock.fault_calls, 1);
}

Test(vulkan_fault, a_driver_that_reports_without_end_is_not_asked_without_end)
{
    AT_END(app_close) struct app app;
    VkDeviceFaultInfoKHR reports[40];
    for (uint32_t i = 0; i < 40; i++)
        reports[i] = report_of(0xf & ~VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, i, "again");
    const char *report = lose(&app, reports, 40, &(struct app_desc){0});
    cr_expect_eq(mock.fault_calls, 8);
    cr_expect_lt(mock.fault_wait, 2000000000);
    cr_expect_not_null(strstr(report, "again (group 0)"), "%s", report);
}

/* Nothing in a driver's words reaches the terminal, and no end of one is looked for outside. */
Test(vulkan_fault, words_of_a_hostile_driver_stay_inert)
{
    AT_END(app_close) struct app app;
    char text[VK_MAX_DESCRIPTION_SIZE];
    memset(text, 'x', sizeof text);
    memcpy(text, "\x1b[2J%n<b>", 9);
    VkDeviceFaultInfoKHR only = report_of(0xf, UINT64_MAX, "");
    memcpy(only.description, text, sizeof text); /* no NUL */
    memcpy(only.vendorInfo.description, text, sizeof text);
    only.faultAddressInfo =
        (VkDeviceFaultAddressInfoKHR){(VkDeviceFaultAddressTypeEXT)0x7fffffff, UINT64_MAX, 0};
    const char *report = lose(&app, &only, 1, &(struct app_desc){0});
    cr_expect_null(strchr(report, '\x1b'));
    cr_expect_not_null(strstr(report, "%n<b>"), "%s", report);
    cr_expect_not_null(strstr(report, "0xffffffffffffffff"), "%s", report);
}

/* Features that would change the faults of the application stay off; one of the two extensions is
 * enough. */
Test(vulkan_fault, nothing_that_changes_faults_is_enabled)
{
    AT_END(app_close) struct app app;
    mock.has_fault = true;
    const VkDeviceFaultInfoKHR only = report_of(VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, 1, "one");
    lose(&app, &only, 1, &(struct app_desc){0});
    const VkBool32 expected[4] = {VK_TRUE, VK_TRUE, VK_FALSE, VK_FALSE};
    cr_expect_arr_eq(mock.fault_features, expected, sizeof expected);
    bool has_ext = false;
    for (uint32_t i = 0; i < mock.extension_count; i++)
        has_ext |= strcmp(mock.extensions[i], VK_EXT_DEVICE_FAULT_EXTENSION_NAME) == 0;
    cr_expect_not(has_ext);
}

/* "Each individual fault report is returned exactly once": an application that enabled them itself
 * waits for them. The vendor's binary is the same however often it is read. */
Test(vulkan_fault, reports_are_left_to_an_application_that_wants_them)
{
    AT_END(app_close) struct app app;
    VkPhysicalDeviceFaultFeaturesKHR own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
        .deviceFault = VK_TRUE,
        .deviceFaultVendorBinary = VK_TRUE};
    const VkDeviceFaultInfoKHR only = report_of(0xf, 1, "the application's");
    mock.fault_binary = 9;
    const char *report =
        lose(&app, &only, 1,
             &(struct app_desc){.device_next = &own,
                                .extensions = {VK_KHR_DEVICE_FAULT_EXTENSION_NAME}});
    cr_expect_eq(mock.fault_report_count, 1);
    cr_expect_null(strstr(report, "the application's"), "%s", report);
    cr_expect_not_null(strstr(report, "left the fault reports to the application"), "%s", report);
    cr_expect_eq(blob_size(&app), 9);
}

Test(vulkan_fault, an_application_that_turned_it_off_is_not_overruled)
{
    AT_END(app_close) struct app app;
    VkPhysicalDeviceFaultFeaturesKHR own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR};
    const VkDeviceFaultInfoKHR only = report_of(0xf, 1, "nobody's");
    lose(&app, &only, 1, &(struct app_desc){.device_next = &own});
    cr_expect_eq(mock.fault_calls, 0);
}

/* A binary too large to hold is left out; the rest of the dump is not. */
Test(vulkan_fault, a_binary_without_bounds_is_left_out)
{
    AT_END(app_close) struct app app;
    const VkDeviceFaultInfoKHR only = report_of(VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, 1, "one");
    mock.fault_binary = UINT32_MAX;
    const char *report = lose(&app, &only, 1, &(struct app_desc){0});
    cr_expect_not_null(strstr(report, "one (group 1)"), "%s", report);
    cr_expect_eq(blob_size(&app), 0);
}

/* Only an application that enabled VK_KHR_shader_abort is asked about; the message has no NUL. */
Test(vulkan_fault, a_shader_s_last_words_are_told)
{
    for (VkBool32 is_on = VK_FALSE; is_on <= VK_TRUE; is_on++) {
        AT_END(app_close) struct app app;
        struct {
            VkStructureType type;
            void *next;
            VkBool32 has;
        } own_abort = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR, NULL, is_on};
        VkPhysicalDeviceFaultFeaturesKHR own = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
            .pNext = &own_abort,
            .deviceFault = VK_TRUE};
        mock.abort_message = "assert: index < count\x1b[2J";
        const char *report = lose(&app, NULL, 0, &(struct app_desc){.device_next = &own});
        cr_expect_eq(strstr(report, "assert: index < count") != NULL, is_on, "%s", report);
        cr_expect_null(strchr(report, '\x1b'));
    }
}

/* ---- what the kernel said, in tests/crash/kernel.c in full ---- */

/* A device that hangs while the log, a pipe of packets, has this line. */
static const char *hang_beside(struct app *app, const char *line)
{
    int ends[2];
    char path[64], record[256];
    cr_assert_eq(pipe2(ends, O_DIRECT), 0);
    app_open(app, &(struct app_desc){0});
    mock.hang = 1;
    app_submit(app, app_command(app, "{a w1 }"), VK_NULL_HANDLE);
    const int size =
        snprintf(record, sizeof record, "3,1,%" PRIu64 ",-;%s\n", crash_clock_now() / 1000, line);
    cr_assert_eq(write(ends[1], record, (size_t)size), size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    crash_kernel_set_log(path);
    cr_expect(app_watch(app));
    crash_kernel_set_log(NULL);
    close(ends[0]);
    close(ends[1]);
    return app_report(app);
}

/* https://github.com/NVIDIA/open-gpu-kernel-modules/issues/502 */
Test(vulkan_fault, the_kernel_s_line_is_in_the_dump)
{
    AT_END(app_close) struct app app;
    const char *report =
        hang_beside(&app, "NVRM: Xid (PCI:0000:26:00): 109, pid=55914, name=re8.exe, Ch 00000046, "
                          "errorString CTX SWITCH TIMEOUT, Info 0x2c02c");
    cr_expect_not_null(strstr(report, "1 line of GPU drivers in the "), "%s", report);
    cr_expect_not_null(strstr(report, "NVRM: Xid (PCI:0000:26:00): 109, pid=55914"), "%s", report);
    cr_expect_not_null(strstr(report, "(context switch timeout error)"), "%s", report);
}

Test(vulkan_fault, a_hostile_line_of_the_kernel_stays_inert)
{
    AT_END(app_close) struct app app;
    const char *report = hang_beside(
        &app, "NVRM: Xid (PCI:0000:26:00): 31, pid=9, name=\x1b[2J%n%s<script>\xff\xfe");
    cr_expect_null(strchr(report, '\x1b'));
    cr_expect_not_null(strstr(report, "%n%s<script>"), "%s", report);
}

Test(vulkan_fault, a_log_that_is_not_there_is_told)
{
    APP();
    crash_kernel_set_log("/no-such-log");
    app_lose(&app);
    crash_kernel_set_log(NULL);
    const char *report = app_report(&app);
    cr_expect_not_null(strstr(report, "not read: /no-such-log is not there"), "%s", report);
}

/* RADV's folder is $HOME/radv_dumps_PID_TIME with RADV_DEBUG=hang; a link in its place, whoever
 * made it, is named and not followed. https://docs.mesa3d.org/drivers/amd/hang-debugging.html */
Test(vulkan_fault, the_driver_s_own_files_are_named)
{
    static const struct {
        const char *debug, *has, *has_not;
        bool is_link;
    } rows[] = {{"info,hang", "_2026 trace.log\n", NULL, false},
                {"hang", "_2026\n", "trace.log", true},
                {"info", "driver's log", "driver's report", false}};
    char home[] = "/tmp/annot-XXXXXX", folder[80], other[80], file[120];
    cr_assert_not_null(mkdtemp(home));
    snprintf(folder, sizeof folder, "%s/radv_dumps_%ld_2026", home, (long)getpid());
    snprintf(other, sizeof other, "%s/other", home);
    snprintf(file, sizeof file, "%s/trace.log", other);
    mkdir(other, 0700);
    fclose(fopen(file, "w"));
    setenv("HOME", home, 1);
    setenv("MESA_LOG_FILE", "/tmp/mesa.log", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(app_close) struct app app;
        setenv("RADV_DEBUG", rows[i].debug, 1);
        cr_assert_eq(rows[i].is_link ? symlink(other, folder) : rename(other, folder), 0);
        const char *report = lose(&app, NULL, 0, &(struct app_desc){0});
        cr_expect_not_null(strstr(report, rows[i].has), "%s: %s", rows[i].has, report);
        cr_expect(!rows[i].has_not || !strstr(report, rows[i].has_not), "%s", report);
        cr_expect_not_null(strstr(report, "/tmp/mesa.log"), "%s", report);
        cr_assert_eq(rows[i].is_link ? unlink(folder) : rename(folder, other), 0);
    }
    unlink(file);
    rmdir(other);
    rmdir(home);
}
