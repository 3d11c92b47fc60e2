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
    const char *value; /* NULL: a switch. "text|json": one of these words, in lower case. Other
                          texts: the value's name in --help; FILE, PATH, DUMP and similar names mean
                          files */
    const char *about; /* text for --help and completions */
    size_t at;         /* offset of the option's member: bool, const char * or, with `most`,
                          uint64_t */
    uint64_t most;     /* the largest allowed number; 0: the value is a text */
    unsigned need;     /* 0: not needed; OPTION_NEEDED, OPTION_NEEDED_THERE */
};

enum {
    OPTION_NEEDED = 1,
    OPTION_NEEDED_THERE = 2 /* the option is needed if there are operands */
};

struct command {
    const char *name;
    const char *about;    /* one line, for lists of commands */
    const char *operands; /* the operands in the synopsis; the first operand may be a choice of
                             words in lower case */
    const char *also;     /* other synopses, after "annot NAME ", one in each line; NULL: none */
    const char *text;     /* paragraphs that describe the command */
    const struct option *options;
    size_t option_count;
    const char *end;                  /* text after the options, with exit codes; NULL: none */
    int least, most;                  /* least and most number of operands */
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

/* Reads the arguments: options into `arguments`, operands to the front of argv, after argv[0].
 * False: the command must end with *code; its help or the mistake was printed. */
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
