/* The process of a case tells its verdict to the runner. It comes over a pipe of its own, never
 * over standard output, where the runtime under test prints what it likes. A message is a line:
 *
 *     TOKEN loaded             the runtime is in the process; the case begins
 *     TOKEN drivers            the runtime lets its driver be chosen
 *     TOKEN library TEXT       the file that the runtime's functions are in
 *     TOKEN lacks NUMBER       enum case_need: what the runtime does not have, in decimal
 *     TOKEN passed             the verdict; the process leaves and the runtime's destructors run
 *     TOKEN next               after "passed", instead of leaving: the process's next case begins
 *     TOKEN failed [REASON]
 *     TOKEN skipped REASON
 *     TOKEN unusable REASON    instead of "loaded": this is no runtime that can be tested
 *
 * TOKEN is chosen anew for each process: a runtime that writes into every descriptor that it finds
 * forges nothing. Lines that begin with anything else, and messages out of turn, are no messages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum verdict { VERDICT_OF_NOTHING, PASSED, FAILED, SKIPPED };

/* The step that the process was at, as far as its messages tell. */
enum step { STEP_LOAD, STEP_CASE, STEP_UNLOAD };

enum { TOKEN_SIZE = 17, VERDICT_LINE_MAX = 1024, VERDICT_NEEDS_MAX = 16 };

struct verdict_reader {
    char token[TOKEN_SIZE]; /* 16 characters; to be set before anything is read */
    enum step step;
    enum verdict verdict;
    bool drivers;
    unsigned lacks;  /* enum case_need */
    unsigned before; /* cases that passed and left the process to the next one */
    bool unusable;
    bool contradicted;             /* a second verdict was not the first */
    char reason[VERDICT_LINE_MAX]; /* why it failed, is skipped or unusable */
    char library[VERDICT_LINE_MAX];

    char line[VERDICT_LINE_MAX]; /* an unfinished one */
    size_t length;               /* what is past the maximum is counted and not kept */
};

void verdict_reader_init(struct verdict_reader *reader, const char token[TOKEN_SIZE]);

/* Takes the next bytes of the pipe, wherever they are cut. A line counts when its end has come. */
void verdict_read(struct verdict_reader *reader, const char *bytes, size_t size);
