/* Requests for a dump of a running program [ANN-LEAVE-04]. Each process has a file in a folder that
 * only its user can reach. The process that asks locks the file while it waits. So if that process
 * dies, its request counts for nothing. Windows has no requests. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { OS_ASK_ANSWER = 4096, OS_ASK_PATHS = 16 }; /* bytes; number of paths */

/* Finds the folder for os_ask_take. Call this function on a thread that may read the environment. A
 * process with more rights than its user, or that may not be dumped, takes no requests. */
void os_ask_prepare(void);
/* Returns a request for a dump of this process, or -1 if nobody asked. */
int os_ask_take(void);
/* Answers with the dumps' paths, a line each as far as they fit, or with why there is none, and
 * closes the request. */
void os_ask_answer(int request, const char *const *paths, unsigned count, const char *why_none);

/* Returns why the process can't answer now, or NULL if it may answer. */
const char *os_ask_refusal(uint32_t process);
/* Asks the process for a dump, and waits at most `milliseconds` for its answer. Returns false if
 * there is no dump; `answer` then has the reason. */
bool os_ask(uint32_t process, uint64_t milliseconds, char answer[OS_ASK_ANSWER]);
