/* Arguments as bytes and back. The capture encodes the arguments of a call. The replayer decodes
 * them into memory of its own, with its own objects and addresses. The dump decodes them and leaves
 * the numbers as they are.
 *
 * The words of a call come first, 64 bits for each parameter. Then comes the data behind pointers,
 * in the order of parameters and members, depth first: docs/TRACE_FORMAT.md.
 */
#pragma once

#include "schema.h"

#define CODEC_ARGS 24 /* no method has more parameters */

/* ---- encoding ---- */

struct codec_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool is_fixed; /* the caller's memory, which can't grow */
    bool failed;   /* out of memory: later data is lost */
};

struct codec_out {
    struct codec_bytes bytes;
    unsigned wchar_size; /* in the memory that is read */
    /* Returns the number of an interface pointer, which is not NULL. */
    uint64_t (*object)(void *user, void *pointer);
    void *user;
    /* Maps a handle of the system; the result UINT64_MAX means no handle. NULL: handles stay
     * unchanged. */
    uint64_t (*handle)(uint64_t handle);
    /* Returns the bytes of a COUNT_BOX. NULL: boxes are not recorded. */
    uint64_t (*box)(void *user, const struct schema_method_row *m, const uint64_t *args);
    bool has_failed;     /* the call failed, so structures that it only writes may hold anything */
    bool raw;            /* the copy is for this process: other pointers stay unchanged */
    const char *refused; /* static; what could not be recorded, NULL: nothing */
    const void *siblings;
    uint64_t sibling_count;
};

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size);

/* Adds words and data of `m`'s parameters. With `leave` these are the parameters that the call
 * wrote; otherwise its inputs, with only the number of elements for memory that it will write. */
void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave);

/* ---- decoding ---- */

struct codec_arena;
struct codec_arena *codec_arena_create(void);
/* Makes an arena that first uses this memory, aligned to 16. Reset the arena before you free the
 * memory; don't destroy the arena. */
struct codec_arena *codec_arena_over(void *memory, size_t size);
void codec_arena_reset(struct codec_arena *arena);
void codec_arena_destroy(struct codec_arena *arena);
/* Returns zeroed memory, aligned to 16. NULL: out of memory, or past the arena's limit between two
 * resets. */
void *codec_arena_take(struct codec_arena *arena, size_t size);
/* Sets the limit in bytes; the default is 1 GiB. */
void codec_arena_limit(struct codec_arena *arena, size_t size);

struct codec_in {
    const uint8_t *at, *end;
    struct codec_arena *arena;
    unsigned wchar_size; /* of the memory that is written */
    /* Returns the object of this number. NULL: the number is kept. */
    void *(*object)(void *user, uint64_t number);
    /* Replaces `object` if it is not NULL. It also gets the required interface. */
    void *(*object_as)(void *user, uint64_t number, uint16_t type);
    /* Maps a value of this kind (addresses, descriptor and system handles, callbacks); NULL: values
     * stay unchanged. */
    uint64_t (*address)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool raw;       /* as codec_out.raw */
    bool strict;    /* the arguments are for a call, so unknown bytes that may be a pointer become
                       zeros */
    bool only_data; /* outputs of a call get no memory; their pointers lead to zeros */
    bool is_damaged;
    uint64_t counts[CODEC_ARGS]; /* number of elements behind each pointer among the arguments */
    void *siblings;
    uint64_t sibling_count;
};

/* Sets args[0..m->count). Pointers lead into the arena; memory for the call's outputs is zeroed.
 * False means that the bytes are damaged. */
bool codec_decode(struct codec_in *in, const struct schema_method_row *m, uint64_t *args,
                  bool leave);

/* Copies the data of the i-th parameter into the arena of `in`, and replaces every interface
 * pointer by out->object. The caller resets the arena. 0: out of memory. */
uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args);

/* Whether data can be copied byte by byte. */
static inline bool codec_is_shallow(const struct schema_value *p)
{
    return p->elem == KIND_O || !schema_structs[p->type].has_objects_behind;
}
uint64_t codec_copy_shallow(struct codec_arena *arena, const struct schema_value *p, uint64_t count,
                            uint64_t arg, uint64_t (*object)(void *user, void *pointer),
                            void *user);
void codec_copy_into(void *to, const struct schema_value *p, uint64_t count, uint64_t arg,
                     uint64_t (*object)(void *user, void *pointer), void *user);

/* Encode and decode the data of the i-th parameter, which is not NULL. The second returns memory
 * and sets the number of elements. */
void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                    const uint64_t *args, bool leave);
uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements);

/* Encode and decode a structure with the data behind its pointers. */
void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory);
const void *codec_take_struct(struct codec_in *in, uint16_t type);

/* The type of the i-th parameter in this call. The feature or the view's dimension selects it.
 * `data`: at least the first 8 bytes behind the pointer, or NULL; the pointer itself is not
 * followed. */
struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i,
                                const uint64_t *args);
struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data);

/* The interface that the call requests through its i-th parameter. TYPE_NONE: the table lacks this
 * interface. */
uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args);

/* How many elements a pointer among the arguments has; 0 if the pointer to its count is NULL. */
uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args);
/* The number of elements for a member of a structure in memory. 0 if the structure claims too many;
 * the runtime refuses such a call. */
uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory);

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory);

/* Walks a pipeline state stream of `size` bytes; start with *at = 0. False: the end, or an unknown
 * type. *value is the offset of the subobject's value. */
bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject);
