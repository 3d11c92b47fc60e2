/* A layer's dump, and the line that tells of it [ANN-VK, ANN-D3D]. */
#include "asserts.h"

#include "dump.h"
#include "os_say.h"
#include "say.h"
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;
static struct crash_dump dump;
static uint64_t clock_ns;

static uint64_t clock_now(void *user)
{
    (void)user;
    return clock_ns;
}

static void prepare(void)
{
    static const struct crash_clock clock = {clock_now, NULL};
    crash_clock_set(&clock);
    clock_ns = 100 * second;
    crash_dump_init(&dump, ANNOT_DEVICE_ERROR_HUNG, "it stopped");
}

TestSuite(dump, .init = prepare);

static const char *fact(const char *key)
{
    for (uint32_t i = 0; i < dump.info.fact_count; i++)
        if (strcmp(dump.info.facts[i].key, key) == 0)
            return dump.info.facts[i].value;
    return "none";
}

Test(dump, begins_with_an_error_and_its_reason_alone)
{
    cr_assert_eq(dump.info.error, ANNOT_DEVICE_ERROR_HUNG);
    cr_assert_str_eq(dump.info.reason, "it stopped");
    cr_assert_eqs(dump.info.fact_count, 0, dump.report.size, sizeof dump.report);
    cr_assert(dump.info.report == NULL && dump.info.blob_count == 0);
}

Test(dump, keeps_as_many_facts_as_there_is_room_for)
{
    enum { ROOM = sizeof dump.facts / sizeof *dump.facts };
    for (unsigned i = 0; i < ROOM + 3; i++) {
        crash_dump_add_fact(&dump, "key", "value");
        cr_assert_eqs(dump.info.fact_count, i < ROOM ? i + 1 : ROOM, dump.info.findings_cut,
                      i < ROOM ? 0 : i + 1 - ROOM);
    }
    cr_assert(dump.info.report == NULL); /* what lies behind them */
}

Test(dump, says_how_many_markers_and_names_there_were)
{
    struct crash_counts counts = {.names = 7};
    crash_counts_add(&counts, 1, 2, 3);
    crash_counts_add(&counts, 10, 20, 30);
    crash_dump_add_counts(&dump, &counts);
    cr_assert_str_eq(fact("labels"), "11 begun, 22 ended, 33 points, 7 names");
}

Test(dump, has_rows_and_a_fault_in_its_report)
{
    static const annot_progress rows[3] = {{.object = 1}};
    crash_dump_add_rows(&dump, rows, 3, ANNOT_PROMISE_DRAINS);
    cr_assert(dump.info.report == &dump.report && dump.report.progress == rows);
    cr_assert_eqs(dump.report.progress_count, 3, dump.report.promises, ANNOT_PROMISE_DRAINS);
    cr_assert_eq(dump.info.error, ANNOT_DEVICE_ERROR_HUNG);
    crash_dump_add_fault(&dump, 0x1234, ANNOT_FAULT_RUNTIME);
    cr_assert_eqs(dump.info.faults[0].address, 0x1234, dump.info.faults[0].source,
                  ANNOT_FAULT_RUNTIME);
    cr_assert_eqs(dump.info.fault_count, 1, dump.info.error, ANNOT_DEVICE_ERROR_PAGE_FAULT);
}

static bool is_cut(void *user, uint64_t list, uint32_t bundle)
{
    cr_assert(user == &dump);
    return list == 20 && bundle == 3;
}

/* A list always; a bundle that something is known of, or whose place alone tells nothing. */
Test(dump, leaves_bundles_out_of_which_nothing_is_known)
{
    enum { UNKNOWN = ANNOT_PROGRESS_UNKNOWN, STARTED = ANNOT_PROGRESS_STARTED };
    enum { INSIDE = ANNOT_INSIDE_NOT_TRACKED };
    annot_progress rows[] = {
        {.object = 10, .bundle = 0, .state = UNKNOWN, .inside = INSIDE},
        {.object = 11, .bundle = 1, .state = UNKNOWN, .inside = INSIDE}, /* out */
        {.object = 12, .bundle = 3, .state = UNKNOWN, .inside = INSIDE}, /* out: of another list */
        {.object = 13, .bundle = 2, .state = STARTED, .inside = INSIDE},
        {.object = 20, .bundle = 0, .state = UNKNOWN, .inside = INSIDE},
        {.object = 21, .bundle = 1, .state = UNKNOWN, .inside = INSIDE}, /* out */
        {.object = 22, .bundle = 2, .state = UNKNOWN, .inside = INSIDE + 1},
        {.object = 23, .bundle = 3, .state = UNKNOWN, .inside = INSIDE},
    };
    static const uint64_t kept[] = {10, 13, 20, 22, 23};
    cr_assert_eq(crash_rows_keep(rows, 8, is_cut, &dump), 5);
    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(rows[i].object, kept[i], "row %zu", i);
    cr_assert_eq(crash_rows_keep(rows, 0, is_cut, &dump), 0);
}

/* ---- with the kernel's log ---- */

static char folder[64], path[128], log_path[128], errors[512];
static int log_file = -1;

/* A file whose records are each as long as the reader's buffer gives one for each read, as the log
 * does. */
static void log_line(unsigned seconds, const char *text)
{
    char record[8192] = "";
    snprintf(record, sizeof record, "3,1,%u000000,-;%s\n", seconds, text);
    if (log_file < 0)
        log_file = open(log_path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    cr_assert_eq(write(log_file, record, sizeof record), (ssize_t)sizeof record);
    crash_kernel_set_log(log_path);
}

static int said[2], kept_stderr;

/* After hear_end, `errors` has everything that was written to stderr from here on. */
static void hear(void)
{
    cr_assert_eq(pipe(said), 0);
    fcntl(said[0], F_SETFL, O_NONBLOCK);
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    dup2(said[1], STDERR_FILENO);
    os_say_begin();
}

static void hear_end(void)
{
    dup2(kept_stderr, STDERR_FILENO);
    const ssize_t size = read(said[0], errors, sizeof errors - 1);
    errors[size < 0 ? 0 : size] = '\0';
    close(kept_stderr);
    close(said[0]);
    close(said[1]);
}

static void write_dump(struct crash_settings *settings)
{
    annot_device *device = NULL;
    annot_dump_writer *writer = NULL;
    const annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    hear();
    crash_dump_write(&dump, settings, writer);
    hear_end();
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
}

static struct crash_settings settings_to(const char *to)
{
    struct crash_settings settings;
    crash_settings_init(&settings);
    snprintf(settings.dump, sizeof settings.dump, "%s", to);
    return settings;
}

static void make_folder(void)
{
    prepare();
    snprintf(folder, sizeof folder, "/tmp/annot-crash-dump-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/dump", folder);
    snprintf(log_path, sizeof log_path, "%s/log", folder);
}

static void remove_folder(void)
{
    unlink(path);
    unlink(log_path);
    rmdir(folder);
}

TestSuite(dump_written, .init = make_folder, .fini = remove_folder);

/* The ids in the log can be compared with this process's, or the fact says that they can't. */
static const char *of_ids(void)
{
    return kernel_log_process() ? "" : "; the log's process ids can't be compared";
}

static void said_is(const char *lines, const char *span, const char *left)
{
    char right[256];
    snprintf(right, sizeof right, "%s of GPU drivers in the %s s before this dump%s%s", lines, span,
             left, *lines == '0' ? "" : of_ids());
    cr_assert_str_eq(fact("kernel"), right);
}

Test(dump_written, has_the_kernels_lines_since_the_work_began)
{
    struct crash_settings settings = settings_to(path);
    dump.since = 87700000000u;
    log_line(85, "NVRM: Xid (PCI:0000:26:00): 8, pid=1"); /* before it, and the clocks' drift */
    log_line(90, "NVRM: Xid (PCI:0000:26:00): 13, pid=1");
    write_dump(&settings);
    said_is("1 line", "12.3", "");
    cr_assert_str_eq(fact("kernel 1"),
                     "10.0 s before: NVRM: Xid (PCI:0000:26:00): 13, pid=1 (graphics engine "
                     "exception)");
    cr_assert_str_eq(fact("kernel 2"), "none");
    cr_assert_str_eq(fact("coredump"), "none");
    cr_assert(dump.info.report == NULL);
}

Test(dump_written, counts_the_lines_that_it_has_no_room_for)
{
    struct crash_settings settings = settings_to(path);
    for (unsigned i = 0; i < KERNEL_LOG_LINES + 5; i++)
        log_line(90, "NVRM: Xid (PCI:0000:26:00): 1000, pid=1");
    write_dump(&settings);
    said_is("29 lines", "60.0", ", 5 left out");
    cr_assert_str_eq(fact("kernel 24"), "10.0 s before: NVRM: Xid (PCI:0000:26:00): 1000, pid=1");
    cr_assert_eq(dump.info.fact_count, 27);
}

Test(dump_written, names_the_devices_coredump)
{
    struct crash_settings settings = settings_to(path);
    log_line(90, "amdgpu 0000:0d:00.0: amdgpu: [drm] Check your "
                 "/sys/class/drm/card999/device/devcoredump/data");
    write_dump(&settings);
    cr_assert_str_eq(fact("coredump"), "/sys/class/drm/card999/device/devcoredump/data (gone)");
}

/* The kernel's log of the last minute counts where work began later or at an unknown time. */
Test(dump_written, has_the_lines_of_a_minute_where_no_work_is_known)
{
    static const struct {
        uint64_t since, now;
        const char *span;
    } rows[] = {
        {0, 100000000000u, "60.0"},
        {100000000001u, 100000000000u, "60.0"},
        {100000000000u, 100000000000u, "0.0"},
        {1, 100900000000u, "100.8"},
        {0, 60000000000u, "60.0"},
        {0, 59900000000u, "59.9"},
        {0, 60100000000u, "60.0"},
    };
    struct crash_settings settings = settings_to(path);
    crash_kernel_set_log("/dev/null");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        prepare();
        clock_ns = rows[i].now;
        dump.since = rows[i].since;
        write_dump(&settings);
        said_is("0 lines", rows[i].span, "");
        cr_assert_eq(dump.info.fact_count, 2); /* the log's clock, too */
    }
}

Test(dump_written, says_why_it_has_no_lines)
{
    struct crash_settings settings = settings_to(path);
    crash_kernel_set_log("/no-such-log");
    write_dump(&settings);
    cr_assert_str_eq(fact("kernel"), "not read: /no-such-log is not there");
}

Test(dump_written, is_told_of_in_one_line)
{
    char right[512];
    struct crash_settings settings = settings_to(path);
    crash_kernel_set_log("/dev/null");
    write_dump(&settings);
    snprintf(right, sizeof right, "annot: it stopped; wrote %s\n", path);
    cr_assert_str_eq(errors, right);
    cr_assert_eq(access(path, R_OK), 0);
    prepare();
    settings.is_quiet = true;
    write_dump(&settings);
    cr_assert_str_eq(errors, "");
    prepare();
    settings = settings_to("/nonexistent/dump");
    write_dump(&settings);
    snprintf(right, sizeof right, "annot: it stopped; the dump can't be written to %s: %s\n",
             "/nonexistent/dump", strerror(ENOENT));
    cr_assert_str_eq(errors, right); /* the reason is the system's: a full disk is called full */
}

/* The program gave descriptor 2 to a file of its own; the dump says it in the line's place. */
Test(dump_written, says_itself_what_stderr_does_not_take)
{
    struct crash_settings settings = settings_to(path);
    hear();
    close(STDERR_FILENO);
    cr_assert_eq(open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600), STDERR_FILENO);
    crash_say(settings.is_quiet, "there is no memory");
    crash_say(settings.is_quiet, "there is no memory again");
    crash_dump_add_unsaid(&dump, settings.is_quiet);
    const off_t size = lseek(STDERR_FILENO, 0, SEEK_END);
    hear_end();
    cr_assert_eq(size, 0);
    cr_assert_str_eq(fact("stderr"), "the program uses descriptor 2 for something else");
    cr_assert_str_eq(
        fact("not said"),
        "there is no memory (the program uses descriptor 2 for something else), and 1 more");
}

Test(dump, a_line_of_the_layers_is_told_unless_it_is_to_be_quiet)
{
    struct crash_settings settings = settings_to("dump");
    hear();
    crash_say(settings.is_quiet, "the GPU is lost");
    hear_end();
    cr_assert_str_eq(errors, "annot: the GPU is lost\n");
    settings.is_quiet = true;
    hear();
    crash_say(settings.is_quiet, "the GPU is lost");
    hear_end();
    cr_assert_str_eq(errors, "");
}
