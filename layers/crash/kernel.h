/*
 * The lines of the Linux kernel's log about GPUs since the work was submitted: a witness in
 * addition to the driver and the layer. tests/crash/kernel.c has the known lines, with their public
 * sources. These functions neither allocate nor wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRASH_KERNEL_LINES = 12, CRASH_KERNEL_LINE_MAX = 320, CRASH_KERNEL_RECORD_MAX = 8192 };

struct crash_kernel {
    uint64_t since, now; /* ns of CLOCK_MONOTONIC */
    long process;        /* this process's id in the kernel's log; 0: not known */
    /* the answer */
    char lines[CRASH_KERNEL_LINES][CRASH_KERNEL_LINE_MAX]; /* the oldest; causes come first */
    uint32_t count;                                        /* lines, also of those left out */
    bool has_fault; /* a page fault of this process, at `fault` */
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
    char record[CRASH_KERNEL_RECORD_MAX]; /* too large for the stack of a small thread */
};

void crash_kernel_init(struct crash_kernel *kernel, uint64_t since, uint64_t now, long process);
/* Reads a record of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); any bytes are allowed. */
void crash_kernel_take(struct crash_kernel *kernel, const char *record, size_t size);

/* ---- the system's part: kernel_posix.c, kernel_win32.c ---- */

/* Reads the records at `path`, "/dev/kmsg", and takes each. */
void crash_kernel_read(struct crash_kernel *kernel, const char *path);
/* This process's id in the kernel's log; 0: unknown, or the process is in another PID namespace. */
long crash_kernel_process(void);
/* The log of this system; NULL: it has none. */
extern const char *const crash_kernel_log;
