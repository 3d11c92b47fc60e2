/* A folder of a test's own, and system calls that fail when a test says so. */
#pragma once

#include <stdint.h>
#include <sys/resource.h>

extern char folder[64];
void folder_make(void);   /* the current one */
void folder_remove(void); /* with all that is in it */

/* The call's next so many times fail with this error. */
struct failing {
    unsigned times;
    int error;
};
extern struct failing failing_pwrite, failing_fallocate, failing_open, failing_read, failing_write,
    failing_flock, failing_fsync;
extern unsigned most_at_once; /* bytes of a write or read; 0: all */
extern struct rlimit limits;  /* of whatever is asked for */
extern uint64_t slept;        /* ns; sleeps take no time */
