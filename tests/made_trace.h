/* A trace that a test makes call by call. */
#pragma once

#include <capture/trace/codec.h>
#include <capture/trace/write.h>

#include "asserts.h"

#include <stdio.h>
#include <string.h>

struct made {
    FILE *file;
    struct trace_writer *writer;
    uint64_t calls;
    uint32_t wchar_size;
};

static inline struct made made_begin(uint32_t wchar_size)
{
    const struct trace_header header = {
        .magic = TRACE_MAGIC, .version = TRACE_VERSION, .wchar_size = wchar_size};
    struct made made = {.file = tmpfile(), .wchar_size = wchar_size};
    schema_init();
    cr_assert(made.file && (made.writer = trace_writer_open(made.file, &header, true)));
    return made;
}

/* Objects are their numbers. */
static inline uint64_t made_number(void *user, void *pointer)
{
    (void)user;
    return (uint64_t)(uintptr_t)pointer;
}

/* `structure`: what the call returned, or NULL. */
static inline void made_record(struct made *made, uint32_t kind, int method, const uint64_t *words,
                               uint32_t count, const uint64_t *args, const void *structure)
{
    const struct schema_method_row *m = &schema_methods[method];
    struct codec_out out = {.wchar_size = made->wchar_size, .object = made_number};
    codec_bytes_add(&out.bytes, words, count * sizeof *words);
    codec_encode(&out, m, args, kind == RECORD_LEAVE);
    if (structure)
        codec_add_struct(&out, m->result.type, structure);
    const struct trace_item item = {.record = {(uint32_t)(sizeof item.record + out.bytes.size),
                                               kind, made->calls, m->digest, m->count + count},
                                    .thread = 1,
                                    .method = method,
                                    .data = out.bytes.data,
                                    .size = out.bytes.size};
    cr_assert(!out.bytes.failed && trace_writer_add(made->writer, &item));
    free(out.bytes.data);
}

/* Adds a call that returned 0 or `structure`. `args` point to memory of this process. */
static inline void made_call(struct made *made, int method, uint64_t self, const uint64_t *args,
                             const void *structure)
{
    const bool is_pointer = structure && schema_methods[method].result.kind == KIND_X;
    const uint64_t words[2] = {++made->calls, is_pointer};
    made_record(made, RECORD_ENTER, method, &self, 1, args, NULL);
    if (schema_methods[method].leaves_record)
        made_record(made, RECORD_LEAVE, method, words, 2, args, structure);
}

static inline size_t made_read(void *user, uint64_t offset, void *buffer, size_t size)
{
    FILE *file = user;
    return fseek(file, (long)offset, SEEK_SET) == 0 ? fread(buffer, 1, size, file) : 0;
}

/* Returns the trace of all calls. Close it, then the file. */
static inline struct trace *made_open(struct made *made)
{
    const char *why;
    cr_assert(trace_writer_close(made->writer) && fflush(made->file) == 0);
    cr_assert_eq(fseek(made->file, 0, SEEK_END), 0);
    struct trace *trace = trace_open(made_read, made->file, (uint64_t)ftell(made->file), &why);
    cr_assert(trace, "%s", why);
    return trace;
}
