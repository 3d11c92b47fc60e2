/* The tests of the library's core share these: a driver that writes down every call, a message log,
 * and an allocator that counts, checks sizes, fails or traps on demand. One of each per process;
 * Criterion gives every test a process of its own. */
#pragma once

#include "unit_kit.h"

#include <annot/annot.h>
#include <annot/dump.h>
#include <wchar.h>

/* ---- the driver ---- */

enum spy_function {
    SPY_QUEUE_BEGIN,
    SPY_QUEUE_END,
    SPY_QUEUE_SET,
    SPY_LIST_BEGIN,
    SPY_LIST_END,
    SPY_LIST_SET,
    SPY_NAME
};

struct spy_call {
    enum spy_function function;
    void *handle;
    uint32_t metadata;
    const void *data; /* the pointer that the driver was given */
    uint32_t size;
    uint64_t id;
    uint64_t hash; /* of the bytes at `data` during the call */
    D3D12DDI_HANDLETYPE type;
    const void *name;
};

struct spy_log {
    struct spy_call *calls;
    size_t count, capacity;
};

extern struct spy_log spy_calls;
extern const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 spy_table;
extern const annot_driver spy_driver;

extern wchar_t spy_wide_name[64]; /* the beginning of the last name, where spy_name_unit isn't 0 */
extern size_t spy_name_unit;      /* bytes of a name's characters; 0: names are not read */

void spy_forget_calls(void);
const struct spy_call *spy_last(void); /* NULL when there was no call */
uint64_t spy_hash(const void *data, size_t size);

/* ---- messages ---- */

struct spy_messages {
    unsigned count;
    annot_message_id id; /* of the last one */
    annot_severity severity;
    char text[1024];
};

extern struct spy_messages spy_said;

void spy_message(void *user, const annot_message *message);
void spy_forget_messages(void);
unsigned spy_said_how_often(annot_message_id id);

/* ---- memory ---- */

struct spy_memory {
    size_t blocks, bytes; /* handed out now */
    size_t allocations;   /* ever */
    size_t wrong;   /* releases with another size than was asked for, of foreign memory; no size */
    size_t fail_at; /* the allocation with this number fails, counted from 1; 0: none */
    bool fail_from; /* and all after it */
    bool trap;      /* any use aborts */
};

extern struct spy_memory spy_heap;

/* No more memory from here on. */
static inline void spy_fail(void)
{
    spy_heap.fail_at = spy_heap.allocations + 1;
    spy_heap.fail_from = true;
}

extern const annot_allocator spy_allocator;

/* A device whose memory is watched. */
static inline annot_device_desc spy_desc(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.allocator = spy_allocator;
    return desc;
}

/* ---- devices and children ---- */

/* Spy driver, spy messages, spy allocator; `budget` 0: none. */
annot_device *spy_device(annot_mode mode, uint64_t budget);

/* Who writes dumps of it. */
static inline annot_dump_writer *spy_writer(annot_device *device)
{
    annot_dump_writer *writer;
    cr_assert_eq(annot_dump_writer_create(device, &writer), ANNOT_OK);
    return writer;
}

/* Destroys it and asserts that every byte came back with its right size. */
void spy_device_done(annot_device *device);

struct spy_child {
    annot_object *object;
    annot_context *context;
};

/* `handle` is what the driver sees. */
struct spy_child spy_list(annot_device *device, uint32_t list_type, void *handle);
struct spy_child spy_queue(annot_device *device, uint32_t list_type, void *handle);
void spy_child_done(struct spy_child child);

annot_arena *spy_arena(annot_device *device);
void *spy_handle(size_t number);

annot_device_stats spy_stats(const annot_device *device);

/* The EventID of a marker of `size` bytes, at most 2 MiB. */
uint64_t spy_mark(annot_context *context, uint32_t size);

/* A lookup whose answer alone matters. */
annot_lookup spy_lookup(annot_device *device, uint64_t id);

/* ---- for AT_END ---- */

void spy_device_ended(annot_device **device);
void spy_arena_ended(annot_arena **arena);
void spy_object_ended(annot_object **object);
void spy_child_ended(struct spy_child *child);
void spy_writer_ended(annot_dump_writer **writer);
