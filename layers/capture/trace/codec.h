/* Converts arguments to bytes and back. The capture encodes the arguments of a call. The replayer
 * decodes them into new memory, with the replayer's objects and addresses. A printer decodes them
 * and leaves the numbers unchanged.
 *
 * The words of a call come first, 64 bits for each parameter. Then comes the data behind pointers,
 * in the order of parameters and members, depth first: docs/TRACE_FORMAT.md. */
#pragma once

#include "schema.h"

#define CODEC_ARGS 24 /* no method has more parameters */

/* ---- encoding ---- */

struct codec_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool is_fixed; /* the buffer is the caller's, so it can't grow */
    bool failed;   /* whether memory ran out, so that later data is lost */
};

struct codec_out {
    struct codec_bytes bytes;
    unsigned wchar_size; /* size of WCHAR in the memory that the encoder reads */
    /* Returns the number of an interface pointer; `pointer` is not NULL. */
    uint64_t (*object)(void *user, void *pointer);
    void *user;
    /* Maps a handle of the system; the result UINT64_MAX means that there is no handle. NULL:
     * handles stay unchanged. */
    uint64_t (*handle)(uint64_t handle);
    /* Returns the bytes of a COUNT_BOX. NULL: boxes are not recorded. */
    uint64_t (*box)(void *user, const struct schema_method_row *m, const uint64_t *args);
    bool has_failed; /* whether the call failed; structures it writes may then have any bytes */
    bool raw; /* whether the copy is for this process, so that unknown pointers stay unchanged */
    const char
        *refused; /* static text about data that could not be recorded; NULL: all was recorded */
    const void *siblings;
    uint64_t sibling_count;
};

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size);

/* Adds words and data of `m`'s parameters. With `leave`, these are the parameters that the call
 * wrote. Otherwise these are the inputs; for memory that the call will write, only the number of
 * elements is added. */
void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave);

/* ---- decoding ---- */

struct codec_arena;
struct codec_arena *codec_arena_create(void);
/* Makes an arena that first uses `memory`, aligned to 16. Reset the arena before you free the
 * memory, and never destroy the arena. */
struct codec_arena *codec_arena_over(void *memory, size_t size);
void codec_arena_reset(struct codec_arena *arena);
void codec_arena_destroy(struct codec_arena *arena);
/* Returns zeroed memory, aligned to 16. NULL: memory ran out, or the arena would exceed its limit
 * before the next reset. */
void *codec_arena_take(struct codec_arena *arena, size_t size);
/* Sets the arena's limit in bytes; the default is 1 GiB. */
void codec_arena_limit(struct codec_arena *arena, size_t size);

struct codec_in {
    const uint8_t *at, *end;
    struct codec_arena *arena;
    unsigned wchar_size; /* size of WCHAR in the memory that the decoder writes */
    /* Returns the object of this number. If the function is NULL, the number itself is stored. */
    void *(*object)(void *user, uint64_t number);
    /* If `object_as` is not NULL, it replaces `object`; it also gets the needed interface. */
    void *(*object_as)(void *user, uint64_t number, uint16_t type);
    /* Maps a value of this kind: address, descriptor handle, system handle or callback. If the
     * function is NULL, values stay unchanged. */
    uint64_t (*address)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool raw;       /* has the same meaning as codec_out.raw */
    bool strict;    /* whether the arguments are for a call, so that unknown bytes that may be a
                       pointer become 0 */
    bool only_data; /* whether a call's outputs get no memory, so their pointers lead to zeros */
    bool is_damaged;
    uint64_t counts[CODEC_ARGS]; /* number of elements behind each argument that is a pointer */
    void *siblings;
    uint64_t sibling_count;
};

/* Sets args[0] to args[m->count - 1]. Pointers lead into the arena; memory for the call's outputs
 * is zeroed. False means that the bytes are damaged. */
bool codec_decode(struct codec_in *in, const struct schema_method_row *m, uint64_t *args,
                  bool leave);

/* Copies the data of the i-th parameter into the arena of `in`, and replaces every interface
 * pointer by the result of out->object. The caller resets the arena. 0 means out of memory. */
uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args);

/* Whether the data can be copied byte by byte. */
static inline bool codec_is_shallow(const struct schema_value *p)
{
    return p->elem == KIND_O || !schema_structs[p->type].has_objects_behind;
}
uint64_t codec_copy_shallow(struct codec_arena *arena, const struct schema_value *p, uint64_t count,
                            uint64_t arg, uint64_t (*object)(void *user, void *pointer),
                            void *user);
void codec_copy_into(void *to, const struct schema_value *p, uint64_t count, uint64_t arg,
                     uint64_t (*object)(void *user, void *pointer), void *user);

/* codec_add_data encodes and codec_take_data decodes the data of the i-th parameter, which is not
 * NULL. codec_take_data returns the memory and sets *elements. */
void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                    const uint64_t *args, bool leave);
uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements);

/* The two functions encode and decode a structure, with the data behind its pointers. */
void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory);
const void *codec_take_struct(struct codec_in *in, uint16_t type);

/* The functions return the type of the i-th parameter in this call; the feature or the view's
 * dimension selects the type. `data` is NULL or at least the first 8 bytes behind the pointer; the
 * pointer itself is not followed. */
struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i,
                                const uint64_t *args);
struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data);

/* Returns the interface that the call requests with its i-th parameter. TYPE_NONE: the table lacks
 * this interface. */
uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args);

/* Returns how many elements an argument's pointer has; 0 if the number's pointer is NULL. */
uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args);
/* Returns the number of elements for a structure's member. 0: the structure claims too many
 * elements; the runtime refuses such a call. */
uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory);

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory);

/* Walks a pipeline state stream of `size` bytes; start with *at = 0. Returns false at the end, or
 * at an unknown type. *value becomes the offset of the subobject's value. */
bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject);
