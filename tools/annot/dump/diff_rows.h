/* Shows a dump as rows that can be compared. A row has a part, a key, and the dump's value. Names
 * are folded, so that frame numbers and addresses make no difference. */
#pragma once

#include "table.h"

#include <annot/reader.h>

#include <stdbool.h>

/* Calls PART(name, title) for each part, in the order of annot diff's output. */
#define DIFF_PARTS(PART)                                                                           \
    PART(ERROR, "error")                                                                           \
    PART(SIGNATURE, "signature")                                                                   \
    PART(STOP, "stopped at")                                                                       \
    PART(DEVICE, "device")                                                                         \
    PART(QUEUE, "queue")                                                                           \
    PART(MARKER, "marker")                                                                         \
    PART(OBJECT, "object")                                                                         \
    PART(RECORDING, "recording")                                                                   \
    PART(FACT, "fact")                                                                             \
    PART(LOSS, "loss")                                                                             \
    PART(FINDING, "finding")

#define DIFF_PART_ENUM(name, title) DIFF_##name,
enum diff_part { DIFF_PARTS(DIFF_PART_ENUM) DIFF_PART_COUNT };

enum { DIFF_SIDES = 2 };

struct diff_row {
    UT_hash_handle hh;
    char *values[DIFF_SIDES];    /* the row's value in each dump; NULL: the dump has no value */
    unsigned states[DIFF_SIDES]; /* the marker's states in each dump: bit n is annot_state n */
    enum diff_part part;
    unsigned char is_present[DIFF_SIDES];
    char key[]; /* key of the hash table: a byte for the part, then a text */
};

/* Adds the rows of one dump; `side` is 0 or 1. *is_cut becomes true if the dump has more executions
 * or places than can be compared. Returns false if memory runs out. */
bool diff_gather(struct diff_row **rows, const annot_reader *reader, int side, bool *is_cut);

/* Frees all rows, or only those that are the same in both dumps. */
void diff_drop(struct diff_row **rows, bool only_same);

/* Writes into `buffer` the value that a row has in one dump. A marker's value is its states, such
 * as "finished, in progress". */
const char *diff_value(const struct diff_row *row, int side, char *buffer, size_t capacity);
