/* Shared by the commands that read dumps: options, messages on standard error, dumps by their
 * path. */
#pragma once

#include <annot/reader.h>

#include <stdbool.h>
#include <stdio.h>

enum { EXIT_FINE = 0, EXIT_DAMAGED = 1, EXIT_UNUSABLE = 2 };

/* "--name VALUE" and "--name=VALUE", at argv[*at]. NULL: it isn't this option; "": its value is
 * missing. */
const char *cli_option_value(const char *name, int argc, char **argv, int *at);

bool cli_is_help(const char *argument);
bool cli_is_terminal(FILE *file);

/* An annot_report_sink's function, with a FILE for its user. */
bool cli_write(void *file, const void *data, size_t size);

/* Text is for people and the default, wherever it goes; programs ask for JSON. NULL: not given. */
bool cli_wants_json(const char *output);

/* One line on standard error that ends in what to try; returns EXIT_UNUSABLE. */
int cli_complain(const char *command, const char *what, const char *which);

/* The same for an option that `command` doesn't take, or not with this value. The options are the
 * words of its usage that begin with '-'; the nearest one is named. */
int cli_refuse_option(const char *command, const char *usage, const char *option);

/* The word of `text` nearest to `word` among those that begin with `first`, any letter if it is 0,
 * as an offset; *size is its length, 0 when none is as near as a slip of the hand. */
size_t cli_nearest(const char *text, char first, const char *word, size_t *size);

/* "annot COMMAND: PATH: why"; errno counts for ANNOT_ERROR_IO. Returns EXIT_UNUSABLE. */
int cli_fail(const char *command, const char *path, annot_result result);

/* Text from a dump or of a path, inert on a terminal; into a buffer up to its first NUL, as much as
 * there is room for, with a NUL behind it. Returns how much that is. */
void cli_print(FILE *file, const char *text, size_t size);
size_t cli_printable(annot_text text, char *buffer, size_t capacity);

/* Flushes standard output. `code`, or EXIT_UNUSABLE with a message where it can't be written; a
 * reader of a pipe that has seen enough is no failure. Every command ends so; it is said once. */
int cli_finish(const char *command, int code);

/* Opens a dump, "-" for standard input; NULL: said why on standard error. *is_damaged: it can be
 * read as far as it goes. cli_close frees what was opened. */
struct cli_dump {
    annot_reader *reader;
    char *bytes; /* of standard input */
    bool is_damaged;
};
/* A dump or a DirectX dump file, by its content. *bytes belong to the reader's caller, who frees
 * them behind it; *reader is NULL where it can't be read. */
annot_result cli_open_file(const char *path, annot_reader **reader, char **bytes);

bool cli_open(const char *command, const char *path, struct cli_dump *dump);
void cli_close(struct cli_dump *dump);

/* A file that is not a dump. Does not wait for a FIFO that nobody writes to, which is empty. NULL:
 * errno. */
FILE *cli_open_to_read(const char *path);
/* Whether it is no pipe or device, whose end one may have to wait for. */
bool cli_is_file(FILE *file);

/* Bytes of the system's source of random numbers. False: there is none. */
bool cli_random(unsigned char *bytes, size_t size);

/* How many markers a command looks at in all executions together: what dumps of real programs need,
 * and no more than grows with the dump, since a small one can execute a large list many times. */
uint64_t cli_marker_limit(const annot_reader *reader);

/* The file of an option -o: a new one. A thing that has the name already is neither replaced nor
 * followed nor waited for. NULL: said why. */
FILE *cli_create(const char *command, const char *path);
/* Closes it; a file that could not be written whole is removed, and said so: errno has the cause
 * when `is_good` is false. */
bool cli_close_created(const char *command, const char *path, FILE *file, bool is_good);
