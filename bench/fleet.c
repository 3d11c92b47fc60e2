/*
 * The cost of many dumps: for a small dump, reading, analysis, signature and a row in SQLite,
 * relative to hashing its bytes and the same row; and the size of `annot html`'s page by the
 * dump's.
 */
#include "bench.h"

#include "driver.h"
#include "world.h"

#include <annot/dump.h>
#include <annot/fleet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { DUMPS = 64, MARKERS = 400, ROUNDS = 12, PAYLOAD = 32, LARGE = 100000 };

struct heap {
    char *bytes; /* of one small dump */
    size_t size;
#ifdef BENCH_SQLITE
    struct sqlite3 *database;
    struct sqlite3_stmt *insert;
#endif
};

/* ---- a dump ---- */

static void record(annot_context *list, uint32_t count)
{
    char name[PAYLOAD] = "Draw";
    for (uint32_t i = 0; i < count; i++) {
        const bool is_scope = i % 100 == 0;
        snprintf(name, sizeof name, is_scope ? "Pass %u" : "Mesh %u", i);
        if (is_scope)
            annot_context_begin_event(list, 1, name, (uint32_t)strlen(name));
        else
            annot_context_set_marker(list, 1, name, (uint32_t)strlen(name));
        if (i % 100 == 99)
            annot_context_end_event(list);
    }
}

/* A hang in the list, as its driver would report it. Memory of `*size` bytes that the caller
 * frees. */
static char *make_dump(uint32_t markers, size_t *size)
{
    static char handle;
    const annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_QUEUE, .driver_handle = &handle};
    annot_object *object;
    annot_context *queue;
    annot_dump_writer *writer;
    struct bench_world world;
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    if (annot_object_create(world.device, &desc, &object) != ANNOT_OK ||
        annot_context_create(object, &queue) != ANNOT_OK ||
        annot_dump_writer_create(world.device, &writer) != ANNOT_OK)
        abort();
    record(world.list, markers);
    annot_context_close(world.list);
    annot_context_submit(queue, &world.list, 1);
    const annot_progress row = {
        .queue = annot_object_id(object), .submission = 1, .state = ANNOT_PROGRESS_STARTED};
    const annot_crash_report report = {
        .size = sizeof report, .progress = &row, .progress_count = 1};
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_HUNG, .report = &report};
    annot_dump_write_memory(writer, &info, NULL, 0, size);
    char *bytes = malloc(*size);
    if (!bytes || annot_dump_write_memory(writer, &info, bytes, *size, size) != ANNOT_OK)
        abort();
    annot_dump_writer_destroy(writer);
    annot_context_destroy(queue);
    annot_object_destroy(object);
    annot_context_open(world.list, world.arena);
    bench_world_finish(&world);
    return bytes;
}

/* ---- triage ---- */

#ifdef BENCH_SQLITE
#include <sqlite3.h>

static void open_database(struct heap *heap)
{
    if (sqlite3_open(":memory:", &heap->database) != SQLITE_OK ||
        sqlite3_exec(heap->database,
                     "create table dump(file integer primary key, signature text, title text, time "
                     "integer, driver text)",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(heap->database, "insert or replace into dump values(?1,?2,?3,?4,?5)", -1,
                           &heap->insert, NULL) != SQLITE_OK)
        abort();
}

static void insert(struct heap *heap, int number, const char *signature, const char *title)
{
    sqlite3_bind_int(heap->insert, 1, number);
    sqlite3_bind_text(heap->insert, 2, signature, -1, SQLITE_STATIC);
    sqlite3_bind_text(heap->insert, 3, title, -1, SQLITE_STATIC);
    sqlite3_bind_int64(heap->insert, 4, number);
    sqlite3_bind_text(heap->insert, 5, "driver", -1, SQLITE_STATIC);
    if (sqlite3_step(heap->insert) != SQLITE_DONE)
        abort();
    sqlite3_reset(heap->insert);
}

static void hash_all(void *state)
{
    struct heap *heap = state;
    sqlite3_exec(heap->database, "begin", NULL, NULL, NULL);
    for (int i = 0; i < DUMPS; i++) {
        bench_keep(XXH64(heap->bytes, heap->size, (uint64_t)i));
        insert(heap, i, "v2-0123456789abcdef", "GPU HANG: Frame # / Pass #");
    }
    sqlite3_exec(heap->database, "commit", NULL, NULL, NULL);
}

static void triage_all(void *state)
{
    struct heap *heap = state;
    static annot_identity identity;
    annot_reader *reader;
    sqlite3_exec(heap->database, "begin", NULL, NULL, NULL);
    for (int i = 0; i < DUMPS; i++) {
        if (annot_reader_open_memory(NULL, heap->bytes, heap->size, &reader) != ANNOT_OK)
            abort();
        if (annot_reader_identity(reader, &identity) != ANNOT_OK)
            abort();
        annot_reader_close(reader);
        insert(heap, i, identity.id, identity.title);
    }
    sqlite3_exec(heap->database, "commit", NULL, NULL, NULL);
}

static void measure_triage(void)
{
    struct heap heap = {0};
    heap.bytes = make_dump(MARKERS, &heap.size);
    open_database(&heap);
    struct bench_contestant contestants[] = {{NULL, hash_all, &heap, DUMPS},
                                             {NULL, triage_all, &heap, DUMPS}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("fleet.triage", 0, 1, MARKERS, &figures[1], &figures[0]);
    sqlite3_finalize(heap.insert);
    sqlite3_close(heap.database);
    free(heap.bytes);
}

#else

static void measure_triage(void)
{
    bench_note("no fleet.triage: built without SQLite");
}

#endif

/* ---- the page ---- */

static bool write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wbx");
    const bool is_written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}

/* The tool that was built beside this program. */
static bool find_tool(char *path, size_t capacity)
{
    char own[512];
    const ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    if (size <= 0)
        return false;
    own[size] = 0;
    char *name = strrchr(own, '/');
    if (!name)
        return false;
    *name = 0;
    snprintf(path, capacity, "%s/annot", own);
    return access(path, X_OK) == 0;
}

static void measure_page(void)
{
    char tool[600], dump[600], page[620], command[2048];
    struct stat status;
    size_t size;
    if (!find_tool(tool, sizeof tool)) {
        bench_note("no fleet.page: annot is not built");
        return;
    }
    snprintf(dump, sizeof dump, "%s/annot-bench-%ld-fleet.annotdmp", bench_options_now.directory,
             (long)getpid());
    snprintf(page, sizeof page, "%s.html", dump);
    snprintf(command, sizeof command, "'%s' html '%s' -o '%s'", tool, dump, page);
    char *bytes = make_dump(LARGE, &size);
    if (write_file(dump, bytes, size) && system(command) == 0 && stat(page, &status) == 0)
        bench_file(&(struct bench_row){.name = "fleet.page",
                                       .threads = 1,
                                       .count = LARGE,
                                       .value = (double)status.st_size / 1048576,
                                       .unit = "MiB",
                                       .limit = (double)size / 1048576,
                                       .ratio = (double)status.st_size / (double)size});
    free(bytes);
    unlink(dump);
    unlink(page);
}

void bench_suite_fleet(void)
{
    measure_triage();
    measure_page();
}
