#include "program.h"

#include <stdio.h>
#include <string.h>

const char *op_name(unsigned kind)
{
#define OP_NAME(name, what) "OP_" #name,
    static const char *const names[] = {OPS(OP_NAME)};
    return kind < OP_COUNT ? names[kind] : "?";
}

const char *work_name(unsigned work)
{
#define WORK_NAME(name, what) "WORK_" #name,
    static const char *const names[] = {WORKS(WORK_NAME)};
    return work < WORK_COUNT ? names[work] : "?";
}

/* None of them is a hexadecimal digit, and none is a word behind the "q": a unit or a plural would
 * be left out where titles are made. */
static const char letters_of[] = "ghijklmnopqrtuvwxyz";
enum { LETTERS = sizeof letters_of - 1 };

void program_marker(char text[MARKER_TEXT_MAX], uint32_t name)
{
    const uint32_t op = name % NAMES_OTHER;
    snprintf(text, MARKER_TEXT_MAX, "m%u %c%c%c", name, name < NAMES_APART ? 'q' : 'w',
             letters_of[op / LETTERS % LETTERS], letters_of[op % LETTERS]);
}

uint32_t program_letters(const char *letters)
{
    uint32_t op = 0;
    for (int i = 0; i < 3; i++) {
        const char *found = letters[i] ? strchr(letters_of, letters[i]) : NULL;
        if (i == 0 ? letters[i] != 'q' : !found)
            return 0;
        if (i > 0)
            op = op * LETTERS + (uint32_t)(found - letters_of);
    }
    return op;
}
