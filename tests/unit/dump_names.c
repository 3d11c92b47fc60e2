/* Files that a dump must not touch, and names that it takes instead [ANN-SEC-02]. */
#include "dump_scene.h"
#include "os_system.h"

#include <annot/reader.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

struct folder {
    struct scene scene;
    annot_dump_writer *writer;
    char path[64];
};

static struct folder folder_make(void)
{
    struct folder f = {.scene = scene_make(0), .path = "/tmp/annot-names-XXXXXX"};
    cr_assert_not_null(mkdtemp(f.path));
    cr_assert_eq(annot_dump_writer_create(f.scene.device, &f.writer), ANNOT_OK);
    return f;
}

/* A child of fork can't use what its parent made. */
static annot_dump_writer *writer_of_child(void)
{
    annot_dump_writer *writer;
    const struct scene scene = scene_make(0);
    if (annot_dump_writer_create(scene.device, &writer) != ANNOT_OK)
        _exit(8);
    return writer;
}

static char *in_folder(const struct folder *f, const char *name)
{
    char *path = malloc(PATH_SIZE);
    snprintf(path, PATH_SIZE, "%s/%s", f->path, name);
    return path;
}

/* Files of the folder, or those whose name holds `part`. */
static unsigned count_files(const struct folder *f, const char *part)
{
    unsigned count = 0;
    DIR *directory = opendir(f->path);
    cr_assert_not_null(directory);
    for (const struct dirent *file; (file = readdir(directory));)
        count += file->d_name[0] != '.' && strstr(file->d_name, part);
    closedir(directory);
    return count;
}

static void folder_done(struct folder *f)
{
    char command[128];
    annot_dump_writer_destroy(f->writer);
    scene_done(&f->scene);
    snprintf(command, sizeof command, "rm -rf %s", f->path);
    cr_expect_eq(system(command), 0);
}

static void expect_whole_dump(const char *path)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK, "%s", path);
    cr_expect(!annot_reader_is_damaged(reader));
}

static void expect_text(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    got[fread(got, 1, sizeof got - 1, file)] = 0;
    fclose(file);
    cr_expect_str_eq(got, text);
}

static void put_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/* Writes to NAME and expects the dump under `expected`, and nothing left of its making. */
static void expect_written_as(struct folder *f, const char *name, const char *expected)
{
    AT_END(at_end_free) char *path = in_folder(f, name), *other = in_folder(f, expected);
    cr_assert_eq(annot_dump_write_file(f->writer, NULL, path), ANNOT_OK);
    cr_expect_str_eq(annot_dump_writer_path(f->writer), other);
    expect_whole_dump(other);
}

Test(dump_names, a_file_of_that_name_is_never_replaced)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    put_text(path, "an older dump");
    expect_written_as(&f, "crash.annotdmp", "crash-2.annotdmp");
    expect_written_as(&f, "crash.annotdmp", "crash-3.annotdmp");
    expect_text(path, "an older dump");
    cr_expect_eq(count_files(&f, ""), 3);
}

Test(dump_names, the_number_stands_before_the_extension)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *folder = in_folder(&f, "a.b"), *other = in_folder(&f, "c.");
    cr_assert_eqs(mkdir(folder, 0700), 0, mkdir(other, 0700), 0);
    const struct {
        const char *name, *second;
    } cases[] = {
        {"dump", "dump-2"},           {"x.tar.gz", "x.tar-2.gz"}, {"a.b/dump", "a.b/dump-2"},
        {"a.b/.dump", "a.b/.dump-2"}, {"a.b/x.y", "a.b/x-2.y"},   {"end.", "end-2."},
        {"c./dump", "c./dump-2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_written_as(&f, cases[i].name, cases[i].name);
        expect_written_as(&f, cases[i].name, cases[i].second);
    }
    /* names without a folder, and what stands before them in memory */
    static const char *const plain[][2] = {{"in.frontname", "name-2"},
                                           {"in.front.name", ".name-2"},
                                           {"in.fronte.f", "e-2.f"},
                                           {"in.frontab.c", "ab-2.c"},
                                           {"in.frontn", "n-2"}};
    cr_assert_eq(chdir(f.path), 0);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        for (int again = 0; again < 2; again++) {
            const char *name = plain[i][0] + strlen("in.front");
            cr_expect_eq(annot_dump_write_file(f.writer, NULL, name), ANNOT_OK);
            cr_expect_str_eq(annot_dump_writer_path(f.writer), again ? plain[i][1] : name);
        }
}

/* annot/dump.h: a path has 4,000 bytes at most. */
Test(dump_names, the_longest_path_is_written_to_and_no_longer_one)
{
    AT_END(folder_done) struct folder f = folder_make();
    char path[4100], again[4100];
    snprintf(path, sizeof path, "%s", f.path);
    for (size_t length = 3990; length <= 4002; length++) {
        memset(path + strlen(f.path), '/', length - strlen(f.path) - 2);
        strcpy(path + length - 2, "d.");
        const bool is_short = length <= 4000;
        snprintf(again, sizeof again, "%.*s-2.", (int)length - 1, path);
        cr_expect_eq(annot_dump_write_file(f.writer, NULL, path),
                     is_short ? ANNOT_OK : ANNOT_ERROR_INVALID_ARGUMENT, "%zu", length);
        cr_expect_str_eq(annot_dump_writer_path(f.writer), is_short ? path : "");
        if (is_short)
            cr_expect_eq(annot_dump_write_file(f.writer, NULL, path), ANNOT_OK);
        cr_expect_str_eq(annot_dump_writer_path(f.writer), is_short ? again : "");
        unlink(path);
        unlink(again);
    }
}

Test(dump_names, two_devices_of_one_process_leave_two_dumps)
{
    AT_END(folder_done) struct folder f = folder_make();
    annot_device *other;
    annot_dump_writer *writer;
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    cr_assert_eq(annot_device_create(NULL, &other), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(other, &writer), ANNOT_OK);
    expect_written_as(&f, "crash.annotdmp", "crash.annotdmp");
    cr_assert_eq(annot_dump_write_file(writer, NULL, path), ANNOT_OK);
    cr_expect_neq(strcmp(annot_dump_writer_path(writer), path), 0);
    expect_whole_dump(annot_dump_writer_path(writer));
    expect_whole_dump(path);
    annot_dump_writer_destroy(writer);
    annot_device_destroy(other);
}

static void link_name(struct folder *f, const char *name, const char *target)
{
    AT_END(at_end_free) char *path = in_folder(f, name);
    cr_assert_eq(symlink(target, path), 0);
}

/* Where an older version would have built the file, too. */
Test(dump_names, links_are_not_followed)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *victim = in_folder(&f, "victim"), *absent = in_folder(&f, "absent");
    struct stat status;
    put_text(victim, "precious");
    link_name(&f, "crash.annotdmp", victim);
    link_name(&f, "crash.annotdmp.part", victim);
    link_name(&f, "crash-2.annotdmp", absent);
    expect_written_as(&f, "crash.annotdmp", "crash-3.annotdmp");
    expect_text(victim, "precious");
    cr_expect_neq(lstat(absent, &status), 0, "a dump made the target of a dangling link");
    AT_END(at_end_free) char *written = in_folder(&f, "crash-3.annotdmp");
    cr_assert_eq(lstat(written, &status), 0);
    cr_expect(S_ISREG(status.st_mode));
}

Test(dump_names, a_pipe_does_not_block, .timeout = 20)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free)
    char *path = in_folder(&f, "crash.annotdmp"), *part = in_folder(&f, "crash.annotdmp.part");
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_assert_eq(mkfifo(part, 0600), 0);
    expect_written_as(&f, "crash.annotdmp", "crash-2.annotdmp");
}

Test(dump_names, a_folder_stays)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free)
    char *path = in_folder(&f, "crash.annotdmp"), *inside = in_folder(&f, "crash.annotdmp/file");
    cr_assert_eq(mkdir(path, 0700), 0);
    put_text(inside, "inside");
    expect_written_as(&f, "crash.annotdmp", "crash-2.annotdmp");
    expect_text(inside, "inside");
}

Test(dump_names, only_the_owner_may_read_a_dump)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    struct stat status;
    mode_t mask = umask(0);
    expect_written_as(&f, "crash.annotdmp", "crash.annotdmp");
    umask(mask);
    cr_assert_eq(stat(path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0600, "0%o", status.st_mode & 07777u);
}

/* Also as root, who may write anywhere: as another user then. */
Test(dump_names, a_folder_that_may_not_be_written_to_is_an_error)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    int status = 0;
    cr_assert_eq(chmod(f.path, 0555), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
            _exit(9);
        annot_dump_writer *writer = writer_of_child();
        bool ok = annot_dump_write_file(writer, NULL, path) == ANNOT_ERROR_IO && errno == EACCES;
        _exit(ok && annot_dump_writer_path(writer)[0] == 0 ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "0x%x", status);
    cr_assert_eq(chmod(f.path, 0755), 0);
    cr_expect_eq(count_files(&f, ""), 0);
}

Test(dump_names, a_folder_that_is_not_there_is_an_error)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "gone/crash.annotdmp");
    errno = 0;
    cr_expect_eq(annot_dump_write_file(f.writer, NULL, path), ANNOT_ERROR_IO);
    cr_expect_eq(errno, ENOENT);
    cr_expect_str_eq(annot_dump_writer_path(f.writer), "");
}

/* Processes that crash together, with one path in their settings. */
Test(dump_names, many_writers_of_one_path_leave_a_whole_dump_each, .timeout = 120)
{
    enum { WRITERS = 6, ROUNDS = 30 };
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    for (int round = 0; round < ROUNDS; round++) {
        pid_t children[WRITERS];
        int gate[2];
        char byte;
        cr_assert_eq(pipe(gate), 0);
        fflush(NULL);
        for (int i = 0; i < WRITERS; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                annot_dump_writer *writer = writer_of_child();
                close(gate[1]);
                if (read(gate[0], &byte, 1) != 0) /* its end: all are there */
                    _exit(2);
                _exit(annot_dump_write_file(writer, NULL, path) != ANNOT_OK);
            }
        }
        close(gate[0]);
        close(gate[1]);
        for (int i = 0; i < WRITERS; i++) {
            int status;
            cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
            cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a writer failed: 0x%x",
                      status);
        }
        cr_expect_eq(count_files(&f, ".part"), 0);
        for (int i = 1; i <= WRITERS; i++) {
            char name[32];
            if (i == 1)
                strcpy(name, "crash.annotdmp");
            else
                snprintf(name, sizeof name, "crash-%d.annotdmp", i);
            AT_END(at_end_free) char *written = in_folder(&f, name);
            expect_whole_dump(written);
            unlink(written);
        }
        cr_assert_eq(count_files(&f, ""), 0);
    }
}

/* ---- a fact that comes later ---- */

static const char *fact_of(const char *path, const char *key, bool *is_whole)
{
    static char value[64];
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_fact fact;
    *value = '\0';
    if (annot_reader_open_file(NULL, path, &reader) != ANNOT_OK)
        return "unreadable";
    *is_whole = !annot_reader_is_damaged(reader);
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++)
        if (fact.key.size == strlen(key) && memcmp(fact.key.data, key, fact.key.size) == 0)
            snprintf(value, sizeof value, "%.*s", (int)fact.value.size, fact.value.data);
    return value;
}

Test(dump_names, a_fact_is_added_to_the_last_file_while_it_is_there)
{
    AT_END(folder_done) struct folder f = folder_make();
    char *path = in_folder(&f, "crash.annotdmp"), *moved = in_folder(&f, "moved");
    static char memory[1 << 16];
    const annot_fact fact = {"only", "here"};
    const annot_dump_info lost = {.facts = &fact, .fact_count = 1};
    size_t size;
    bool is_whole = false;
    struct stat after;
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "slow", "1 s"), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(annot_dump_write_file(f.writer, NULL, path), ANNOT_OK);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "slow", "3.2 s"), ANNOT_OK);
    cr_expect_str_eq(fact_of(path, "slow", &is_whole), "3.2 s");
    cr_expect(is_whole);
    /* annot/dump.h: the fact goes to the last file; a dump in memory is no file */
    cr_expect_eq(annot_dump_write_memory(f.writer, &lost, memory, sizeof memory, &size), ANNOT_OK);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "more", "another"), ANNOT_OK);
    cr_expect_str_eq(fact_of(path, "slow", &is_whole), "3.2 s");
    cr_expect_str_eq(fact_of(path, "more", &is_whole), "another");
    cr_expect(is_whole);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, NULL, "x"), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "x", NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_dump_writer_add_fact(NULL, "x", "y"), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(rename(path, moved), 0);
    cr_assert_eq(symlink(moved, path), 0);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "link", "followed"), ANNOT_ERROR_IO);
    cr_expect_str_eq(fact_of(moved, "link", &is_whole), "");
    cr_expect(is_whole);
    cr_assert_eqs(rename(moved, path), 0, truncate(path, 100), 0); /* another has made this of it */
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "slow", "1 s"), ANNOT_ERROR_IO);
    cr_assert_eq(stat(path, &after), 0);
    cr_expect_eq(after.st_size, 100);
    free(path);
    free(moved);
}

/* annot/dump.h: during the call the file is incomplete. Behind an error the writer has no file. */
Test(dump_names, a_file_that_a_fact_could_not_be_added_to_is_incomplete)
{
    AT_END(folder_done) struct folder f = folder_make();
    AT_END(at_end_free) char *path = in_folder(&f, "crash.annotdmp");
    annot_reader *reader;
    cr_assert_eq(annot_dump_write_file(f.writer, NULL, path), ANNOT_OK);
    os_fail(CALL_fsync, EIO);
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "slow", "1 s"), ANNOT_ERROR_IO);
    cr_expect_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_ERROR_INCOMPLETE);
    annot_reader_close(reader);
    cr_expect_str_eq(annot_dump_writer_path(f.writer), "");
    cr_expect_eq(annot_dump_writer_add_fact(f.writer, "slow", "1 s"), ANNOT_ERROR_INVALID_ARGUMENT);
}
