/* Functions for all commands that read dumps. They handle options, print messages on standard
 * error, and open dumps. */
#pragma once

#include "glob_fits.h"

#include <annot/reader.h>

#include <stdio.h>

enum { EXIT_FINE = 0, EXIT_DAMAGED = 1, EXIT_UNUSABLE = 2 };

/* Returns the value of "--name VALUE" or "--name=VALUE" at argv[*at]. Returns NULL if argv[*at]
 * isn't this option, and "" if the option has no value. */
const char *cli_option_value(const char *name, int argc, char **argv, int *at);

bool cli_is_help(const char *argument);
bool cli_is_terminal(FILE *file);

/* A write function for an annot_report_sink. `file` is a FILE. */
bool cli_write(void *file, const void *data, size_t size);

/* Whether `output`, the value of --output, asks for JSON. NULL means text, the default. */
bool cli_wants_json(const char *output);

/* Prints "annot COMMAND: WHAT 'WHICH'; try: annot COMMAND --help" on standard error. Returns
 * EXIT_UNUSABLE. */
int cli_complain(const char *command, const char *what, const char *which);

/* Prints "annot COMMAND: PATH: reason" (errno's for ANNOT_ERROR_IO). Returns EXIT_UNUSABLE. */
int cli_fail(const char *command, const char *path, annot_result result);

/* cli_print prints a dump's text or a path, escaped for a terminal. cli_printable writes the
 * escaped text into a buffer, up to the text's first NUL and as far as it fits. It adds a NUL, and
 * returns the bytes without this NUL. */
void cli_print(FILE *file, const char *text, size_t size);
/* Prints as fprintf does, but knows only %s, %d, %u and %llu. Escapes texts as cli_print does. */
void cli_format(FILE *file, const char *format, ...);
size_t cli_printable(annot_text text, char *buffer, size_t capacity);

/* A buffer that grows. `is_failed`: memory ran out, so nothing more is added. */
struct cli_bytes {
    char *data;
    size_t size, capacity;
    bool is_failed;
};

void cli_bytes_add(struct cli_bytes *bytes, const void *data, size_t size);
/* Adds bytes to a struct cli_bytes, for a struct annot__json or an annot_report_sink. */
bool cli_bytes_write(void *bytes, const void *data, size_t size);
void cli_bytes_free(struct cli_bytes *bytes);

/* Flushes standard output. If this fails, prints a message and returns EXIT_UNUSABLE, otherwise
 * `code`. A pipe whose reader is gone is no failure. Every command must call this function last. */
int cli_finish(const char *command, int code);

/* A dump that is open; the path "-" is standard input. `is_damaged` says that only a part of the
 * dump can be read. cli_close frees the dump. */
struct cli_dump {
    annot_reader *reader;
    char *bytes; /* the whole dump, if it came from standard input */
    bool is_damaged;
};
/* Opens a dump or a DirectX dump file; the content decides which of them the file is. The caller
 * must free *bytes after the reader. *reader is NULL if the file can't be read. */
annot_result cli_open_file(const char *path, annot_reader **reader, char **bytes);

/* Opens a dump by its path, or from standard input. After a failure, prints the reason; errno is
 * the system's error or 0. */
bool cli_open(const char *command, const char *path, struct cli_dump *dump);
/* Closes the dump. Returns `code`, or EXIT_DAMAGED if `code` is success and the dump is damaged. If
 * the command `writer` wrote a file from a damaged dump, prints that the file has only a part.
 * `writer` may be NULL. */
int cli_close(struct cli_dump *dump, const char *writer, int code);

/* Opens a file that is not a dump. The function doesn't wait for the writer of a FIFO; a FIFO
 * without a writer is empty. After a failure, errno has the reason. */
FILE *cli_open_to_read(const char *path);
/* Returns the text of a small regular file; the caller frees the text. After a failure, prints a
 * message and returns NULL. The message says what the file must be (`what`). */
char *cli_read_text(const char *command, const char *path, size_t most, const char *what);

/* Converts hexadecimal digits to bytes. Returns false if a character is no digit, or if the last
 * byte has only one digit. */
bool cli_hex(const char *digits, size_t count, uint8_t *bytes);
/* Returns the value of a hexadecimal digit; -1: the character is no such digit. */
int cli_digit(char c);

/* Gets bytes from the system's random source. Returns false if no source exists. */
bool cli_random(unsigned char *bytes, size_t size);

/* Returns the limit of markers that a command reads in all executions together, because a small
 * dump can execute a large list many times. The limit grows with the dump. */
uint64_t cli_marker_limit(const annot_reader *reader);

/* Whether `path` exists, or cli_create can make the file. Otherwise errno has the reason. */
bool cli_can_create(const char *path);
/* Makes a file for an option -o. The function doesn't replace an existing file, follow a link or
 * wait for a pipe. After a failure, standard error has the reason. */
FILE *cli_create(const char *command, const char *path);
/* Closes the file. If the file isn't complete, prints a message and removes the file. `is_good` is
 * false if a write failed; errno then has the cause. */
bool cli_close_created(const char *command, const char *path, FILE *file, bool is_good);
