#include "mapping.h"
#include "../../intercept/held.h"
#include "../../intercept/resource.h"

#include "idle.h"
#include "reach.h"
#include "recorder.h"
#include "watch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <utlist.h>

#define PAGE  WATCH_PAGE
#define PIECE 30u /* pages of a record: two of them fit a chunk that threads record into */

/* A mapping. The knowledge of its contents outlives Unmap. */
struct mapping {
    struct mapping *next;
    const struct object *object;
    uint64_t number, size;
    const uint8_t *memory;
    unsigned maps;
    bool is_watched;
    const void *thread;       /* the thread that maps the memory; NULL: several */
    uint32_t kind;            /* enum resource_kind */
    bool is_open;             /* the GPU may write all of it at any time, so writes are not
                                 watched */
    uint64_t address;         /* the GPU's address */
    struct reach_range reach; /* the range that the GPU may write, */
    uint64_t reach_version;   /* as of this version of reach.h */
    bool has_faults;          /* whether all of the GPU's writes caused page faults */
    uint64_t faults;          /* the process's before the system was last asked; 0: ask again */
    bool has_work;            /* whether the GPU got work since it was last known to be idle */
    uint64_t *hashes;         /* XXH3 of each page in the trace */
    uint8_t *written;         /* for each page of watched memory, whether it must be hashed */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct mapping *mappings;
static atomic_uint mapped;
/* All data below needs the lock: */
static uint64_t asked, hashed; /* bytes, for the trace's header */
static uint64_t looked;        /* the highest number of a call that checked memory */

uint32_t mapping_open(void)
{
    reach_open();
    return watch_open();
}

/* ---- pages ---- */

static uint64_t page_count(const struct mapping *m)
{
    return (m->size + PAGE - 1) / PAGE;
}

/* Notes pages as written in all mappings of these pages: the query has marked the system's pages as
 * unwritten for all these mappings. */
static void note_written(void *unused, uint64_t first, uint64_t end)
{
    struct mapping *m;
    (void)unused;
    LL_FOREACH(mappings, m)
    {
        const uint64_t begin = (uint64_t)(uintptr_t)m->memory;
        if (!m->is_watched || end <= begin || first >= begin + m->size)
            continue;
        const uint64_t from = first > begin ? (first - begin) / PAGE : 0;
        const uint64_t last = (end - 1 - begin) / PAGE;
        const uint64_t to = last < page_count(m) ? last + 1 : page_count(m);
        memset(m->written + from, 1, to - from);
    }
}

/* Watches the memory from now on, if possible; its pages must be hashed once more. */
static void watch(struct mapping *m)
{
    m->is_watched = false;
    if (m->is_open)
        return;
    if (!m->written)
        m->written = malloc(page_count(m));
    if (!m->written)
        return;
    memset(m->written, 1, page_count(m));
    m->is_watched = watch_begin(m->memory, m->size, false);
}

/* Work that the GPU got may have written the memory that calls name; the GPU only reads uploads. */
static void note_reached(struct mapping *m, bool is_idle)
{
    if (m->kind == RESOURCE_UPLOAD || !m->has_work)
        return;
    const uint64_t first = m->reach.first / PAGE, end = (m->reach.end + PAGE - 1) / PAGE;
    if (m->reach.first < m->reach.end) {
        m->has_faults = !memchr(m->written + first, 0, end - first);
        memset(m->written + first, 1, end - first);
    }
    m->has_work = !is_idle;
}

static void take_reach(struct mapping *m)
{
    const uint64_t named = reach_version();
    if (m->kind == RESOURCE_UPLOAD || m->reach_version == named)
        return;
    m->reach = reach_of(m->object, m->address, m->size);
    m->reach_version = named;
}

/* Finds out which pages have to be hashed. What a busy GPU writes matters to a check only: other
 * records have the CPU's writes, which the system reports. `faults` comes from watch_faults; after
 * 0, and if it has grown, the system is asked. */
static void collect(struct mapping *m, bool is_idle, bool is_check, uint64_t faults)
{
    take_reach(m);
    if (m->is_watched) {
        const bool is_same = faults && faults == m->faults;
        m->faults = faults;
        asked += is_same ? 0 : m->size;
        if (!is_same && !watch_collect(m->memory, m->size, note_written, NULL))
            watch(m);
        else if (is_check || is_idle)
            note_reached(m, is_idle);
    }
}

/* The first page from `page` on that may have changed. */
static uint64_t next_page(const struct mapping *m, uint64_t page)
{
    const uint64_t pages = page_count(m);
    if (!m->is_watched || page >= pages)
        return page;
    const uint8_t *found = memchr(m->written + page, 1, pages - page);
    return found ? (uint64_t)(found - m->written) : pages;
}

/* ---- records ---- */

static struct trace_memory head_of(const struct mapping *m, uint64_t offset, uint64_t size)
{
    const bool is_written = m->is_open || (offset < m->reach.end && offset + size > m->reach.first);
    return (struct trace_memory){
        .object = m->number,
        .offset = offset,
        .size = size,
        .flags = m->kind == RESOURCE_SHARED && is_written ? TRACE_MEMORY_SHARED : 0};
}

static uint64_t end_of(const struct mapping *m, uint64_t pages)
{
    return pages * PAGE < m->size ? pages * PAGE : m->size;
}

/* Whether the page differs from the trace. If so, `to` gets a copy, unless it is NULL. The GPU may
 * write meanwhile, so the hashes and the record use one copy of the bytes. */
static bool take_page(struct mapping *m, uint64_t page, uint8_t *to)
{
    const uint8_t *from = m->memory + page * PAGE;
    const uint64_t size = end_of(m, page + 1) - page * PAGE;
    if (m->is_watched) {
        m->written[page] = 0;
        from = to ? memcpy(to, from, size) : from;
    }
    uint64_t hash = XXH3_64bits(from, size);
    if (hash == m->hashes[page])
        return false;
    if (to && from != to)
        hash = XXH3_64bits(memcpy(to, from, size), size);
    m->hashes[page] = hash;
    return true;
}

/* Checks only memory that calls name for the GPU. Runtimes may fill the rest differently. */
static void record_check(const struct mapping *m, uint64_t call, uint64_t first, uint64_t end)
{
    const struct reach_range *r = &m->reach;
    if (m->kind == RESOURCE_READBACK && !m->is_open) {
        first = first > r->first ? first : r->first;
        end = end < r->end ? end : r->end;
    }
    if (first >= end)
        return;
    const bool has_rows = r->pitch && !m->is_open && first >= r->first && end <= r->end;
    const uint64_t pitch = has_rows ? r->pitch : end - first, row = has_rows ? r->row : pitch;
    for (uint64_t at = first - (has_rows ? (first - r->first) % pitch : 0); at < end; at += pitch) {
        const uint64_t from = at < first ? first : at, to = at + row < end ? at + row : end;
        if (from >= to)
            continue;
        struct trace_memory head = head_of(m, from, to - from);
        head.hash = XXH64(m->memory + from, head.size, 0);
        recorder_add(RECORD_CHECK, call, 0, 0, &head, sizeof head, NULL, 0);
    }
}

/* Records pages that have changed; `copy` has their bytes, unless this is a check. */
static void record_range(const struct mapping *m, uint64_t call, uint64_t first, uint64_t end,
                         const uint8_t *copy)
{
    const uint64_t offset = first * PAGE, size = end_of(m, end) - offset;
    const struct trace_memory head = head_of(m, offset, size);
    if (!copy)
        record_check(m, call, offset, offset + size);
    else if (size)
        recorder_add(RECORD_MEMORY, call, 0, 0, &head, sizeof head, copy, size);
}

/* Records the pages that differ from the trace, neighbours together. If several threads map memory
 * that CPU and GPU write, another thread may have written after its writes were recorded. Replay
 * then needs the bytes, which a hash lacks. */
static void record_changes(struct mapping *m, uint64_t call, bool is_check)
{
    static uint8_t copy[PIECE * PAGE]; /* of these pages */
    const uint64_t pages = page_count(m);
    if (is_check && m->kind == RESOURCE_UPLOAD)
        return;
    is_check &= m->thread || m->kind != RESOURCE_SHARED;
    uint64_t first = 0, end = 0; /* the pages that changed and are not recorded yet */
    for (uint64_t page = next_page(m, 0); page < pages; page = next_page(m, page + 1)) {
        if (page != end || (!is_check && page - first == PIECE)) {
            record_range(m, call, first, end, is_check ? NULL : copy);
            first = end = page;
        }
        hashed += PAGE;
        if (take_page(m, page, is_check ? NULL : copy + (page - first) * PAGE))
            end = page + 1;
    }
    record_range(m, call, first, end, is_check ? NULL : copy);
}

/* Returns a number that is in order. Threads take numbers before they get here. A thread that
 * checks later sees newer bytes, which replay must write later, so it needs a newer number. */
static uint64_t in_order(uint64_t call)
{
    if (call < looked)
        call = recorder_next_call();
    looked = call;
    return call;
}

static struct mapping *find(const struct object *object)
{
    struct mapping *m;
    LL_FOREACH(mappings, m)
    if (m->object == object && m->number == object->more->number)
        return m;
    return NULL;
}

uint64_t mapping_record(const struct object *resource, uint64_t call, bool is_check, uint32_t kinds)
{
    struct mapping *m;
    if (atomic_load(&mapped) == 0)
        return call;
    pthread_mutex_lock(&lock);
    const bool is_idle = idle_is();
    const uint64_t faults = watch_faults();
    const struct mapping *only = resource ? find(resource) : NULL;
    if (only && only->is_open)
        only = NULL;
    if (!is_check)
        call = in_order(call);
    LL_FOREACH(mappings, m)
    if (m->maps && (m->kind & kinds) && (!only || m == only))
        collect(m, is_idle, is_check, faults);
    LL_FOREACH(mappings, m)
    if (m->maps && (m->kind & kinds) && (!only || m == only))
        record_changes(m, call, is_check);
    recorder_note_looks(asked, hashed);
    pthread_mutex_unlock(&lock);
    return call;
}

void mapping_submitted(void)
{
    struct mapping *m;
    pthread_mutex_lock(&lock);
    LL_FOREACH(mappings, m)
    {
        m->has_work = true;
        m->faults = m->has_faults ? 0 : m->faults;
        if (m->maps && m->is_watched && m->has_faults)
            m->is_watched =
                watch_begin(m->memory + m->reach.first, m->reach.end - m->reach.first, true);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- mapped memory ---- */

static _Thread_local char this_thread; /* its address tells threads apart */

static struct mapping *add(const struct object *object, const uint8_t *memory, uint64_t size,
                           uint32_t kind, bool is_open)
{
    struct mapping *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (struct mapping){.object = object,
                          .number = object->more->number,
                          .memory = memory,
                          .thread = &this_thread,
                          .size = size,
                          .has_work = true,
                          .kind = kind,
                          .is_open = is_open};
    m->hashes = calloc(page_count(m), sizeof *m->hashes);
    if (!m->hashes) {
        free(m);
        return NULL;
    }
    watch(m);
    LL_PREPEND(mappings, m);
    return m;
}

static void count_map(struct mapping *m)
{
    if (m->maps++ == 0)
        atomic_fetch_add(&mapped, 1);
}

/* Maps a resource again: the program now sees what the GPU wrote after the first Map. */
static void map_again(struct mapping *m, const uint8_t *memory, uint64_t call, bool is_idle)
{
    if (m->memory != memory) {
        m->memory = memory;
        watch(m);
    } else {
        collect(m, is_idle, true, 0);
    }
    if (is_idle)
        record_changes(m, call, true);
}

void mapping_map(const struct object *resource, const uint8_t *memory, uint64_t call)
{
    const struct resource_facts facts = resource_describe(resource->real);
    if (facts.size == 0) {
        if (memory)
            recorder_say("writes through the pointer of a mapped texture are not recorded", NULL);
        return;
    }
    if (!memory)
        return;
    pthread_mutex_lock(&lock);
    const bool is_idle = idle_is();
    struct mapping *m = find(resource);
    if (m) {
        if (m->thread != &this_thread)
            m->thread = NULL;
        map_again(m, memory, call, is_idle);
    } else if ((m = add(resource, memory, facts.size, facts.kind,
                        facts.kind != RESOURCE_UPLOAD &&
                            (facts.is_shared ||
                             object_note(resource, OBJECT_NOTE_RECORDER) == MAPPING_PLACED)))) {
        m->address = resource_address(resource->real);
        take_reach(m);
        for (uint64_t page = 0; page < page_count(m); page++)
            take_page(m, page, NULL);
        if (facts.kind != RESOURCE_UPLOAD && is_idle) /* the program never wrote here */
            record_check(m, call, m->is_open ? 0 : m->reach.first,
                         m->is_open ? m->size : m->reach.end);
    }
    if (m)
        count_map(m);
    else
        recorder_say("out of memory: writes through Map are not recorded", NULL);
    pthread_mutex_unlock(&lock);
}

uint64_t mapping_unmap(const struct object *resource, uint64_t call)
{
    pthread_mutex_lock(&lock);
    const bool is_idle = idle_is();
    struct mapping *m = find(resource);
    if (m && m->maps) {
        call = in_order(call);
        collect(m, is_idle, false, 0);
        if (is_idle || m->kind != RESOURCE_READBACK)
            record_changes(m, call, false);
        if (--m->maps == 0)
            atomic_fetch_sub(&mapped, 1);
    }
    pthread_mutex_unlock(&lock);
    return call;
}

void mapping_add_heap(const struct object *heap, const uint8_t *memory, uint64_t size)
{
    static const uint8_t zeros[PAGE];
    pthread_mutex_lock(&lock);
    struct mapping *m = find(heap) ? NULL : add(heap, memory, size, RESOURCE_SHARED, true);
    if (m) { /* in replay the memory begins as zeros, so other bytes must be written */
        const uint64_t zero = XXH3_64bits(zeros, PAGE);
        for (uint64_t page = 0; page < page_count(m); page++)
            m->hashes[page] = zero;
        count_map(m);
    }
    pthread_mutex_unlock(&lock);
}

void mapping_forget(const struct object *object)
{
    pthread_mutex_lock(&lock);
    struct mapping *m = find(object);
    if (m) {
        if (m->maps)
            atomic_fetch_sub(&mapped, 1);
        LL_DELETE(mappings, m);
        free(m->hashes);
        free(m->written);
        free(m);
    }
    pthread_mutex_unlock(&lock);
}
