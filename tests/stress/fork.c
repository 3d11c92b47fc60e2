/* fork without exec while other threads record, submit, name and dump: in the child every call on
 * what the parent made ends with ANNOT_ERROR_FORKED or does nothing, none hangs or writes a file,
 * and a device that the child makes works [ANN-HOST-03].
 *     stress-fork [FORKS]
 */
#include <annot/annot.h>
#include <annot/dump.h>
#include <annot/evidence.h>
#include <annot/reader.h>

#include <stdio.h>

#if defined(_WIN32) || defined(__SANITIZE_THREAD__)
int main(void)
{
    puts(
        "there is no fork, or ThreadSanitizer, which does not survive one beside threads: skipped");
    return 77;
}
#else

#include "forks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { FORKS = 250 };

static struct made { /* by the parent, and by each child for itself */
    annot_device *device;
    annot_object *list_object, *queue_object;
    annot_arena *arena;
    annot_context *list, *queue;
    annot_dump_writer *writer;
    annot_tracker *tracker;
} parent;

static atomic_bool is_over;
static char folder[] = "/tmp/stress-fork-XXXXXX";
static char dump_path[sizeof folder + 16];
static uint64_t words[64];

static void make(struct made *it)
{
    const annot_device_desc desc = {
        .memory_budget = 1 << 20, .freed_name_count = 64, .force_driver_retail = true};
    const annot_object_desc list = {.type = ANNOT_OBJECT_COMMAND_LIST},
                            queue = {.type = ANNOT_OBJECT_QUEUE};
    const annot_tracker_desc tracked = {
        .memory = words, .memory_size = sizeof words, .word_size = 8};
    if (annot_device_create(&desc, &it->device) ||
        annot_object_create(it->device, &list, &it->list_object) ||
        annot_object_create(it->device, &queue, &it->queue_object) ||
        annot_arena_create(it->device, &it->arena) ||
        annot_context_create(it->list_object, &it->list) ||
        annot_context_create(it->queue_object, &it->queue) ||
        annot_dump_writer_create(it->device, &it->writer) ||
        annot_tracker_create(it->device, &tracked, &it->tracker)) {
        puts("nothing can be made");
        _exit(3);
    }
}

/* ---- what goes on in the parent ---- */

static void record(struct made *it, unsigned count)
{
    annot_context_open(it->list, it->arena);
    for (unsigned i = 0; i < count; i++) {
        annot_context_begin_event(it->list, 1, "scope", 6);
        annot_context_set_marker(it->list, 1, "marker", 7);
        annot_context_end_event(it->list);
    }
    annot_context_close(it->list);
    const uint64_t serial = annot_tracker_submit(it->tracker, it->queue, &it->list, 1, NULL);
    annot_tracker_completed(it->tracker, it->queue, serial);
    annot_arena_reset(it->arena);
}

static void *keep_recording(void *unused)
{
    struct made mine = parent;
    const annot_object_desc list = {.type = ANNOT_OBJECT_COMMAND_LIST};
    (void)unused;
    if (annot_object_create(parent.device, &list, &mine.list_object) ||
        annot_context_create(mine.list_object, &mine.list) ||
        annot_arena_create(parent.device, &mine.arena))
        return NULL;
    while (!atomic_load(&is_over))
        record(&mine, 300);
    annot_context_destroy(mine.list);
    annot_arena_destroy(mine.arena);
    annot_object_destroy(mine.list_object);
    return NULL;
}

static void *keep_marking(void *unused)
{
    (void)unused;
    while (!atomic_load(&is_over)) {
        annot_context_begin_event(parent.queue, 1, "on the queue", 13);
        annot_context_end_event(parent.queue);
        annot_context_completed(parent.queue, annot_context_submit(parent.queue, NULL, 0));
    }
    return NULL;
}

static void *keep_naming(void *unused)
{
    const annot_object_desc buffer = {.type = ANNOT_OBJECT_BUFFER};
    char name[32];
    (void)unused;
    for (unsigned i = 0; !atomic_load(&is_over); i++) {
        annot_object *object;
        if (annot_object_create(parent.device, &buffer, &object))
            continue;
        snprintf(name, sizeof name, "buffer %u", i);
        annot_object_set_name(object, name, ANNOT_TEXT_UTF8);
        annot_device_set_fact(parent.device, "last", name);
        annot_object_destroy(object);
    }
    return NULL;
}

static void *keep_dumping(void *unused)
{
    static char bytes[4 << 20];
    annot_dump_writer *writer;
    size_t size;
    (void)unused;
    if (annot_dump_writer_create(parent.device, &writer))
        return NULL;
    while (!atomic_load(&is_over))
        annot_dump_write_memory(writer, NULL, bytes, sizeof bytes, &size);
    annot_dump_writer_destroy(writer);
    return NULL;
}

/* ---- what a child does ---- */

static bool make_nothing(void *user, uint64_t serial)
{
    *(uint64_t *)user = serial + 1;
    return true;
}

#define FORKED(call)  check((call) == ANNOT_ERROR_FORKED, #call)
#define NOTHING(call) check(!(call), #call)

static void use_inherited(void)
{
    struct made *p = &parent, made;
    const annot_object_desc desc = {.type = ANNOT_OBJECT_COMMAND_LIST};
    const annot_tracker_desc tracked = {
        .memory = words, .memory_size = sizeof words, .word_size = 8};
    annot_marker_info info;
    annot_crash_report report;
    annot_progress row;
    char text[8];
    uint32_t count, in_flight;
    uint64_t made_serial = 0;
    size_t size;
    FORKED(annot_device_set_mode(p->device, ANNOT_MODE_DRIVER_RETAIL));
    FORKED(annot_device_set_fact(p->device, "key", "value"));
    FORKED(annot_object_create(p->device, &desc, &made.list_object));
    FORKED(annot_object_set_name(p->list_object, "name", ANNOT_TEXT_UTF8));
    FORKED(annot_object_set_name_counted(p->list_object, "name", 4, ANNOT_TEXT_UTF8));
    NOTHING(annot_object_get_name(p->list_object, text, sizeof text));
    FORKED(annot_arena_create(p->device, &made.arena));
    FORKED(annot_arena_reset(p->arena));
    FORKED(annot_context_create(p->queue_object, &made.queue));
    FORKED(annot_context_open(p->list, p->arena));
    FORKED(annot_context_close(p->list));
    for (int i = 0; i < 2000; i++) { /* more than the memory that a list has ready */
        annot_context_begin_event(p->list, 1, "scope", 6);
        annot_context_end_event(p->list);
        annot_context_end_event(p->list);
    }
    annot_context_set_marker(p->list, 1, "marker", 7);
    annot_context_set_marker_by_reference(p->list, 1, "marker", 7);
    annot_context_begin_event(p->queue, 1, "scope", 6);
    annot_context_set_marker(p->queue, 1, "marker", 7);
    annot_context_end_event(p->queue);
    annot_context_execute_bundle(p->list, p->list);
    NOTHING(annot_context_submit(p->queue, &p->list, 1));
    NOTHING(annot_context_submit_with(p->queue, &p->list, 1, make_nothing, &made_serial));
    check(made_serial == 1, "the submission itself is made, with serial 0");
    FORKED(annot_context_withdraw(p->queue, 1));
    annot_context_completed(p->queue, UINT64_MAX);
    check(annot_device_lookup(p->device, 0x100000040, &info, NULL, 0) == ANNOT_LOOKUP_NEVER_ISSUED,
          "a lookup");
    NOTHING(annot_device_event_from_word(p->device, 0x40));
    FORKED(annot_dump_writer_create(p->device, &made.writer));
    FORKED(annot_dump_write_memory(p->writer, NULL, text, sizeof text, &size));
    FORKED(annot_dump_write_file(p->writer, NULL, dump_path));
    FORKED(annot_tracker_create(p->device, &tracked, &made.tracker));
    check(annot_tracker_record(p->tracker, p->list).started == ANNOT_WORDS_NONE, "no words");
    annot_tracker_forget(p->tracker, p->list);
    annot_tracker_execute_bundle(p->tracker, p->list, p->list);
    NOTHING(annot_tracker_submit(p->tracker, p->queue, &p->list, 1, NULL));
    FORKED(annot_tracker_withdraw(p->tracker, p->queue, 1));
    annot_tracker_completed(p->tracker, p->queue, 1);
    NOTHING(annot_tracker_report(p->tracker, &report));
    NOTHING(annot_tracker_copy_rows(p->tracker, &row, 1, &count, &in_flight));
    annot_tracker_destroy(p->tracker);
    annot_dump_writer_destroy(p->writer);
    annot_context_destroy(p->list);
    annot_context_destroy(p->queue);
    annot_arena_destroy(p->arena);
    annot_object_destroy(p->list_object);
    annot_device_destroy(p->device);
}

static void use_own(void)
{
    static char bytes[1 << 20];
    struct made mine;
    annot_reader *reader = NULL;
    size_t size = 0;
    make(&mine);
    check(annot_object_set_name(mine.list_object, "mine", ANNOT_TEXT_UTF8) == ANNOT_OK, "a name");
    annot_context_open(mine.list, mine.arena);
    annot_context_set_marker(mine.list, 1, "marker", 7);
    annot_context_close(mine.list);
    check(annot_context_submit(mine.queue, &mine.list, 1) == 1, "a submission");
    check(annot_dump_write_memory(mine.writer, NULL, bytes, sizeof bytes, &size) == ANNOT_OK,
          "a dump");
    check(annot_reader_open_memory(NULL, bytes, size, &reader) == ANNOT_OK, "the dump is whole");
    annot_reader_close(reader);
    annot_tracker_destroy(mine.tracker);
    annot_dump_writer_destroy(mine.writer);
    annot_context_destroy(mine.list);
    annot_context_destroy(mine.queue);
    annot_arena_destroy(mine.arena);
    annot_object_destroy(mine.list_object);
    annot_object_destroy(mine.queue_object);
    annot_device_destroy(mine.device);
}

/* A grandchild inherits from both. */
static void be_child(int number)
{
    use_own();
    use_inherited();
    if (number % 16 == 0) {
        int status = 0;
        make(&parent);
        const pid_t child = fork();
        if (child == 0) {
            alarm(LIMIT);
            use_inherited();
            use_own();
            leave(true);
        }
        check(waitpid(child, &status, 0) == child && status == 0, "a child of the child");
    }
}

int main(int argc, char **argv)
{
    void *(*const work[])(void *) = {keep_recording, keep_recording, keep_marking, keep_naming,
                                     keep_dumping};
    enum { THREADS = sizeof work / sizeof *work };
    const int forks = argc > 1 ? atoi(argv[1]) : FORKS;
    pthread_t threads[THREADS];
    if (!mkdtemp(folder))
        return 2;
    snprintf(dump_path, sizeof dump_path, "%s/dump", folder);
    make(&parent);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work[i], NULL))
            return 2;
    const int wrong = fork_often(forks, be_child);
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const bool is_clean = rmdir(folder) == 0;
    if (!is_clean)
        puts("a child wrote a dump");
    return wrong != 0 || !is_clean;
}

#endif
