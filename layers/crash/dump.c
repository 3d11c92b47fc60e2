#include "dump.h"

#include "say.h"

#include <stdio.h>

void crash_counts_add(struct crash_counts *counts, uint32_t begun, uint32_t ended, uint32_t points)
{
    atomic_fetch_add_explicit(&counts->begun, begun, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->ended, ended, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->points, points, memory_order_relaxed);
}

void crash_dump_init(struct crash_dump *dump, annot_device_error error, const char *reason)
{
    *dump = (struct crash_dump){
        .report = {.size = sizeof dump->report},
        .info = {.error = error, .reason = reason},
    };
    dump->info.facts = dump->facts;
}

void crash_dump_add_fact(struct crash_dump *dump, const char *key, const char *value)
{
    if (dump->info.fact_count < sizeof dump->facts / sizeof *dump->facts)
        dump->facts[dump->info.fact_count++] = (annot_fact){key, value};
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

void crash_dump_add_rows(struct crash_dump *dump, const annot_progress *rows, uint32_t count)
{
    dump->report.progress = rows;
    dump->report.progress_count = count;
    dump->info.report = &dump->report;
}

void crash_dump_add_fault(struct crash_dump *dump, uint64_t address)
{
    dump->report.fault_address = address;
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

void crash_dump_write(const struct crash_dump *dump, const struct crash_settings *settings,
                      annot_dump_writer *writer)
{
    char path[sizeof settings->dump + 256];
    annot_dump_path(settings->dump, path, sizeof path);
    const annot_result result = annot_dump_write_file(writer, &dump->info, path);
    const char *written = annot_dump_writer_path(writer);
    crash_dump_say(settings, result, dump->info.reason, *written ? written : path);
}
