/* A file that several programs write is replaced in one step, or stays as it was. */
#include "folder.h"

#include "asserts.h"

#include <os_replace.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(writer, .init = folder_make, .fini = folder_remove);

static const char *text_of(const char *name)
{
    static char text[64];
    FILE *file = fopen(name, "r");
    memset(text, 0, sizeof text);
    if (!file)
        return "none";
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return size ? text : "";
}

static unsigned mode_of(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? status.st_mode & 0777u : 0xffffu;
}

static const char *reason;

static bool replace(const char *path, const char *text)
{
    struct os_writer writer;
    reason = "";
    if (!os_writer_init(&writer, path, &reason))
        return false;
    const bool done = os_writer_replace(&writer, text, strlen(text), &reason);
    os_writer_finish(&writer);
    cr_assert(!writer.target && !writer.temporary && !writer.lock_path && !writer.lock);
    return done;
}

Test(writer, the_file_is_made_and_replaced_whole_with_its_mode)
{
    umask(0);
    cr_assert(replace("file", "first"));
    cr_assert_str_eq(text_of("file"), "first");
    cr_assert_eqs(mode_of("file"), 0644, mode_of("file.lock"), 0600);
    chmod("file", 0640);
    most_at_once = 2;
    failing_write = (struct failing){2, EINTR};
    cr_assert(replace("file", "second one"));
    cr_assert_str_eq(text_of("file"), "second one");
    cr_assert_eq(mode_of("file"), 0640);
    cr_assert_eq(access("file.new", F_OK), -1);
}

/* Links lead to the file; what a killed writer left is in nobody's way. */
Test(writer, a_link_stays_and_remains_are_replaced)
{
    cr_assert_eq(mkdir("there", 0700), 0);
    FILE *left = fopen("there/file", "w");
    fputs("old", left);
    fclose(left);
    left = fopen("there/file.new", "w");
    fputs("half of it", left);
    fclose(left);
    cr_assert_eq(symlink("there/file", "link"), 0);
    cr_assert(replace("link", "new"));
    cr_assert_str_eq(text_of("there/file"), "new");
    cr_assert(access("there/file.new", F_OK) != 0 && access("link.lock", F_OK) != 0);
    char to[32] = "";
    cr_assert(readlink("link", to, sizeof to - 1) > 0);
    cr_assert_str_eq(to, "there/file");
}

Test(writer, folders_that_are_missing_are_made)
{
    char path[128];
    umask(0);
    snprintf(path, sizeof path, "%s/a/b/file", folder);
    cr_assert(replace(path, "text"));
    cr_assert_str_eq(text_of(path), "text");
    cr_assert_eqs(mode_of("a"), geteuid() ? 0700 : 0755, mode_of("a/b"), geteuid() ? 0700 : 0755);
    cr_assert(replace("c/file", "text") && replace("c/d/e/file", "text"));
    cr_assert(!replace("c/file/file", "text"));
    cr_assert_str_eq(reason, strerror(ENOTDIR));
}

Test(writer, a_failure_leaves_the_file_as_it_was_and_says_why)
{
    static const struct {
        struct failing *call;
        int error;
    } rows[] = {{&failing_write, ENOSPC}, {&failing_fsync, EIO}, {&failing_write, EDQUOT}};
    cr_assert(replace("file", "before"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].call = (struct failing){1, rows[i].error};
        cr_assert(!replace("file", "after"));
        cr_assert_str_eq(reason, strerror(rows[i].error));
        cr_assert_str_eq(text_of("file"), "before");
        cr_assert_eq(access("file.new", F_OK), -1);
    }
    failing_open = (struct failing){1, EMFILE};
    cr_assert(!replace("file", "after"));
    cr_assert_str_eq(reason, strerror(EMFILE));
    cr_assert_eq(mkdir("taken", 0700), 0);
    cr_assert_eq(mkdir("taken/full", 0700), 0);
    cr_assert(!replace("taken", "after")); /* a folder can't be replaced */
    cr_assert_eqs(access("taken.new", F_OK), -1, access("taken/full", F_OK), 0);
}

/* 30 s, in steps; the other is another program. */
Test(writer, another_writer_is_waited_for)
{
    cr_assert(replace("file", "before"));
    failing_flock = (struct failing){15000, EWOULDBLOCK};
    cr_assert(!replace("file", "after"));
    cr_assert_str_eq(reason, "another program has kept it locked for 30 s; try again");
    cr_assert_eq(slept, UINT64_C(30000000000));
    failing_flock = (struct failing){14999, EWOULDBLOCK};
    cr_assert(replace("file", "after"));
    cr_assert_str_eq(text_of("file"), "after");
    failing_flock = (struct failing){3, EINTR};
    cr_assert(replace("file", "again"));
    failing_flock = (struct failing){1, ENOLCK};
    cr_assert(!replace("file", "more"));
    cr_assert_str_eq(reason, strerror(ENOLCK));
    /* the lock is held from init to finish */
    struct os_writer writer;
    cr_assert(os_writer_init(&writer, "file", &reason));
    const int other = open("file.lock", O_RDWR);
    cr_assert_eq(flock(other, LOCK_EX | LOCK_NB), -1);
    os_writer_finish(&writer);
    cr_assert_eq(flock(other, LOCK_EX | LOCK_NB), 0);
    close(other);
    cr_assert_eq(access("file.lock", F_OK), 0);
}
