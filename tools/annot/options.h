/* The options of annot's commands. One table serves to read arguments, and to write --help,
 * completions and the man pages' synopses (tests/cli/options.sh). */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option {
    const char *name;  /* "--output", "-o" */
    const char *value; /* NULL: the option has no value. "text|json": the value must be one of these
                          words in lower case. Any other text is the value's name in --help; FILE,
                          PATH, DUMP and similar names mean files */
    const char *about; /* the option's text in --help and completions */
    size_t at; /* offset of the value in `struct arguments`. The value is a uint64_t if most > 0,
                  a bool if there is no `value`, or else a const char * */
    uint64_t most; /* the largest allowed number; 0: the value is a text */
    unsigned need; /* OPTION_NEEDED, OPTION_NEEDED_THERE, or 0: not needed */
};

enum {
    OPTION_NEEDED = 1,
    OPTION_NEEDED_THERE = 2 /* the command needs the option only if it gets operands */
};

struct command {
    const char *name;
    const char *about;    /* the command in one line, for lists of commands */
    const char *operands; /* the synopsis's operands; the first of them may be a choice of words in
                             lower case */
    const char *also;     /* further synopses without "annot NAME ", one in each line; NULL: none */
    const char *text;     /* the command's description, in paragraphs */
    const struct option *options;
    size_t option_count;
    const char *end;                  /* end of --help, with exit codes; NULL: nothing */
    int least, most;                  /* how many operands there may be: least and most */
    const char *missing, *unexpected; /* the messages for too few operands, and for too many */
    bool runs_program; /* whether a program's name ends the command's own arguments */
    int (*run)(int argc, char **argv);
};

#define OPTIONS(array) .options = (array), .option_count = sizeof(array) / sizeof((array)[0])
/* Makes a row of an option table. `member` is a member of the file's `struct arguments`. */
#define OPTION(name, value, member, about) OPTION_ROW(name, value, member, about, 0, 0)
#define OPTION_NUMBER(name, value, member, most, about)                                            \
    OPTION_ROW(name, value, member, about, most, 0)
#define OPTION_WANTED(name, value, member, need, about)                                            \
    OPTION_ROW(name, value, member, about, 0, need)
#define OPTION_ROW(name, value, member, about, most, need)                                         \
    {                                                                                              \
        name, value, about, offsetof(struct arguments, member), most, need                         \
    }
#define OPTION_OUTPUT                                                                              \
    OPTION("--output", "text|json", output, "text for people (default), or JSON for programs")
#define MANY_OPERANDS INT_MAX
#define ONE_OPERAND(what, missing_text)                                                            \
    .least = 1, .most = 1, .missing = (missing_text),                                              \
    .unexpected = "only one " what "; unexpected argument"

/* Reads options into `arguments`, and moves operands to the front of argv, after argv[0]. If it
 * returns false, it has printed the help or a mistake, and the command must end with *code. */
bool options_read(const struct command *command, int argc, char **argv, void *arguments,
                  int *operands, int *code);

int options_print_help(const struct command *command);
/* Prints all synopses of a command, each in a line of its own. */
void options_print_synopsis(FILE *file, const struct command *command, const char *first,
                            const char *next);

/* Prints completions for the last of the words, which may be incomplete. A line has a completion,
 * TAB and its meaning. ":file" means any file, ":program" means a program and its arguments. */
void options_complete(const struct command *const *commands, size_t count, int argc, char **argv);
