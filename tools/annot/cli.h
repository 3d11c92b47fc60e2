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

/* Whether the text fits, with * for any text and ? for one byte. */
bool cli_glob(const char *glob, const char *text);

/* An annot_report_sink's function, with a FILE for its user. */
bool cli_write(void *file, const void *data, size_t size);

/* Reads the value of --output: text (the default, wherever it goes) or JSON, which programs ask
 * for. NULL: not given. */
bool cli_wants_json(const char *output);

/* One line on standard error that ends in what to try; returns EXIT_UNUSABLE. */
int cli_complain(const char *command, const char *what, const char *which);

/* "annot COMMAND: PATH: why"; errno counts for ANNOT_ERROR_IO. Returns EXIT_UNUSABLE. */
int cli_fail(const char *command, const char *path, annot_result result);

/* Prints text of a dump or path so that it is inert on a terminal. cli_printable writes it into a
 * buffer: up to its first NUL, as much as fits, and a NUL. It returns the bytes without the NUL. */
void cli_print(FILE *file, const char *text, size_t size);
size_t cli_printable(annot_text text, char *buffer, size_t capacity);

/* Flushes standard output. Returns `code`, or EXIT_UNUSABLE after one message if it can't be
 * written. A pipe that its reader closed is no failure. Every command ends with this. */
int cli_finish(const char *command, int code);

/* Opens a dump, "-" for standard input; If it fails, standard error has the reason. *is_damaged:
 * only a part of it can be read. cli_close frees what was opened. */
struct cli_dump {
    annot_reader *reader;
    char *bytes; /* of standard input */
    bool is_damaged;
};
/* A dump or a DirectX dump file, by its content. *bytes belong to the caller, who must free them
 * after the reader; *reader is NULL if the file can't be read. */
annot_result cli_open_file(const char *path, annot_reader **reader, char **bytes);

/* The same, of standard input too. If it fails, it says why, and errno has the system's reason or
 * 0. */
bool cli_open(const char *command, const char *path, struct cli_dump *dump);
/* Returns the exit code: `code`, or EXIT_DAMAGED where that is fine and the dump is not. */
int cli_close(struct cli_dump *dump, int code);

/* Opens a file that is not a dump. It does not wait for a FIFO's writer: a FIFO without one is
 * empty. If it fails, errno has the reason. */
FILE *cli_open_to_read(const char *path);
/* Whether it is no pipe or device, whose end one may have to wait for. */
bool cli_is_file(FILE *file);

/* Hexadecimal digits as bytes. False means that there is something else, or half a byte. */
bool cli_hex(const char *digits, size_t count, uint8_t *bytes);

/* Bytes of the system's source of random numbers. False means that there is none. */
bool cli_random(unsigned char *bytes, size_t size);

/* How many markers a command looks at in all executions together. It is enough for dumps of real
 * programs, and grows with the dump: a small dump can execute a large list many times. */
uint64_t cli_marker_limit(const annot_reader *reader);

/* Makes the file of an option -o. Whatever has the name already is not replaced, followed or waited
 * for. If it fails, standard error has the reason. */
FILE *cli_create(const char *command, const char *path);
/* Closes the file. If it could not be written whole, it is removed, with a message; if `is_good` is
 * false, errno has the cause. */
bool cli_close_created(const char *command, const char *path, FILE *file, bool is_good);
