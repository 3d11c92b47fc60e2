/*
 * 1 M markers to a file, fsync included as annot_dump_write_file does it, and back. The reference
 * is what nothing that writes or checks these bytes can do without: hashing and copying them once.
 */
#include "bench.h"

#include "driver.h"
#include "world.h"

#include <annot/dump.h>
#include <annot/reader.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MARKERS 1000000u
#define ROUNDS  12u
#define PAYLOAD 32u

/* An allocator that knows its peak. */
struct ledger {
    atomic_ullong now, peak;
};

static void *ledger_allocate(void *user, size_t size, size_t alignment)
{
    struct ledger *it = user;
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
    struct ledger *it = user;
    atomic_fetch_sub(&it->now, size);
    free(memory);
}

static annot_allocator ledger_allocator(struct ledger *it)
{
    return (annot_allocator){it, ledger_allocate, ledger_release};
}

struct scene {
    struct bench_world world;
    annot_dump_writer *writer;
    char path[512], plain_path[520];
    struct ledger reading;
    uint64_t null_bytes;
    char *image; /* the dump's bytes, null_bytes of them */
};

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
    struct scene *it = state;
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG};
    remove(it->path);
    if (annot_dump_write_file(it->writer, &info, it->path) != ANNOT_OK)
        abort();
}

static void write_nowhere(void *state)
{
    struct scene *it = state;
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG};
    annot_dump_sink sink = {&it->null_bytes, null_write, null_finish};
    it->null_bytes = 0;
    if (annot_dump_write(it->writer, &info, &sink) != ANNOT_OK)
        abort();
}

/* ---- the references ---- */

#define PIECE ((size_t)256 << 10)

static bool image_write(void *user, const void *data, size_t size)
{
    struct scene *it = user;
    char *more = realloc(it->image, it->null_bytes + size);
    if (!more)
        return false;
    it->image = more;
    memcpy(it->image + it->null_bytes, data, size);
    it->null_bytes += size;
    return true;
}

static void make_image(struct scene *it)
{
    annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG};
    annot_dump_sink sink = {it, image_write, null_finish};
    if (annot_dump_write(it->writer, &info, &sink) != ANNOT_OK)
        abort();
}

static void hash_and_copy(void *state)
{
    static char piece[PIECE];
    struct scene *it = state;
    for (uint64_t at = 0; at < it->null_bytes; at += PIECE) {
        size_t size = it->null_bytes - at < PIECE ? (size_t)(it->null_bytes - at) : PIECE;
        memcpy(piece, it->image + at, size);
        bench_keep(XXH64(piece, size, at));
    }
}

static void write_plainly(void *state)
{
    struct scene *it = state;
    remove(it->plain_path);
    FILE *file = fopen(it->plain_path, "wbx");
    if (!file)
        abort();
    setvbuf(file, NULL, _IONBF, 0);
    bool is_written = true;
    for (uint64_t at = 0; at < it->null_bytes; at += PIECE) {
        size_t size = it->null_bytes - at < PIECE ? (size_t)(it->null_bytes - at) : PIECE;
        is_written = fwrite(it->image + at, 1, size, file) == size && is_written;
    }
    is_written = fsync(fileno(file)) == 0 && is_written;
    is_written = fseek(file, 0, SEEK_SET) == 0 && fwrite("ANNOTDMP", 8, 1, file) == 1 && is_written;
    is_written = fsync(fileno(file)) == 0 && is_written;
    if (fclose(file) != 0 || !is_written)
        abort();
}

/* ---- reading ---- */

static bool report_nowhere(void *user, const void *data, size_t size)
{
    return null_write(user, data, size);
}

/* Opens, walks, analyses and writes the folded text report that `annot show` prints. */
static void read_back(void *state)
{
    struct scene *it = state;
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
static void record(struct bench_world *world)
{
    static const char payload[PAYLOAD] = "Draw";
    for (uint64_t scope = 0; scope < marker_count() / 1000; scope++) {
        annot_context_begin_event(world->list, 1, payload, PAYLOAD);
        for (uint32_t i = 1; i < 1000; i++)
            annot_context_set_marker(world->list, 1, payload, PAYLOAD);
        annot_context_end_event(world->list);
    }
}

static void file_milliseconds(const char *name, const struct bench_figure *figure,
                              const struct bench_figure *reference)
{
    bench_file(&(struct bench_row){.name = name,
                                   .size = PAYLOAD,
                                   .threads = 1,
                                   .count = marker_count(),
                                   .value = figure->ns / 1e6,
                                   .unit = "ms",
                                   .spread = figure->spread,
                                   .limit = reference ? reference->ns / 1e6 : 0,
                                   .ratio = reference ? figure->ratio : 0,
                                   .ratio_spread = reference ? figure->ratio_spread : 0});
}

/* By the file's size. */
static void file_mebibytes(const struct scene *it, const char *name, double bytes)
{
    double file = (double)it->null_bytes;
    bench_file(&(struct bench_row){.name = name,
                                   .size = PAYLOAD,
                                   .threads = 1,
                                   .count = marker_count(),
                                   .value = bytes / 1048576,
                                   .unit = "MiB",
                                   .limit = file / 1048576,
                                   .ratio = bytes / file});
}

static void measure_work(struct scene *it)
{
    struct bench_contestant contestants[] = {
        {NULL, hash_and_copy, it, 1}, {NULL, write_nowhere, it, 1}, {NULL, read_back, it, 1}};
    struct bench_figure figures[3];
    bench_measure_by_cpu(contestants, 3, ROUNDS, figures);
    file_milliseconds("dump.hash-and-copy", &figures[0], NULL);
    file_milliseconds("dump.null", &figures[1], &figures[0]);
    file_milliseconds("dump.read", &figures[2], &figures[0]);
}

static void measure_disk(struct scene *it)
{
    struct bench_contestant contestants[] = {{NULL, write_plainly, it, 1},
                                             {NULL, write_file, it, 1}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    file_milliseconds("dump.file", &figures[1], &figures[0]);
}

static void measure(struct scene *it)
{
    if (annot_dump_writer_create(it->world.device, &it->writer) != ANNOT_OK)
        abort();
    make_image(it);
    measure_disk(it);
    measure_work(it);
    file_mebibytes(it, "dump.reader-memory", (double)atomic_load(&it->reading.peak));
    annot_dump_writer_destroy(it->writer);
    free(it->image);
    unlink(it->path);
    unlink(it->plain_path);
}

void bench_suite_dump(void)
{
    static struct scene it;
    snprintf(it.path, sizeof it.path, "%s/annot-bench-%ld.annotdmp", bench_options_now.directory,
             (long)getpid());
    snprintf(it.plain_path, sizeof it.plain_path, "%s.plain", it.path);
    if (access(bench_options_now.directory, W_OK) != 0) {
        bench_note("no dump rows: cannot write to %s; give --directory",
                   bench_options_now.directory);
        return;
    }
    bench_world_init(&it.world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    record(&it.world);
    measure(&it);
    bench_world_finish(&it.world);
}
