/* Several threads mark one queue, which has one stack of scopes for all of them: a scope that
 * another thread ended is said, and a path that may mix threads says so [ANN-TRUTH-04]. */
#include "device_dump.h"
#include "scene.h"

#include <annot/fleet.h>

#include <pthread.h>

/* A thread that does one thing after the other, each when it is told to. */
struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*job)(struct scene *scene, const char *name);
    struct scene *scene;
    const char *name;
    bool is_over;
};

static void *work(void *user)
{
    struct worker *worker = user;
    pthread_mutex_lock(&worker->lock);
    while (!worker->is_over) {
        if (worker->job)
            worker->job(worker->scene, worker->name);
        worker->job = NULL;
        pthread_cond_broadcast(&worker->changed);
        pthread_cond_wait(&worker->changed, &worker->lock);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static void tell(struct worker *worker, void (*job)(struct scene *scene, const char *name),
                 const char *name)
{
    pthread_mutex_lock(&worker->lock);
    worker->job = job;
    worker->name = name;
    pthread_cond_broadcast(&worker->changed);
    while (worker->job)
        pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
}

static void worker_start(struct worker *worker, struct scene *scene)
{
    *worker = (struct worker){.scene = scene};
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    cr_assert_eq(pthread_create(&worker->thread, NULL, work, worker), 0);
}

static void worker_end(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->is_over = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    cr_assert_eq(pthread_join(worker->thread, NULL), 0);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
}

/* ---- what threads do ---- */

static void begin(struct scene *scene, const char *name)
{
    annot_context_begin_event(scene->queue.context, 1, name, (uint32_t)strlen(name));
}

static void end(struct scene *scene, const char *name)
{
    (void)name;
    annot_context_end_event(scene->queue.context);
}

static void submit(struct scene *scene, const char *name)
{
    (void)name;
    annot_context_submit(scene->queue.context, &scene->list.context, 1);
}

/* Some thousand frames that are done, so that older records make room. */
static void run_long(struct scene *scene, const char *name)
{
    for (uint64_t frame = 0; frame < 40000; frame++) {
        begin(scene, name);
        const uint64_t serial = annot_context_submit(scene->queue.context, &scene->list.context, 1);
        end(scene, name);
        annot_context_completed(scene->queue.context, serial);
    }
}

/* ---- what is said ---- */

struct said {
    struct device_dump dump;
    annot_reader_suspect first;
    char path[512];
    char *text, *json;
};

static struct said say(struct scene *scene)
{
    const annot_crash_report report = {.size = sizeof report};
    struct said said = {.dump = device_dump_take(scene->device, &report)};
    cr_assert(annot_reader_suspect_at(said.dump.reader, 0, &said.first));
    cr_expect_not(annot_reader_is_damaged(said.dump.reader));
    annot_reader_suspect_path(said.dump.reader, 0, said.path, sizeof said.path);
    said.text = device_dump_text(said.dump.reader, ANNOT_REPORT_TEXT);
    said.json = device_dump_text(said.dump.reader, ANNOT_REPORT_JSON);
    return said;
}

static void said_done(struct said *said)
{
    annot_report_free(said->text);
    annot_report_free(said->json);
    device_dump_done(&said->dump);
}

static void expect_mixed(const struct said *said, bool is_mixed, const char *path)
{
    cr_expect_eq(said->first.mixes_threads, is_mixed);
    cr_expect_str_eq(said->path, path);
    cr_expect_eq(strstr(said->text, "several threads mark this queue") != NULL, is_mixed, "%s",
                 said->text);
    cr_expect_eq(strstr(said->json, "\"mixes_threads\":true") != NULL, is_mixed);
}

static size_t count_of(const char *text, const char *words)
{
    size_t count = 0;
    while ((text = strstr(text, words))) {
        text++;
        count++;
    }
    return count;
}

/* `a` is the test's own thread. */
#define TWO_THREADS                                                                                \
    AT_END(scene_done) struct scene a = scene_make(1 << 20);                                       \
    annot_context_close(a.list.context);                                                           \
    AT_END(worker_end) struct worker b;                                                            \
    worker_start(&b, &a);

Test(queue_threads, each_in_scopes_of_its_own_are_not_mixed)
{
    TWO_THREADS
    begin(&a, "A");
    end(&a, NULL);
    tell(&b, begin, "B");
    tell(&b, submit, NULL);
    AT_END(said_done) struct said said = say(&a);
    expect_mixed(&said, false, "B");
    cr_expect_null(strstr(said.text, "another thread"), "%s", said.text);
}

Test(queue_threads, a_scope_of_another_one_around_work_is_a_caveat)
{
    TWO_THREADS
    begin(&a, "A");
    tell(&b, begin, "B");
    tell(&b, submit, NULL);
    AT_END(said_done) struct said said = say(&a);
    expect_mixed(&said, true, "A / B");
    cr_expect_null(strstr(said.text, "another thread"), "nothing has ended: %s", said.text);
}

Test(queue_threads, a_scope_that_another_one_ended_is_said)
{
    TWO_THREADS
    begin(&a, "A");
    tell(&b, begin, "B");
    end(&a, NULL); /* A's End closes B, as a queue has one stack */
    tell(&b, submit, NULL);
    tell(&b, end, NULL);
    AT_END(said_done) struct said said = say(&a);
    expect_mixed(&said, true, "A");
    cr_expect_eq(count_of(said.text, "(ended by another thread)"), 2, "%s", said.text);
    cr_expect(strstr(said.text, "2 scopes of queues that began on one thread"), "%s", said.text);
}

Test(queue_threads, work_whose_scope_another_one_ended_has_none_and_says_so)
{
    TWO_THREADS
    tell(&b, begin, "B");
    end(&a, NULL);
    tell(&b, submit, NULL);
    AT_END(said_done) struct said said = say(&a);
    expect_mixed(&said, true, "");
}

/* A queue's oldest records make room; what is left of them is still the same thread's. */
Test(queue_threads, are_known_when_older_records_made_room)
{
    for (int is_others = 0; is_others < 2; is_others++) {
        TWO_THREADS
        begin(&a, "before");
        end(&a, NULL);
        if (is_others)
            begin(&a, "session");
        else
            tell(&b, begin, "session");
        tell(&b, run_long, "frame");
        tell(&b, begin, "last");
        tell(&b, submit, NULL);
        AT_END(said_done) struct said said = say(&a);
        cr_expect_gt(annot_reader_loss(said.dump.reader, ANNOT_LOSS_EVICTED_SUBMISSIONS), 0);
        expect_mixed(&said, is_others, "session / last");
        cr_expect_null(strstr(said.text, "another thread"), "%s", said.text);
    }
}

/* Where the signature's scopes may be another thread's, it isn't a full one [ANN-TRUTH-04], though
 * the operation is known. */
Test(queue_threads, a_mixed_path_is_no_full_signature)
{
    for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
        TWO_THREADS
        annot_identity identity;
        cr_assert_eq(annot_context_open(a.list.context, a.arena), ANNOT_OK);
        annot_context_begin_event(a.list.context, 1, "pass", 4);
        const annot_progress row = {.queue = annot_object_id(a.queue.object),
                                    .submission = 1,
                                    .state = ANNOT_PROGRESS_STARTED,
                                    .inside = ANNOT_INSIDE_TRACKED,
                                    .started = spy_last()->id};
        annot_context_note_operation(a.list.context, &(annot_operation){.kind = 6});
        annot_context_end_event(a.list.context);
        annot_context_close(a.list.context);
        begin(&a, "A");
        if (is_mixed)
            tell(&b, begin, "B");
        submit(&a, NULL);
        AT_END(device_dump_done)
        struct device_dump dump =
            device_dump_take(a.device, &(annot_crash_report){.size = sizeof(annot_crash_report),
                                                             .progress = &row,
                                                             .progress_count = 1});
        cr_assert_eq(annot_reader_identity(dump.reader, &identity), ANNOT_OK);
        cr_expect_eq(identity.quality, is_mixed ? ANNOT_SIGNATURE_WEAK_SCOPE : ANNOT_SIGNATURE_FULL,
                     "%d", identity.quality);
    }
}
