/* Reads a dump's bytes from a file or a pipe into the reader's memory. */
#include "dump_read/dump_model.h"

#include <limits.h>
#include <string.h>

/* Returns the number of bytes that can be read, or 0 if the system doesn't know. */
static uint64_t size_of(FILE *file)
{
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    rewind(file);
    /* equivalent: a seek that succeeds tells no size below 0 */
    return size > 0 && size < LONG_MAX ? (uint64_t)size : 0;
}

/* The number of bytes that tell a dump from another file. */
#define FIRST_PART       4096u
#define HEADER_AND_MAGIC (ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_MAGIC_SIZE)

static bool is_dump(struct annot__bytes file)
{
    struct annot__findings findings = {0};
    size_t sections;
    return annot__dump_header(file, &findings, &sections) != ANNOT_ERROR_NOT_A_DUMP;
}

/* Reads in pieces, because a file's size is not trusted, and pipes have none. The first piece is
 * small, to refuse other files early. Memory doubles, within the limit. */
annot_result annot__reader_load(annot_reader *reader, FILE *file, uint64_t limit)
{
    const uint64_t said = size_of(file);
    /* plus one byte, whose absence shows the end */
    const uint64_t guess = said > 0 && said <= limit ? said + 1 : 1u << 16;
    for (;;) {
        if (reader->file.size == reader->owned_size) {
            uint64_t size = (uint64_t)reader->owned_size * 2;
            if (reader->owned_size == 0)
                size = FIRST_PART;
            else if (reader->owned_size == FIRST_PART && guess > size)
                size = guess;
            uint8_t *memory = annot__reader_allocate(reader, size, 1);
            if (!memory)
                return reader->allocation;
            if (reader->owned)
                memcpy(memory, reader->owned, reader->file.size);
            annot__reader_release(reader, reader->owned, reader->owned_size, 1);
            reader->owned = memory;
            reader->owned_size = (size_t)size;
            reader->file.data = memory;
        }
        size_t room = reader->owned_size - reader->file.size;
        size_t got = fread((uint8_t *)reader->owned + reader->file.size, 1, room, file);
        bool is_start = reader->file.size < HEADER_AND_MAGIC;
        reader->file.size += got;
        if (is_start && reader->file.size >= HEADER_AND_MAGIC && !is_dump(reader->file))
            return ANNOT_ERROR_NOT_A_DUMP;
        if (reader->file.size > limit || said > limit)
            return ANNOT_ERROR_TOO_LARGE;
        if (got == 0)
            return ferror(file) ? ANNOT_ERROR_IO : ANNOT_OK;
    }
}
