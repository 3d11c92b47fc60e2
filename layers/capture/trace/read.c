#include "read.h"

#include "array.h"
#include "schema.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <windows.h>
#define seek _fseeki64
#define tell _ftelli64
#else
#define seek(file, at, from) fseeko(file, (off_t)(at), from)
#define tell                 ftello
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>
#ifdef CAPTURE_HAVE_ZSTD
#include <zstd.h>
#endif

#define SLOTS_MAX    4096u
#define FINDINGS_MAX 64u
#define FINDING_SIZE 160u

struct entry {   /* a chunk of the index */
    uint64_t at; /* place of the chunk's bytes in the file */
    struct trace_chunk chunk;
};

struct cursor { /* a thread */
    uint32_t thread;
    size_t next, end; /* the cursor's chunks in the index that were not read yet */
    uint8_t *bytes;
    size_t at, size;
    uint64_t key; /* the sort key of the cursor's next record */
    struct trace_flight flight;
    bool is_flying;
    uint64_t left;
};

struct trace {
    trace_read_at read_at;
    void *user;
    int error; /* why existing bytes could not be read; 0: all could */
    FILE *file;
    uint64_t size;
    struct trace_header header;
    struct entry *entries;
    size_t entry_count, entry_capacity;
    struct cursor *cursors;
    size_t cursor_count;
    uint32_t *heap; /* cursors with records left, least key first */
    size_t heap_size;
    char findings[FINDINGS_MAX][FINDING_SIZE];
    size_t finding_count;
    struct cursor *current; /* the cursor of the last record */
    bool was_left_open;     /* the first finding says that the program didn't close the trace */
};

static void find(struct trace *t, const char *what, uint64_t number)
{
    if (t->finding_count < FINDINGS_MAX)
        snprintf(t->findings[t->finding_count++], FINDING_SIZE, what, (unsigned long long)number);
}

static bool read_bytes(struct trace *t, uint64_t at, void *buffer, size_t size)
{
    errno = 0;
    if (t->read_at(t->user, at, buffer, size) == size)
        return true;
    if (errno && !t->error)
        t->error = errno;
    return false;
}

/* ---- the index ---- */

static bool add_entry(struct trace *t, uint64_t at, const struct trace_chunk *chunk)
{
    if (!ARRAY_ROOM(t->entries, t->entry_count, t->entry_capacity))
        return false;
    t->entries[t->entry_count++] = (struct entry){at, *chunk};
    return true;
}

static bool is_sound(const struct trace_chunk *c)
{
    return c->magic == TRACE_CHUNK_MAGIC && c->used <= TRACE_RECORDS_MAX && c->used % 8 == 0 &&
           c->stored <= TRACE_RECORDS_MAX && c->serial && c->thread;
}

static bool index_slots(struct trace *t)
{
    const struct trace_header *h = &t->header;
    for (uint32_t i = 0; i < h->slot_count; i++) {
        struct trace_chunk chunk;
        const uint64_t at = h->header_size + (uint64_t)i * h->chunk_size;
        if (!read_bytes(t, at, &chunk, sizeof chunk))
            return true;
        if (chunk.state != CHUNK_OPEN && chunk.state != CHUNK_FULL)
            continue;
        if (!is_sound(&chunk) || chunk.used > h->chunk_size - sizeof chunk) {
            find(t, "the chunk in slot %llu is damaged and left out", i);
            continue;
        }
        chunk.codec = CODEC_NONE;
        chunk.stored = chunk.used;
        chunk.hash = 0;
        if (!add_entry(t, at + sizeof chunk, &chunk))
            return false;
    }
    return true;
}

static bool index_log(struct trace *t)
{
    uint64_t at = t->header.header_size + (uint64_t)t->header.slot_count * t->header.chunk_size;
    /* A closed trace that doesn't have its size, because it is older, has at least a record. */
    const uint64_t least =
        t->header.file_size ? t->header.file_size : at + (t->header.is_finished && !t->entry_count);
    while (at != t->size || at < least) {
        struct trace_chunk chunk;
        if (t->size < at || t->size - at < sizeof chunk ||
            !read_bytes(t, at, &chunk, sizeof chunk) || !is_sound(&chunk) ||
            chunk.stored > t->size - at - sizeof chunk) {
            find(t, "the file ends or is damaged at byte %llu; the rest is lost", at);
            t->header.is_finished = 0;
            return true;
        }
        if (!add_entry(t, at + sizeof chunk, &chunk))
            return false;
        at += sizeof chunk + (((uint64_t)chunk.stored + 7) & ~7ull);
    }
    return true;
}

static int by_thread(const void *a, const void *b)
{
    const struct trace_chunk *x = &((const struct entry *)a)->chunk,
                             *y = &((const struct entry *)b)->chunk;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    /* in a slot and in the log: the log's chunk has a hash */
    return (x->state != CHUNK_STORED) - (y->state != CHUNK_STORED);
}

static bool index_threads(struct trace *t)
{
    size_t kept = 0;
    if (t->entry_count == 0)
        return true;
    qsort(t->entries, t->entry_count, sizeof *t->entries, by_thread);
    for (size_t i = 0; i < t->entry_count; i++) {
        const struct trace_chunk *c = &t->entries[i].chunk;
        const struct trace_chunk *last = kept ? &t->entries[kept - 1].chunk : NULL;
        if (last && last->serial == c->serial && last->thread == c->thread)
            continue;
        t->cursor_count += !last || last->thread != c->thread;
        t->entries[kept++] = t->entries[i];
    }
    t->entry_count = kept;
    t->cursors = calloc(t->cursor_count, sizeof *t->cursors);
    t->heap = calloc(t->cursor_count, sizeof *t->heap);
    return t->cursors && t->heap;
}

/* ---- chunks ---- */

static uint8_t *unpack(struct trace *t, const struct entry *e, uint8_t *stored)
{
    const struct trace_chunk *c = &e->chunk;
    if (c->codec == CODEC_NONE) {
        if (c->stored == c->used)
            return stored;
        find(t, "chunk %llu is damaged: its sizes contradict each other", c->serial);
    } else if (c->codec == CODEC_ZSTD) {
#ifdef CAPTURE_HAVE_ZSTD
        uint8_t *bytes = malloc(c->used ? c->used : 1);
        if (bytes && ZSTD_decompress(bytes, c->used, stored, c->stored) == c->used) {
            free(stored);
            return bytes;
        }
        free(bytes);
        find(t, "chunk %llu can't be decompressed", c->serial);
#else
        find(t, "this program was built without zstd, which chunk %llu needs", c->serial);
#endif
    } else {
        find(t, "chunk %llu has an unknown codec", c->serial);
    }
    free(stored);
    return NULL;
}

static uint8_t *load(struct trace *t, const struct entry *e)
{
    const struct trace_chunk *c = &e->chunk;
    if (c->stored > t->size || (c->codec == CODEC_ZSTD && c->used / 32768 > c->stored)) {
        find(t, "chunk %llu is damaged: its stated size is impossible", c->serial);
        return NULL;
    }
    uint8_t *stored = malloc(c->stored ? c->stored : 1);
    if (!stored || !read_bytes(t, e->at, stored, c->stored)) {
        find(t, "chunk %llu can't be read", c->serial);
        free(stored);
        return NULL;
    }
    if (c->state == CHUNK_STORED && XXH64(stored, c->stored, 0) != c->hash) {
        find(t, "chunk %llu is damaged and left out", c->serial);
        free(stored);
        return NULL;
    }
    return unpack(t, e, stored);
}

/* ---- order ---- */

static struct trace_record record_at(const struct cursor *c)
{
    struct trace_record record;
    memcpy(&record, c->bytes + c->at, sizeof record);
    return record;
}

/* Returns the sort key: a call's begin, or for a return a key behind all calls begun by then. */
static uint64_t key_of(const struct cursor *c, const struct trace_record *record)
{
    uint64_t begun = record->call;
    if (record->kind == RECORD_LEAVE && record->size >= sizeof *record + 8)
        memcpy(&begun, c->bytes + c->at + sizeof *record, 8);
    return begun * 2 + (record->kind == RECORD_LEAVE);
}

static bool fits(const struct cursor *c)
{
    if (c->size - c->at < sizeof(struct trace_record))
        return false;
    const struct trace_record record = record_at(c);
    return record.size >= sizeof record && record.size % 8 == 0 && record.size <= c->size - c->at;
}

/* Sets the key of the cursor's next record, from the next chunk if this chunk has no more. False:
 * no record is left. */
static bool settle(struct trace *t, struct cursor *c)
{
    if (c->bytes && c->at < c->size) {
        if (fits(c)) {
            const struct trace_record record = record_at(c);
            c->key = key_of(c, &record);
            return true;
        }
        find(t, "a record of thread %llu is damaged; the rest of the chunk is lost", c->thread);
    }
    free(c->bytes);
    c->bytes = NULL;
    if (c->next == c->end)
        return false;
    c->key = t->entries[c->next].chunk.first_call * 2;
    return true;
}

static bool is_less(const struct trace *t, uint32_t a, uint32_t b)
{
    const struct cursor *x = &t->cursors[a], *y = &t->cursors[b];
    return x->key != y->key ? x->key < y->key : a < b;
}

static void sift_down(struct trace *t, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < t->heap_size; child++)
            if (is_less(t, t->heap[child], t->heap[least]))
                least = child;
        if (least == at)
            return;
        const uint32_t swapped = t->heap[at];
        t->heap[at] = t->heap[least];
        t->heap[least] = swapped;
        at = least;
    }
}

void trace_rewind(struct trace *t)
{
    size_t entry = 0;
    t->heap_size = 0;
    t->current = NULL;
    for (size_t i = 0; i < t->cursor_count; i++) {
        struct cursor *c = &t->cursors[i];
        free(c->bytes);
        *c = (struct cursor){.thread = t->entries[entry].chunk.thread, .next = entry};
        while (entry < t->entry_count && t->entries[entry].chunk.thread == c->thread)
            entry++;
        c->end = entry;
        if (settle(t, c))
            t->heap[t->heap_size++] = (uint32_t)i;
    }
    for (size_t i = t->heap_size / 2; i-- > 0;)
        sift_down(t, i);
}

/* Moves the top cursor to its new place. */
static void advance(struct trace *t)
{
    if (!settle(t, &t->cursors[t->heap[0]]))
        t->heap[0] = t->heap[--t->heap_size];
    sift_down(t, 0);
}

static void follow_flight(struct cursor *c, const struct trace_item *item)
{
    if (item->record.kind == RECORD_ENTER) {
        c->is_flying = true;
        c->flight = (struct trace_flight){item->record.call, c->thread, item->method};
    } else if (item->record.kind == RECORD_LEAVE) {
        c->is_flying = false;
    }
}

bool trace_next(struct trace *t, struct trace_item *item)
{
    while (t->heap_size) {
        struct cursor *c = &t->cursors[t->heap[0]];
        if (!c->bytes) {
            const struct entry *e = &t->entries[c->next++];
            c->bytes = load(t, e);
            c->at = 0;
            c->size = c->bytes ? e->chunk.used : 0;
            c->left = e->chunk.left;
            advance(t);
            continue;
        }
        if (t->current == c) { /* the last record was from this cursor */
            t->current = NULL;
            c->at += record_at(c).size;
            advance(t);
            continue;
        }
        item->record = record_at(c);
        item->thread = c->thread;
        item->data = c->bytes + c->at + sizeof item->record;
        item->size = item->record.size - sizeof item->record;
        item->method = item->record.method ? schema_find(item->record.method) : -1;
        follow_flight(c, item);
        t->current = c;
        return true;
    }
    return false;
}

bool trace_get_flight(const struct trace *t, size_t i, struct trace_flight *flight)
{
    for (size_t k = 0; k < t->cursor_count; k++) {
        const struct cursor *c = &t->cursors[k];
        const int method = c->flight.method;
        const bool returned =
            method >= 0 && !schema_methods[method].leaves_record && c->left >= c->flight.call;
        if (c->is_flying && !returned && i-- == 0) {
            *flight = c->flight;
            return true;
        }
    }
    return false;
}

/* ---- opening ---- */

static const char *check_header(const struct trace_header *h)
{
    if (memcmp(h->magic, TRACE_MAGIC, sizeof h->magic) != 0)
        return "this file is not a trace; give a file that 'annot capture' wrote";
    if (h->version != TRACE_VERSION)
        return "the trace has a newer format; use the version of annot that wrote the trace";
    if (h->header_size < sizeof *h || h->header_size > (1u << 20) || h->slot_count > SLOTS_MAX ||
        (h->slot_count && (h->chunk_size < 4096 || h->chunk_size > (1u << 26))))
        return "the trace's header is damaged";
    return NULL;
}

struct trace *trace_open(trace_read_at read_at, void *user, uint64_t size, const char **why)
{
    struct trace *t = calloc(1, sizeof *t);
    *why = "out of memory";
    if (!t)
        return NULL;
    schema_init();
    t->read_at = read_at;
    t->user = user;
    t->size = size;
    if (!read_bytes(t, 0, &t->header, sizeof t->header))
        *why = t->error ? strerror(t->error) : "the file is too short for a trace";
    else
        *why = check_header(&t->header);
    t->header.runtime[sizeof t->header.runtime - 1] = '\0';
    t->header.program[sizeof t->header.program - 1] = '\0';
    t->was_left_open = !*why && !t->header.is_finished;
    if (t->was_left_open)
        find(t, "the program ended without closing the trace", 0);
    if (!*why && !(index_slots(t) && index_log(t) && index_threads(t)))
        *why = "out of memory";
    if (*why) {
        trace_close(t);
        return NULL;
    }
    trace_rewind(t);
    return t;
}

static size_t read_file(void *user, uint64_t offset, void *buffer, size_t size)
{
    return seek(user, (long long)offset, SEEK_SET) ? 0 : fread(buffer, 1, size, user);
}

static FILE *open_file(const char *path)
{
#ifdef _WIN32
    wchar_t wide[4096]; /* paths are UTF-8 */
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096) > 0 ? _wfopen(wide, L"rb") : NULL;
#else
    return fopen(path, "rb");
#endif
}

struct trace *trace_open_file(const char *path, const char **why)
{
    struct stat status;
    *why = "the file can't be read; a trace must be a plain file";
    if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode))
        return NULL; /* an open could wait for ever */
    FILE *file = open_file(path);
    *why = "the file can't be opened; check its path";
    if (!file)
        return NULL;
    const long long size = seek(file, 0, SEEK_END) == 0 ? tell(file) : -1;
    *why = "the file can't be read; a trace must be a plain file";
    struct trace *t = size < 0 ? NULL : trace_open(read_file, file, (uint64_t)size, why);
    if (t)
        t->file = file;
    else
        fclose(file);
    return t;
}

void trace_close(struct trace *t)
{
    if (!t)
        return;
    for (size_t i = 0; t->cursors && i < t->cursor_count; i++)
        free(t->cursors[i].bytes);
    if (t->file)
        fclose(t->file);
    free(t->entries);
    free(t->cursors);
    free(t->heap);
    free(t);
}

const struct trace_header *trace_get_header(const struct trace *t)
{
    return &t->header;
}

const char *trace_get_finding(const struct trace *t, size_t i)
{
    if (i == t->finding_count && t->error)
        return strerror(t->error);
    return i < t->finding_count ? t->findings[i] : NULL;
}

bool trace_is_damaged(const struct trace *t)
{
    return t->error || t->finding_count > t->was_left_open;
}

struct trace_totals trace_get_totals(const struct trace *t)
{
    struct trace_totals totals = {
        .file_size = t->size, .chunks = t->entry_count, .threads = (uint32_t)t->cursor_count};
    for (size_t i = 0; i < t->entry_count; i++) {
        totals.stored += t->entries[i].chunk.stored;
        totals.used += t->entries[i].chunk.used;
        if (t->entries[i].chunk.last_call > totals.last_call)
            totals.last_call = t->entries[i].chunk.last_call;
    }
    return totals;
}
