#include "dump.h"

#include "ending.h"
#include "os_say.h"
#include "say.h"
#include "watchdog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *log_path; /* the path of a test's log */

/* How far back to read the kernel log when no work is in flight. */
static const uint64_t minute = 60000000000u;

void crash_counts_add(struct crash_counts *counts, uint32_t begun, uint32_t ended, uint32_t points)
{
    atomic_fetch_add_explicit(&counts->begun, begun, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->ended, ended, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->points, points, memory_order_relaxed);
}

void crash_dump_init(struct crash_dump *dump, annot_device_error error, const char *reason)
{
    memset(dump, 0, sizeof *dump); /* too large for the stack of a small thread */
    dump->report.size = sizeof dump->report;
    snprintf(dump->reason, sizeof dump->reason, "%s", reason);
    dump->info.error = error;
    dump->info.reason = dump->reason;
    dump->info.facts = dump->facts;
}

void crash_dump_add_fact(struct crash_dump *dump, const char *key, const char *value)
{
    if (dump->info.fact_count < sizeof dump->facts / sizeof *dump->facts)
        dump->facts[dump->info.fact_count++] = (annot_fact){key, value};
    else
        dump->info.findings_cut++;
}

static unsigned long long count_of(const _Atomic uint64_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

void crash_dump_add_counts(struct crash_dump *dump, const struct crash_counts *counts)
{
    snprintf(dump->labels, sizeof dump->labels, "%llu begun, %llu ended, %llu points, %llu names",
             count_of(&counts->begun), count_of(&counts->ended), count_of(&counts->points),
             count_of(&counts->names));
    crash_dump_add_fact(dump, "labels", dump->labels);
}

void crash_dump_add_rows(struct crash_dump *dump, const annot_progress *rows, uint32_t count,
                         uint32_t promises)
{
    dump->report.promises = promises;
    dump->report.progress = rows;
    dump->report.progress_count = count;
    dump->info.report = &dump->report;
}

void crash_dump_add_fault(struct crash_dump *dump, uint64_t address, annot_fault_source source)
{
    if (dump->info.fault_count == sizeof dump->faults / sizeof *dump->faults)
        return;
    dump->faults[dump->info.fault_count++] = (annot_fault){address, source, 0};
    dump->info.faults = dump->faults;
    dump->info.error = ANNOT_DEVICE_ERROR_PAGE_FAULT;
}

uint32_t crash_rows_keep(annot_progress *rows, uint32_t count,
                         bool (*is_cut)(void *user, uint64_t list, uint32_t bundle), void *user)
{
    uint32_t kept = 0;
    uint64_t list = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].bundle == 0)
            list = rows[i].object;
        if (rows[i].bundle == 0 || rows[i].state != ANNOT_PROGRESS_UNKNOWN ||
            rows[i].inside != ANNOT_INSIDE_NOT_TRACKED || is_cut(user, list, rows[i].bundle))
            rows[kept++] = rows[i];
    }
    return kept;
}

void crash_kernel_set_log(const char *path)
{
    log_path = path;
}

static void say_kernel(struct crash_dump *dump)
{
    const struct kernel_log *kernel = &dump->kernel;
    const uint64_t span = kernel->now - kernel->since;
    const uint32_t all = kernel->count + kernel->others;
    char count[96], left[32] = "";
    kernel_log_count(kernel, count, sizeof count);
    if (all > kernel->kept)
        snprintf(left, sizeof left, ", %" PRIu32 " left out", all - kernel->kept);
    if (kernel->is_absent)
        snprintf(dump->kernel_said, sizeof dump->kernel_said, "not read: %s", kernel->why);
    else
        snprintf(dump->kernel_said, sizeof dump->kernel_said,
                 "%s in the %" PRIu64 ".%" PRIu64 " s before this dump%s%s%s", count,
                 span / 1000000000u, span / 100000000u % 10, left,
                 kernel->is_cut ? "; older records were overwritten" : "",
                 all && !kernel->process ? "; the log's process ids can't be compared" : "");
    crash_dump_add_fact(dump, "kernel", dump->kernel_said);
}

/* Adds the data that `annot kernel` needs to compare a log's times and process ids. */
static void add_clock(struct crash_dump *dump, uint64_t now)
{
    int size = snprintf(dump->kernel_clock, sizeof dump->kernel_clock,
                        "%" PRIu64 ".%06" PRIu64 " s", now / 1000000000u, now / 1000u % 1000000u);
    if (dump->kernel.process)
        snprintf(dump->kernel_clock + size, sizeof dump->kernel_clock - (size_t)size,
                 ", process %ld", dump->kernel.process);
    crash_dump_add_fact(dump, "kernel clock", dump->kernel_clock);
}

static void add_kernel(struct crash_dump *dump)
{
    struct kernel_log *kernel = &dump->kernel;
    const char *log = log_path ? log_path : kernel_log_path;
    if (!log)
        return;
    const uint64_t now = crash_clock_now();
    if (dump->since == 0 || dump->since > now)
        dump->since = now > minute ? now - minute : 0;
    kernel_log_init(kernel, dump->since, now, kernel_log_process());
    kernel_log_read(kernel, log);
    say_kernel(dump);
    add_clock(dump, now);
    for (uint32_t i = 0; i < kernel->kept; i++) {
        snprintf(dump->kernel_keys[i], sizeof dump->kernel_keys[i], "kernel %" PRIu32, i + 1);
        crash_dump_add_fact(dump, dump->kernel_keys[i], kernel->lines[i]);
    }
    if (*kernel->coredump)
        crash_dump_add_fact(dump, "coredump", kernel->coredump);
    if (*kernel->named)
        crash_dump_add_fact(dump, ANNOT_FACT_NAMED, kernel->named);
    if (*kernel->victim)
        crash_dump_add_fact(dump, ANNOT_FACT_RESET_OF, kernel->victim);
    if (kernel->has_fault)
        crash_dump_add_fault(dump, kernel->fault, ANNOT_FAULT_KERNEL);
}

void crash_dump_add_unsaid(struct crash_dump *dump, bool is_quiet)
{
    const char *obstacle = is_quiet ? NULL : os_say_obstacle();
    if (obstacle)
        crash_dump_add_fact(dump, "stderr", obstacle);
    crash_unsaid(dump->unsaid, sizeof dump->unsaid);
    if (*dump->unsaid)
        crash_dump_add_fact(dump, "not said", dump->unsaid);
}

bool crash_dump_write(struct crash_dump *dump, const struct crash_settings *settings,
                      annot_dump_writer *writer)
{
    annot_dump_path(settings->dump, dump->path, sizeof dump->path);
    add_kernel(dump);
    crash_dump_add_unsaid(dump, settings->is_quiet);
    const annot_result result = annot_dump_write_file(writer, &dump->info, dump->path);
    const char *written = annot_dump_writer_path(writer);
    if (result == ANNOT_OK)
        crash_tell(written);
    crash_dump_say(settings->is_quiet, result, dump->info.reason, *written ? written : dump->path);
    return result == ANNOT_OK;
}
