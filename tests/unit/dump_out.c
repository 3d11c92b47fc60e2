/* How a dump gets to the disk: without allocating, whatever fails, whenever the process dies
 * [ANN-CRASH-01, -07]. */
#include "dump_scene.h"
#include "record/types.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the way out ---- */

struct limited_sink {
    unsigned writes, finishes, fail_at;
    bool fail_finish;
};

static bool limited_write(void *user, const void *data, size_t size)
{
    (void)data, (void)size;
    struct limited_sink *sink = user;
    cr_assert(!sink->fail_at || sink->writes < sink->fail_at, "nothing is written after a failure");
    return ++sink->writes != sink->fail_at;
}

static bool limited_finish(void *user, const void *magic, size_t size)
{
    struct limited_sink *sink = user;
    cr_assert_eq(size, 8);
    cr_assert_eq(memcmp(magic, "ANNOTDMP", 8), 0);
    sink->finishes++;
    return !sink->fail_finish;
}

static void record_a_lot(struct scene *s)
{
    static const char payload[5000];
    annot_context_open(s->list.context, s->arena);
    for (int i = 0; i < 20000; i++)
        annot_context_set_marker(s->list.context, 0, payload, (uint32_t)i % 100);
    for (int i = 0; i < 300; i++) {
        annot_context_set_marker(s->queue.context, 0, payload, sizeof payload);
        annot_context_submit(s->queue.context, &s->list.context, 1);
    }
}

Test(dump_write, a_sink_may_fail_at_any_write)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    annot_crash_report report;
    annot_progress rows[3];
    annot_blob blobs[3];
    annot_dump_info info = full_info(&s, &report, rows, blobs);
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    struct limited_sink user = {0};
    annot_dump_sink sink = {&user, limited_write, limited_finish};
    cr_assert_eq(annot_dump_write(writer, &info, &sink), ANNOT_OK);
    cr_assert_eq(user.finishes, 1);
    const unsigned writes = user.writes;
    cr_assert_gt(writes, 10);
    for (unsigned k = 1; k <= writes; k++) {
        user = (struct limited_sink){.fail_at = k};
        cr_assert_eq(annot_dump_write(writer, &info, &sink), ANNOT_ERROR_IO, "write %u", k);
        cr_assert_eq(user.finishes, 0);
    }
    user = (struct limited_sink){.fail_finish = true};
    cr_expect_eq(annot_dump_write(writer, &info, &sink), ANNOT_ERROR_IO);
    cr_expect_eq(user.finishes, 1);
    user = (struct limited_sink){0};
    cr_expect_eq(annot_dump_write(writer, &info, &sink), ANNOT_OK);
    /* No lock stayed behind. */
    annot_context_close(s.list.context);
    cr_expect_eq(annot_arena_reset(s.arena), ANNOT_OK);
}

/* The magic is the last to come: until then its place holds zeros. */
static bool no_magic_yet(void *user, const void *data, size_t size)
{
    unsigned *writes = user;
    if ((*writes)++ == 0) {
        static const char zeros[8];
        cr_assert_geq(size, 32);
        cr_expect_eq(memcmp(data, zeros, 8), 0);
    }
    return true;
}

Test(dump_write, writes_allocate_nothing)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    annot_crash_report report;
    annot_progress rows[3];
    annot_blob blobs[3];
    annot_dump_info info = full_info(&s, &report, rows, blobs);
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    unsigned writes = 0;
    annot_dump_sink sink = {&writes, no_magic_yet, no_magic_yet};
    char path[] = "/tmp/annot-dump-XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    char file[64];
    snprintf(file, sizeof file, "%s/d", path);
    spy_heap.trap = true;
    cr_expect_eq(annot_dump_write(writer, &info, &sink), ANNOT_OK);
    cr_expect_eq(annot_dump_write_file(writer, &info, file), ANNOT_OK);
    spy_heap.trap = false;
    unlink(file);
    rmdir(path);
}

/* ---- files ---- */

struct place {
    char folder[32], path[64];
};

static struct place place_make(void)
{
    struct place p = {.folder = "/tmp/annot-dump-XXXXXX"};
    cr_assert_not_null(mkdtemp(p.folder));
    snprintf(p.path, sizeof p.path, "%s/crash.annotdmp", p.folder);
    return p;
}

/* A file under construction, "" when there is none; static. */
static const char *part_of(const struct place *p)
{
    static char path[512];
    DIR *folder = opendir(p->folder);
    cr_assert_not_null(folder);
    path[0] = 0;
    for (const struct dirent *file; (file = readdir(folder));)
        if (strlen(file->d_name) > 5 &&
            strcmp(file->d_name + strlen(file->d_name) - 5, ".part") == 0)
            snprintf(path, sizeof path, "%s/%s", p->folder, file->d_name);
    closedir(folder);
    return path;
}

static void place_done(const struct place *p)
{
    while (part_of(p)[0])
        unlink(part_of(p));
    unlink(p->path);
    cr_expect_eq(rmdir(p->folder), 0, "nothing else was left there");
}

static bool exists(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

static struct dump file_read(const char *path)
{
    struct dump d = {0};
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    d.bytes = malloc(64u << 20);
    d.size = fread(d.bytes, 1, 64u << 20, file);
    fclose(file);
    return d;
}

Test(dump_file, is_whole_and_alone)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(annot_dump_write_file(writer, NULL, p.path), ANNOT_OK);
        cr_expect_str_eq(annot_dump_writer_path(writer), p.path);
        cr_expect_str_empty(part_of(&p));
        struct dump d = file_read(p.path);
        const char *wrong = taken_parse(&d);
        cr_expect_null(wrong, "%s", wrong);
        cr_expect_eq(taken_count(&d, RECORD_SET), 20300);
        taken_free(&d);
        unlink(p.path);
    }
}

Test(dump_file, path_errors_leave_nothing)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    cr_expect_eq(annot_dump_write_file(writer, NULL, ""), ANNOT_ERROR_INVALID_ARGUMENT);
    char *long_path = malloc(10001);
    memset(long_path, 'a', 10000);
    for (size_t length = 10000; length >= 4000; length -= length > 5000 ? 5000 : 1) {
        long_path[length] = 0;
        annot_result result = annot_dump_write_file(writer, NULL, long_path);
        cr_expect(result == ANNOT_ERROR_INVALID_ARGUMENT || result == ANNOT_ERROR_IO,
                  "length %zu: %d", length, result);
    }
    free(long_path);
    char other[80];
    snprintf(other, sizeof other, "%s/no/such/folder", p.folder);
    errno = 0;
    cr_expect_eq(annot_dump_write_file(writer, NULL, other), ANNOT_ERROR_IO);
    cr_expect_eq(errno, ENOENT, "annot.h: errno has the reason");

    snprintf(other, sizeof other, "%s/", p.folder);
    cr_expect_eq(annot_dump_write_file(writer, NULL, other), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_str_empty(annot_dump_writer_path(writer));

    cr_assert_eq(chdir(p.folder), 0); /* a path without a folder */
    cr_expect_eq(annot_dump_write_file(writer, NULL, "crash.annotdmp"), ANNOT_OK);
    cr_expect(exists(p.path));
}

/* The writer of a child's own device: its parent's objects are not usable there. */
static annot_dump_writer *writer_of_child(void)
{
    annot_dump_writer *writer;
    struct scene scene = scene_make(0);
    record_a_lot(&scene);
    if (annot_dump_writer_create(scene.device, &writer) != ANNOT_OK)
        _exit(8);
    return writer;
}

/* write(2) of this program: while `left` is no negative number the process dies behind so many
 * bytes. */
static long left = -1;
static int lowest = INT_MAX; /* that was written to */

/* Whose file under construction is looked for at each write, and the one that was found last. */
static const struct place *watched;
static char watched_part[512];

ssize_t write(int descriptor, const void *data, size_t size)
{
    if (watched)
        snprintf(watched_part, sizeof watched_part, "%s", part_of(watched));
    lowest = descriptor < lowest ? descriptor : lowest;
    if (left < 0 || size <= (size_t)left) {
        left -= left < 0 ? 0 : (long)size;
        return syscall(SYS_write, descriptor, data, size);
    }
    syscall(SYS_write, descriptor, data, (size_t)left);
    return raise(SIGKILL);
}

/* In a child that may write `bytes` to a file: more are an error, or its death right there. */
static int write_in_child(const char *path, size_t bytes, bool die)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {bytes, bytes};
        annot_dump_writer *writer = writer_of_child();
        if (die)
            left = (long)bytes;
        else
            setrlimit(RLIMIT_FSIZE, &limit);
        _exit(annot_dump_write_file(writer, NULL, path) == ANNOT_ERROR_IO ? 1 : 0);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static size_t size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (size_t)s.st_size : 0;
}

/* annot/dump.h: under construction it is called PATH.xxxxxxxx.part. */
Test(dump_file, is_called_part_until_it_is_whole)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    watched = &p;
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(p.path);
        cr_assert_eq(annot_dump_write_file(writer, NULL, p.path), ANNOT_OK);
        cr_assert_eq(strlen(watched_part), length + strlen(".xxxxxxxx.part"), "%s", watched_part);
        cr_expect_eq(strncmp(watched_part, p.path, length), 0);
        cr_expect_eq(watched_part[length], '.');
        cr_expect_str_eq(watched_part + length + 9, ".part");
        cr_expect_eq(strspn(watched_part + length + 1, "0123456789abcdef"), 8u);
        unlink(p.path);
    }
    watched = NULL;
}

/* A program that closed its standard streams goes on printing: not into a dump. */
Test(dump_file, a_dump_never_has_the_number_of_a_standard_stream)
{
    AT_END(place_done) struct place p = place_make();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        annot_dump_writer *writer = writer_of_child();
        for (int i = 0; i <= STDERR_FILENO; i++)
            close(i);
        lowest = INT_MAX;
        const bool ok = annot_dump_write_file(writer, NULL, p.path) == ANNOT_OK;
        _exit(!ok || lowest <= STDERR_FILENO);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect(exists(p.path));
}

/* dump.h: "ANNOT_ERROR_IO: there is no new file". */
Test(dump_file, a_full_disk_leaves_no_file)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    cr_assert_eq(annot_dump_write_file(writer, NULL, p.path), ANNOT_OK);
    const size_t whole = size_of(p.path);
    unlink(p.path);
    /* a child's process number may have a few more digits, or fewer */
    for (size_t bytes = 0; bytes < whole - 16; bytes += 1 + whole / 40) {
        int status = write_in_child(p.path, bytes, false);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%zu bytes: 0x%x", bytes, status);
        cr_assert_not(exists(p.path));
        cr_assert_str_empty(part_of(&p));
    }
    int status = write_in_child(p.path, whole + 16, false);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_expect(exists(p.path));
}

/* Absent, incomplete or valid: PATH is never anything but a whole dump, and what a dead process
 * leaves beside it has no magic. */
static void expect_absent_incomplete_or_valid(const struct place *p)
{
    if (exists(p->path)) {
        AT_END(taken_free) struct dump d = file_read(p->path);
        const char *wrong = taken_parse(&d);
        cr_assert_null(wrong, "%s", wrong);
    }
    if (part_of(p)[0]) {
        AT_END(taken_free) struct dump d = file_read(part_of(p));
        static const char zeros[8];
        if (d.size >= 8 && memcmp(d.bytes, zeros, 8) != 0) {
            const char *wrong = taken_parse(&d); /* died between the magic and the rename */
            cr_assert_null(wrong, "%s", wrong);
        }
    }
}

Test(dump_file, death_at_any_byte_leaves_absent_incomplete_or_valid)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    cr_assert_eq(annot_dump_write_file(writer, NULL, p.path), ANNOT_OK);
    const size_t whole = size_of(p.path);
    unlink(p.path);
    for (size_t bytes = 0; bytes < whole - 16; bytes += bytes < 40 ? 1 : 1 + whole / 60) {
        int status = write_in_child(p.path, bytes, true);
        cr_assert(WIFSIGNALED(status), "%zu bytes: 0x%x", bytes, status);
        cr_assert_not(exists(p.path));
        cr_assert_str_not_empty(part_of(&p));
        cr_assert_leq(size_of(part_of(&p)), bytes);
        expect_absent_incomplete_or_valid(&p);
        unlink(part_of(&p));
    }
}

Test(dump_file, kill_at_any_moment_leaves_absent_incomplete_or_valid, .timeout = 120)
{
    AT_END(scene_done) struct scene s = scene_make(0);
    record_a_lot(&s);
    AT_END(place_done) struct place p = place_make();
    AT_END(spy_writer_ended) annot_dump_writer *writer = spy_writer(s.device);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    cr_assert_eq(annot_dump_write_file(writer, NULL, p.path), ANNOT_OK);
    clock_gettime(CLOCK_MONOTONIC, &end);
    unlink(p.path);
    long once = (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
    long longest = once * 2 < 900000000 ? once * 2 : 900000000;
    for (long i = 0; i < 100; i++) {
        int ready[2];
        char byte = 0;
        fflush(NULL);
        cr_assert_eq(pipe(ready), 0);
        pid_t child = fork();
        if (child == 0) {
            annot_dump_writer *own = writer_of_child();
            if (write(ready[1], &byte, 1) != 1)
                _exit(1);
            for (;;) {
                unlink(p.path);
                annot_dump_write_file(own, NULL, p.path);
            }
        }
        cr_assert_eq(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        close(ready[1]);
        struct timespec pause = {0, longest * i / 100};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        expect_absent_incomplete_or_valid(&p);
        while (part_of(&p)[0])
            unlink(part_of(&p));
    }
}
