/* Converts arguments to bytes and back. The capture encodes the arguments of a call. The replayer
 * decodes them into new memory, with the replayer's objects and addresses. A printer decodes them
 * and leaves the numbers unchanged.
 *
 * The words of a call come first, 64 bits for each parameter. Then comes the data behind pointers,
 * in the order of parameters and members, depth first: docs/TRACE_FORMAT.md. */
#pragma once

#include "schema.h"

#define CODEC_ARGS 24 /* limit of a method's parameters */

/* ---- encoding ---- */

struct codec_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool is_fixed; /* whether the caller owns the buffer, so that it can't grow */
    bool failed;   /* whether memory ran out; later data is then lost */
};

struct codec_out {
    struct codec_bytes bytes;
    unsigned wchar_size; /* size in bytes of a WCHAR in the memory that is encoded */
    /* Returns the number of the object with this interface. `pointer` is not NULL. */
    uint64_t (*object)(void *user, void *pointer);
    void *user;
    /* Translates a handle of the system; the result UINT64_MAX means no handle. If this callback is
     * NULL, handles stay unchanged. */
    uint64_t (*handle)(uint64_t handle);
    /* Returns the size of a COUNT_BOX in bytes. If the callback is NULL, boxes are not recorded. */
    uint64_t (*box)(void *user, const struct schema_method_row *m, const uint64_t *args);
    bool has_failed;     /* whether the call failed; its outputs may then have any bytes */
    bool raw;            /* whether the copy is for this process, so unknown pointers are kept */
    const char *refused; /* static text about data that was left out; NULL: no data was */
    const void *siblings;
    uint64_t sibling_count;
};

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size);

/* Encodes the words and data of `m`'s parameters. If `leave` is set, these are the parameters that
 * the call wrote; otherwise the inputs. For memory that the call will write, only the number of
 * elements is encoded. */
void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave);

/* ---- decoding ---- */

struct codec_arena;
struct codec_arena *codec_arena_create(void);
/* Makes an arena that begins in `memory`, which must be aligned to 16. Reset the arena before you
 * free the memory, and never destroy the arena. */
struct codec_arena *codec_arena_over(void *memory, size_t size);
void codec_arena_reset(struct codec_arena *arena);
void codec_arena_destroy(struct codec_arena *arena);
/* Returns zeroed memory, aligned to 16. NULL: out of memory, or the arena would exceed its limit
 * before the next reset. */
void *codec_arena_take(struct codec_arena *arena, size_t size);
/* Sets the limit of the arena in bytes; without this call it is 1 GiB. */
void codec_arena_limit(struct codec_arena *arena, size_t size);

struct codec_in {
    const uint8_t *at, *end;
    struct codec_arena *arena;
    unsigned wchar_size; /* size in bytes of a WCHAR in the memory that the decoder fills */
    /* Returns the object with this number. If the callback is NULL, the number itself is stored. */
    void *(*object)(void *user, uint64_t number);
    /* If not NULL, this callback replaces `object`; it also gets the interface that is needed. */
    void *(*object_as)(void *user, uint64_t number, uint16_t type);
    /* Translates a value of this kind: an address, descriptor handle, system handle or callback. If
     * this callback is NULL, values stay unchanged. */
    uint64_t (*address)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool raw; /* means the same as codec_out.raw */
    /* Whether the arguments are for a real call: bytes that may be pointers then become 0. */
    bool strict;
    bool only_data; /* whether the call's outputs are not decoded: their pointers point to zeros */
    bool is_damaged;
    uint64_t counts[CODEC_ARGS]; /* how many elements each argument that is a pointer has */
    void *siblings;
    uint64_t sibling_count;
};

/* Decodes args[0] to args[m->count - 1]. Pointers point into the arena; memory for the call's
 * outputs is zeroed. Returns false if the bytes are damaged. */
bool codec_decode(struct codec_in *in, const struct schema_method_row *m, uint64_t *args,
                  bool leave);

/* Copies the i-th parameter's data into the arena of `in`, and replaces every interface pointer by
 * the result of out->object. The caller resets the arena. Returns 0 if memory runs out. */
uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args);

/* Whether codec_copy_shallow suffices: no interface pointer is behind a pointer of the data. */
static inline bool codec_is_shallow(const struct schema_value *p)
{
    return p->elem == KIND_O || !schema_structs[p->type].has_objects_behind;
}
uint64_t codec_copy_shallow(struct codec_arena *arena, const struct schema_value *p, uint64_t count,
                            uint64_t arg, uint64_t (*object)(void *user, void *pointer),
                            void *user);
void codec_copy_into(void *to, const struct schema_value *p, uint64_t count, uint64_t arg,
                     uint64_t (*object)(void *user, void *pointer), void *user);

/* codec_add_data encodes the data of the i-th parameter, which must not be NULL. codec_take_data
 * decodes the data, returns its memory and sets *elements. */
void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                    const uint64_t *args, bool leave);
uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements);

/* codec_add_struct and codec_take_struct encode and decode a struct and the data it points to. */
void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory);
const void *codec_take_struct(struct codec_in *in, uint16_t type);

/* Returns the type that the i-th parameter has in this call; the feature or the view's dimension
 * can select the type. `data` is NULL, or at least the first 8 bytes that the pointer points to.
 * The function doesn't follow the pointer itself. */
struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i,
                                const uint64_t *args);
struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data);

/* Returns the type of the interface that the call asks for in its i-th parameter. TYPE_NONE: the
 * table lacks this interface. */
uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args);

/* Returns how many elements an argument points to; 0 if the pointer to this number is NULL. */
uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args);
/* Returns how many elements the member of a structure has. 0: the structure claims too many
 * elements; the runtime refuses such a call. */
uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory);

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory);

/* Finds the next subobject of a pipeline state stream with `size` bytes. Start with *at = 0.
 * Returns false at the end, or at an unknown type. *value becomes the offset of its value. */
bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject);
