/* Markers whose payload stays the application's [ANN-LIFE-08]. */
#include "dump_bytes.h"
#include "spy.h"

#include <annot/reader.h>

#include <sys/mman.h>
#if defined(__linux__) && defined(__x86_64__)
#include <linux/filter.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <unistd.h>

enum { UTF8 = 1 };

struct scene {
    annot_device *device;
    annot_arena *arena;
    struct spy_child list, queue;
    char *page; /* the application's memory, a page of its own */
    size_t page_size;
};

static struct scene scene_make(uint64_t budget)
{
    struct scene s = {.device = spy_device(ANNOT_MODE_DRIVER_RETAIL, budget)};
    s.arena = spy_arena(s.device);
    s.list = spy_list(s.device, 0, spy_handle(1));
    s.queue = spy_queue(s.device, 0, spy_handle(2));
    s.page_size = (size_t)sysconf(_SC_PAGESIZE);
    s.page = mmap(NULL, s.page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(s.page, MAP_FAILED);
    cr_assert_eq(annot_context_open(s.list.context, s.arena), ANNOT_OK);
    return s;
}

static void scene_done(struct scene *s)
{
    spy_child_done(s->list);
    spy_child_done(s->queue);
    annot_arena_destroy(s->arena);
    spy_device_done(s->device);
    munmap(s->page, s->page_size);
}

static uint64_t begin(annot_context *context, const char *text)
{
    annot_context_begin_event_by_reference(context, UTF8, text, (uint32_t)strlen(text));
    return spy_last()->id;
}

/* A dump of the device as a reader sees it. */
struct seen {
    struct dump bytes;
    annot_reader *reader;
};

static struct seen see(annot_device *device)
{
    struct seen s = {.bytes = taken_from(device, NULL)};
    cr_assert_eq(annot_reader_open_memory(NULL, s.bytes.bytes, s.bytes.size, &s.reader), ANNOT_OK);
    cr_expect(!annot_reader_is_damaged(s.reader));
    return s;
}

static void forget(struct seen *s)
{
    annot_reader_close(s->reader);
    taken_free(&s->bytes);
}

static annot_reader_entry entry_of(const struct seen *s, uint64_t id)
{
    annot_reader_entry entry;
    cr_assert(annot_reader_entry_at(s->reader, annot_reader_entry_find(s->reader, id), &entry));
    return entry;
}

static const char *name_of(const struct seen *s, uint64_t id)
{
    static char name[64];
    annot_reader_entry_name(s->reader, annot_reader_entry_find(s->reader, id), name, sizeof name);
    return name;
}

static bool append(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size;
}

/* malloc'ed */
static char *report_of(const struct seen *s, bool is_json)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    annot_report_sink sink = {file, append};
    annot_report_options all = {.all = true};
    cr_assert_eq((is_json ? annot_report_json : annot_report_text)(s->reader, &all, &sink),
                 ANNOT_OK);
    fclose(file);
    return text;
}

/* ---- what the driver and a lookup see ---- */

Test(by_reference, the_driver_gets_one_call_with_the_applications_pointer)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    struct spy_child both[] = {s.list, s.queue};
    for (int i = 0; i < 2; i++) {
        static const char text[] = "Shadow pass";
        spy_forget_calls();
        annot_context_set_marker_by_reference(both[i].context, 7, text, sizeof text);
        cr_assert_eq(spy_calls.count, 1);
        cr_expect_eq(spy_last()->function, i == 0 ? SPY_LIST_SET : SPY_QUEUE_SET);
        cr_expect_eq(spy_last()->metadata, 7);
        cr_expect_eq(spy_last()->data, text);
        cr_expect_eq(spy_last()->size, sizeof text);
        cr_expect_neq(spy_last()->id, 0);
    }
}

Test(by_reference, a_scope_nests_and_its_end_passes_its_event_id)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context *both[] = {s.list.context, s.queue.context};
    for (int i = 0; i < 2; i++) {
        uint64_t outer = begin(both[i], "outer"), inner;
        annot_context_begin_event(both[i], UTF8, "inner", 5);
        inner = spy_last()->id;
        annot_marker_info info;
        cr_assert_eq(annot_device_lookup(s.device, inner, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_expect_eq(info.parent, outer);
        cr_expect(!info.is_by_reference);
        annot_context_end_event(both[i]);
        cr_expect_eq(spy_last()->id, inner);
        annot_context_end_event(both[i]);
        cr_expect_eq(spy_last()->id, outer);
        cr_assert_eq(annot_device_lookup(s.device, outer, &info, NULL, 0), ANNOT_LOOKUP_LIVE);
        cr_expect(info.is_closed && info.is_scope && info.is_by_reference);
    }
}

/* The bytes are read for a dump and by nobody else. */
Test(by_reference, a_lookup_tells_the_size_and_copies_nothing)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    strcpy(s.page, "Shadow pass");
    uint64_t id = begin(s.list.context, s.page);
    char buffer[16] = "untouched";
    annot_marker_info info;
    munmap(s.page, s.page_size);
    cr_assert_eq(annot_device_lookup(s.device, id, &info, buffer, sizeof buffer),
                 ANNOT_LOOKUP_LIVE);
    cr_expect(info.is_by_reference);
    cr_expect_eq(info.size, strlen("Shadow pass"));
    cr_expect_str_eq(buffer, "untouched");
}

Test(by_reference, a_reset_of_the_allocator_expires_it)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    uint64_t id = begin(s.list.context, "Shadow pass");
    annot_context_end_event(s.list.context);
    annot_context_close(s.list.context);
    cr_assert_eq(annot_arena_reset(s.arena), ANNOT_OK);
    cr_expect_eq(spy_lookup(s.device, id), ANNOT_LOOKUP_EXPIRED);
}

Test(by_reference, without_the_mode_nothing_happens)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
    cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
    annot_context_begin_event_by_reference(list.context, UTF8, "Shadow pass", 11);
    annot_context_set_marker_by_reference(list.context, UTF8, "Shadow pass", 11);
    cr_expect_eq(spy_calls.count, 0);
    cr_expect_eq(spy_stats(device).live_bytes, 0);
}

Test(by_reference, null_data_is_what_it_is_for_a_copied_marker)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    annot_context_set_marker_by_reference(s.list.context, UTF8, NULL, 0);
    cr_expect_eq(spy_said.count, 0);
    annot_context_set_marker_by_reference(s.list.context, UTF8, NULL, 8);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKER_NULL_DATA), 1);
    cr_expect_eq(spy_last()->size, 0);
}

/* 64 KiB of budget hold one copy of 40,000 bytes, and thousands of references to it. */
Test(by_reference, the_budget_is_charged_for_the_reference_alone)
{
    AT_END(scene_done) struct scene s = scene_make(1u << 17);
    AT_END(at_end_free) char *large = calloc(1, 40000);
    for (int i = 0; i < 1000; i++)
        annot_context_set_marker_by_reference(s.list.context, UTF8, large, 40000);
    cr_expect_eq(spy_stats(s.device).dropped_markers, 0);
    for (int i = 0; i < 3; i++)
        annot_context_set_marker(s.list.context, UTF8, large, 40000);
    cr_expect_gt(spy_stats(s.device).dropped_markers, 0);
}

/* ---- what a dump says ---- */

Test(by_reference, a_dump_reads_the_bytes_as_they_are_then)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    strcpy(s.page, "Shadow pass");
    uint64_t on_list = begin(s.list.context, s.page), on_queue = begin(s.queue.context, s.page);
    annot_context_end_event(s.list.context);
    struct seen view = see(s.device);
    uint64_t ids[] = {on_list, on_queue};
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(entry_of(&view, ids[i]).payload, ANNOT_PAYLOAD_REFERENCED);
        cr_expect_str_eq(name_of(&view, ids[i]), "Shadow pass");
    }
    cr_expect(entry_of(&view, on_list).is_closed);
    forget(&view);
}

Test(by_reference, a_changed_payload_is_shown_and_said_to_be_changed)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    strcpy(s.page, "Shadow pass");
    uint64_t id = begin(s.list.context, s.page);
    s.page[0] = 'M';
    struct seen view = see(s.device);
    cr_expect_eq(entry_of(&view, id).payload, ANNOT_PAYLOAD_CHANGED);
    cr_expect_str_eq(name_of(&view, id), "Mhadow pass");
    forget(&view);
}

Test(by_reference, unmapped_memory_is_said_to_be_unreadable)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    strcpy(s.page, "Shadow pass");
    uint64_t gone = begin(s.list.context, s.page);
    uint64_t kept = begin(s.list.context, "Cascade 2");
    munmap(s.page, s.page_size);
    struct seen view = see(s.device);
    cr_expect_eq(entry_of(&view, gone).payload, ANNOT_PAYLOAD_UNREADABLE);
    cr_expect_eq(entry_of(&view, gone).size, strlen("Shadow pass"));
    cr_expect_eq(entry_of(&view, gone).stored, 0);
    cr_expect_str_eq(name_of(&view, gone), "(memory gone)");
    cr_expect_str_eq(name_of(&view, kept), "Cascade 2");
    forget(&view);
}

/* Half of it on a page that is gone. */
Test(by_reference, a_payload_that_ends_in_unmapped_memory_is_unreadable)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    char *pages =
        mmap(NULL, 2 * s.page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    char *text = memset(pages + s.page_size - 8, 'x', 16);
    annot_context_set_marker_by_reference(s.list.context, UTF8, text, 16);
    uint64_t id = spy_last()->id;
    munmap(pages + s.page_size, s.page_size);
    struct seen view = see(s.device);
    cr_expect_eq(entry_of(&view, id).payload, ANNOT_PAYLOAD_UNREADABLE);
    forget(&view);
    munmap(pages, s.page_size);
}

/* A dump keeps 32,768 bytes of a payload; whether it changed is known of all of it. */
Test(by_reference, of_a_long_payload_every_byte_counts)
{
    enum { SIZE = 3 * 32768 + 17 };
    static const size_t places[] = {0, 32767, 32768, SIZE - 1};
    for (size_t i = 0; i <= sizeof places / sizeof *places; i++) {
        AT_END(scene_done) struct scene s = scene_make(0);
        AT_END(at_end_free) char *large = memset(malloc(SIZE), 'x', SIZE);
        annot_context_set_marker_by_reference(s.queue.context, UTF8, large, SIZE);
        uint64_t id = spy_last()->id;
        bool is_changed = i < sizeof places / sizeof *places;
        if (is_changed)
            large[places[i]] = 'y';
        struct seen view = see(s.device);
        annot_reader_entry entry = entry_of(&view, id);
        cr_expect_eq(entry.payload, is_changed ? ANNOT_PAYLOAD_CHANGED : ANNOT_PAYLOAD_REFERENCED);
        cr_expect_eq(entry.size, SIZE);
        cr_expect_eq(entry.stored, 32768);
        cr_expect_eq(memcmp(entry.data, large, entry.stored), 0);
        forget(&view);
    }
}

Test(by_reference, reports_say_changed_and_gone)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    char changed[] = "Shadow pass";
    strcpy(s.page, "Lighting");
    begin(s.list.context, changed);
    begin(s.list.context, s.page);
    changed[0] = 'M';
    munmap(s.page, s.page_size);
    struct seen view = see(s.device);
    for (int i = 0; i < 2; i++) {
        AT_END(at_end_free) char *report = report_of(&view, i == 1);
        const char *says[][2] = {{"Mhadow pass (changed since it was recorded)", "(memory gone)"},
                                 {"\"name\":\"Mhadow pass\",\"payload\":\"changed\"",
                                  "\"name\":\"(memory gone)\",\"payload\":\"unreadable\""}};
        cr_expect(strstr(report, says[i][0]), "%s", report);
        cr_expect(strstr(report, says[i][1]), "%s", report);
        cr_expect(!strstr(report, "payload cut"), "%s", report);
    }
    forget(&view);
}

#if defined(__linux__) && defined(__x86_64__)

/* From now on process_vm_readv fails with EPERM, as sandboxes have it; false: the kernel has no
 * such filters. */
static bool forbid_reading_of_processes(void)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof program / sizeof *program, program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    for (int i = 0; i < 1024; i++)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

/* ANN-LIFE-08: what a sandbox forbids is done in another way, for a page and for more than one, and
 * memory that is gone is found out all the same. */
Test(by_reference, a_sandbox_changes_nothing)
{
    static char big[20000];
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (char)(i * 7 + i / 256);
    AT_END(scene_done) struct scene s = scene_make(0);
    memcpy(s.page, "in the page", 11);
    annot_context_set_marker_by_reference(s.list.context, UTF8, s.page, 11);
    const uint64_t small = spy_last()->id;
    annot_context_set_marker_by_reference(s.list.context, 77, big, sizeof big);
    const uint64_t large = spy_last()->id;
    annot_context_set_marker_by_reference(s.list.context, UTF8, s.page + s.page_size - 8, 8);
    annot_context_close(s.list.context);
    if (!forbid_reading_of_processes())
        cr_skip("this kernel has no filters of system calls");
    const size_t descriptors = open_descriptors();
    for (int gone = 0; gone < 2; gone++) {
        struct seen seen_now = see(s.device);
        annot_reader_entry entry = entry_of(&seen_now, small);
        cr_expect_eq(entry.payload, gone ? ANNOT_PAYLOAD_UNREADABLE : ANNOT_PAYLOAD_REFERENCED);
        cr_expect(gone || (entry.stored == 11 && memcmp(entry.data, "in the page", 11) == 0));
        entry = entry_of(&seen_now, large);
        cr_expect_eq(entry.payload, ANNOT_PAYLOAD_REFERENCED);
        cr_expect(entry.stored == sizeof big && memcmp(entry.data, big, sizeof big) == 0);
        forget(&seen_now);
        if (!gone)
            munmap(s.page, s.page_size);
    }
    cr_expect_eq(open_descriptors(), descriptors);
}

#endif

/* Bytes that are left in the reader's buffer from the marker before are no part of it. */
Test(by_reference, a_long_payload_whose_tail_is_gone_is_said_to_be_changed)
{
    enum { SIZE = 2 * 32768 };
    AT_END(scene_done) struct scene s = scene_make(0);
    char *large = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(large, MAP_FAILED);
    memset(large, 'x', SIZE);
    annot_context_set_marker_by_reference(s.list.context, UTF8, large, SIZE / 2);
    uint64_t whole = spy_last()->id;
    annot_context_set_marker_by_reference(s.list.context, UTF8, large, SIZE);
    uint64_t cut = spy_last()->id;
    munmap(large + SIZE / 2, SIZE / 2);
    struct seen view = see(s.device);
    cr_expect_eq(entry_of(&view, whole).payload, ANNOT_PAYLOAD_REFERENCED);
    cr_expect_eq(entry_of(&view, cut).payload, ANNOT_PAYLOAD_CHANGED);
    cr_expect_eq(entry_of(&view, cut).stored, 32768);
    forget(&view);
    munmap(large, SIZE / 2);
}

/* A payload of no bytes, or of which there is nothing, is none that could be read later. */
Test(by_reference, one_byte_is_enough)
{
    static const struct {
        const char *data;
        uint32_t size, kept;
    } rows[] = {{"ab", 0, 0}, {"ab", 1, 1}, {"ab", 2, 2}, {NULL, 2, 0}, {NULL, 0, 0}};
    AT_END(scene_done) struct scene s = scene_make(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int is_scope = 0; is_scope < 2; is_scope++) {
            annot_marker_info info;
            (is_scope ? annot_context_begin_event_by_reference
                      : annot_context_set_marker_by_reference)(s.list.context, 7, rows[i].data,
                                                               rows[i].size);
            cr_assert_eq(annot_device_lookup(s.device, spy_last()->id, &info, NULL, 0),
                         ANNOT_LOOKUP_LIVE);
            cr_expect_eq(info.metadata, 7);
            cr_expect_eq(info.is_scope, is_scope == 1);
            cr_expect_eq(info.size, rows[i].kept, "row %zu", i);
            cr_expect_eq(info.is_by_reference, rows[i].kept > 0, "row %zu", i);
        }
}

/* No byte behind a payload is read, whatever its size is in pieces of 32,768. */
Test(by_reference, payloads_end_where_their_memory_ends)
{
    enum { PIECE = 32768 };
    AT_END(scene_done) struct scene s = scene_make(0);
    const size_t size = 3 * PIECE;
    char *memory =
        mmap(NULL, size + s.page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    cr_assert_eq(mprotect(memory + size, s.page_size, PROT_NONE), 0);
    memset(memory, 'm', size);
    for (uint32_t of = PIECE - 1; of <= 2 * PIECE + 1; of += of % PIECE == 1 ? PIECE - 2 : 1) {
        annot_context_set_marker_by_reference(s.list.context, UTF8, memory + size - of, of);
        const uint64_t id = spy_last()->id;
        struct seen seen = see(s.device);
        cr_expect_eq(entry_of(&seen, id).payload, ANNOT_PAYLOAD_REFERENCED, "%u bytes", of);
        forget(&seen);
    }
    munmap(memory, size + s.page_size);
}
