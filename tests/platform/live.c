/* The file that a killed program leaves: whenever it is killed, the newest whole dump is in it. */
#include "asserts.h"
#include "folder.h"

#include "live_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CAPACITY = 64, HEADER = sizeof(struct live_header) };

static struct live_file live;

static void begin(void)
{
    folder_make();
    cr_assert(!live_file_open(&live, "x", CAPACITY));
}

static void end(void)
{
    live_file_remove(&live);
    folder_remove();
}

TestSuite(live, .init = begin, .fini = end);

/* The newest dump of the file, as a text. */
static const char *left(const char *path)
{
    static char bytes[HEADER + 2 * CAPACITY + 2];
    size_t dump_size = 0;
    const int file = open(path, O_RDONLY);
    const ssize_t size = read(file, bytes, sizeof bytes - 1);
    close(file);
    cr_assert(size < (ssize_t)sizeof bytes - 1);
    char *at = (char *)live_file_find(bytes, (size_t)size, 0, &dump_size);
    return at ? (at[dump_size] = 0, at) : "none";
}

static const char *store(const char *text)
{
    memcpy(live.dump, text, strnlen(text, CAPACITY));
    return live_file_store(&live, strlen(text));
}

/* Each write fails in its turn: the process is killed there, or the disk is full. */
Test(live, a_process_that_is_killed_at_any_write_leaves_the_newest_whole_dump)
{
    static const char *const dumps[] = {"none", "first", "the second, longer", "3", "4th"};
    for (unsigned i = 1; i < sizeof dumps / sizeof *dumps; i++) {
        for (unsigned write = 3; write-- > 0;) {
            failing_pwrite = (struct failing){1, ENOSPC, write > 0};
            cr_expect_str_eq(store(dumps[i]), strerror(ENOSPC));
            cr_expect_str_eq(left("x.1.live"), dumps[i - 1], "%u, write %u", i, write);
        }
        cr_expect_null(store(dumps[i]));
        cr_expect_str_eq(left("x.1.live"), dumps[i]);
    }
    char large[CAPACITY + 2];
    memset(large, 'x', sizeof large);
    large[CAPACITY + 1] = 0;
    cr_expect_not_null(store(large));
    limits = (struct rlimit){HEADER, HEADER}; /* above it the system ends the process */
    cr_expect(store("5") && store("6"));
    cr_expect_str_eq(left("x.1.live"), "4th");
}

Test(live, names_that_are_there_are_left_alone)
{
    struct live_file other;
    struct stat status;
    cr_assert_eq(symlink("victim", "x.2.live"), 0);
    cr_expect_not_null(live_file_open(&other, "x", CAPACITY), "somebody waits for the link");
    live_file_remove(&other);
    unlink("x.2.live");
    cr_assert_null(live_file_open(&other, "x", CAPACITY));
    cr_expect(stat("x.2.live", &status) == 0 && (status.st_mode & 0777) == 0600);
    cr_assert_eq(chdir("/"), 0); /* the program goes elsewhere */
    live_file_remove(&other);
    cr_assert_eq(chdir(folder), 0);
    cr_expect(access("x.2.live", F_OK) != 0 && access("x.1.live", F_OK) == 0);
    failing_open = (struct failing){100, EEXIST, 0};
    cr_expect_not_null(live_file_open(&other, "x", CAPACITY));
    live_file_remove(&other);
}

/* The program's doing, or a neighbour's. */
Test(live, a_file_that_is_no_longer_its_own_is_not_touched)
{
    const int file = (int)live.file, own = dup(file);
    const int other = open("other", O_RDWR | O_CREAT, 0600);
    cr_assert(!store("mine") && own >= 0 && dup2(other, file) >= 0);
    cr_expect_not_null(store("its descriptor is another file's"));
    cr_assert(dup2(own, file) >= 0 && !rename("x.1.live", "mine") && !rename("other", "x.1.live"));
    cr_expect_not_null(store("its name is another file's"));
    live_file_remove(&live);
    cr_expect(lseek(other, 0, SEEK_END) == 0 && access("x.1.live", F_OK) == 0);
    cr_expect_str_eq(left("mine"), "mine");
    close(file);
    close(own);
    close(other);
}

Test(live, no_header_leads_outside_of_the_file)
{
    enum { SIZE = HEADER + 100 };
    static const struct {
        uint64_t capacity, newer, older; /* the older one is in the first place */
        bool is_there[2];
    } rows[] = {{50, 50, 100, {true, true}},
                {50, 51, 101, {false, false}},
                {101, 0, 0, {false, true}},
                {UINT64_MAX - 40, 41, 40, {false, true}},
                {UINT64_MAX - HEADER + 1, 1, UINT64_MAX, {false, false}}};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const struct live_header header = {.capacity = rows[i / 2].capacity,
                                           .places = {{1, rows[i / 2].older},
                                                      {2, rows[i / 2].newer}}};
        char *bytes = calloc(1, SIZE); /* a sanitizer sees what is read behind it */
        size_t size = 0;
        memcpy(bytes, &header, HEADER);
        cr_expect_null(live_file_find(bytes, SIZE, i % 2, &size), "no magic");
        memcpy(bytes, LIVE_FILE_MAGIC, sizeof header.magic);
        cr_expect_null(live_file_find(bytes, HEADER - 1, i % 2, &size), "no whole header");
        const char *at = live_file_find(bytes, SIZE, i % 2, &size);
        cr_expect_eq(at != NULL, rows[i / 2].is_there[i % 2], "row %zu", i);
        cr_expect(!at || (at >= bytes + HEADER && at + size <= bytes + SIZE));
        free(bytes);
    }
}
