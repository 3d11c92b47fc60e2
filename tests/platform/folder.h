/* A folder of a test's own, and system calls that fail when a test says so. */
#pragma once

#include <stdint.h>
#include <sys/resource.h>

extern char folder[64];
void folder_make(void); /* the current one */
void folder_empty(void);
void folder_remove(void); /* with all that is in it; no descriptor may be left open */

/* The call's next so many times fail with this error, behind some that do not. */
struct failing {
    unsigned times;
    int error;
    unsigned first;
};
extern struct failing failing_pwrite, failing_fallocate, failing_open, failing_read, failing_write,
    failing_flock, failing_fsync, failing_memory;
extern uint32_t file_system; /* fstatfs's; 0: fails */
extern unsigned syncs;
extern long system_pages, page_size; /* sysconf's; 0: the machine's */
/* Who runs, UINT_MAX: who does; whose a path is; and what the file system was told, in letters. */
extern unsigned running_as;
extern const char *owned_path;
extern char file_system_users[64];
extern unsigned most_at_once; /* bytes of a write or read; 0: all */
extern struct rlimit limits;  /* of whatever is asked for */
extern uint64_t slept;        /* ns; sleeps take no time */
