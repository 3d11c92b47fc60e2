/*
 * Requests for a dump of a running program [ANN-LEAVE-04]: a file for each process, in a folder
 * that only its user can reach. The asker locks the file as long as it waits, so the request of an
 * asker that died counts for nothing. Windows has no requests. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { OS_ASK_ANSWER = 4096 }; /* bytes */

/* Finds the folder for os_ask_take, on a thread that may read the environment. A process with more
 * rights than its user, or that may not be dumped, takes no requests. */
void os_ask_prepare(void);
/* The request for this process; -1: there is none. */
int os_ask_take(void);
/* Answers with the dump's path, or with why there is none, and closes the request. */
void os_ask_answer(int request, bool is_written, const char *text);

/* Asks the process, and waits at most `milliseconds` for its answer. False: there is no dump, and
 * `answer` says why. */
bool os_ask(uint32_t process, uint64_t milliseconds, char answer[OS_ASK_ANSWER]);
