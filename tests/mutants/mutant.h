/*
 * The sources that mutants.py writes include this: the number of the mutant that is on, 0 for none,
 * and a note of each place that was reached. Both are in a file that MUTANTS_PAGE names and every
 * process and library maps, or in memory of its own.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct mutants__page {
    int mutant;
    unsigned char reached[MUTANTS_COUNT];
};

#define mutants__once __attribute__((weak, visibility("hidden")))

mutants__once struct mutants__page mutants__page_of_none = {0};
mutants__once struct mutants__page *mutants__page = &mutants__page_of_none;

/* Once for each file that includes this: the first has done it for all. */
mutants__once __attribute__((constructor)) void mutants__page_map(void)
{
    const char *path = getenv("MUTANTS_PAGE");
    const int file =
        path && mutants__page == &mutants__page_of_none ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *page = mmap(NULL, sizeof *mutants__page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED)
        mutants__page = page;
}

#define mutants__is(number)      (mutants__page->mutant == (number))
#define mutants__reached(number) ((void)(mutants__page->reached[number] = 1))
