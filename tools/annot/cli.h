/* The functions that commands which read dumps share: options, messages on standard error, and
 * functions that open dumps. */
#pragma once

#include "glob_fits.h"

#include <annot/reader.h>

#include <stdbool.h>
#include <stdio.h>

enum { EXIT_FINE = 0, EXIT_DAMAGED = 1, EXIT_UNUSABLE = 2 };

/* Returns the value of "--name VALUE" or "--name=VALUE" at argv[*at]. The result is NULL if
 * argv[*at] isn't this option, and "" if the value is missing. */
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

/* Prints "annot COMMAND: PATH: reason", with errno for ANNOT_ERROR_IO. Returns EXIT_UNUSABLE. */
int cli_fail(const char *command, const char *path, annot_result result);

/* cli_print prints text of a dump or a path, escaped for a terminal. cli_printable writes the
 * escaped text into a buffer, up to its first NUL and as much as fits, with a NUL. It returns the
 * bytes without the NUL. */
void cli_print(FILE *file, const char *text, size_t size);
/* Works as fprintf, with only %s, %d, %u and %llu. Texts are escaped as by cli_print. */
void cli_format(FILE *file, const char *format, ...);
size_t cli_printable(annot_text text, char *buffer, size_t capacity);

/* A buffer that grows. `is_failed` says that memory ran out, so that nothing more is added. */
struct cli_bytes {
    char *data;
    size_t size, capacity;
    bool is_failed;
};

void cli_bytes_add(struct cli_bytes *bytes, const void *data, size_t size);
/* Adds bytes to a struct cli_bytes: a write function for a struct annot__json or an
 * annot_report_sink. */
bool cli_bytes_write(void *bytes, const void *data, size_t size);
void cli_bytes_free(struct cli_bytes *bytes);

/* Flushes standard output. If this fails, it prints a message and returns EXIT_UNUSABLE, otherwise
 * `code`. A pipe whose reader is gone counts as success. Every command ends with this call. */
int cli_finish(const char *command, int code);

/* An open dump; the path "-" is standard input. `is_damaged` says that only a part of the dump can
 * be read. cli_close frees it. */
struct cli_dump {
    annot_reader *reader;
    char *bytes; /* the bytes of standard input */
    bool is_damaged;
};
/* Opens a dump or a DirectX dump file; the file's content decides which of the two it is. The
 * caller must free *bytes after the reader. *reader is NULL if the file can't be read. */
annot_result cli_open_file(const char *path, annot_reader **reader, char **bytes);

/* Opens a dump by its path, or standard input. If this fails, it prints the reason, and errno is
 * the system's error or 0. */
bool cli_open(const char *command, const char *path, struct cli_dump *dump);
/* Closes the dump. Returns `code`, or EXIT_DAMAGED if `code` is success and the dump is damaged. If
 * the command `writer` wrote a file from a damaged dump, prints that the file has only a part;
 * `writer` may be NULL. */
int cli_close(struct cli_dump *dump, const char *writer, int code);

/* Opens a file that is not a dump. It does not wait for the writer of a FIFO: a FIFO without a
 * writer is empty. If it fails, errno has the reason. */
FILE *cli_open_to_read(const char *path);
/* Returns the text of a small regular file, for the caller to free. After a failure, it prints a
 * message that says what the file must be (`what`), and returns NULL. */
char *cli_read_text(const char *command, const char *path, size_t most, const char *what);

/* Converts hexadecimal digits to bytes. Returns false at another character, or if a byte has only
 * one digit. */
bool cli_hex(const char *digits, size_t count, uint8_t *bytes);
/* Returns the value of a hexadecimal digit; -1: the character is no such digit. */
int cli_digit(char c);

/* Gets bytes from the system's random source. False means that the system has none. */
bool cli_random(unsigned char *bytes, size_t size);

/* Returns how many markers a command reads in all executions together, because a small dump can
 * execute a large list many times. The limit grows with the dump; real programs stay below it. */
uint64_t cli_marker_limit(const annot_reader *reader);

/* Whether the file exists, or cli_create could make it. If not, errno has the reason. */
bool cli_can_create(const char *path);
/* Makes the file of an option -o. It does not replace an existing file, follow a link or wait for a
 * pipe. If it fails, standard error has the reason. */
FILE *cli_create(const char *command, const char *path);
/* Closes the file. If the file could not be written completely, prints a message and removes the
 * file. `is_good` is false if a write failed; errno then has the cause. */
bool cli_close_created(const char *command, const char *path, FILE *file, bool is_good);
