/* Writes a dump into a file, which is absent, PATH.xxxxxxxx.part, or complete. The magic is written
 * last, after all other bytes are on disk. No existing file is ever replaced [ANN-SEC-02]. */
#include "dump_write/writer.h"

#ifdef _WIN32
#include <process.h>
#define getpid     _getpid
#define SEPARATORS "/\\:"
#else
#include <unistd.h>
#define SEPARATORS "/"
#endif

enum {
    TEMPORARY_TRIES = 100,
    NAMES_MAX = 9999,  /* PATH, PATH-2, ... */
    LENGTH_MAX = 4000, /* limit of PATH, which leaves room for ".xxxxxxxx.part" or "-9999" */
};

/* A file that this writer writes. */
struct part {
    struct annot__file file;
    annot_dump_writer *writer;
};

/* Writes one section at a time. */
static bool file_write(void *user, const void *data, size_t size)
{
    struct part *part = user;
    part->writer->file_last = part->writer->file_size;
    part->writer->file_size += size;
    return annot__file_append(&part->file, data, size);
}

static bool file_finish(void *user, const void *magic, size_t size)
{
    struct part *part = user;
    part->writer->file_counts = part->writer->counts;
    return annot__file_sync(&part->file) && annot__file_write_at(&part->file, 0, magic, size) &&
           annot__file_sync(&part->file);
}

/* ---- names: crash handlers have no printf ---- */

static bool is_separator(char c)
{
    return strchr(SEPARATORS, c); /* paths have no NUL inside */
}

/* Makes a temporary name. `number` mostly differs between writers; the file's creation decides. */
static void name_temporary(char *to, const char *path, size_t length, uint32_t number)
{
    static const char digits[] = "0123456789abcdef";
    memcpy(to, path, length);
    to[length++] = '.';
    for (int shift = 28; shift >= 0; shift -= 4)
        to[length++] = digits[number >> shift & 15];
    memcpy(to + length, ".part", sizeof ".part");
}

/* Returns the offset for "-2": in front of the extension, if there is an extension. */
static size_t stem_of(const char *path, size_t length)
{
    for (size_t i = length; i > 1 && !is_separator(path[i - 1]); i--)
        if (path[i - 1] == '.' && !is_separator(path[i - 2]))
            return i - 1;
    return length;
}

static void name_published(char *to, const char *path, size_t length, unsigned n)
{
    char number[12];
    size_t digits = sizeof number, stem = stem_of(path, length);
    for (unsigned rest = n; rest > 0; rest /= 10)
        number[--digits] = (char)('0' + rest % 10);
    number[--digits] = '-';
    size_t size = n > 1 ? sizeof number - digits : 0;
    memcpy(to, path, stem);
    memcpy(to + stem, number + digits, size);
    memcpy(to + stem + size, path + stem, length - stem);
    to[size + length] = 0;
}

/* ---- the file ---- */

static bool create_temporary(annot_dump_writer *writer, const char *path, size_t length,
                             struct annot__file *file)
{
    const uint32_t number = (uint32_t)annot__clock_ns() ^ (uint32_t)getpid();
    enum annot__file_outcome outcome = ANNOT__FILE_EXISTS;
    for (uint32_t i = 0; i < TEMPORARY_TRIES && outcome == ANNOT__FILE_EXISTS; i++) {
        name_temporary(writer->temporary, path, length, number + i);
        outcome = annot__file_create(file, writer->temporary);
    }
    return outcome == ANNOT__FILE_DONE;
}

/* Renames the complete dump. If this fails, the dump keeps its temporary name. */
static bool publish(annot_dump_writer *writer, const char *path, size_t length)
{
    enum annot__file_outcome outcome = ANNOT__FILE_EXISTS;
    for (unsigned n = 1; n <= NAMES_MAX && outcome == ANNOT__FILE_EXISTS; n++) {
        name_published(writer->path, path, length, n);
        outcome = annot__file_publish(writer->temporary, writer->path);
    }
    if (outcome != ANNOT__FILE_DONE)
        memcpy(writer->path, writer->temporary, sizeof writer->path);
    return outcome == ANNOT__FILE_DONE;
}

annot_result annot_dump_write_file_sized(annot_dump_writer *writer, const annot_dump_info *info,
                                         size_t info_size, const char *path)
{
    if (!writer || !path)
        return annot__misuse(writer ? writer->device : NULL, "annot_dump_write_file", "no path");
    if (annot__is_inherited(writer->device))
        return ANNOT_ERROR_FORKED;
    const size_t length = strlen(path);
    writer->path[0] = 0;
    if (length == 0 || length > LENGTH_MAX || is_separator(path[length - 1]))
        return ANNOT_ERROR_INVALID_ARGUMENT;

    struct part part = {.writer = writer};
    if (!create_temporary(writer, path, length, &part.file))
        return ANNOT_ERROR_IO;
    writer->file_size = 0;
    annot_dump_sink sink = {&part, file_write, file_finish};
    annot_result result = annot_dump_write_sized(writer, info, info_size, &sink);
    annot__file_close(&part.file);
    if (result != ANNOT_OK)
        annot__file_remove(writer->temporary);
    else if (!publish(writer, path, length))
        result = ANNOT_ERROR_IO;
    return result;
}

annot_result annot_dump_writer_add_fact(annot_dump_writer *writer, const char *key,
                                        const char *value)
{
    static const char unfinished[ANNOT__DUMP_MAGIC_SIZE];
    struct part part = {.writer = writer};
    if (!writer || !key || !value)
        return annot__misuse(writer ? writer->device : NULL, "annot_dump_writer_add_fact",
                             "key and value must not be NULL");
    if (annot__is_inherited(writer->device))
        return ANNOT_ERROR_FORKED;
    if (!*writer->path)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!annot__file_open_again(&part.file, writer->path, writer->file_size))
        return ANNOT_ERROR_IO;
    annot_dump_sink sink = {&part, file_write, file_finish};
    writer->file_size = writer->file_last;
    annot_result result = ANNOT_ERROR_IO;
    if (annot__file_write_at(&part.file, 0, unfinished, sizeof unfinished) &&
        annot__file_sync(&part.file) && annot__file_write_at(&part.file, writer->file_last, "", 0))
        result = annot__dump_continue(writer, &sink, key, value);
    annot__file_close(&part.file);
    if (result != ANNOT_OK)
        writer->path[0] = 0;
    return result;
}

const char *annot_dump_writer_path(const annot_dump_writer *writer)
{
    return writer ? writer->path : "";
}
