/* The stored dumps of earlier versions, and the reports that belong to them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct golden_file {
    uint8_t *bytes; /* the caller frees them; a NUL follows */
    size_t size;
};

/* tests/golden/dumps/NAME and `suffix`: ".annotdmp", ".txt", ".json". */
struct golden_file golden_read(const char *name, const char *suffix);

void golden_each(void (*visit)(const char *name));

/* The same of tests/golden/FOLDER and the files of this suffix; how many there are. */
unsigned golden_each_of(const char *folder, const char *suffix, void (*visit)(const char *name));

/* The part behind the line "==== HEADING" of tests/golden/NAME.txt must be this text. */
void golden_expect_part(const char *name, const char *heading, const char *text);
