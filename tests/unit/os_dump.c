/* A dump on a system that refuses or does less than it was asked [annot/dump.h, ANN-CRASH]. */
#include "os_system.h"

#include <annot/dump.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static annot_device *device;
static annot_dump_writer *writer;

static void open_writer(void)
{
    os_enter();
    cr_assert_eq(annot_device_create(NULL, &device), ANNOT_OK);
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
}

static void close_writer(void)
{
    annot_dump_writer_destroy(writer);
    annot_device_destroy(device);
    os_leave();
}

TestSuite(os_dump, .init = open_writer, .fini = close_writer);

/* annot/dump.h: a whole dump stays under its .part name if it could not be renamed; -2, -3 and so
 * on are tried before. */
Test(os_dump, a_dump_without_a_free_name_stays_as_it_is_called)
{
    static const struct {
        int error;
        unsigned times, tried;
        const char *name; /* its end */
    } cases[] = {{EEXIST, 0, 1, "/a"},          {EEXIST, 1, 2, "a-2"},
                 {EEXIST, 9, 10, "a-10"},       {EEXIST, 1233, 1234, "a-1234"},
                 {EEXIST, 9998, 9999, "-9999"}, {EEXIST, 9999, 9999, ".part"},
                 {EIO, 1, 1, ".part"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answers[CALL_renameat2].called = 0;
        os_answer(CALL_renameat2, 0, cases[i].times, cases[i].error, 0);
        os_answer(CALL_link, 0, cases[i].times, cases[i].error, 0);
        const annot_result result = annot_dump_write_file(writer, NULL, os_path);
        const char *name = annot_dump_writer_path(writer);
        cr_expect_eq(result, cases[i].name[0] == '.' ? ANNOT_ERROR_IO : ANNOT_OK, "%zu", i);
        cr_expect_eq(os_answers[CALL_renameat2].called, cases[i].tried, "%zu", i);
        cr_expect_str_eq(name + strlen(name) - strlen(cases[i].name), cases[i].name);
        cr_expect_eq(strncmp(os_bytes_of(name), "ANNOTDMP", 8), 0, "it is whole");
        unlink(name);
    }
}

/* The name of the process, where it is known. */
Test(os_dump, a_dump_is_called_by_its_program)
{
    static const char *const programs[][3] = {
        {"/usr/bin/game", "game-x", "game"}, {"/usr/bin/g", "g-x", "g"}, {"", "program-x", NULL}};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char text[64];
        static char bytes[4096];
        size_t size;
        annot_dump_writer *its;
        os_own_path = programs[i][0];
        os_answer(CALL_readlink, 0, 2, 0, 0);
        annot_dump_path("%e-x", text, sizeof text);
        cr_expect_str_eq(text, programs[i][1]);
        cr_assert_eq(annot_dump_writer_create(device, &its), ANNOT_OK);
        cr_assert_eq(annot_dump_write_memory(its, NULL, bytes, sizeof bytes, &size), ANNOT_OK);
        annot_dump_writer_destroy(its);
        /* TEXT, role 1: the application, if there is one */
        static const char record[] = "\2\0\4\0";
        const char *first = memmem(bytes, size, record, 4);
        cr_assert_not_null(first);
        cr_expect_eq(first[8], programs[i][2] ? 1 : 5);
        if (programs[i][2])
            cr_expect_eq(strncmp(first + 12, programs[i][2], strlen(programs[i][2])), 0);
    }
}

/* Each try has another name. */
Test(os_dump, a_name_for_the_file_under_construction_is_looked_for_a_hundred_times)
{
    os_answer(CALL_open, 0, 99, EEXIST, 0);
    cr_expect_eq(annot_dump_write_file(writer, NULL, os_path), ANNOT_OK);
    cr_expect_str_eq(annot_dump_writer_path(writer), os_path);
    os_answers[CALL_open].called = 0;
    os_answer(CALL_open, 0, 100, EEXIST, 0);
    cr_expect_eq(annot_dump_write_file(writer, NULL, os_path), ANNOT_ERROR_IO);
    cr_expect_eq(errno, EEXIST);
    cr_expect_eq(os_answers[CALL_open].called, 100);
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < i; k++)
            cr_assert_str_neq(os_path_ends[i], os_path_ends[k], "%d and %d", i, k);
    cr_expect_str_empty(annot_dump_writer_path(writer), "not that of the dump before");
}

/* Written, synced, completed, synced, and given the name. */
Test(os_dump, a_dump_that_does_not_get_to_the_disk_leaves_no_file)
{
    static const struct {
        enum call call;
        unsigned after;
        bool is_named;
    } cases[] = {{CALL_write, 0, false}, {CALL_write, 1, false}, {CALL_write, 2, false},
                 {CALL_fsync, 0, false}, {CALL_fsync, 1, false}, {CALL_fsync, 2, true},
                 {CALL_write, 3, false}, {CALL_lseek, 3, false}};
    const int next = os_next_descriptor();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        os_answer(cases[i].call, cases[i].after, 1, EIO, 0);
        const annot_result result = annot_dump_write_file(writer, NULL, os_path);
        cr_expect_eq(result, cases[i].is_named ? ANNOT_OK : ANNOT_ERROR_IO, "%zu", i);
        cr_expect_eq(os_exists(os_path), cases[i].is_named, "%zu", i);
        cr_expect_str_eq(annot_dump_writer_path(writer), cases[i].is_named ? os_path : "", "%zu",
                         i);
        cr_expect_eq(unlink(os_path), cases[i].is_named ? 0 : -1);
        cr_expect_eq(rmdir(os_folder), 0, "%zu: nothing is left", i);
        cr_assert_eq(mkdir(os_folder, 0700), 0);
        os_answer(cases[i].call, 0, 0, 0, 0);
    }
    cr_expect_eq(os_next_descriptor(), next);
}
