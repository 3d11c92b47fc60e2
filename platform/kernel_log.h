/* Reads the Linux kernel's log for lines about GPUs. Such lines are evidence in addition to the
 * driver and the layer. The functions don't allocate and don't wait. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KERNEL_LOG_LINES = 24,
    KERNEL_LOG_OTHERS = 4, /* limit of stored lines whose form is unknown */
    KERNEL_LOG_LINE_MAX = 320,
    KERNEL_LOG_RECORD_MAX = 8192
};

struct kernel_log {
    uint64_t since, now; /* limits of time in ns, by the clock of the log's lines */
    long process;        /* this process's ID in the kernel's log; 0: not known */
    /* the answer */
    /* The oldest lines, because causes come first. */
    char lines[KERNEL_LOG_LINES][KERNEL_LOG_LINE_MAX];
    uint32_t kept;   /* of `lines` */
    uint32_t count;  /* number of lines with a known form, stored or not */
    uint32_t others; /* number of lines that may be a GPU driver's, in an unknown form */
    bool has_fault;  /* whether there was a page fault of this process, at `fault` */
    uint64_t fault;
    char named[64]; /* the processes that may be at fault: "this process", "another process, pid 17"
                     */
    char victim[64];     /* another process that caused a reset: "another process, pid 17"; or "" */
    int card;            /* number in /sys/class/drm of the card that has a coredump; -1: none */
    bool is_error_state; /* the coredump is i915's error state */
    bool is_cut;         /* whether the kernel dropped records before they were read */
    bool is_absent;      /* `why` says why */
    char why[96];
    char coredump[160]; /* the coredump's path, and whether this process can read the file */
    /* its own */
    bool is_in_fault;
    long owner;
    long culprit;  /* first other process that the log names; 0: none */
    bool is_ours;  /* whether the log names this process, too, as a possible cause */
    bool is_reset; /* whether the reset destroyed other processes' GPU state */
    char record[KERNEL_LOG_RECORD_MAX]; /* a member, because a thread's stack may be too small */
};

void kernel_log_init(struct kernel_log *kernel, uint64_t since, uint64_t now, long process);
/* Takes a record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg), which may be any bytes. */
void kernel_log_take(struct kernel_log *kernel, const char *record, size_t size);
/* Takes a line without control characters. `time` is in ns, by the same clock as `now`. */
void kernel_log_line(struct kernel_log *kernel, uint64_t time, const char *text);
/* Writes how many lines there are: "2 lines of GPU drivers, 1 line that may be from a GPU driver".
 * Returns the text's length. */
int kernel_log_count(const struct kernel_log *kernel, char *to, size_t capacity);

/* ---- functions for each system: kernel_log_posix.c, kernel_log_win32.c ---- */

/* Gives each record at `path`, "/dev/kmsg", to kernel_log_take. */
void kernel_log_read(struct kernel_log *kernel, const char *path);
/* Returns this process's ID in the kernel's log. 0: not known, or in another PID namespace. */
long kernel_log_process(void);
/* The path of the log on this system; NULL: this system has no log. */
extern const char *const kernel_log_path;
