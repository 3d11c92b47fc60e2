/* The options of annot's commands. One table serves for reading arguments and for writing --help,
 * completions and the man pages' synopses (tests/cli/options.sh). */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option {
    const char *name;  /* "--output", "-o" */
    const char *value; /* NULL: the option has no value. "text|json": the value is one of these
                          words, in lower case. Other texts are the value's name in --help; FILE,
                          PATH, DUMP and similar names mean files */
    const char *about; /* text for --help and completions */
    size_t at; /* offset of the option's member in `struct arguments`, a bool, a const char * or,
                  with `most`, a uint64_t */
    uint64_t most; /* the largest number that is allowed; 0: the value is a text */
    unsigned need; /* OPTION_NEEDED, OPTION_NEEDED_THERE, or 0 if the option is not needed */
};

enum {
    OPTION_NEEDED = 1,
    OPTION_NEEDED_THERE = 2 /* the option is needed only if there are operands */
};

struct command {
    const char *name;
    const char *about;    /* one line about the command, for lists of commands */
    const char *operands; /* the operands in the synopsis; the first operand may be a choice of
                             words in lower case */
    const char
        *also; /* other synopses, after "annot NAME ", one in each line; NULL: no other synopses */
    const char *text; /* paragraphs that describe the command */
    const struct option *options;
    size_t option_count;
    const char *end;                  /* text after the options, with exit codes; NULL: no text */
    int least, most;                  /* smallest and largest number of operands */
    const char *missing, *unexpected; /* messages for too few and too many operands */
    bool runs_program;                /* the command's arguments end where a program's name
                                         begins */
    int (*run)(int argc, char **argv);
};

#define OPTIONS(array) .options = (array), .option_count = sizeof(array) / sizeof((array)[0])
/* A row of an option table; `member` belongs to the file's `struct arguments`. */
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

/* Reads the arguments: options into `arguments`, operands to the front of argv, after argv[0]. If
 * it returns false, it has printed the help or the mistake, and the command must end with *code. */
bool options_read(const struct command *command, int argc, char **argv, void *arguments,
                  int *operands, int *code);

int options_print_help(const struct command *command);
/* Prints the synopses, one in each line. */
void options_print_synopsis(FILE *file, const struct command *command, const char *first,
                            const char *next);

/* Prints completions for the last of these words, which may be incomplete. Each line has a
 * completion, TAB and its meaning. ":file" stands for any file, ":program" for a program and its
 * arguments. */
void options_complete(const struct command *const *commands, size_t count, int argc, char **argv);
