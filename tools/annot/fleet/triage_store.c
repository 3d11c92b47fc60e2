/* Several triages may use one database, and any of them may be killed. So new data is gathered in
 * memory and written in one short transaction, and a report uses a snapshot. Readers and writers of
 * a database in WAL mode don't wait for each other. */
#include "triage_db.h"
#include "triage_store.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static bool prepare_all(struct triage_store *store)
{
    return triage_prepare(store,
                          "select 1 from main.dump where file=?1 and size=?2 and modified=?3",
                          &store->knows) &&
           triage_prepare(store,
                          "insert or replace into main.dump values("
                          "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,"
                          "?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32,?33,?34,?35,?36)",
                          &store->put) &&
           triage_prepare(store,
                          "insert into main.identity values(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10) "
                          "on conflict(signature) do update "
                          "set application=min(application, excluded.application)",
                          &store->put_identity) &&
           triage_prepare(store, "insert or ignore into main.shape values(?1,?2,?3,?4)",
                          &store->put_shape) &&
           triage_prepare(store, "insert or ignore into main.name values(?1,?2)",
                          &store->put_name) &&
           triage_prepare(store,
                          "select hash from main.shape where application=?1 and sender=?2 "
                          "order by hash limit 1 offset ?3",
                          &store->last_shape);
}

struct triage_store *triage_store_open(const char *command, const char *path, bool may_make)
{
    struct triage_store *store = calloc(1, sizeof *store);
    if (store)
        store->gathered = malloc(TRIAGE_GATHERED * sizeof *store->gathered);
    if (!store || !store->gathered) {
        cli_fail(command, path ? path : "memory", ANNOT_ERROR_OUT_OF_MEMORY);
        free(store);
        return NULL;
    }
    store->command = command;
    store->path = path ? path : ":memory:";
    if (triage_open_database(store, may_make || !path) && prepare_all(store))
        return store;
    triage_store_close(store);
    return NULL;
}

/* ---- reading and writing ---- */

/* A dump's sender is the folder of its file: nothing in a dump chooses it. */
static int64_t sender_of(const struct dump_file *file)
{
    const char *name = strrchr(file->path, '/');
    return (int64_t)(shape_name_hash(file->path, name ? (size_t)(name - file->path) : 0) >> 1);
}

static void bind_row(sqlite3_stmt *put, const struct dump_file *file, const struct dump_summary *of)
{
    const annot_identity *identity = &of->identity;
    int at = 12;
    sqlite3_bind_text(put, 1, file->path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, (int64_t)file->size);
    sqlite3_bind_int64(put, 3, file->modified);
    triage_bind(put, 4, summary_status_text(of->status));
    triage_bind(put, 5, of->why);
    triage_bind(put, 6, identity->id);
    triage_bind(put, 7,
                of->status == DUMP_UNREADABLE ? NULL
                                              : annot_signature_quality_word(identity->quality));
    triage_bind(put, 8, identity->title);
    sqlite3_bind_int(put, 9, identity->is_redacted);
    sqlite3_bind_int64(put, 10, (int64_t)of->time);
    triage_bind(put, 11,
                of->status == DUMP_UNREADABLE ? NULL
                                              : annot_device_error_headline((int32_t)of->error));
#define BIND_TEXT(name)   triage_bind(put, at++, of->name);
#define BIND_NUMBER(name) sqlite3_bind_int64(put, at++, (int64_t)of->name);
    SUMMARY_TEXTS(BIND_TEXT)
    triage_bind(put, at++, identity->path);
    SUMMARY_NUMBERS(BIND_NUMBER)
    for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        triage_bind(put, at++, identity->parts[i].text);
    triage_bind(put, at++, of->failure);
    triage_bind(put, at++, of->facts);
    sqlite3_bind_int64(put, at, sender_of(file));
}

/* Stores an identity. If two applications share a signature, the smaller name counts. */
static bool put_identity(struct triage_store *store, const struct dump_summary *of)
{
    const annot_identity *identity = &of->identity;
    const bool has_scopes = identity->quality == ANNOT_SIGNATURE_FULL ||
                            identity->quality == ANNOT_SIGNATURE_WEAK_SCOPE ||
                            identity->quality == ANNOT_SIGNATURE_WEAK_OPERATION;
    if (!identity->id[0])
        return true;
    triage_bind(store->put_identity, 1, identity->id);
    sqlite3_bind_text(store->put_identity, 2, of->application, -1, SQLITE_STATIC);
    triage_bind(store->put_identity, 3, annot_signature_quality_word(identity->quality));
    triage_bind(store->put_identity, 4, identity->title);
    triage_bind(store->put_identity, 5, has_scopes ? identity->names : "");
    for (int i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        sqlite3_bind_int64(store->put_identity, 6 + i, (int64_t)identity->parts[i].hash);
    return triage_step(store, store->put_identity);
}

static bool put_names(struct triage_store *store, const struct shape *shape)
{
    const char *text = shape->texts;
    for (uint32_t i = 0; i < shape->count; i++) {
        const size_t size = strlen(text);
        if (size == 0)
            break;
        sqlite3_bind_int64(store->put_name, 1, (int64_t)shape_name_hash(text, size));
        triage_bind(store->put_name, 2, text);
        if (!triage_step(store, store->put_name))
            return false;
        text += size + 1;
    }
    return true;
}

/* Gets the largest hash that is kept of a sender. False: there is room for more. */
static bool largest_kept(struct triage_store *store, const char *application, int64_t sender,
                         int64_t *hash)
{
    sqlite3_bind_text(store->last_shape, 1, application, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->last_shape, 2, sender);
    sqlite3_bind_int64(store->last_shape, 3, TRIAGE_SHAPES - 1);
    const bool is_full = sqlite3_step(store->last_shape) == SQLITE_ROW;
    if (is_full)
        *hash = sqlite3_column_int64(store->last_shape, 0);
    sqlite3_reset(store->last_shape);
    return is_full;
}

/* Stores a shape. Shapes above the limit are removed when groups are made. */
static bool put_shape(struct triage_store *store, const struct dump_summary *of, int64_t sender)
{
    uint8_t bytes[SHAPE_NODES * SHAPE_NODE_BYTES];
    const int64_t hash = (int64_t)(shape_hash(&of->shape) >> 1);
    int64_t largest;
    if (of->shape.count == 0 || !of->identity.id[0] ||
        (largest_kept(store, of->application, sender, &largest) && hash > largest))
        return true;
    sqlite3_bind_text(store->put_shape, 1, of->application, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->put_shape, 2, sender);
    sqlite3_bind_int64(store->put_shape, 3, hash);
    sqlite3_bind_blob(store->put_shape, 4, bytes, (int)shape_pack(&of->shape, bytes),
                      SQLITE_TRANSIENT);
    return triage_step(store, store->put_shape) &&
           (sqlite3_changes(store->database) == 0 || put_names(store, &of->shape));
}

static bool flush(struct triage_store *store)
{
    if (store->count == 0 || store->has_failed)
        return !store->has_failed;
    if (!triage_run(store, "begin immediate"))
        return false;
    for (unsigned i = 0; i < store->count; i++) {
        const struct gathered *of = &store->gathered[i];
        bind_row(store->put, of->file, &of->summary);
        if (!triage_step(store, store->put) || !put_identity(store, &of->summary) ||
            !put_shape(store, &of->summary, sender_of(of->file)))
            return false;
    }
    store->count = 0;
    return triage_run(store, "commit");
}

/* Gathers a file's row. Rows are written after every few files, so a killed process loses few. */
static bool take_dump(void *user, const struct dump_file *file, const struct dump_summary *of)
{
    struct triage_store *store = user;
    const time_t now = time(NULL);
    if (store->count == 0)
        store->since = now;
    store->gathered[store->count++] = (struct gathered){file, *of};
    return (store->count < TRIAGE_GATHERED && now - store->since < 2) || flush(store);
}

static bool knows(struct triage_store *store, const struct dump_file *file)
{
    sqlite3_bind_text(store->knows, 1, file->path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->knows, 2, (int64_t)file->size);
    sqlite3_bind_int64(store->knows, 3, file->modified);
    const bool is_known = sqlite3_step(store->knows) == SQLITE_ROW;
    sqlite3_reset(store->knows);
    return is_known;
}

/* Keeps only the files that aren't known yet. */
static void leave_new(struct dump_files *files, struct triage_store *store)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++)
        if (!knows(store, &files->files[i]))
            files->files[kept++] = files->files[i];
    files->count = kept;
}

bool triage_store_read(struct triage_store *store, char **paths, int count, unsigned threads,
                       size_t *read)
{
    struct dump_files files = {.files = NULL};
    bool is_good = true;
    for (int i = 0; i < count && is_good; i++)
        is_good = dump_files_add(&files, store->command, paths[i]);
    if (is_good) {
        leave_new(&files, store);
        *read = files.count;
        is_good = dump_files_read(&files, store->command, threads, take_dump, store);
        is_good = flush(store) && is_good;
    }
    dump_files_free(&files);
    return is_good;
}

bool triage_store_close(struct triage_store *store)
{
    const bool is_good = !store->has_failed;
    for (sqlite3_stmt *of; store->database && (of = sqlite3_next_stmt(store->database, NULL));)
        sqlite3_finalize(of);
    rules_free(store->rules);
    sqlite3_close(store->database);
    free(store->gathered);
    free(store);
    return is_good;
}
