/* The order of what threads see of mapped memory, with a recorder that keeps the numbers of its
 * records: a call that looks later has a higher number, whenever it took its own [ANN-TRACE-02]. */
#include <capture/proxy/mapping.h>
#include <capture/proxy/idle.h>
#include <capture/proxy/reach.h>
#include <capture/proxy/recorder.h>
#include <capture/proxy/watch.h>
#include <intercept/held.h>
#include <intercept/resource.h>

#include "asserts.h"

#include <string.h>

/* ---- what mapping.c calls ---- */

static uint64_t last_call, recorded[16];
static size_t record_count;
static struct trace_memory compared; /* the newest that is to be compared in replay */
static uint32_t kind = RESOURCE_UPLOAD;
static struct reach_range reached;
static bool is_busy, is_watching; /* the GPU; the system */
static uint64_t asked, hashed;    /* bytes */

uint64_t recorder_next_call(void)
{
    return ++last_call;
}

void recorder_add(uint32_t record, uint64_t call, uint32_t method, uint32_t words, const void *head,
                  size_t head_size, const void *body, size_t body_size)
{
    (void)method, (void)words, (void)body, (void)body_size;
    if (record == RECORD_CHECK)
        memcpy(&compared, head, head_size);
    else
        cr_assert_eq(record, RECORD_MEMORY);
    cr_assert(record_count < sizeof recorded / sizeof recorded[0]);
    recorded[record_count++] = call;
}

void recorder_note_looks(uint64_t by_asking, uint64_t by_hashing)
{
    asked = by_asking, hashed = by_hashing;
}

void recorder_say(const char *text, const char *name)
{
    cr_assert_fail("%s %s", text, name ? name : "");
}

void held_add(pthread_mutex_t *mutex)
{
    (void)mutex;
}

bool idle_is(void)
{
    return !is_busy;
}

void reach_open(void)
{
}

uint64_t reach_version(void)
{
    return reached.end;
}

struct reach_range reach_of(const struct object *object, uint64_t address, uint64_t size)
{
    (void)object, (void)address, (void)size;
    return reached;
}

struct resource_facts resource_describe(void *resource)
{
    (void)resource;
    return (struct resource_facts){.size = WATCH_PAGE, .kind = kind};
}

uint64_t resource_address(void *resource)
{
    (void)resource;
    return 0;
}

enum trace_watch watch_open(void)
{
    return TRACE_WATCH_HASHING;
}

bool watch_begin(const void *memory, uint64_t size, bool are_written)
{
    (void)memory, (void)size, (void)are_written;
    return is_watching;
}

bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user)
{
    (void)memory, (void)size, (void)found, (void)user;
    return is_watching;
}

uint64_t watch_faults(void)
{
    return 1;
}

/* ---- the cases ---- */

static struct object_more more = {.number = 1};
static const struct object buffer = {.more = &more};
static uint8_t memory[WATCH_PAGE];

static void map(void)
{
    mapping_open();
    mapping_map(&buffer, memory, recorder_next_call());
}

TestSuite(trace_mapping, .init = map);

Test(trace_mapping, who_took_its_number_last_and_looks_first_has_the_lower_one)
{
    const uint64_t early = recorder_next_call(), late = recorder_next_call();
    memory[0] = 1;
    const uint64_t first = mapping_record(NULL, late, false, RESOURCE_UPLOAD);
    memory[0] = 2;
    const uint64_t second = mapping_record(NULL, early, false, RESOURCE_UPLOAD);
    cr_expect(first == late && second > late, "%lu, %lu", (unsigned long)first,
              (unsigned long)second);
    cr_expect(record_count == 2 && recorded[0] == first && recorded[1] == second);
}

Test(trace_mapping, so_it_is_with_what_is_seen_when_memory_is_unmapped)
{
    const uint64_t early = recorder_next_call(), late = recorder_next_call();
    memory[0] = 1;
    mapping_record(NULL, late, false, RESOURCE_UPLOAD);
    memory[0] = 2;
    const uint64_t unmapped = mapping_unmap(&buffer, early);
    cr_expect_gt(unmapped, late);
    cr_expect_eqs(record_count, 2, recorded[1], unmapped);
}

Test(trace_mapping, a_call_in_order_keeps_its_number)
{
    const uint64_t early = recorder_next_call(), late = recorder_next_call();
    memory[0] = 1;
    cr_expect_eq(mapping_record(NULL, early, false, RESOURCE_UPLOAD), early);
    memory[0] = 2;
    cr_expect_eq(mapping_unmap(&buffer, late), late);
    cr_expect_eq(last_call, late, "no number is taken in vain");
}

Test(trace_mapping, what_was_written_to_others_is_recorded_later)
{
    static struct object_more more_of_it = {.number = 2};
    static const struct object other = {.more = &more_of_it};
    static uint8_t of_other[WATCH_PAGE];
    mapping_map(&other, of_other, recorder_next_call());
    memory[0] = of_other[0] = 1;
    mapping_record(&other, recorder_next_call(), false, RESOURCE_UPLOAD);
    cr_expect_eqs(record_count, 1, hashed, WATCH_PAGE);
    mapping_record(NULL, recorder_next_call(), false, RESOURCE_UPLOAD);
    cr_expect_eq(record_count, 2);
}

/* Memory that no work writes is what the runtime made of it, and another one's is not equal. */
Test(trace_mapping_reads, only_what_calls_name_is_compared)
{
    static const uint32_t kinds[] = {RESOURCE_READBACK, RESOURCE_SHARED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        kind = kinds[i];
        reached = (struct reach_range){0};
        compared = (struct trace_memory){0};
        record_count = 0;
        map();
        cr_assert_eqs(record_count, 0, compared.size, 0);
        mapping_forget(&buffer);
        reached = (struct reach_range){.first = 16, .end = 48};
        map();
        cr_assert_eqs(compared.offset, 16u, compared.size, 32u);
        memory[0] ^= 1;
        memory[20] ^= 1;
        mapping_record(NULL, recorder_next_call(), true, RESOURCE_READBACK);
        cr_assert_eqs(compared.offset, 16u, compared.size, 32u);
        cr_assert_eq(record_count, kind == RESOURCE_READBACK ? 2 : 1);
        mapping_forget(&buffer);
    }
}

/* The bytes between the end of a row and the next row are padding, which a copy does not write. */
Test(trace_mapping_reads, padding_between_rows_is_not_compared)
{
    kind = RESOURCE_READBACK;
    reached =
        (struct reach_range){.first = 256, .end = 256 + 3 * 512 + 100, .row = 100, .pitch = 512};
    map();
    cr_expect_eqs(record_count, 4, compared.offset, 256 + 3 * 512);
    cr_expect_eq(compared.size, 100);
}

/* The CPU's writes are page faults, so the system is asked once, and only checks need hashes. */
Test(trace_mapping_reads, a_busy_gpu_costs_a_submission_no_hash)
{
    kind = RESOURCE_SHARED;
    is_watching = is_busy = true;
    reached = (struct reach_range){.first = 16, .end = 48};
    map();
    mapping_submitted();
    mapping_record(NULL, recorder_next_call(), false, RESOURCE_SHARED);
    cr_expect_eqs(hashed, 0, asked, WATCH_PAGE);
    mapping_record(NULL, recorder_next_call(), true, RESOURCE_SHARED);
    cr_expect_eq(hashed, WATCH_PAGE);
    is_busy = false;
    mapping_record(NULL, recorder_next_call(), false, RESOURCE_SHARED);
    cr_expect_eqs(hashed, 2 * WATCH_PAGE, asked, WATCH_PAGE);
}
