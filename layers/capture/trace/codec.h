/*
 * Arguments as bytes and back. The capture encodes the arguments of a call. The replayer decodes
 * them into memory of its own, with its own objects and addresses. The dump decodes them and
 * leaves the numbers as they are.
 *
 * Of each call the words come first, one of 64 bits for each parameter, then what pointers point
 * to, in the order of parameters and members, depth first: docs/TRACE_FORMAT.md.
 */
#pragma once

#include "schema.h"

#define CODEC_ARGS 24 /* no method has more parameters */

/* ---- encoding ---- */

struct codec_bytes {
    uint8_t *data;
    size_t size, capacity;
    bool is_fixed; /* no more than the capacity, in memory of the caller's */
    bool failed;   /* out of memory: what was added since is lost */
};

struct codec_out {
    struct codec_bytes bytes;
    unsigned wchar_size; /* of the memory that is read */
    /* The number of an interface pointer; never called with NULL. */
    uint64_t (*object)(void *user, void *pointer);
    void *user;
    /* Maps a handle of the system; the answer UINT64_MAX means no handle. NULL: handles stay as
     * they are. */
    uint64_t (*handle)(uint64_t handle);
    /* COUNT_BOX. NULL: none are recorded. */
    uint64_t (*box)(void *user, const struct schema_method_row *m, const uint64_t *args);
    bool has_failed; /* the call failed: structures that it only writes may hold anything */
    bool raw;        /* a copy for this process: pointers that are not followed stay unchanged */
    const char *refused; /* static; what could not be recorded, NULL: nothing */
    const void *siblings;
    uint64_t sibling_count;
};

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size);
void codec_bytes_free(struct codec_bytes *bytes);

/* Adds words and data of `m`'s parameters. `leave`: what the call wrote, the data of written
 * parameters; else what it is given, and of memory that it will write the number of elements only.
 */
void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave);

/* ---- decoding ---- */

struct codec_arena;
struct codec_arena *codec_arena_create(void);
/* The arena uses this memory, aligned to 16, while it suffices. Before the memory goes, reset the
 * arena; do not destroy it. */
struct codec_arena *codec_arena_over(void *memory, size_t size);
void codec_arena_reset(struct codec_arena *arena);
void codec_arena_destroy(struct codec_arena *arena);
/* Zeroed, aligned to 16; NULL: out of memory, or more than an arena gives between two resets. */
void *codec_arena_take(struct codec_arena *arena, size_t size);
/* How many bytes that are, 1 GiB without this. */
void codec_arena_limit(struct codec_arena *arena, size_t size);

struct codec_in {
    const uint8_t *at, *end;
    struct codec_arena *arena;
    unsigned wchar_size; /* of the memory that is written */
    /* The object of this number; NULL: the number itself. */
    void *(*object)(void *user, uint64_t number);
    /* NULL, or: in its place, with the interface that the object has to have. */
    void *(*object_as)(void *user, uint64_t number, uint16_t type);
    /* Maps a value of this kind (addresses, descriptor and system handles, callbacks); NULL:
     * values stay as they are. */
    uint64_t (*address)(void *user, uint8_t kind, uint64_t value);
    void *user;
    bool raw;    /* as codec_out.raw */
    bool strict; /* for arguments of a call: if a pointer could be in bytes that the table does not
                    know, these bytes are zeroed */
    bool only_data; /* no memory for what a call is to write: the pointers lead to some zeros */
    bool is_damaged;
    uint64_t counts[CODEC_ARGS]; /* how many elements each pointer among the arguments leads to */
    void *siblings;
    uint64_t sibling_count;
};

/* Sets args[0..m->count); pointers lead into the arena, and to zeroed memory for what the call is
 * to write. False means that the bytes are damaged. */
bool codec_decode(struct codec_in *in, const struct schema_method_row *m, uint64_t *args,
                  bool leave);

/* A copy of what the i-th parameter points to, with every interface pointer replaced by
 * out->object: in the arena of `in`, which is reset by the caller. 0: out of memory. */
uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args);

/* The same for `count` elements at `arg` that have their interface pointers already; and a copy
 * into memory that has room for them. */
bool codec_is_shallow(const struct schema_value *p);
uint64_t codec_copy_shallow(struct codec_arena *arena, const struct schema_value *p, uint64_t count,
                            uint64_t arg, uint64_t (*object)(void *user, void *pointer),
                            void *user);
void codec_copy_into(void *to, const struct schema_value *p, uint64_t count, uint64_t arg,
                     uint64_t (*object)(void *user, void *pointer), void *user);

/* Adds what the i-th parameter points to, which is not NULL; and takes it: the memory, and how many
 * elements it has. */
void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                    const uint64_t *args, bool leave);
uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements);

/* Adds a structure and what it points to, and takes it. */
void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory);
const void *codec_take_struct(struct codec_in *in, uint16_t type);

/* The type of the i-th parameter in this call: the structure of a feature in the place of so many
 * bytes, and of a view by its dimension. `data`: the first 8 bytes or more behind the pointer,
 * which is not followed; NULL: none. */
struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i,
                                const uint64_t *args);
struct schema_value codec_shape_of(const struct schema_method_row *m, uint32_t i,
                                   const uint64_t *args, const uint8_t *data);

/* The interface that the call was asked for, and so the interface of the object that it writes
 * through its i-th parameter. TYPE_NONE: the table does not have this interface. */
uint16_t codec_written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args);

/* How many elements a pointer among the arguments has; 0 if the pointer to its count is NULL. */
uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args);
/* The same for a member of a structure in memory. 0 if the structure claims more elements than
 * there can be; the runtime refuses such a call. */
uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory);

bool codec_member_is_possible(const struct schema_struct *s, const struct schema_value *member,
                              const void *memory);

/* Walks a pipeline state stream of `size` bytes: starts with *at = 0; false at its end or at a type
 * that is unknown. *value: offset of the subobject's value. */
bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject);
