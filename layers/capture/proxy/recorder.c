#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#ifdef CAPTURE_HAVE_ZSTD
#include <zstd.h>
#endif

#define SLOTS       64
#define SLOT_BYTES  (TRACE_CHUNK_SIZE - sizeof(struct trace_chunk))
#define COMPACT_MAX ((off_t)64 << 20) /* larger files keep their hole */
#define SAID_MAX    64

static struct {
    pthread_mutex_t lock; /* slots' states, the log's end */
    pthread_cond_t freed, filled;
    pthread_t writer;
    bool has_writer, stopping;
    int fd;
    pid_t process;
    uint8_t *map;
    off_t end;
    char path[1024];
    uint64_t serial;
    uint32_t threads;
    pthread_key_t key;
} file = {PTHREAD_MUTEX_INITIALIZER,
          PTHREAD_COND_INITIALIZER,
          PTHREAD_COND_INITIALIZER,
          0,
          0,
          0,
          -1,
          0,
          NULL,
          0,
          "",
          0,
          0,
          0};

static atomic_bool is_open;
static atomic_uint_fast64_t calls, records, bytes, waits;

struct lane { /* a thread's place */
    struct trace_chunk *chunk;
    uint32_t thread, used;
    pid_t process;
};
static _Thread_local struct lane lane;

bool recorder_is_open(void)
{
    return atomic_load_explicit(&is_open, memory_order_acquire);
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

static bool write_all(const void *data, size_t size, off_t at)
{
    const uint8_t *next = data;
    while (size) {
        const ssize_t n = pwrite(file.fd, next, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        next += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* ---- the log ---- */

/* Appends a closed chunk; the lock is held by the caller's being the only one that appends (append_lock). */
static pthread_mutex_t append_lock = PTHREAD_MUTEX_INITIALIZER;

static void append(struct trace_chunk chunk, const void *data)
{
    static const uint8_t zeros[8];
    const void *stored = data;
    void *packed = NULL;
    chunk.codec = CODEC_NONE;
    chunk.stored = chunk.used;
#ifdef CAPTURE_HAVE_ZSTD
    const size_t bound = ZSTD_compressBound(chunk.used);
    packed = malloc(bound);
    const size_t size = packed ? ZSTD_compress(packed, bound, data, chunk.used, 1) : bound;
    if (packed && !ZSTD_isError(size) && size < chunk.used) {
        chunk.codec = CODEC_ZSTD;
        chunk.stored = (uint32_t)size;
        stored = packed;
    }
#endif
    chunk.state = CHUNK_STORED;
    chunk.hash = XXH64(stored, chunk.stored, 0);
    pthread_mutex_lock(&append_lock);
    const size_t padding = (8 - chunk.stored % 8) % 8;
    const off_t at = file.end;
    if (write_all(stored, chunk.stored, at + (off_t)sizeof chunk) &&
        write_all(zeros, padding, at + (off_t)(sizeof chunk + chunk.stored)) &&
        write_all(&chunk, sizeof chunk, at)) {
        file.end = at + (off_t)(sizeof chunk + chunk.stored + padding);
    } else if (atomic_exchange(&is_open, false)) {
        fprintf(stderr, "annot capture: %s: %s; recording has ended, make room and run again\n",
                file.path, strerror(errno));
    }
    pthread_mutex_unlock(&append_lock);
    free(packed);
}

static void store_slot(struct trace_chunk *chunk)
{
    append(*chunk, chunk + 1);
    pthread_mutex_lock(&file.lock);
    chunk->state = CHUNK_FREE;
    pthread_cond_signal(&file.freed);
    pthread_mutex_unlock(&file.lock);
}

/* The full chunk of the lowest serial; the lock is held. */
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
        if (chunk) {
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

static void fill(struct trace_chunk *chunk)
{
    pthread_mutex_lock(&file.lock);
    chunk->state = CHUNK_FULL;
    pthread_cond_signal(&file.filled);
    pthread_mutex_unlock(&file.lock);
}

static struct trace_chunk *take_slot(uint32_t thread)
{
    struct trace_chunk *chunk = NULL;
    pthread_mutex_lock(&file.lock);
    for (;;) {
        for (uint32_t i = 0; i < SLOTS && !chunk; i++)
            if (slot(i)->state == CHUNK_FREE)
                chunk = slot(i);
        if (chunk || !file.has_writer)
            break;
        atomic_fetch_add(&waits, 1);
        pthread_cond_wait(&file.freed, &file.lock);
    }
    if (chunk) {
        memset(chunk + 1, 0, sizeof(struct trace_record)); /* the reader's end mark */
        *chunk = (struct trace_chunk){
            .magic = TRACE_CHUNK_MAGIC, .serial = ++file.serial, .thread = thread};
        __atomic_store_n(&chunk->state, CHUNK_OPEN, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&file.lock);
    return chunk;
}

/* A thread that ends leaves its chunk to the writer. */
static void leave_lane(void *unused)
{
    (void)unused;
    if (lane.chunk && lane.process == file.process && recorder_is_open())
        fill(lane.chunk);
    lane.chunk = NULL;
}

static bool enter_lane(void)
{
    lane.chunk = NULL;
    lane.process = file.process;
    pthread_mutex_lock(&file.lock);
    lane.thread = ++file.threads;
    pthread_mutex_unlock(&file.lock);
    pthread_setspecific(file.key, &lane);
    return true;
}

static uint8_t *room(size_t size)
{
    if (lane.process != file.process)
        enter_lane();
    if (lane.chunk && SLOT_BYTES - lane.used < size) {
        fill(lane.chunk);
        lane.chunk = NULL;
    }
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
    memcpy(at, record, sizeof *record);
    if (head_size)
        memcpy(at + sizeof *record, head, head_size);
    if (body_size)
        memcpy(at + sizeof *record + head_size, body, body_size);
}

/* A record that no slot holds becomes a chunk of its own in the log, behind the thread's chunk so far. */
static void add_jumbo(const struct trace_record *record, const void *head, size_t head_size,
                      const void *body, size_t body_size)
{
    uint8_t *whole = malloc(record->size);
    if (!whole)
        return;
    if (lane.process != file.process)
        enter_lane();
    if (lane.chunk) { /* what follows comes behind the jumbo chunk */
        fill(lane.chunk);
        lane.chunk = NULL;
    }
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
    const size_t size = sizeof(struct trace_record) + head_size + body_size;
    if (!recorder_is_open() || size > TRACE_RECORDS_MAX)
        return;
    const struct trace_record record = {(uint32_t)size, kind, call, method, words};
    atomic_fetch_add_explicit(&records, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
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

uint64_t recorder_last_call(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

void recorder_say(const char *text, const char *name)
{
    static const char *said[SAID_MAX];
    static size_t count;
    char line[512] = {0};
    const int length =
        snprintf(line, sizeof line - 8, "%s%s%s", name ? name : "", name ? ": " : "", text);
    if (length < 0)
        return;
    recorder_add(RECORD_TEXT, atomic_load(&calls), 0, 0, NULL, 0, line,
                 ((size_t)length + 8) & ~(size_t)7);
    pthread_mutex_lock(&file.lock);
    bool is_new = true;
    for (size_t i = 0; i < count; i++)
        is_new &= said[i] != text;
    if (is_new && count < SAID_MAX)
        said[count++] = text;
    pthread_mutex_unlock(&file.lock);
    if (is_new)
        fprintf(stderr, "annot capture: %s\n", line);
}

struct recorder_stats recorder_get_stats(void)
{
    return (struct recorder_stats){atomic_load(&records), atomic_load(&bytes), atomic_load(&waits)};
}

/* ---- opening and closing ---- */

static bool expand_path(void)
{
    const char *pattern = getenv("ANNOT_CAPTURE_FILE");
    char *to = file.path, *end = file.path + sizeof file.path - 24;
    if (!pattern || !*pattern)
        pattern = "annot-%p.annottrace";
    for (; *pattern && to < end; pattern++) {
        if (pattern[0] == '%' && pattern[1] == 'p') {
            to += sprintf(to, "%ld", (long)getpid());
            pattern++;
        } else {
            *to++ = *pattern;
        }
    }
    *to = '\0';
    return !*pattern;
}

static void describe(const char *runtime)
{
    struct trace_header *h = header();
    *h = (struct trace_header){.version = TRACE_VERSION,
                               .header_size = TRACE_HEADER_SIZE,
                               .slot_count = SLOTS,
                               .chunk_size = TRACE_CHUNK_SIZE,
                               .wchar_size = CAPTURE_WCHAR_SIZE,
                               .process = (uint32_t)getpid(),
                               .started = now()};
    snprintf(h->runtime, sizeof h->runtime, "%s", runtime);
    const ssize_t n = readlink("/proc/self/exe", h->program, sizeof h->program - 1);
    if (n < 0)
        h->program[0] = '\0';
    memcpy(h->magic, TRACE_MAGIC, sizeof h->magic);
}

/* A child of fork has the parent's mapping: it must not write into it. */
static void in_child(void)
{
    if (!atomic_exchange(&is_open, false))
        return;
    munmap(file.map, TRACE_HEADER_SIZE + (size_t)SLOTS * TRACE_CHUNK_SIZE);
    close(file.fd);
    file.fd = -1;
    file.has_writer = false;
    fprintf(stderr, "annot capture: a forked child is not recorded unless it executes a program\n");
}

static void before_fork(void)
{
    pthread_mutex_lock(&append_lock);
    pthread_mutex_lock(&file.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&file.lock);
    pthread_mutex_unlock(&append_lock);
}

static void after_fork_in_child(void)
{
    after_fork();
    in_child();
}

bool recorder_open(const char *runtime)
{
    const size_t size = TRACE_HEADER_SIZE + (size_t)SLOTS * TRACE_CHUNK_SIZE;
    if (!expand_path()) {
        fprintf(stderr, "annot capture: the path in ANNOT_CAPTURE_FILE is too long\n");
        return false;
    }
    unlink(file.path);
    file.fd = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file.fd < 0 || ftruncate(file.fd, (off_t)size)) {
        fprintf(stderr, "annot capture: %s: %s; give another file with -o\n", file.path,
                strerror(errno));
        return false;
    }
    file.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
    if (file.map == MAP_FAILED) {
        fprintf(stderr, "annot capture: %s can't be mapped: %s\n", file.path, strerror(errno));
        return false;
    }
    file.end = (off_t)size;
    file.process = getpid();
    describe(runtime);
    pthread_key_create(&file.key, leave_lane);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    file.has_writer = pthread_create(&file.writer, NULL, write_chunks, NULL) == 0;
    atomic_store(&is_open, true);
    return true;
}

/* The same bytes without the slots, in place of the file. */
static void compact(void)
{
    char part[sizeof file.path + 8];
    const off_t log = TRACE_HEADER_SIZE + (off_t)SLOTS * TRACE_CHUNK_SIZE;
    snprintf(part, sizeof part, "%s.part", file.path);
    const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    uint8_t *buffer = malloc(TRACE_CHUNK_SIZE);
    bool ok = fd >= 0 && buffer;
    if (ok) {
        struct trace_header h = *header();
        memset(buffer, 0, TRACE_HEADER_SIZE);
        h.slot_count = 0;
        memcpy(buffer, &h, sizeof h);
        ok = write(fd, buffer, TRACE_HEADER_SIZE) == TRACE_HEADER_SIZE;
    }
    for (off_t at = log; ok && at < file.end;) {
        const ssize_t n = pread(file.fd, buffer, TRACE_CHUNK_SIZE, at);
        ok = n > 0 && write(fd, buffer, (size_t)n) == n;
        at += n;
    }
    free(buffer);
    if (fd >= 0 && (close(fd) || !ok || rename(part, file.path)))
        unlink(part);
}

void recorder_close(void)
{
    if (!recorder_is_open() || file.process != getpid())
        return;
    pthread_mutex_lock(&file.lock);
    file.stopping = true;
    pthread_cond_signal(&file.filled);
    pthread_mutex_unlock(&file.lock);
    if (file.has_writer)
        pthread_join(file.writer, NULL);
    file.has_writer = false;
    atomic_store(&is_open, false);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slot(i)->state == CHUNK_OPEN || slot(i)->state == CHUNK_FULL)
            store_slot(slot(i));
    header()->is_finished = 1;
    if (file.end <= COMPACT_MAX)
        compact();
}
