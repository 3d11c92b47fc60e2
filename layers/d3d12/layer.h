/* The declarations that the crash client's files share [ANN-D3D]. Read the files in this order:
 *
 *     client.c       the calls that it gets, and their functions
 *     settings.c     the user's settings
 *     device.c       devices, from creation to end
 *     registry.c     the layer's data of a device and its objects
 *     ranges.c       resources and heaps of descriptors by their addresses
 *     name.c         names of objects
 *     list.c         allocators, lists, bundles, markers
 *     exact.c        calls that do work, at level "exact"
 *     operation.c    their kinds, and the shaders of their pipelines
 *     bound.c        their objects, and barriers
 *     evidence.c     which evidence works on a device
 *     memory.c       memory that the GPU writes into
 *     words.c        the writes
 *     copies.c       the writes by copies from a table
 *     probe.c        the layer's own work that tests the writes
 *     dred.c         the runtime's breadcrumbs and page faults
 *     tell.c         the results, in lines for people
 *     queue.c        submissions, and their completion
 *     seam.c         lists of the layer in front of the program's, which distinguish executions
 *     callback.c     the program's callbacks
 *     loss.c         from a lost device, or one that makes no progress, to a dump
 *
 * Each object of the program that the layer needs has a mirror: the layer's data of the object. The
 * object's wrapper points to the mirror. A mirror lives until its object or its device is gone.
 *
 * Locks: layer_device.lock guards the device's lists of mirrors and queues; no function that can
 * wait is called under it. layer_queue.lock guards a submission and the signals of its end. */
#pragma once

#include "d3d12_rules/list_state.h"

#include "../crash/device.h"
#include "../crash/memory.h"
#include "../crash/queue.h"
#include "../crash/stream.h"
#include "../intercept/call.h"
#include "../intercept/d3d12.h"

#include <annot/dump.h>
#include <annot/evidence.h>
#include <annot/shader.h>

#include <pthread.h>
#include <stdatomic.h>

/* Kinds of evidence of how far the GPU got. The layer uses the strongest kind that works. */
enum layer_evidence {
    LAYER_EVIDENCE_IMMEDIATE, /* values written by WriteBufferImmediate ("words"), together with
                                 DRED */
    LAYER_EVIDENCE_READBACK,  /* words in memory that may be lost with the device */
    LAYER_EVIDENCE_COPY,      /* words that CopyBufferRegion writes */
    LAYER_EVIDENCE_DRED,      /* the runtime's breadcrumbs, together with the next kind */
    LAYER_EVIDENCE_FENCE      /* the work that the queues completed */
};
extern const struct crash_evidence_words layer_evidence_words;

enum { LAYER_WORD_BYTES = 512 * 1024, LAYER_NODES = 1024 };

enum layer_kind {
    LAYER_DEVICE = 1,
    LAYER_QUEUE,
    LAYER_LIST,
    LAYER_ALLOCATOR,
    LAYER_RESOURCE,
    LAYER_HEAP,
    LAYER_SIGNATURE,
    LAYER_OTHER
};

struct layer_mirror {
    enum layer_kind kind;
    struct layer_device *device; /* NULL: the device is gone */
    annot_object *object;        /* the annotation object; NULL for a device's mirror */
    void (*finish)(struct layer_mirror *mirror);
    struct layer_mirror *prev, *next;
};

/* The part that the mirrors of all kinds have in common. */
struct layer_class {
    enum layer_kind kind;
    size_t size;                                 /* size of the whole mirror, which begins with a
                                                    layer_mirror */
    void (*finish)(struct layer_mirror *mirror); /* releases the mirror's data; NULL: the mirror has
                                                    none */
};

/* Marker memory for the two streams of one list at a time. The memory outlives its allocator while
 * it has a list's recording. */
struct layer_arena {
    struct layer_device *device;
    annot_arena *annot, *inner;  /* `inner` is made when it is needed */
    struct layer_table *sources; /* tables of copied words, the last table first */
    _Atomic unsigned users;
};

/* A sorted array of address ranges, each with a mirror. */
struct layer_ranges {
    struct layer_range {
        uint64_t address, size;
        const struct layer_mirror *of;
        uint64_t last_end; /* the highest end of this range and all ranges before it */
    } * ranges;
    uint32_t count, capacity;
};

struct layer_resource {
    struct layer_mirror mirror;
    atomic_bool is_described;
    uint64_t address;       /* address of a buffer in device->buffers; 0: no such buffer */
    _Atomic uint64_t shape; /* a struct list_shape in two halves; 0: not known yet */
};

struct layer_heap {
    struct layer_mirror mirror;
    uint64_t start, step; /* addresses of descriptors; `step` 0: device->heaps lacks the heap */
    uint32_t count;
    struct list_view *seen; /* the contents of the descriptors, under the device's lock */
};

struct layer_signature {
    struct layer_mirror mirror;
    struct list_indirect sets; /* the state that a command signature sets */
};

struct layer_allocator {
    struct layer_mirror mirror;
    struct layer_arena *arena;
};

struct layer_list {
    struct layer_mirror mirror;
    void *real; /* the list's interface that can write words, without a reference; NULL: none */
    D3D12_COMMAND_LIST_TYPE type;
    annot_context *unmarked; /* the outer stream for all markers if no words are written */
    struct crash_stream stream;
    struct layer_arena *arena;
    /* Reasons why copies are not allowed now. is_suspended: copies are not allowed after the pass
     * either. */
    bool in_pass, is_suspended, is_predicated, is_protected;
    /* Whether the list's first words are written with its first work. This is so if the list may
     * begin with a resumed pass. */
    bool owes_words;
    uint32_t owed_started, owed_completed;
    _Atomic bool straddles;      /* the list begins or ends in the middle of a render pass */
    _Atomic bool is_cut;         /* a part of the inner stream ends in the middle of a marker */
    _Atomic bool has_lost_end;   /* a marker ended at a place where no word could be written */
    _Atomic bool has_own_writes; /* the program called WriteBufferImmediate on the list */
    _Atomic bool is_submitted;   /* the newest recording is the newest submission */
    uint32_t writes;             /* number of WriteBufferImmediate calls in the recording, including
                                    the layer's calls */
    struct layer_places {
        uint32_t *places; /* the calls of `writes` that the program made; under the device's lock */
        uint32_t count, capacity;
        bool is_cut; /* memory ran out, so `places` is cut */
    } own_writes;
    uint32_t followed; /* number of markers in the outer stream */
    /* State at level exact. The pipeline is an address of the program, which may become invalid. */
    struct list_state noted;
    bool is_noted; /* whether the recording has noted state */
};

/* The lists of one ExecuteCommandLists, in memory that the queue keeps. */
struct layer_batch {
    annot_context **contexts;
    annot_prologue *prologues;
    uint32_t *places;          /* indices in `contexts` of the call's lists */
    ID3D12CommandList **ours;  /* the layer's list in front of each list; NULL: none */
    ID3D12CommandList **lists; /* `count` lists of the program, with the layer's lists in between */
    uint32_t count, capacity;
    bool has_ours;
};

struct layer_queue {
    struct layer_mirror mirror;
    ID3D12CommandQueue *real; /* the runtime's queue, without a reference */
    struct crash_queue crash;
    struct crash_waiter waiter;
    pthread_mutex_t lock;
    ID3D12Fence
        *done; /* the layer's fence with the completed serial; NULL: completion is unknown */
    ID3D12Fence *
        begun; /* the layer's fence with the serial of the last submission that the queue reached */
    bool tells_begun;         /* true: `begun` tells of every submission */
    bool has_waited;          /* a Wait came after the last submission; guarded by
                                 `lock` */
    uint64_t serial;          /* serial of the present submission */
    _Atomic uint64_t waited;  /* serial of the last submission after a Wait */
    struct layer_batch batch; /* the lock guards `batch` and `seams` */
    struct layer_seam *seams; /* the layer's own lists, oldest first: seam.c */
    bool is_gone;             /* whether the object is gone; guarded by the device's lock */
    D3D12_COMMAND_LIST_TYPE type;
    struct layer_queue *next;
};

struct layer_memory {
    void *mapped; /* NULL: the GPU can't write words on this device */
    bool is_own;  /* the memory is pages of the process, which survive the device */
    ID3D12Heap *heap;
    ID3D12Resource *buffer;
    D3D12_GPU_VIRTUAL_ADDRESS address;
};

/* The data that DRED has for a removed device. */
struct layer_crumbs {
    annot_crumbs rows[LAYER_NODES];
    uint32_t count, cut;            /* `cut`: number of breadcrumbs past LAYER_NODES */
    uint64_t fault_address;         /* 0: no page fault */
    char existing[256], freed[256]; /* names of existing and freed objects at the address */
    bool has_existing, has_freed;
    annot_allocation_range ranges[2]; /* ranges of living and destroyed allocations */
    uint32_t range_count;
    annot_object *existing_object; /* the object that the dump names */
};

/* The settings of DRED when the device was made. */
struct layer_dred {
    bool is_there;                             /* DRED exists and may be read */
    bool has_breadcrumbs;                      /* the system doesn't forbid breadcrumbs */
    bool hides_breadcrumbs, hides_page_faults; /* the program did not enable these parts of DRED */
    bool is_programs;                          /* the program enabled breadcrumbs */
    bool is_markers_only;
};

/* The layer's own ID3D12DeviceTools2, in the published form and in the specification's: tools.c. */
enum { LAYER_LETTERS = 2 };
struct layer_tools {
    ID3D12DeviceTools2 iface;
    struct layer_device *device;
    unsigned letter;
};

struct layer_device {
    struct layer_mirror mirror;
    struct object *object;        /* the program's wrapper; its memory outlives the device */
    ID3D12Device *real;           /* the runtime's device, without a reference */
    enum layer_evidence evidence; /* IMMEDIATE (for words in any memory), COPY or FENCE */
    struct layer_dred dred;
    struct layer_crumbs *crumbs; /* memory for the breadcrumbs in a dump */
    UINT writes_flags;           /* D3D12_COMMAND_LIST_SUPPORT_FLAGS for words */
    _Atomic bool has_own_writes; /* whether one of the lists has own writes */
    _Atomic bool has_straddling; /* whether a list has layer_list.straddles */
    struct layer_memory memory;
    struct layer_table
        *constants;      /* a buffer in which word n has the value n; the source of copied words */
    ID3D12Fence *anchor; /* the layer's reference, which shows the end of the program's last
                            object */
    atomic_uint held;    /* references that the layer's objects have to the runtime's device */
    unsigned per_child;  /* references that each of the layer's objects has */
    struct crash_device crash;
    struct layer_tools tools[LAYER_LETTERS];
    atomic_uint mode;     /* annot_mode that the program set; used if the runtime has no modes */
    pthread_mutex_t lock; /* guards the members below */
    struct layer_mirror *mirrors;
    struct layer_queue *queues;
    struct layer_ranges buffers, heaps; /* ranges of GPU addresses, and of descriptors' addresses */
    struct crash_memory freed;          /* destroyed buffers */
    struct layer_device *next;
};

extern struct crash_settings layer_settings;

/* ---- the annotation mode ---- */

/* Opens the tools of a device that already has its annot device. */
void layer_tools_open(struct layer_device *device);
/* Answers the program in the runtime's place, if the runtime refused the interface's version: after
 * a QueryInterface, GetDevice, creation of a device, CheckFeatureSupport or Set...Mode. */
void layer_tools_answer(struct call *call, const uint64_t *args, uint64_t *result);

/* ---- mirrors ---- */

/* Call it once, before the other functions. `of` returns the mirror of a device, and makes a mirror
 * if there is none. `of` returns NULL if memory runs out. */
void layer_registry_open(struct layer_device *(*of)(struct object *device));
/* Returns the mirror of a device, and makes it if there is none. `object` is the device or a child.
 * NULL: `object` is neither, or memory ran out. */
struct layer_device *layer_device_of_any(struct object *object);

/* Returns the mirror of an object, or NULL if the object has none yet. */
static inline struct layer_mirror *layer_mirror_of(const struct object *object)
{
    struct layer_mirror *mirror = (struct layer_mirror *)object_note(object, OBJECT_NOTE_CRASH);
    return mirror && mirror->device ? mirror : NULL;
}
/* Makes a zeroed mirror with its annotation object. NULL: out of memory. */
void *layer_mirror_create(struct layer_device *device, const struct layer_class *of,
                          uint32_t handle_type, uint32_t list_type);
/* Publishes the mirror of an object and returns it. If another thread was faster, it destroys this
 * mirror and returns the other thread's mirror. */
struct layer_mirror *layer_mirror_publish(struct object *object, struct layer_mirror *mirror);
/* Returns the object's mirror of this kind; makes and publishes one if there is none. NULL: the
 * mirror has another kind, or memory ran out. */
struct layer_mirror *layer_mirror_need(struct object *object, enum layer_kind kind,
                                       struct layer_mirror *(*create)(struct layer_device *device,
                                                                      const struct object *object));
/* Releases the data of a mirror; the mirror's memory stays. */
void layer_mirror_finish(struct layer_mirror *mirror);

/* Called before and after one of the layer's objects is made or destroyed. */
void layer_device_hold(struct layer_device *device);
void layer_device_let_go(struct layer_device *device);

/* ---- devices ---- */

/* Returns the mirror of a device, and makes it if there is none. NULL: out of memory. */
struct layer_device *layer_device_of(struct object *device);
/* Called when the runtime's object of a mirror is gone. */
void layer_mirror_gone(uintptr_t note);
/* Notes the result of the program's AddRef or Release. */
void layer_device_counted(struct object *self, bool is_release, uint64_t *result);
/* Ends devices that nothing uses. Called when the program's last reference to an object that is no
 * device is gone. */
void layer_devices_sweep(void);

/* ---- resources and heaps of descriptors by their addresses, under the device's lock ---- */

extern const struct layer_class layer_resources, layer_heaps, layer_signatures;

/* Adds a range. If memory runs out, the range is not found later. */
void layer_range_add(struct layer_ranges *ranges, const struct layer_range *range);
/* Returns the range at an address. NULL: there is none, or there are several. */
const struct layer_range *layer_range_at(const struct layer_ranges *ranges, uint64_t address);
/* Frees the device's ranges when the device ends. */
void layer_ranges_finish(struct layer_device *device);

/* ---- names ---- */

/* Returns the mirror of an object that is no device; makes it if needed. NULL: out of memory. */
struct layer_mirror *layer_mirror_for(struct object *object);
void layer_name_set(struct object *object, const void *name, size_t units, unsigned unit);

/* ---- allocators and lists ---- */

struct layer_allocator *layer_allocator_of(struct object *object);
/* Called after a successful Reset of an allocator. */
void layer_allocator_reset(struct object *object);

struct layer_list *layer_list_of(struct object *object);
/* Begins a recording of the list `object` into the allocator. */
void layer_list_open(struct object *object, struct object *allocator, void *pipeline);
/* Functions of type client_direct. The functions for markers get metadata, data and size. */
void layer_list_close(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3);
void layer_list_begin(struct object *object, uint64_t metadata, uint64_t data, uint64_t size);
void layer_list_set(struct object *object, uint64_t metadata, uint64_t data, uint64_t size);
void layer_list_end(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3);
void layer_list_execute_bundle(struct object *object, struct object *bundle);
/* Flushes the records so far. Call it before you note data that have no marker of their own. */
void layer_list_notes(struct layer_list *list);
/* Called before the list does work. */
void layer_list_works(struct object *object);
/* Notes that a render pass begins or ends; `flags` are D3D12_RENDER_PASS_FLAGS. */
void layer_list_begin_pass(struct object *object, uint32_t flags);
void layer_list_end_pass(struct object *object);
/* Notes that copies are forbidden, or allowed again, from now on. */
enum layer_block { LAYER_PREDICATED, LAYER_PROTECTED };
void layer_list_block(struct object *object, enum layer_block why, bool is_blocked);
extern const annot_driver layer_driver;

/* ---- level exact ---- */

/* Whether a call of this method does work on the GPU. */
bool layer_is_work(uint16_t method);
/* Whether work of this method runs the list's pipeline. */
bool layer_runs_pipeline(uint16_t method);
/* Called before and after a call that does work. layer_list_work makes a marker for the call. */
void layer_list_work(struct object *object, uint16_t method, const uint64_t *args);
void layer_list_worked(struct object *object);
/* Notes the call in the call's marker. `indirect` is the work of an ExecuteIndirect. */
void layer_operation_note(struct layer_list *list, uint16_t method, const uint64_t *args,
                          enum list_work indirect);
/* Notes the pipeline `object`, which the method made from the description in `args`, or loaded from
 * a library with this description. */
void layer_pipeline_made(struct object *object, uint16_t method, const uint64_t *args);
/* Returns annot_object_id of the wrapper at this address, and describes the object if it is a
 * resource. 0: no wrapper. */
uint64_t layer_bound_id(uint64_t pointer);
/* Returns the object of a wrapper and D3D12's subresource with this index. */
struct list_view layer_bound_view(uint64_t pointer, uint32_t subresource);
/* Add the objects that the list's work of this kind uses, or the objects of a descriptor. */
void layer_bound_use(const struct layer_list *list, enum list_work work, struct list_objects *to);
void layer_bound_add_view(const struct layer_list *list, uint64_t address, annot_bound_role role,
                          struct list_objects *to);
/* Returns the work of this signature's commands, for a list that executes them. */
enum list_work layer_bound_indirect(struct layer_list *list, uint64_t signature);
/* Whether calls of this method bind objects. If so, layer_bound_call notes the call before it is
 * made. */
bool layer_bound_is_asked(uint16_t method);
void layer_bound_call(struct object *self, uint16_t method, const uint64_t *args);
/* Notes an object that the method has made. `made` may be NULL. */
void layer_bound_made(struct object *made, uint16_t method, const uint64_t *args);
/* ---- evidence ---- */

/* Finds the evidence that works on the device. Called once. */
void layer_evidence_open(struct layer_device *device);
void layer_evidence_finish(struct layer_device *device);

/* ---- memory ---- */

/* Open memory for words; each function opens one kind. False means that this kind doesn't work. */
bool layer_memory_open_own(struct layer_device *device);
bool layer_memory_open_readback(struct layer_device *device);
void layer_memory_finish(struct layer_device *device);
/* Makes a buffer that stays mapped. D3D12_HEAP_TYPE_CUSTOM: memory that the processor caches and
 * shaders write. NULL: the runtime refuses the buffer. */
void *layer_buffer_create(struct layer_device *device, D3D12_HEAP_TYPE type, UINT64 size,
                          D3D12_RESOURCE_STATES state, void **mapped);
void layer_release(struct layer_device *device, void *buffer);

/* ---- words ---- */

bool layer_device_has_words(const struct layer_device *device);
/* Returns the type of the list's interface that can write words. */
uint16_t layer_words_writer(const struct layer_device *device);
bool layer_words_are_written(const struct layer_device *device, const struct layer_list *list);
/* Whether a word can be written at the present place of the list. */
bool layer_words_may_come(const struct layer_list *list);
/* Records the write of a word: before the next work (is_started), or after the work so far. */
void layer_words_write(const struct layer_device *device, struct layer_list *list, bool is_started,
                       uint32_t value);
/* Writes the words of one execution's prologue. */
void layer_words_write_prologue(const struct layer_device *device, void *writer,
                                const annot_prologue *prologue);
/* The kinds of evidence that were tried, and whether they worked. */
struct layer_found {
    bool own_memory, readback, was_tried, came;
    bool copies_came;
    enum layer_ordered { LAYER_ORDER_UNKNOWN, LAYER_ORDER_COPIES, LAYER_ORDER_DISPATCHES } ordered;
    /* Observations of work between two words. between: only the first word was there; late: work
     * had begun without a word; early: unfinished work had both words. */
    uint32_t between, late, early;
};
/* Writes a word with a value below LAYER_CONSTANTS; `list` must be able to write words. */
enum { LAYER_CONSTANTS = 256 };
void layer_word_write(const struct layer_device *device, void *list, uint64_t offset,
                      uint32_t value, D3D12_WRITEBUFFERIMMEDIATE_MODE mode);
/* Tests whether two words of a running list arrive. */
bool layer_probe_words(struct layer_device *device);
/* Writes words between dispatches that count, or between copies if dispatches fail, and reads the
 * words meanwhile. */
void layer_probe_order(struct layer_device *device, struct layer_found *found);
/* Makes the source of copied words. False means out of memory. */
bool layer_copies_open(struct layer_device *device);
void layer_copies_finish(struct layer_device *device);
void layer_copies_write_constant(const struct layer_device *device, void *list, uint64_t offset,
                                 uint32_t value);
void layer_copies_write(const struct layer_device *device, struct layer_arena *arena, void *list,
                        uint64_t offset, uint32_t value);
/* _reset notes that the arena's recordings are not executed any more; _leave ends the arena. */
void layer_copies_reset(struct layer_arena *arena);
void layer_copies_leave(struct layer_arena *arena);
/* layer_is_asked: whether the user wants lines about evidence (--probe). layer_tell prints them. */
bool layer_is_asked(void);
void layer_tell(const struct layer_device *device, UINT immediate, const struct layer_found *found);
const char *layer_evidence_text(const struct layer_device *device);

/* ---- DRED ---- */

/* Notes that the program itself made a setting of DRED. */
void layer_dred_chosen(uint16_t method, uint64_t value);
/* Called before a device is made, and after it. */
/* ID3D12DeviceRemovedExtendedDataSettings of the runtime, counted; NULL: it has none. */
void *layer_dred_settings(void);
void layer_dred_enable(void);
void layer_dred_open(struct layer_device *device);
/* Whether the program's own breadcrumbs would count the copies of words. */
bool layer_dred_counts_copies(const struct layer_device *device);
/* Whether the method returns DRED's output. The next two functions are called before and after such
 * a method. */
bool layer_dred_is_asked(uint16_t method);
void layer_dred_pass(struct object *data, uint16_t method, uint64_t *args);
void layer_dred_answer(struct object *data, uint16_t method, const uint64_t *args,
                       uint64_t *result);
/* Changes a D3D12_DEVICE_CONFIGURATION_DESC back to the program's own settings. */
void layer_dred_describe(struct object *configuration, void *desc);
/* Called when a recording begins. */
void layer_dred_begin(struct layer_list *list);
/* Notes that the program calls WriteBufferImmediate on the list itself. `list` may be NULL. */
void layer_dred_written(struct layer_list *list);
/* If the device is removed, reads DRED's data. `rows` are all executions in flight. */
void layer_dred_read(struct layer_device *device, const annot_progress *rows, uint32_t count,
                     struct layer_crumbs *out);
void layer_dred_give(struct layer_crumbs *crumbs);

/* ---- queues ---- */

struct layer_queue *layer_queue_of(struct object *object);
void layer_queue_submit(struct object *object, uint32_t count, const uint64_t *lists);
/* Changes the runtime's arguments: puts the layer's lists before some lists of the program. */
void layer_queue_pass(struct object *object, uint64_t *args);
/* Called when the runtime has returned from ExecuteCommandLists: signals the layer's fence. Returns
 * the signal's result. */
uint32_t layer_queue_submitted(struct object *object);
void layer_queue_marker(struct object *object, bool is_scope, const uint64_t *args);
void layer_queue_end(struct object *object);
/* Whether the queue has reached the submission with this serial; then all earlier submissions are
 * complete. */
enum layer_reached { LAYER_REACHED_UNKNOWN, LAYER_NOT_REACHED, LAYER_REACHED };
enum layer_reached layer_queue_reached(const struct layer_queue *queue, uint64_t serial);
/* Reads the queues' fences. False means that the device is removed. Never waits. */
bool layer_device_poll(struct layer_device *device);

/* A fence of the layer's own; NULL: out of memory. */
ID3D12Fence *layer_fence_create(struct layer_device *device);
/* Notes a value of the program's fence; NULL is ignored. */
void layer_fence_note(struct object *fence, enum crash_fence_note note, uint64_t value);
/* A queue is told to wait for the value, or to signal it. */
void layer_queue_told(struct object *object, bool is_wait, struct object *fence, uint64_t value);

/* Makes a closed list that writes the prologue of submission `serial`. NULL: out of memory. */
ID3D12CommandList *layer_seam_record(struct layer_queue *queue, uint64_t serial,
                                     const annot_prologue *prologue);
void layer_seams_finish(struct layer_queue *queue);

/* ---- callbacks ---- */

/* Whether the method registers a callback. If so, the layer's callback replaces it and calls it. */
bool layer_callback_is_asked(uint16_t method);
void layer_callback_pass(uint16_t method, uint64_t *args);

/* ---- crashes ---- */

/* If the call returned a device loss, writes the device's dump, or waits for it. */
void layer_check(struct object *object, uint16_t method, uint64_t result);
/* Looks for a loss after a call that doesn't report losses: reads the queues' progress, and asks
 * whether the device is removed. */
void layer_notice(struct object *object, uint16_t method);
void layer_watch(struct layer_device *device);
