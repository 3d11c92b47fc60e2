/* A POSIX system that refuses, is interrupted or does less than it was asked: the linker leads the
 * calls of the program here (--wrap), and a test says what the next ones answer. And a folder for
 * files, gone when the test is over. */
#pragma once

#include "asserts.h"
#include "base/os.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

enum call {
    CALL_open,
    CALL_fcntl,
    CALL_fdopen,
    CALL_getrlimit,
    CALL_lseek,
    CALL_write,
    CALL_fsync,
    CALL_renameat2,
    CALL_link,
    CALL_pipe,
    CALL_read,
    CALL_process_vm_readv,
    CALL_madvise,
    CALL_readlink,
    CALL_uname,
    CALL_clock_gettime,
    CALL_nanosleep,
    CALL_pthread_atfork,
    CALL_COUNT
};

/* The answers to calls of one function. */
struct os_answers {
    unsigned after;  /* so many are real */
    unsigned count;  /* and so many behind them are answered here */
    int error;       /* 0: `value` is the answer */
    long value;      /* of write, read and process_vm_readv: bytes that are done at most */
    unsigned called; /* since the test began */
};
extern struct os_answers os_answers[CALL_COUNT];

extern uint64_t os_now; /* of clock_gettime, when it is answered here */
extern struct rlimit os_file_limit;
extern const char *os_own_path;        /* of readlink */
extern bool os_has_small_pipes;        /* one page */
extern struct annot__mutex *os_let_go; /* by its holder, at a time */
extern uint64_t os_let_go_at;
extern int os_real_flags, os_advice;
extern uintptr_t os_advised_begin, os_advised_end;
extern char os_opened[5000];       /* last path */
extern char os_path_ends[128][16]; /* of the paths that were opened, by their number */
extern int os_opened_flags;

void os_answer(enum call call, unsigned after, unsigned count, int error, long value);
/* The next call fails. */
void os_fail(enum call call, int error);

/* ---- the folder: a suite's .init and .fini, and two names in it ---- */

extern char os_folder[32], os_path[64], os_other[64];
void os_enter(void);
void os_leave(void);

/* The file's bytes; NULL: there is none. */
const char *os_bytes_of(const char *name);
bool os_exists(const char *name);
/* The number that the next descriptor gets: it stays the same unless one is left open. */
int os_next_descriptor(void);
