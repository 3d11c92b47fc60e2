#include "recorder.h"

#include "../../intercept/held.h"
#include "../../intercept/library.h"
#include "../trace/write.h"
#include "os_file.h"
#include "os_path.h"
#include "os_process.h"
#include "os_say.h"
#include "environment.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS       64
#define SLOT_BYTES  (TRACE_CHUNK_SIZE - sizeof(struct trace_chunk))
#define MAP_BYTES   (TRACE_HEADER_SIZE + (size_t)SLOTS * TRACE_CHUNK_SIZE)
#define COMPACT_MAX ((uint64_t)64 << 20) /* larger files keep the hole */
#define SAID_MAX    64
#define NUMBER_MAX  10000u /* most files of one name */

static struct {
    pthread_mutex_t lock; /* guards the slots' states and the log's end */
    pthread_cond_t freed, filled;
    pthread_t writer;
    bool has_writer, stopping;
    bool is_alone; /* the other threads are gone, with their locks locked */
    bool is_kept;  /* the slots are in the file, and survive the process */
    os_file fd;    /* own_file checks the file, because the program may have closed it */
    struct os_file_identity identity;
    uint32_t process;
    uint8_t *map;
    uint64_t end;
    char path[1024];
    uint64_t serial;
    uint32_t threads;
    pthread_key_t key;
} file = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .freed = PTHREAD_COND_INITIALIZER,
          .filled = PTHREAD_COND_INITIALIZER,
          .fd = -1};

static atomic_bool is_open, has_failed, has_told;
static atomic_uint_fast64_t calls;
static atomic_uint_fast64_t imitated_behind; /* 0: the calls are counted */

struct lane { /* a thread's place */
    struct trace_chunk *chunk;
    uint32_t thread, used;
    uint32_t process;
};
static _Thread_local struct lane lane;

bool recorder_is_open(void)
{
    return atomic_load_explicit(&is_open, memory_order_acquire);
}

const char *recorder_path(void)
{
    return file.path;
}

uint64_t recorder_next_call(void)
{
    return atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct trace_header *header(void)
{
    return (struct trace_header *)file.map;
}

static struct trace_chunk *slot(uint32_t i)
{
    return (struct trace_chunk *)(file.map + TRACE_HEADER_SIZE + (size_t)i * TRACE_CHUNK_SIZE);
}

static void take(pthread_mutex_t *lock)
{
    if (!file.is_alone)
        pthread_mutex_lock(lock);
}

static void give(pthread_mutex_t *lock)
{
    if (!file.is_alone)
        pthread_mutex_unlock(lock);
}

/* Returns the file. A program may close descriptors that it didn't open, and get the number for its
 * own file. -1: the file can't be opened again. Called with append_lock, or if no thread writes. */
static os_file own_file(void)
{
    return os_file_keep(&file.fd, file.path, &file.identity) ? file.fd : -1;
}

/* Tells the command that started the program that the trace lacks calls: the command's file, which
 * perhaps is on a full disk, is gone. */
static void tell_witness(void)
{
    const char *path = os_environment_borrow("ANNOT_FRONT_WITNESS");
    if (path)
        os_file_remove(path);
}

/* Ends the recording once. The slots don't change: with the log they have everything that was
 * recorded. Another thread that is ending the process waits for this. */
static void end_recording(const char *why)
{
    if (atomic_exchange(&has_failed, true))
        return;
    atomic_store(&is_open, false);
    os_say("annot capture: %s: %s; recording has ended; the file has the calls until now",
           file.path, why);
    tell_witness();
    take(&file.lock);
    has_told = true;
    pthread_cond_broadcast(&file.freed);
    give(&file.lock);
}

static void wait_until_told(void)
{
    pthread_mutex_lock(&file.lock);
    while (!has_told)
        pthread_cond_wait(&file.freed, &file.lock);
    pthread_mutex_unlock(&file.lock);
}

/* ---- the log ---- */

static pthread_mutex_t append_lock = PTHREAD_MUTEX_INITIALIZER; /* the file's end */
HELD_AT_FORK(append_lock)

/* Appends a closed chunk. False: the log is unchanged. */
static bool append(struct trace_chunk chunk, const void *data)
{
    static const uint8_t zeros[8];
    void *packed = trace_chunk_close(&chunk, data, false);
    const void *stored = packed ? packed : data;
    take(&append_lock);
    const size_t padding = (8 - chunk.stored % 8) % 8;
    const uint64_t at = file.end;
    const bool ok = !has_failed &&
                    os_file_write(own_file(), stored, chunk.stored, at + sizeof chunk) &&
                    os_file_write(own_file(), zeros, padding, at + sizeof chunk + chunk.stored) &&
                    os_file_write(own_file(), &chunk, sizeof chunk, at);
    if (ok) {
        file.end = at + sizeof chunk + chunk.stored + padding;
    } else {
        end_recording(os_error());
        os_file_cut(own_file(), at);
    }
    give(&append_lock);
    free(packed);
    return ok;
}

static void set_state(struct trace_chunk *chunk, enum trace_chunk_state state, pthread_cond_t *told)
{
    take(&file.lock);
    chunk->state = state;
    pthread_cond_signal(told);
    give(&file.lock);
}

static bool store_slot(struct trace_chunk *chunk)
{
    if (!append(*chunk, chunk + 1))
        return false;
    set_state(chunk, CHUNK_FREE, &file.freed);
    return true;
}

/* Returns the full chunk with the lowest serial. The lock is held. */
static struct trace_chunk *oldest_full(void)
{
    struct trace_chunk *oldest = NULL;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slot(i)->state == CHUNK_FULL && (!oldest || slot(i)->serial < oldest->serial))
            oldest = slot(i);
    return oldest;
}

static void *write_chunks(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&file.lock);
    for (;;) {
        struct trace_chunk *chunk = oldest_full();
        if (has_failed) {
            break;
        } else if (chunk) {
            pthread_mutex_unlock(&file.lock);
            store_slot(chunk);
            pthread_mutex_lock(&file.lock);
        } else if (file.stopping) {
            break;
        } else {
            pthread_cond_wait(&file.filled, &file.lock);
        }
    }
    pthread_mutex_unlock(&file.lock);
    return NULL;
}

/* ---- slots ---- */

static struct trace_chunk *take_slot(uint32_t thread)
{
    struct trace_chunk *chunk = NULL;
    pthread_mutex_lock(&file.lock);
    for (;;) {
        for (uint32_t i = 0; i < SLOTS && !chunk; i++)
            if (slot(i)->state == CHUNK_FREE)
                chunk = slot(i);
        if (chunk || !file.has_writer || has_failed)
            break;
        pthread_cond_wait(&file.freed, &file.lock);
    }
    if (chunk) {
        *chunk = (struct trace_chunk){
            .magic = TRACE_CHUNK_MAGIC, .serial = ++file.serial, .thread = thread};
        __atomic_store_n(&chunk->state, CHUNK_OPEN, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&file.lock);
    return chunk;
}

/* Leaves the thread's chunk to the writer: the chunk is full, or the thread ends. */
static void leave_lane(void *unused)
{
    (void)unused;
    if (lane.chunk && lane.process == file.process && recorder_is_open())
        set_state(lane.chunk, CHUNK_FULL, &file.filled);
    lane.chunk = NULL;
}

static void enter_lane(void)
{
    if (lane.process == file.process)
        return;
    lane.chunk = NULL;
    lane.process = file.process;
    pthread_mutex_lock(&file.lock);
    lane.thread = ++file.threads;
    pthread_mutex_unlock(&file.lock);
    pthread_setspecific(file.key, &lane);
}

static uint8_t *room(size_t size)
{
    enter_lane();
    if (SLOT_BYTES - lane.used < size)
        leave_lane(NULL);
    if (!lane.chunk) {
        lane.chunk = take_slot(lane.thread);
        lane.used = 0;
    }
    return lane.chunk ? (uint8_t *)(lane.chunk + 1) + lane.used : NULL;
}

/* ---- records ---- */

static void join(uint8_t *at, const struct trace_record *record, const void *head, size_t head_size,
                 const void *body, size_t body_size)
{
    const size_t used = sizeof *record + head_size + body_size;
    memcpy(at, record, sizeof *record);
    if (head_size)
        memcpy(at + sizeof *record, head, head_size);
    if (body_size)
        memcpy(at + sizeof *record + head_size, body, body_size);
    if (used < record->size)
        memset(at + used, 0, record->size - used);
}

/* A record that is too long for a slot gets its own chunk in the log, behind the thread's chunk so
 * far. */
static void add_jumbo(const struct trace_record *record, const void *head, size_t head_size,
                      const void *body, size_t body_size)
{
    uint8_t *whole = malloc(record->size);
    if (!whole) {
        end_recording("out of memory");
        return;
    }
    enter_lane();
    leave_lane(NULL); /* what follows comes behind the jumbo chunk */
    join(whole, record, head, head_size, body, body_size);
    pthread_mutex_lock(&file.lock);
    const uint64_t serial = ++file.serial;
    pthread_mutex_unlock(&file.lock);
    append((struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                .serial = serial,
                                .thread = lane.thread,
                                .first_call = record->call,
                                .last_call = record->call,
                                .used = record->size},
           whole);
    free(whole);
}

void recorder_add(uint32_t kind, uint64_t call, uint32_t method, uint32_t words, const void *head,
                  size_t head_size, const void *body, size_t body_size)
{
    const size_t size = (sizeof(struct trace_record) + head_size + body_size + 7) & ~(size_t)7;
    if (!recorder_is_open() || size > TRACE_RECORDS_MAX)
        return;
    const struct trace_record record = {(uint32_t)size, kind, call, method, words};
    if (size > SLOT_BYTES) {
        add_jumbo(&record, head, head_size, body, body_size);
        return;
    }
    uint8_t *at = room(size);
    if (!at)
        return;
    join(at, &record, head, head_size, body, body_size);
    if (!lane.chunk->first_call)
        lane.chunk->first_call = call;
    if (call > lane.chunk->last_call)
        lane.chunk->last_call = call;
    lane.used += (uint32_t)size;
    /* The record is complete before it counts: a process may be killed between any two stores. */
    __atomic_store_n(&lane.chunk->used, lane.used, __ATOMIC_RELEASE);
}

void recorder_left(uint64_t call)
{
    if (lane.chunk && lane.process == file.process)
        __atomic_store_n(&lane.chunk->left, call, __ATOMIC_RELEASE);
}

void recorder_imitate(uint32_t thread, uint64_t call, uint64_t behind)
{
    if (!recorder_is_open())
        return;
    enter_lane();
    if (lane.thread != thread) {
        leave_lane(NULL);
        lane.thread = thread;
    }
    atomic_store(&calls, call - 1);
    imitated_behind = behind;
}

uint64_t recorder_last_call(void)
{
    const uint64_t behind = atomic_load_explicit(&imitated_behind, memory_order_relaxed);
    if (behind)
        return behind;
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

void recorder_say(const char *text, const char *name)
{
    static const char *said[SAID_MAX];
    static size_t count;
    char line[512];
    snprintf(line, sizeof line, "%s%s%s", name ? name : "", name ? ": " : "", text);
    recorder_add(RECORD_TEXT, atomic_load(&calls), 0, 0, NULL, 0, line, strlen(line) + 1);
    pthread_mutex_lock(&file.lock);
    bool is_new = true;
    for (size_t i = 0; i < count; i++)
        is_new &= said[i] != text;
    if (is_new && count < SAID_MAX)
        said[count++] = text;
    pthread_mutex_unlock(&file.lock);
    if (is_new)
        os_say("annot capture: %s", line);
}

/* ---- opening and closing ---- */

static bool expand_path(void)
{
    const char *pattern = os_environment_borrow("ANNOT_CAPTURE_FILE");
    char *to = file.path, *end = file.path + sizeof file.path - 32;
    if (!pattern || !*pattern)
        pattern = "annot-%p.annottrace";
    for (; *pattern && to < end; pattern++) {
        if (pattern[0] == '%' && pattern[1] == 'p') {
            to += sprintf(to, "%lu", (unsigned long)os_process_id());
            pattern++;
        } else {
            *to++ = *pattern;
        }
    }
    *to = '\0';
    return !*pattern;
}

static void describe(const char *runtime, uint32_t memory_watch)
{
    struct trace_header *h = header();
    *h = (struct trace_header){.version = TRACE_VERSION,
                               .header_size = TRACE_HEADER_SIZE,
                               .slot_count = file.is_kept ? SLOTS : 0,
                               .chunk_size = TRACE_CHUNK_SIZE,
                               .wchar_size = CAPTURE_WCHAR_SIZE,
                               .process = os_process_id(),
                               .started = now(),
                               .memory_watch = memory_watch};
    snprintf(h->runtime, sizeof h->runtime, "%s", runtime);
    os_program_path(h->program, sizeof h->program);
    memcpy(h->magic, TRACE_MAGIC, sizeof h->magic);
}

/* Stops the recorder in a child of fork, because the mapping is the parent's. */
static void in_child(void)
{
    if (!atomic_exchange(&is_open, false))
        return;
    os_file_close(own_file(), file.map, MAP_BYTES);
    file.fd = -1;
    file.has_writer = false;
    os_say("annot capture: a forked child is not recorded until the child executes a program");
}

static void after_fork_in_child(void)
{
    held_renew();
    in_child();
}

/* Returns how much of a path comes before "-2": all but the extension. */
static size_t stem_of(const char *path)
{
    size_t begin = 0;
    for (size_t i = 0; path[i]; i++)
        if (path[i] == '/' || path[i] == '\\' || path[i] == ':')
            begin = i + 1;
    const char *dot = strrchr(path + begin, '.');
    return dot && dot > path + begin ? (size_t)(dot - path) : strlen(path);
}

/* Makes the file with its name. If this file exists, takes the next name: NAME-2.EXT, NAME-3.EXT.
 * Returns NULL, or the reason for a failure. */
static const char *create(void)
{
    static char wanted[sizeof file.path];
    const size_t stem = stem_of(strcpy(wanted, file.path));
    for (unsigned number = 2; number <= NUMBER_MAX; number++) {
        switch (os_file_create(&file.fd, file.path)) {
        case OS_FILE_DONE:
            return NULL;
        case OS_FILE_NO_FILE:
            return "the path names a device, a pipe, a link or a folder; give the path of a file";
        case OS_FILE_FAILED:
            return os_error();
        case OS_FILE_TAKEN:
            snprintf(file.path, sizeof file.path, "%.*s-%u%s", (int)stem, wanted, number,
                     wanted + stem);
        }
    }
    return "too many files with this name exist; give another name";
}

/* Makes slots in the file if the disk has reserved room for all: on a full disk a store into an
 * unreserved page would end the program (SIGBUS). Otherwise it makes slots in memory, and a file
 * without slots. Returns NULL, or the reason why there are no slots. */
static const char *make_slots(void)
{
    const enum os_reserved reserved = os_file_reserve(file.fd, MAP_BYTES);
    if (reserved == OS_RESERVE_FAILED)
        return os_error();
    file.is_kept = reserved == OS_RESERVED;
    file.map = file.is_kept ? os_file_map(file.fd, MAP_BYTES) : calloc(1, MAP_BYTES);
    file.end = file.is_kept ? MAP_BYTES : TRACE_HEADER_SIZE;
    if (!file.map)
        return file.is_kept ? os_error() : "out of memory";
    if (!file.is_kept)
        os_say("annot capture: %s: this file system can't reserve space; if the program is killed, "
               "the last calls are lost",
               file.path);
    return NULL;
}

static bool write_header(void)
{
    return file.is_kept || os_file_write(own_file(), file.map, TRACE_HEADER_SIZE, 0);
}

/* Makes the file with its header. Returns NULL, or the reason why there is no file. */
static const char *make_file(const char *runtime, uint32_t memory_watch)
{
    const char *why = create();
    if (why)
        return why;
    why = os_file_identify(file.fd, &file.identity) ? make_slots() : os_error();
    if (!why) {
        describe(runtime, memory_watch);
        why = write_header() ? NULL : os_error();
    }
    if (why) {
        os_file_close(file.fd, file.is_kept ? file.map : NULL, MAP_BYTES);
        os_file_remove(file.path);
    }
    return why;
}

bool recorder_open(const char *runtime, uint32_t memory_watch)
{
    const char *why = expand_path() ? make_file(runtime, memory_watch) : "the path is too long";
    if (why) {
        tell_witness();
        os_say("annot capture: %s: %s; nothing is recorded; give another file with -o", file.path,
               why);
        return false;
    }
    os_say("annot capture: recording into %s", file.path);
    file.process = os_process_id();
    pthread_key_create(&file.key, leave_lane);
    held_add(&file.lock);
    os_at_fork(held_take, held_give, after_fork_in_child);
    library_stay();
    file.has_writer = pthread_create(&file.writer, NULL, write_chunks, NULL) == 0;
    atomic_store(&is_open, true);
    return true;
}

static bool copy_log(os_file to)
{
    uint8_t *buffer = calloc(1, TRACE_CHUNK_SIZE);
    bool ok = to != -1 && buffer;
    if (ok) {
        struct trace_header h = *header();
        h.slot_count = 0;
        h.file_size -= MAP_BYTES - TRACE_HEADER_SIZE;
        memcpy(buffer, &h, sizeof h);
        ok = os_file_write(to, buffer, TRACE_HEADER_SIZE, 0);
    }
    for (uint64_t at = MAP_BYTES; ok && at < file.end;) {
        const size_t n = os_file_read(own_file(), buffer, TRACE_CHUNK_SIZE, at);
        ok = n > 0 && os_file_write(to, buffer, n, at - MAP_BYTES + TRACE_HEADER_SIZE);
        at += n;
    }
    free(buffer);
    return ok;
}

/* Replaces the file by a copy without slots, if the name still belongs to the file. */
static void compact(void)
{
    char part[sizeof file.path + 8];
    os_file fd;
    snprintf(part, sizeof part, "%s.part", file.path);
    if (!os_file_is_at(own_file(), file.path) || os_file_create(&fd, part) != OS_FILE_DONE)
        return;
    const bool ok = copy_log(fd) && os_file_is_at(own_file(), file.path);
    os_file_close(fd, NULL, 0);
    /* threads that still run may still store in the slots */
    os_file_close(own_file(), file.is_alone ? file.map : NULL, MAP_BYTES);
    if (!ok || !os_file_rename(part, file.path))
        os_file_remove(part);
}

void recorder_note_looks(uint64_t asked, uint64_t hashed)
{
    if (!recorder_is_open())
        return;
    header()->looked_asked = asked;
    header()->looked_hashed = hashed;
}

void recorder_close(bool is_alone)
{
    bool is_whole = true;
    if (file.process != os_process_id())
        return;
    if (!recorder_is_open()) {
        if (has_failed && !is_alone)
            wait_until_told();
        return;
    }
    file.is_alone = is_alone;
    take(&file.lock);
    file.stopping = true;
    pthread_cond_signal(&file.filled);
    give(&file.lock);
    if (file.has_writer && !is_alone)
        pthread_join(file.writer, NULL);
    file.has_writer = false;
    atomic_store(&is_open, false);
    for (uint32_t i = 0; i < SLOTS && is_whole; i++)
        if (slot(i)->state == CHUNK_OPEN || slot(i)->state == CHUNK_FULL)
            is_whole = store_slot(slot(i));
    if (has_failed && !is_alone)
        wait_until_told();
    if (!is_whole || has_failed)
        return;
    header()->is_finished = 1;
    header()->file_size = file.end;
    if (!write_header())
        end_recording(os_error());
    else if (file.is_kept && file.end <= COMPACT_MAX)
        compact();
}
