/* Files of the tools and layers: what is there, and whose, is told apart [ANN-SEC-01]. */
#include "folder.h"

#include "asserts.h"

#include <environment.h>
#include <os_file.h>
#include <os_path.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(files, .init = folder_make, .fini = folder_remove);

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static unsigned mode_of(const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0 ? status.st_mode & 07777u : 0xffffu;
}

static bool is_closed_on_exec(os_file file)
{
    return fcntl((int)file, F_GETFD) == FD_CLOEXEC;
}

/* ---- made anew ---- */

Test(files, a_new_file_is_its_owners_alone_and_takes_no_name_that_is_there)
{
    os_file file, other;
    umask(0);
    cr_assert_eq(os_file_create(&file, "new"), OS_FILE_DONE);
    cr_assert(file > 2 && mode_of("new") == 0600 && is_closed_on_exec(file));
    cr_assert_eq(os_file_create(&other, "new"), OS_FILE_TAKEN);
    cr_assert_eq(other, -1);
    cr_assert_eq(symlink("new", "link"), 0);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    static const char *const others[] = {"link", "pipe", ".", "/dev/null"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(os_file_create(&other, others[i]), OS_FILE_NO_FILE, "%s", others[i]);
    cr_assert_eq(os_file_create(&other, "none/new"), OS_FILE_FAILED);
    cr_assert_str_eq(os_error(), strerror(ENOENT));
    os_file_close(file, NULL, 0);
    os_file_close(-1, NULL, 0);
}

/* A program that closed its own has not lent them. */
Test(files, a_new_file_is_none_of_the_three_that_a_program_writes_to)
{
    for (int number = 0; number < 3; number++) {
        char name[8];
        os_file file;
        snprintf(name, sizeof name, "of %d", number);
        const int kept = dup(number);
        close(number);
        const enum os_file_outcome outcome = os_file_create(&file, name);
        const bool is_free = fcntl(number, F_GETFD) < 0;
        dup2(kept, number);
        cr_assert_eq(outcome, OS_FILE_DONE);
        cr_assert(is_free && file > 2 && os_file_is_at(file, name) && is_closed_on_exec(file));
        os_file_close(file, NULL, 0);
        close(kept);
    }
}

Test(files, bytes_are_where_they_were_written_whatever_interrupts)
{
    char back[16] = "";
    os_file file;
    cr_assert_eq(os_file_create(&file, "new"), OS_FILE_DONE);
    most_at_once = 3;
    failing_pwrite = (struct failing){2, EINTR, 0};
    cr_assert(os_file_write(file, "abcdefgh", 8, 2));
    cr_assert_eq(os_file_read(file, back, 8, 2), 8);
    cr_assert_str_eq(back, "abcdefgh");
    cr_assert(os_file_write(file, "", 0, 100));
    cr_assert_eq(os_file_read(file, back, 16, 0), 10);
    cr_assert(memcmp(back, "\0\0abcdefgh", 10) == 0);
    cr_assert_eq(os_file_read(file, back, 16, 8), 2);
    cr_assert_eq(os_file_read(file, back, 16, 10), 0);
    cr_assert_eq(os_file_read(-1, back, 16, 0), 0);
    failing_pwrite = (struct failing){1, ENOSPC, 0};
    cr_assert(!os_file_write(file, "x", 1, 0));
    os_file_cut(file, 5);
    cr_assert_eq(os_file_read(file, back, 16, 0), 5);
    os_file_close(file, NULL, 0);
}

/* The system would end the process. */
Test(files, a_files_limit_is_kept_without_a_signal)
{
    os_file file;
    cr_assert_eq(os_file_create(&file, "new"), OS_FILE_DONE);
    limits = (struct rlimit){100, 100};
    cr_assert(os_file_write(file, "abcd", 4, 96));
    errno = 0;
    cr_assert(!os_file_write(file, "abcd", 4, 97));
    cr_assert_str_eq(os_error(), strerror(EFBIG));
    cr_assert_eq(os_file_reserve(file, 101), OS_RESERVE_FAILED);
    os_file_close(file, NULL, 0);
}

Test(files, a_reservation_that_the_file_system_does_not_know_is_told_apart)
{
    static const struct {
        struct failing failing;
        enum os_reserved reserved;
    } rows[] = {
        {{0, 0, 0}, OS_RESERVED},
        {{2, EINTR, 0}, OS_RESERVED},
        {{1, ENOSPC, 0}, OS_RESERVE_FAILED},
        {{1, EOPNOTSUPP, 0}, OS_RESERVE_UNSUPPORTED},
        {{1, ENOSYS, 0}, OS_RESERVE_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        os_file file;
        struct stat status;
        unlink("new");
        cr_assert_eq(os_file_create(&file, "new"), OS_FILE_DONE);
        failing_fallocate = rows[i].failing;
        cr_assert_eq(os_file_reserve(file, 9000), rows[i].reserved, "row %zu", i);
        stat("new", &status);
        cr_assert_eq(status.st_size, rows[i].reserved == OS_RESERVED ? 9000 : 0);
        if (rows[i].reserved == OS_RESERVED) {
            char *map = os_file_map(file, 9000), back[4] = "";
            cr_assert(map && map[0] == 0 && map[8999] == 0);
            memcpy(map + 8996, "end", 4);
            cr_assert_eq(os_file_read(file, back, 4, 8996), 4);
            cr_assert_str_eq(back, "end");
            os_file_close(file, map, 9000);
            continue;
        }
        os_file_close(file, NULL, 0);
    }
    cr_assert(os_file_map(-1, 4096) == NULL);
}

/* A store there is a copy, which finds no place on a full disk. */
Test(files, a_file_system_that_copies_on_write_reserves_nothing)
{
    static const uint32_t copying[] = {0x9123683e, 0x2fc12fc1, 0xca451a4e,
                                       0xf2f52010, 0x65735546, 0};
    static const uint32_t keeping[] = {0xef53 /* ext4 */, 0x58465342 /* XFS */,
                                       0x01021994 /* tmpfs */};
    os_file file;
    cr_assert_eq(os_file_create(&file, "new"), OS_FILE_DONE);
    for (size_t i = 0; i < sizeof copying / sizeof *copying; i++) {
        file_system = copying[i];
        cr_assert_eq(os_file_reserve(file, 1), OS_RESERVE_UNSUPPORTED, "%x", copying[i]);
    }
    for (size_t i = 0; i < sizeof keeping / sizeof *keeping; i++) {
        file_system = keeping[i];
        cr_assert_eq(os_file_reserve(file, 1), OS_RESERVED, "%x", keeping[i]);
    }
    os_file_close(file, NULL, 0);
}

Test(files, a_name_is_of_this_file_or_of_another)
{
    os_file file;
    cr_assert_eq(os_file_create(&file, "first"), OS_FILE_DONE);
    put("second", "");
    cr_assert_eq(symlink("first", "link"), 0);
    cr_assert(os_file_is_at(file, "first"));
    cr_assert(!os_file_is_at(file, "second") && !os_file_is_at(file, "link") &&
              !os_file_is_at(file, "none") && !os_file_is_at(-1, "first"));
    cr_assert(os_file_rename("first", "third") && os_file_is_at(file, "third"));
    cr_assert(!os_file_rename("first", "fourth"));
    cr_assert(os_file_remove("link") && os_file_remove("third") && !os_file_remove("third"));
    cr_assert(!os_file_is_at(file, "third"));
    umask(0);
    cr_assert(os_folder_make("folder") && mode_of("folder") == 0700 && !os_folder_make("folder"));
    os_file_close(file, NULL, 0);
}

/* ---- logs ---- */

Test(files, a_log_is_a_regular_file_that_grows)
{
    char *data;
    size_t size;
    const char *reason;
    umask(0);
    for (int i = 0; i < 2; i++) {
        FILE *log = os_open_log("log");
        cr_assert(log && fputs("line\n", log) >= 0);
        cr_assert(is_closed_on_exec(fileno(log)));
        fclose(log);
    }
    cr_assert_eq(mode_of("log"), 0600);
    cr_assert_eq(os_read_file("log", true, 100, &data, &size, &reason), OS_READ_DONE);
    cr_assert(size == 10 && memcmp(data, "line\nline\n", 10) == 0);
    free(data);
    cr_assert_eq(symlink("log", "link"), 0);
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    cr_assert(!os_open_log("link") && !os_open_log("pipe") && !os_open_log(".") &&
              !os_open_log("/dev/null") && !os_open_log("none/log"));
}

/* ---- read whole ---- */

static enum os_read read_it(const char *name, size_t limit, size_t *size)
{
    char *data;
    const char *reason = "none";
    const enum os_read result = os_read_file(name, true, limit, &data, size, &reason);
    cr_assert_eq(data != NULL, result == OS_READ_DONE, "%s", name);
    cr_assert_eq(strcmp(reason, "none") != 0, result == OS_READ_UNREADABLE, "%s", reason);
    if (result == OS_READ_DONE)
        for (size_t i = 0; i < *size; i++)
            cr_assert_eq(data[i], 'a' + (char)(i % 26));
    else
        cr_assert_eq(*size, 0);
    free(data);
    return result;
}

static void put_letters(const char *name, size_t size)
{
    FILE *file = fopen(name, "w");
    for (size_t i = 0; i < size; i++)
        fputc('a' + (int)(i % 26), file);
    fclose(file);
}

Test(files, files_of_any_size_are_read_up_to_the_limit)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 20000};
    size_t size;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (most_at_once = 0; most_at_once < 3000; most_at_once += 1000) {
            put_letters("file", sizes[i]);
            cr_assert_eqs(read_it("file", sizes[i], &size), OS_READ_DONE, size, sizes[i]);
            cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_DONE);
            if (sizes[i])
                cr_assert_eq(read_it("file", sizes[i] - 1, &size), OS_READ_TOO_LARGE);
        }
    failing_open = failing_read = (struct failing){3, EINTR, 0};
    cr_assert_eqs(read_it("file", 1 << 20, &size), OS_READ_DONE, size, 20000);
    failing_memory = (struct failing){1, ENOMEM, 0};
    cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_OUT_OF_MEMORY);
    failing_memory = (struct failing){1, ENOMEM, 2};
    cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_OUT_OF_MEMORY);
    failing_read = (struct failing){1, EIO, 2};
    cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_UNREADABLE);
    failing_read = (struct failing){1, EIO, 0};
    cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_UNREADABLE);
    failing_open = (struct failing){1, EMFILE, 0};
    cr_assert_eq(read_it("file", 1 << 20, &size), OS_READ_UNREADABLE);
}

Test(files, what_is_no_file_is_not_read)
{
    size_t size;
    cr_assert_eq(mkfifo("pipe", 0600), 0);
    put("file", "");
    cr_assert_eq(read_it("none", 9, &size), OS_READ_ABSENT);
    cr_assert_eq(read_it("none/none", 9, &size), OS_READ_ABSENT);
    cr_assert_eq(read_it("file/none", 9, &size), OS_READ_ABSENT);
    cr_assert_eq(read_it("pipe", 9, &size), OS_READ_UNREADABLE);
    cr_assert_eq(read_it("/dev/zero", 9, &size), OS_READ_UNREADABLE);
    cr_assert_eq(read_it(".", 9, &size), OS_READ_UNREADABLE);
    char *data;
    const char *reason;
    os_read_file(".", true, 9, &data, &size, &reason);
    cr_assert_str_eq(reason, "it is a folder");
    os_read_file("pipe", true, 9, &data, &size, &reason);
    cr_assert_str_eq(reason, "not a file");
    for (int i = 0; i < 5000; i++) /* none of them stays open */
        os_read_file(i & 1 ? "pipe" : ".", true, 9, &data, &size, &reason);
    const int next = open("file", O_RDONLY);
    cr_assert(next >= 0 && next < 100);
    close(next);
}

/* ---- places ---- */

static void place_is(char *(*place)(bool *out_of_memory), const char *right)
{
    bool out_of_memory = false;
    char *path = place(&out_of_memory);
    cr_assert(!out_of_memory && (path == NULL) == (right == NULL));
    if (right)
        cr_assert_str_eq(path, right);
    free(path);
}

/* XDG's rules: a relative path is as none, and so is an empty one. */
Test(files, places_are_those_that_the_environment_names)
{
    static const struct {
        const char *xdg, *home, *settings, *dumps;
    } rows[] = {
        {"/x", "/h", "/x/annot/d3dconfig.ini", "/x/annot/dumps/"},
        {"x", "/h", "/h/.config/annot/d3dconfig.ini", "/h/.local/state/annot/dumps/"},
        {"", "/h", "/h/.config/annot/d3dconfig.ini", "/h/.local/state/annot/dumps/"},
        {NULL, "/h", "/h/.config/annot/d3dconfig.ini", "/h/.local/state/annot/dumps/"},
        {"/x", NULL, "/x/annot/d3dconfig.ini", "/x/annot/dumps/"},
        {NULL, "h", NULL, NULL},
        {NULL, NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsetenv("XDG_CONFIG_HOME");
        unsetenv("XDG_STATE_HOME");
        unsetenv("HOME");
        if (rows[i].xdg) {
            setenv("XDG_CONFIG_HOME", rows[i].xdg, 1);
            setenv("XDG_STATE_HOME", rows[i].xdg, 1);
        }
        if (rows[i].home)
            setenv("HOME", rows[i].home, 1);
        place_is(os_user_path, rows[i].settings);
        place_is(os_dump_folder, rows[i].dumps);
        place_is(os_system_path, "/etc/xdg/annot/d3dconfig.ini");
    }
}

Test(files, a_place_without_memory_is_told_of)
{
    char *(*const places[])(bool *) = {os_user_path, os_dump_folder, os_system_path};
    setenv("XDG_CONFIG_HOME", "/x", 1);
    setenv("XDG_STATE_HOME", "/x", 1);
    setenv("HOME", "/h", 1);
    for (size_t i = 0; i < 3; i++)
        for (unsigned first = 0; first < (i == 2 ? 1 : 2); first++) {
            bool out_of_memory = false;
            failing_memory = (struct failing){1, ENOMEM, first};
            cr_assert(places[i](&out_of_memory) == NULL && out_of_memory, "%zu, %u", i, first);
            cr_assert_eq(failing_memory.times, 0);
            char *path = places[i](&out_of_memory);
            cr_assert(path && out_of_memory); /* nobody takes it back */
            free(path);
        }
    failing_memory = (struct failing){1, ENOMEM, 0};
    cr_assert(os_path_join("a", "b") == NULL);
}

Test(files, variables_have_values_or_are_none)
{
    bool out_of_memory = false;
    setenv("ANNOT_TEST", "x", 1);
    char *value = os_environment("ANNOT_TEST", &out_of_memory);
    cr_assert_str_eq(value, "x");
    free(value);
    cr_assert_str_eq(os_environment_borrow("ANNOT_TEST"), "x");
    failing_memory = (struct failing){1, ENOMEM, 0};
    cr_assert(!os_environment("ANNOT_TEST", &out_of_memory) && out_of_memory);
    out_of_memory = false;
    setenv("ANNOT_TEST", "", 1);
    cr_assert(!os_environment("ANNOT_TEST", &out_of_memory));
    cr_assert_str_eq(os_environment_borrow("ANNOT_TEST"), "");
    char **all = os_environment_all();
    while (*all && strcmp(*all, "ANNOT_TEST=") != 0)
        all++;
    cr_assert(*all && os_environment_is_trusted());
    unsetenv("ANNOT_TEST");
    cr_assert(!os_environment("ANNOT_TEST", &out_of_memory) && !out_of_memory);
}

Test(files, paths_are_told_apart_joined_and_found)
{
    bool is_directory = false;
    char program[4096], few[5] = "xxxx";
    put("file", "");
    cr_assert_eq(symlink("file", "link"), 0);
    cr_assert(os_exists("link", &is_directory) && !is_directory);
    cr_assert(os_exists(".", &is_directory) && is_directory);
    cr_assert(!os_exists("none", &is_directory));
    char *full = os_full_path("link"), *joined = os_path_join(folder, "/file");
    cr_assert_str_eq(full, joined);
    free(full);
    free(joined);
    cr_assert(os_full_path("none") == NULL);
    cr_assert(os_is_separator('/') && !os_is_separator('\\') && os_is_absolute("/a") &&
              !os_is_absolute("a/"));
    cr_assert(os_same_character('a', 'a') && !os_same_character('a', 'A'));
    os_program_path(program, sizeof program);
    cr_assert_not_null(strstr(program, "/test-platform"));
    os_program_path(few, sizeof few);
    cr_assert(few[4] == '\0' && strncmp(few, program, 4) == 0);
}
