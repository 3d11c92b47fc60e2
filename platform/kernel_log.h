/* The lines of the Linux kernel's log about GPUs: a witness in addition to the driver and the
 * layer. These functions neither allocate nor wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_LOG_LINES = 24,
    KERNEL_LOG_OTHERS = 4, /* lines of no known form that are kept */
    KERNEL_LOG_LINE_MAX = 320,
    KERNEL_LOG_RECORD_MAX = 8192
};

struct kernel_log {
    uint64_t since, now; /* ns of the lines' clock */
    long process;        /* this process's id in the kernel's log; 0: not known */
    /* the answer */
    char lines[KERNEL_LOG_LINES][KERNEL_LOG_LINE_MAX]; /* the oldest; causes come first */
    uint32_t kept;                                     /* of `lines` */
    uint32_t count;  /* lines of a known form, also those that are not kept */
    uint32_t others; /* lines that may be from a GPU driver */
    bool has_fault;  /* a page fault of this process, at `fault` */
    uint64_t fault;
    char
        victim[64]; /* "another process, pid 17": the GPU was reset because of it; "": it was not */
    int card;       /* the card in /sys/class/drm with a device coredump; -1: none */
    bool is_cut;    /* records were overwritten before they could be read */
    bool is_absent; /* `why` says why */
    char why[96];
    char coredump[160]; /* path, and whether it can be read */
    /* its own */
    bool is_in_fault;
    long owner;
    long culprit;  /* another process that the log names first; 0: none */
    bool is_ours;  /* the log names this process, too, but not as one that is cleaned up */
    bool is_reset; /* the GPU's state of other processes is lost */
    char record[KERNEL_LOG_RECORD_MAX]; /* too large for the stack of a small thread */
};

void kernel_log_init(struct kernel_log *kernel, uint64_t since, uint64_t now, long process);
/* Reads a record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); any bytes are allowed. */
void kernel_log_take(struct kernel_log *kernel, const char *record, size_t size);
/* Reads a line's text, without control characters; `time` is ns of the clock of `now`. */
void kernel_log_line(struct kernel_log *kernel, uint64_t time, const char *text);
/* The lines in words: "2 lines of GPU drivers, 1 line that may be from a GPU driver"; returns its
 * length. */
int kernel_log_count(const struct kernel_log *kernel, char *to, size_t capacity);

/* ---- the system's part: kernel_log_posix.c, kernel_log_win32.c ---- */

/* Reads the records at `path`, "/dev/kmsg", and takes each. */
void kernel_log_read(struct kernel_log *kernel, const char *path);
/* This process's id in the kernel's log; 0: unknown, or the process is in another PID namespace. */
long kernel_log_process(void);
/* The log of this system; NULL: it has none. */
extern const char *const kernel_log_path;
