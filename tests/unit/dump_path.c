/* Patterns for the paths of dumps, as annot/dump.h has them. */
#include <annot/dump.h>

#include "unit_kit.h"

#include <ctype.h>
#include <time.h>

#ifdef _WIN32
#include <process.h>
#define getpid _getpid
#else
#include <unistd.h>
#endif

static char path[600];

static const char *path_of(const char *pattern)
{
    const size_t length = annot_dump_path(pattern, path, sizeof path);
    cr_expect_eq(length, strlen(path));
    return path;
}

Test(dump_path, the_pattern_gets_the_process)
{
    char expected[64];
    snprintf(expected, sizeof expected, "a/%ld-%ld.b", (long)getpid(), (long)getpid());
    cr_expect_str_eq(path_of("a/%p-%p.b"), expected);
    cr_expect(strncmp(path_of("%e.x"), "test-unit", 9) == 0, "%s", path);
}

Test(dump_path, percent_signs_and_anything_else_stay)
{
    cr_expect_str_eq(path_of("50%% of %x and %"), "50% of %x and %");
    cr_expect_str_eq(path_of("plain"), "plain");
    cr_expect_str_eq(path_of("%%p"), "%p");
}

Test(dump_path, the_time_sorts)
{
    struct timespec before, after; /* time() may lag behind this clock at a second's edge */
    clock_gettime(CLOCK_REALTIME, &before);
    path_of("%t");
    clock_gettime(CLOCK_REALTIME, &after);
    char first[32], last[32];
    strftime(first, sizeof first, "%Y%m%dT%H%M%SZ", gmtime(&before.tv_sec));
    strftime(last, sizeof last, "%Y%m%dT%H%M%SZ", gmtime(&after.tv_sec));
    cr_expect(strcmp(first, path) <= 0 && strcmp(path, last) <= 0, "%s %s %s", first, path, last);
}

Test(dump_path, a_file_in_a_folder_gets_a_new_name)
{
    char expected[300];
    cr_expect_eq(annot_dump_path(ANNOT_DUMP_PATH_DEFAULT, expected + 6, sizeof expected - 6),
                 strlen(expected + 6));
    memcpy(expected, "dumps/", 6);
    cr_expect_str_eq(path_of("dumps/"), expected);
    cr_expect_str_eq(path_of(NULL), expected + 6);
    cr_expect_str_eq(path_of(""), expected + 6);
}

Test(dump_path, what_does_not_fit_is_left_out_as_a_whole)
{
    char small[8] = "before";
    cr_expect_eq(annot_dump_path("12345678", small, sizeof small), 8);
    cr_expect_str_eq(small, "1234567");
    cr_expect_eq(annot_dump_path("1%t%p", small, sizeof small), 17 + strlen(path_of("%p")));
    cr_expect_str_eq(small, "1");
    cr_expect_eq(annot_dump_path("1234567", NULL, 0), 7);
    cr_expect_eq(annot_dump_path("1234567", NULL, 99), 7);
    cr_expect_eq(annot_dump_path("12", small, 0), 2);
    cr_expect_str_eq(small, "1", "no room, nothing written");
    cr_expect_eq(annot_dump_path("12", small, 1), 2);
    cr_expect_str_empty(small);
}
