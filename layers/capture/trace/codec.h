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
    bool is_fixed; /* the memory is the caller's and can't grow */
    bool failed;   /* memory ran out, and later data is lost */
};

struct codec_out {
    struct codec_bytes bytes;
    unsigned wchar_size; /* size of WCHAR in the memory that is read */
    /* Returns the number of an interface pointer; `pointer` is not NULL. */
    uint64_t (*object)(void *user, void *pointer);
    void *user;
    /* Maps a handle of the system; the result UINT64_MAX means no handle. NULL: handles stay
     * unchanged. */
    uint64_t (*handle)(uint64_t handle);
    /* Returns the bytes of a COUNT_BOX. NULL: boxes are not recorded. */
    uint64_t (*box)(void *user, const struct schema_method_row *m, const uint64_t *args);
    bool has_failed;     /* the call failed, so structures that the call only writes may have any
                            contents */
    bool raw;            /* the copy is for this process, so other pointers stay unchanged */
    const char *refused; /* a static text: the data that could not be recorded; NULL: none */
    const void *siblings;
    uint64_t sibling_count;
};

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size);

/* Adds words and data of `m`'s parameters. With `leave`, these are the parameters that the call
 * wrote. Otherwise these are the inputs; memory that the call will write only has its number of
 * elements. */
void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave);

/* ---- decoding ---- */

struct codec_arena;
struct codec_arena *codec_arena_create(void);
/* Makes an arena that first uses `memory`, aligned to 16. Before you free the memory, reset the
 * arena; never destroy this arena. */
struct codec_arena *codec_arena_over(void *memory, size_t size);
void codec_arena_reset(struct codec_arena *arena);
void codec_arena_destroy(struct codec_arena *arena);
/* Returns zeroed memory, aligned to 16. NULL: out of memory, or above the arena's limit between two
 * resets. */
void *codec_arena_take(struct codec_arena *arena, size_t size);
/* Sets the arena's limit in bytes; the default is 1 GiB. */
void codec_arena_limit(struct codec_arena *arena, size_t size);

struct codec_in {
    const uint8_t *at, *end;
    struct codec_arena *arena;
    unsigned wchar_size; /* size of WCHAR in the memory that is written */
    /* Returns the object of this number. NULL: the number stays. */
    void *(*object)(void *user, uint64_t number);
    /* `object_as`, if not NULL, replaces `object`, and also gets the required interface. */
    void *(*object_as)(void *user, uint64_t number, uint16_t type);
    /* Maps a value of this kind: address, descriptor handle, system handle or callback. NULL:
     * values stay unchanged. */
    uint64_t (*address)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool raw;       /* means the same as codec_out.raw */
    bool strict;    /* the arguments are for a call, so unknown bytes that may be a pointer become
                       zeros */
    bool only_data; /* outputs of a call get no memory, so the outputs' pointers lead to zeros */
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
 * pointer by the result of out->object. The caller resets the arena. 0: out of memory. */
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

/* Encode and decode the data of the i-th parameter, which is not NULL. codec_take_data returns the
 * memory and sets *elements. */
void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                    const uint64_t *args, bool leave);
uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements);

/* Encode and decode a structure with the data behind its pointers. */
void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory);
const void *codec_take_struct(struct codec_in *in, uint16_t type);

/* Return the type of the i-th parameter in this call, which the feature or the view's dimension
 * selects. `data` is NULL or at least the first 8 bytes behind the pointer; the pointer itself is
 * not followed. */
struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i,
                                const uint64_t *args);
struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data);

/* Returns the interface that the call requests with its i-th parameter. TYPE_NONE: the table lacks
 * this interface. */
uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args);

/* Returns how many elements an argument's pointer has; 0 if the pointer to the count is NULL. */
uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args);
/* Returns the number of elements for a structure's member. 0: the structure claims too many
 * elements; the runtime refuses such a call. */
uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory);

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory);

/* Walks a pipeline state stream of `size` bytes; start with *at = 0. False: the end, or an unknown
 * type. *value becomes the offset of the subobject's value. */
bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject);
