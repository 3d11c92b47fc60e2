/* Reads the lines about GPUs in the Linux kernel's log, which are evidence in addition to the
 * driver and the layer. These functions neither allocate nor wait. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_LOG_LINES = 24,
    KERNEL_LOG_OTHERS = 4, /* number of kept lines of unknown form */
    KERNEL_LOG_LINE_MAX = 320,
    KERNEL_LOG_RECORD_MAX = 8192
};

struct kernel_log {
    uint64_t since, now; /* times in ns of the clock that lines have */
    long process;        /* this process's ID in the kernel's log; 0: not known */
    /* the answer */
    char lines[KERNEL_LOG_LINES][KERNEL_LOG_LINE_MAX]; /* oldest lines, because causes come first */
    uint32_t kept;                                     /* of `lines` */
    uint32_t count;  /* lines of a known form, also those that are not kept */
    uint32_t others; /* lines that may be from a GPU driver */
    bool has_fault;  /* a page fault of this process, at `fault` */
    uint64_t fault;
    char victim[64]; /* the process that caused a reset: "another process, pid 17"; or "" */
    int card;        /* number in /sys/class/drm of the card with a coredump; -1: none */
    bool is_cut;     /* records were overwritten before they were read */
    bool is_absent;  /* `why` says why */
    char why[96];
    char coredump[160]; /* path of the coredump, and whether the file can be read */
    /* its own */
    bool is_in_fault;
    long owner;
    long culprit;                       /* the first other process that the log names; 0: none */
    bool is_ours;                       /* the log names this process, too, as a possible cause */
    bool is_reset;                      /* other processes lost their GPU state */
    char record[KERNEL_LOG_RECORD_MAX]; /* too large for the stack of a small thread */
};

void kernel_log_init(struct kernel_log *kernel, uint64_t since, uint64_t now, long process);
/* Takes a record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); any bytes are allowed. */
void kernel_log_take(struct kernel_log *kernel, const char *record, size_t size);
/* Takes a line's text without control characters; `time` is ns of the clock of `now`. */
void kernel_log_line(struct kernel_log *kernel, uint64_t time, const char *text);
/* The lines in words: "2 lines of GPU drivers, 1 line that may be from a GPU driver"; returns its
 * length. */
int kernel_log_count(const struct kernel_log *kernel, char *to, size_t capacity);

/* ---- functions of the system: kernel_log_posix.c, kernel_log_win32.c ---- */

/* Reads the records at `path`, "/dev/kmsg", and takes each record. */
void kernel_log_read(struct kernel_log *kernel, const char *path);
/* Returns this process's ID in the kernel's log; 0: not known, or in another PID namespace. */
long kernel_log_process(void);
/* The path of the system's log; NULL: the system has none. */
extern const char *const kernel_log_path;
