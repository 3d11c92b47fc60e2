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
    failing_pwrite = (struct failing){2, EINTR, 0};
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
    } rows[] = {{&failing_pwrite, ENOSPC}, {&failing_fsync, EIO}, {&failing_pwrite, EDQUOT}};
    cr_assert(replace("file", "before"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].call = (struct failing){1, rows[i].error, 0};
        cr_assert(!replace("file", "after"));
        cr_assert_str_eq(reason, strerror(rows[i].error));
        cr_assert_str_eq(text_of("file"), "before");
        cr_assert_eq(access("file.new", F_OK), -1);
    }
    for (unsigned first = 0; first < 2; first++) { /* the lock, and the new file */
        failing_open = (struct failing){1, EMFILE, first};
        cr_assert(!replace("file", "after"));
        cr_assert_str_eq(reason, strerror(EMFILE));
        cr_assert_str_eq(text_of("file"), "before");
    }
    failing_open = (struct failing){1, EACCES, 0};
    cr_assert(!replace("file", "after"));
    cr_assert_str_eq(reason,
                     "the .lock file belongs to another user; remove the .lock file and try again");
    unlink("file.lock");
    failing_open = (struct failing){1, EACCES, 0};
    cr_assert(!replace("file", "after"));
    cr_assert_str_eq(reason, strerror(EACCES));
    failing_open = (struct failing){1, EACCES, 2}; /* the folder, to make the name last */
    syncs = 0;
    cr_assert(replace("file", "before") && syncs == 1);
    cr_assert(replace("file", "before") && syncs == 3);
    for (unsigned first = 0; first < 2; first++) {
        failing_memory = (struct failing){1, ENOMEM, first};
        cr_assert(!replace("file", "after"));
        cr_assert_str_eq(reason, strerror(ENOMEM));
    }
    cr_assert_eq(mkdir("taken", 0700), 0);
    cr_assert_eq(mkdir("taken/full", 0700), 0);
    cr_assert(!replace("taken", "after")); /* a folder can't be replaced */
    cr_assert_eqs(access("taken.new", F_OK), -1, access("taken/full", F_OK), 0);
}

/* 30 s, in steps; the other is another program. */
Test(writer, another_writer_is_waited_for)
{
    cr_assert(replace("file", "before"));
    failing_flock = (struct failing){15000, EWOULDBLOCK, 0};
    slept = 0; /* a runner may have slept */
    cr_assert(!replace("file", "after"));
    cr_assert_str_eq(reason, "another program has kept the file locked for 30 s; try again");
    cr_assert_eq(slept, UINT64_C(30000000000));
    failing_flock = (struct failing){14999, EWOULDBLOCK, 0};
    cr_assert(replace("file", "after"));
    cr_assert_str_eq(text_of("file"), "after");
    failing_flock = (struct failing){3, EINTR, 0};
    cr_assert(replace("file", "again"));
    failing_flock = (struct failing){1, ENOLCK, 0};
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

/* The innermost folder that is there says whose the file will be. */
Test(writer, root_acts_as_the_owner_of_the_folder)
{
    static const struct {
        unsigned running_as;
        const char *path, *owned, *users;
        unsigned mode; /* of new folders */
    } rows[] = {
        {0, "a/file", "a/", "g77 u1234 u0 g0 ", 0},
        {0, "a/new/in/file", "a/", "g77 u1234 u0 g0 ", 0700},
        {0, "file", ".", "g77 u1234 u0 g0 ", 0},
        {0, "new/file", ".", "g77 u1234 u0 g0 ", 0700},
        {0, "a/file", ".", "", 0},
        {0, "new/file", "a/", "", 0755},
        {1000, "new/file", ".", "", 0700},
    };
    umask(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mkdir("a", 0700);
        owned_path = rows[i].owned;
        file_system_users[0] = '\0';
        running_as = rows[i].running_as;
        cr_assert(replace(rows[i].path, "text"), "row %zu", i);
        running_as = 0xffffffff;
        cr_assert_str_eq(file_system_users, rows[i].users, "row %zu", i);
        cr_assert_str_eq(text_of(rows[i].path), "text");
        if (rows[i].mode)
            cr_assert_eq(mode_of(*rows[i].path == 'a' ? "a/new" : "new"), rows[i].mode, "row %zu",
                         i);
        folder_empty();
    }
    char path[5000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    running_as = 0;
    file_system_users[0] = '\0';
    cr_assert(!replace(path, "text"));
    cr_assert_str_eq(reason, strerror(ENAMETOOLONG));
    cr_assert_str_eq(file_system_users, "");
}
