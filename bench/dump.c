/* 1 M markers to a file, fsync included as annot_dump_write_file does it, and back. */
#include "bench.h"

#include "driver.h"
#include "world.h"

#include <annot/dump.h>
#include <annot/reader.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MARKERS 1000000u
#define ROUNDS  10u
#define PAYLOAD 32u

/* An allocator that knows its peak. */
typedef struct ledger {
    atomic_ullong now, peak;
} ledger;

static void *ledger_allocate(void *user, size_t size, size_t alignment)
{
    ledger *it = user;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) != 0)
        return NULL;
    unsigned long long now = atomic_fetch_add(&it->now, size) + size;
    if (now > atomic_load(&it->peak))
        atomic_store(&it->peak, now);
    return memory;
}

static void ledger_release(void *user, void *memory, size_t size)
{
    ledger *it = user;
    atomic_fetch_sub(&it->now, size);
    free(memory);
}

static annot_allocator ledger_allocator(ledger *it)
{
    return (annot_allocator){it, ledger_allocate, ledger_release};
}

typedef struct scene {
    bench_world world;
    annot_dump_writer *writer;
    char path[512];
    ledger writing, reading;
    uint64_t null_bytes;
} scene;

static bool null_write(void *user, const void *data, size_t size)
{
    (void)data;
    *(uint64_t *)user += size;
    return true;
}

static bool null_finish(void *user, const void *magic, size_t size)
{
    (void)user, (void)magic, (void)size;
    return true;
}

static void write_file(void *state)
{
    scene *it = state;
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG};
    remove(it->path);
    if (annot_dump_write_file(it->writer, &info, it->path) != ANNOT_OK)
        abort();
}

static void write_nowhere(void *state)
{
    scene *it = state;
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG};
    annot_dump_sink sink = {&it->null_bytes, null_write, null_finish};
    it->null_bytes = 0;
    if (annot_dump_write(it->writer, &info, &sink) != ANNOT_OK)
        abort();
}

static bool report_nowhere(void *user, const void *data, size_t size)
{
    return null_write(user, data, size);
}

/* Opens, walks, analyses and writes the folded text report that `annot show` prints. */
static void read_back(void *state)
{
    scene *it = state;
    uint64_t bytes = 0;
    annot_reader_desc desc = {.allocator = ledger_allocator(&it->reading)};
    annot_report_sink sink = {&bytes, report_nowhere};
    annot_reader *reader;
    if (annot_reader_open_file(&desc, it->path, &reader) != ANNOT_OK ||
        annot_report_text(reader, NULL, &sink) != ANNOT_OK)
        abort();
    annot_reader_close(reader);
}

static uint64_t marker_count(void)
{
    return bench_options_now.quick ? MARKERS / 100 : MARKERS;
}

/* Passes of draws: scopes with 999 markers in each. */
static void record(bench_world *world)
{
    static const char payload[PAYLOAD] = "Draw";
    for (uint64_t scope = 0; scope < marker_count() / 1000; scope++) {
        annot_context_begin_event(world->list, 1, payload, PAYLOAD);
        for (uint32_t i = 1; i < 1000; i++)
            annot_context_set_marker(world->list, 1, payload, PAYLOAD);
        annot_context_end_event(world->list);
    }
}

static void file_milliseconds(const char *name, const bench_figure *figure)
{
    bench_file(&(bench_row){.name = name,
                            .size = PAYLOAD,
                            .threads = 1,
                            .count = marker_count(),
                            .value = figure->ns / 1e6,
                            .unit = "ms",
                            .spread = figure->spread});
}

static void file_mebibytes(const char *name, double bytes)
{
    bench_file(&(bench_row){.name = name,
                            .size = PAYLOAD,
                            .threads = 1,
                            .count = marker_count(),
                            .value = bytes / 1048576,
                            .unit = "MiB"});
}

static void measure(scene *it)
{
    bench_contestant contestants[] = {
        {NULL, write_file, it, 1}, {NULL, write_nowhere, it, 1}, {NULL, read_back, it, 1}};
    bench_figure figures[3];
    unsigned long long before = atomic_load(&it->writing.now);
    if (annot_dump_writer_create(it->world.device, &it->writer) != ANNOT_OK)
        abort();
    unsigned long long after = atomic_load(&it->writing.now);
    bench_measure(contestants, 3, ROUNDS, figures);
    file_milliseconds("dump.file", &figures[0]);
    file_milliseconds("dump.null", &figures[1]);
    file_milliseconds("dump.read", &figures[2]);
    file_mebibytes("dump.size", (double)it->null_bytes);
    file_mebibytes("dump.writer-memory", (double)(after - before));
    file_mebibytes("dump.reader-memory", (double)atomic_load(&it->reading.peak));
    annot_dump_writer_destroy(it->writer);
    unlink(it->path);
}

void bench_suite_dump(void)
{
    static scene it;
    annot_allocator allocator = ledger_allocator(&it.writing);
    snprintf(it.path, sizeof it.path, "%s/annot-bench-%ld.annotdmp", bench_options_now.directory,
             (long)getpid());
    if (access(bench_options_now.directory, W_OK) != 0) {
        bench_note("no dump rows: cannot write to %s; give --directory",
                   bench_options_now.directory);
        return;
    }
    bench_world_init(&it.world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, &allocator);
    record(&it.world);
    measure(&it);
    bench_world_finish(&it.world);
}
