/* The private pipe from the process of a case to the runner; verdict.h says what goes through
 * it. */
#pragma once

/* Takes the pipe and the token that the runner passed on, and blots the token out. Without this
 * call messages go to standard output, for people. */
void channel_open(char *number, char *token);

/* Sends "WORD" or "WORD TEXT". One write, from any thread. A process that was forked off since then
 * sends nothing. */
void channel_send(const char *word, const char *text);
