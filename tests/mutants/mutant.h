/* The sources that mutants.py writes include this: the number of the mutant that is on, 0 for none,
 * and a note of each place that was reached. Both are in a file that MUTANTS_PAGE names and every
 * process and library maps, or in memory of its own. It includes nothing: a source may have a
 * function of its own that is called `write`. */
struct mutants__page {
    int mutant;
    unsigned char reached[MUTANTS_COUNT];
};

#define mutants__once __attribute__((weak, visibility("hidden")))

extern char *mutants__getenv(const char *name) __asm__("getenv");
extern int mutants__open(const char *path, int flags, ...) __asm__("open");
extern int mutants__close(int file) __asm__("close");
extern void *mutants__mmap(void *address, unsigned long size, int protection, int flags, int file,
                           long offset) __asm__("mmap");

mutants__once struct mutants__page mutants__page_of_none = {0};
mutants__once struct mutants__page *mutants__page = &mutants__page_of_none;

/* Once for each file that includes this: the first has done it for all. */
mutants__once __attribute__((constructor)) void mutants__page_map(void)
{
    const int rdwr_cloexec = 02000002, read_write = 3, shared = 1;
    const char *path = mutants__getenv("MUTANTS_PAGE");
    const int file =
        path && mutants__page == &mutants__page_of_none ? mutants__open(path, rdwr_cloexec) : -1;
    if (file < 0)
        return;
    void *page = mutants__mmap((void *)0, sizeof *mutants__page, read_write, shared, file, 0);
    mutants__close(file);
    if (page != (void *)-1)
        mutants__page = page;
}

#define mutants__is(number)      (mutants__page->mutant == (number))
#define mutants__reached(number) ((void)(mutants__page->reached[number] = 1))
