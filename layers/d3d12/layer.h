/* The declarations that the crash client's files share [ANN-D3D]. Read the files in this order:
 *
 *     client.c       the calls that the client gets, and their functions
 *     settings.c     the user's settings
 *     device.c       devices, from creation to end
 *     registry.c     the layer's data of a device and its objects
 *     ranges.c       resources and heaps of descriptors by their addresses
 *     name.c         names of objects
 *     list.c         allocators, lists, bundles, markers
 *     exact.c        calls that do work, at level "exact"
 *     operation.c    the kinds of these calls, and the shaders of their pipelines
 *     bound.c        the objects of these calls, and barriers
 *     indirect.c     the commands of an ExecuteIndirect
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

#include "../crash/memory.h"
#include "../crash/queue.h"
#include "../crash/stream.h"
#include "../intercept/call.h"
#include "../intercept/d3d12.h"

#include <annot/shader.h>

#include <pthread.h>

/* Kinds of evidence that show how far the GPU got. The layer uses the strongest kind that works. */
enum layer_evidence {
    LAYER_EVIDENCE_IMMEDIATE, /* words that WriteBufferImmediate writes, and DRED's breadcrumbs */
    LAYER_EVIDENCE_READBACK,  /* words (breadcrumbs) in memory that a device loss may destroy */
    LAYER_EVIDENCE_COPY,      /* words that CopyBufferRegion writes */
    LAYER_EVIDENCE_DRED,      /* the runtime's breadcrumbs, and the evidence below */
    LAYER_EVIDENCE_FENCE      /* a fence only shows which submissions the queues have completed */
};
extern const struct crash_evidence_words layer_evidence_words;

enum { LAYER_WORD_BYTES = 512 * 1024, LAYER_NODES = 1024, LAYER_INDIRECTS = 4096 };

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
    struct layer_device *device; /* the layer's data of the device; NULL: the device is gone */
    annot_object *object;        /* the annotation object; NULL for a device's mirror */
    void (*finish)(struct layer_mirror *mirror);
    struct layer_mirror *prev, *next;
};

/* The data that all mirrors (the layer's data about objects) of one kind have in common. */
struct layer_class {
    enum layer_kind kind;
    size_t size; /* size in bytes of the whole mirror, which begins with a layer_mirror */
    /* Releases what the mirror owns; NULL: it owns nothing. */
    void (*finish)(struct layer_mirror *mirror);
};

/* Memory for the markers in the two streams of one list at a time. The memory outlives its
 * allocator as long as the memory holds a list's recording. */
struct layer_arena {
    struct layer_device *device;
    annot_arena *annot, *inner;  /* arenas of the two streams; `inner` is made when it is needed */
    struct layer_table *sources; /* buffers with the values that copies read, the newest first */
    _Atomic unsigned users;
};

/* Sorted ranges of addresses. Each range has a mirror, the layer's data about its object. */
struct layer_ranges {
    struct layer_range {
        uint64_t address, size;
        const struct layer_mirror *of;
        uint64_t last_end; /* the highest end of this range and of those before it */
    } * ranges;
    uint32_t count, capacity;
};

struct layer_resource {
    struct layer_mirror mirror;
    atomic_bool is_described;
    uint64_t address;       /* the buffer's address; 0: the buffer isn't in device->buffers */
    _Atomic uint64_t shape; /* a struct list_shape as two halves; 0: not known yet */
    /* Mapped, because an ExecuteIndirect reads it; NULL: not mapped. */
    _Atomic(void *) memory;
    _Atomic uint64_t size;
};

struct layer_heap {
    struct layer_mirror mirror;
    /* Addresses of the descriptors; `step` 0: the heap isn't in device->heaps. */
    uint64_t start, step;
    uint32_t count;
    struct list_view *seen; /* what each descriptor shows; guarded by the device's lock */
};

struct layer_signature {
    struct layer_mirror mirror;
    struct list_indirect sets; /* list state that the signature's commands set */
};

/* An ExecuteIndirect that a list recorded. */
struct layer_indirect {
    uint64_t event; /* EventID of the call's marker; 0: none */
    uint32_t max;
    struct list_indirect sets;
    uint64_t commands, commands_offset, counts, counts_offset; /* annot_object_id; 0: no buffer */
};

struct layer_allocator {
    struct layer_mirror mirror;
    struct layer_arena *arena;
};

struct layer_list {
    struct layer_mirror mirror;
    void *real; /* the interface that writes breadcrumb words, without a reference; or NULL */
    D3D12_COMMAND_LIST_TYPE type;
    /* The outer stream, if it gets all markers because the GPU writes no words. */
    annot_context *unmarked;
    struct crash_stream stream;
    struct layer_arena *arena;
    /* Reasons that forbid copies now. is_suspended also forbids copies after the pass. */
    bool in_pass, is_suspended, is_predicated, is_protected;
    /* Whether the list's first breadcrumb writes are not yet recorded; they must precede its first
     * work. The list may begin with a resumed pass, where words can't be written. */
    bool owes_words;
    uint32_t owed_started, owed_completed;
    _Atomic bool straddles;      /* whether the list begins or ends inside a render pass */
    _Atomic bool is_cut;         /* whether a part of the inner stream ends inside a marker */
    _Atomic bool has_lost_end;   /* whether a marker ended where no breadcrumb could be written */
    _Atomic bool has_own_writes; /* whether the program called WriteBufferImmediate on the list */
    _Atomic bool is_submitted;   /* whether the newest recording of the list was submitted */
    /* How many WriteBufferImmediate calls the recording has, including the layer's own. */
    uint32_t writes;
    struct layer_places {
        uint32_t *places; /* which of `writes` are the program's; guarded by the device's lock */
        uint32_t count, capacity;
        bool is_cut; /* whether memory ran out, so `places` lacks some calls */
    } own_writes;
    struct crash_wait fences[CRASH_SIGNALS]; /* with `list` 0: signals of fences */
    uint32_t fence_count;
    uint32_t followed; /* how many markers the outer stream has so far */
    uint64_t newest;   /* EventID of the newest marker that the GPU follows */
    /* The state, for level "exact". The pipeline is only an address; the pipeline may be gone. */
    struct list_state noted;
    bool is_noted; /* whether `noted` has state of the open recording */
};

/* The lists of one ExecuteCommandLists call. The queue reuses the memory for the next call. */
struct layer_batch {
    annot_context **contexts;
    annot_prologue *prologues;
    uint32_t *places;          /* for each list of the call, its index in `contexts` */
    ID3D12CommandList **ours;  /* the layer's list in front of each list, or NULL */
    ID3D12CommandList **lists; /* the program's `count` lists, and the layer's lists between */
    uint32_t count, capacity;
    bool has_ours;
};

struct layer_queue {
    struct layer_mirror mirror;
    ID3D12CommandQueue *real; /* the runtime's own queue, without a reference */
    struct crash_queue crash;
    struct crash_waiter waiter;
    pthread_mutex_t lock;
    ID3D12Fence
        *done; /* the layer's fence with the completed serial; NULL: completion is unknown */
    ID3D12Fence *
        begun; /* the layer's fence with the serial of the last submission that the queue reached */
    bool tells_begun;         /* true: `begun` is signaled before each submission */
    bool has_waited;          /* a Wait came after the last submission; guarded by
                                 `lock` */
    uint64_t serial;          /* serial of the submission being made */
    _Atomic uint64_t waited;  /* serial of the last submission that came after a Wait */
    struct layer_batch batch; /* the lock guards `batch` and `seams` */
    struct layer_seam *seams; /* the layer's lists between the program's, oldest first (seam.c) */
    bool is_gone;             /* whether the object is gone; guarded by the device's lock */
    D3D12_COMMAND_LIST_TYPE type;
    struct layer_queue *next;
};

struct layer_memory {
    void *mapped; /* memory of the breadcrumb words; NULL: the GPU can't write words */
    bool is_own;  /* whether the memory is pages of the process, which survive the device */
    ID3D12Heap *heap;
    ID3D12Resource *buffer;
    D3D12_GPU_VIRTUAL_ADDRESS address;
};

/* DRED's data about a removed device. */
struct layer_crumbs {
    annot_crumbs rows[LAYER_NODES];
    uint32_t count, cut;    /* `cut`: number of breadcrumb nodes beyond LAYER_NODES */
    uint64_t fault_address; /* 0: no page fault */
    /* Names of the objects at the faulting address: of existing objects, of freed objects. */
    char existing[256], freed[256];
    bool has_existing, has_freed;
    annot_allocation_range ranges[2]; /* address ranges of existing and freed allocations */
    uint32_t range_count;
    annot_object *existing_object; /* the object whose name a dump shows */
    char indirect[400];
};

/* DRED's settings when the device was created. */
struct layer_dred {
    bool is_there;        /* whether the runtime has DRED, and its data can be read */
    bool has_breadcrumbs; /* whether the system allows breadcrumbs */
    /* Whether the layer hides parts of DRED that only the layer enabled, not the program. */
    bool hides_breadcrumbs, hides_page_faults;
    bool is_programs; /* the program enabled breadcrumbs */
    bool is_markers_only;
};

/* The two forms of the layer's own ID3D12DeviceTools2: as published and as specified (tools.c). */
enum { LAYER_LETTERS = 2 };
struct layer_tools {
    ID3D12DeviceTools2 iface;
    struct layer_device *device;
    unsigned letter;
};

struct layer_device {
    struct layer_mirror mirror;
    struct object *object; /* the program's wrapper of the device, which outlives the device */
    ID3D12Device *real;    /* the runtime's own device, without a reference */
    /* The strongest evidence that works: IMMEDIATE (words in any memory), COPY or FENCE. */
    enum layer_evidence evidence;
    struct layer_dred dred;
    struct layer_crumbs *crumbs; /* memory for DRED's breadcrumbs, which a dump gets */
    UINT writes_flags;           /* D3D12_COMMAND_LIST_SUPPORT_FLAGS for words */
    _Atomic bool has_own_writes; /* whether any list has layer_list.has_own_writes */
    _Atomic bool has_straddling; /* whether any list begins or ends inside a render pass */
    struct layer_memory memory;
    /* A buffer in which word n has the value n. GPU copies write breadcrumbs from it. */
    struct layer_table *constants;
    /* The layer's reference to a fence, which shows when the program's last object is gone. */
    ID3D12Fence *anchor;
    atomic_uint held;   /* references to the runtime's device that the layer's objects hold */
    unsigned per_child; /* how many references to the runtime's device each layer object holds */
    struct crash_device crash;
    struct layer_tools tools[LAYER_LETTERS];
    atomic_uint mode;     /* the annot_mode of the program, if the runtime has no modes */
    pthread_mutex_t lock; /* guards the members below */
    struct layer_mirror *mirrors;
    struct layer_queue *queues;
    struct layer_ranges buffers, heaps; /* objects by GPU address, and by descriptors' address */
    struct crash_memory freed;          /* destroyed buffers */
    /* LAYER_INDIRECTS; a newer one takes an older one's place. NULL: the level isn't "exact". */
    struct layer_indirect *indirects;
    struct layer_device *next;
};

extern struct crash_settings layer_settings;

/* ---- the annotation mode ---- */

/* Prepares the layer's ID3D12DeviceTools2 for a device, after its annot device was made. */
void layer_tools_open(struct layer_device *device);
/* Gives the program the layer's own answer if the runtime refused an interface version. The call is
 * a QueryInterface, GetDevice, creation of a device, CheckFeatureSupport or Set...Mode. */
void layer_tools_answer(struct call *call, const uint64_t *args, uint64_t *result);

/* ---- mirrors ---- */

/* Call this function once, before the other functions. `of` returns the mirror of a device, and
 * makes a mirror if the device has none. `of` returns NULL if memory runs out. */
void layer_registry_open(struct layer_device *(*of)(struct object *device));
/* Returns the mirror of a device; makes it if it doesn't exist. `object` is the device or its
 * child. NULL: `object` is something else, or memory ran out. */
struct layer_device *layer_device_of_any(struct object *object);

/* Returns the layer's data about the object (its mirror), or NULL if there is none yet. */
static inline struct layer_mirror *layer_mirror_of(const struct object *object)
{
    struct layer_mirror *mirror = (struct layer_mirror *)object_note(object, OBJECT_NOTE_CRASH);
    return mirror && mirror->device ? mirror : NULL;
}
/* Makes a zeroed mirror (data about an object) with its annotation object. NULL: out of memory. */
void *layer_mirror_create(struct layer_device *device, const struct layer_class *of,
                          uint32_t handle_type, uint32_t list_type);
/* Gives the mirror to the object, and returns it. If another thread was faster, destroys this
 * mirror and returns the mirror of the other thread. */
struct layer_mirror *layer_mirror_publish(struct object *object, struct layer_mirror *mirror);
/* Returns the object's mirror of this kind; makes and publishes a missing mirror. NULL: the mirror
 * has another kind, or memory ran out. */
struct layer_mirror *layer_mirror_need(struct object *object, enum layer_kind kind,
                                       struct layer_mirror *(*create)(struct layer_device *device,
                                                                      const struct object *object));
/* Releases what a mirror (the layer's data about an object) owns, but doesn't free the mirror. */
void layer_mirror_finish(struct layer_mirror *mirror);

/* Call layer_device_hold before the layer makes or destroys an object of its own, and
 * layer_device_let_go afterwards. */
void layer_device_hold(struct layer_device *device);
void layer_device_let_go(struct layer_device *device);

/* ---- devices ---- */

/* Returns a device's mirror (the layer's data), which may be new. NULL means out of memory. */
struct layer_device *layer_device_of(struct object *device);
/* Called when the runtime's object of this mirror (the layer's data about it) is gone. */
void layer_mirror_gone(uintptr_t note);
/* Notes that the program called AddRef or Release, with its result. */
void layer_device_counted(struct object *self, bool is_release, uint64_t *result);
/* Ends devices that are not in use any more. Called when the program's last reference to an object
 * that isn't a device is gone. */
void layer_devices_sweep(void);

/* ---- ranges: find resources and descriptor heaps by address, under the device's lock ---- */

extern const struct layer_class layer_resources, layer_heaps, layer_signatures;

/* Adds a range of addresses. If memory runs out, the range can't be found. */
void layer_range_add(struct layer_ranges *ranges, const struct layer_range *range);
/* Returns the range at an address; NULL: no range has the address, or several have it. */
const struct layer_range *layer_range_at(const struct layer_ranges *ranges, uint64_t address);
/* Frees all ranges of a device that ends. */
void layer_ranges_finish(struct layer_device *device);

/* ---- names ---- */

/* Returns an object's mirror, or makes it. Not for devices. NULL: out of memory. */
struct layer_mirror *layer_mirror_for(struct object *object);
void layer_name_set(struct object *object, const void *name, size_t units, unsigned unit);

/* ---- allocators and lists ---- */

struct layer_allocator *layer_allocator_of(struct object *object);
/* Called when the Reset of an allocator has succeeded. */
void layer_allocator_reset(struct object *object);

struct layer_list *layer_list_of(struct object *object);
/* Notes that the list `object` begins a recording through the allocator. */
void layer_list_open(struct object *object, struct object *allocator, void *pipeline);
/* Callbacks (client_direct) for calls on lists. Those for markers get metadata, data and size. */
void layer_list_close(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3);
void layer_list_begin(struct object *object, uint64_t metadata, uint64_t data, uint64_t size);
void layer_list_set(struct object *object, uint64_t metadata, uint64_t data, uint64_t size);
void layer_list_end(struct object *object, uint64_t none, uint64_t none_2, uint64_t none_3);
void layer_list_execute_bundle(struct object *object, struct object *bundle);
/* Ends the inner stream if it has no open marker. Call it before you note data outside markers. */
void layer_list_notes(struct layer_list *list);
/* Called before a command of the list gives the GPU work. */
void layer_list_works(struct object *object);
/* Notes the begin or the end of a render pass. `flags` are D3D12_RENDER_PASS_FLAGS. */
void layer_list_begin_pass(struct object *object, uint32_t flags);
void layer_list_end_pass(struct object *object);
/* The reason why layer_list_block forbids copies, or allows them again. */
enum layer_block { LAYER_PREDICATED, LAYER_PROTECTED };
void layer_list_block(struct object *object, enum layer_block why, bool is_blocked);
extern const annot_driver layer_driver;

/* ---- level exact ---- */

/* Whether calls of this method do work on the GPU. */
bool layer_is_work(uint16_t method);
/* Whether calls of this method run the list's pipeline. */
bool layer_runs_pipeline(uint16_t method);
/* Called before and after a call that gives the GPU work; layer_list_work makes a marker for it. */
void layer_list_work(struct object *object, uint16_t method, const uint64_t *args);
void layer_list_worked(struct object *object);
/* Notes the call in its marker. `indirect` is the kind of work of an ExecuteIndirect. */
void layer_operation_note(struct layer_list *list, uint16_t method, const uint64_t *args,
                          enum list_work indirect);
/* Notes a new pipeline. The method made it from the description in `args`, or loaded it from a
 * library with this description. */
void layer_pipeline_made(struct object *object, uint16_t method, const uint64_t *args);
/* Returns annot_object_id of the object whose wrapper is at this address. If it is a resource, also
 * describes it. 0: no wrapper. */
uint64_t layer_bound_id(uint64_t pointer);
/* Returns the object of a wrapper, with its subresource number `subresource` (D3D12's index). */
struct list_view layer_bound_view(uint64_t pointer, uint32_t subresource);
/* layer_bound_use adds the objects that this work uses; layer_bound_add_view adds the objects of a
 * descriptor. */
void layer_bound_use(const struct layer_list *list, enum list_work work, struct list_objects *to);
void layer_bound_add_view(const struct layer_list *list, uint64_t address, annot_bound_role role,
                          struct list_objects *to);
/* Returns what the signature's commands do in a list that executes them. */
const struct list_indirect *layer_bound_indirect(struct layer_list *list, uint64_t signature);
/* Notes an ExecuteIndirect after its marker has begun. */
void layer_indirect_note(struct layer_list *list, const uint64_t *args,
                         const struct list_indirect *sets);
/* Adds a fact about the first ExecuteIndirect in progress. `device` is locked. */
struct crash_dump;
void layer_indirect_tell(struct layer_device *device, struct crash_dump *dump,
                         const annot_progress *rows, uint32_t count);
/* Whether this method's calls bind objects; layer_bound_call notes such a call before it is made.
 */
bool layer_bound_is_asked(uint16_t method);
void layer_bound_call(struct object *self, uint16_t method, const uint64_t *args);
/* Notes the object that a call of this method has created. `made` may be NULL. */
void layer_bound_made(struct object *made, uint16_t method, const uint64_t *args);
/* ---- evidence ---- */

/* Finds out which kinds of evidence work on the device. Called once. */
void layer_evidence_open(struct layer_device *device);
void layer_evidence_finish(struct layer_device *device);

/* ---- memory ---- */

/* Makes memory for the GPU's breadcrumb words. Returns false if the device doesn't support it. */
bool layer_memory_open_own(struct layer_device *device);
bool layer_memory_open_readback(struct layer_device *device);
void layer_memory_finish(struct layer_device *device);
/* Makes a buffer that stays mapped. With D3D12_HEAP_TYPE_CUSTOM, the processor caches the memory
 * and shaders write it. NULL: the runtime refuses the buffer. */
void *layer_buffer_create(struct layer_device *device, D3D12_HEAP_TYPE type, UINT64 size,
                          D3D12_RESOURCE_STATES state, void **mapped);
void layer_release(struct layer_device *device, void *buffer);

/* ---- words ---- */

bool layer_device_has_words(const struct layer_device *device);
/* Returns the type of a list's interface that can write breadcrumb words. */
uint16_t layer_words_writer(const struct layer_device *device);
bool layer_words_are_written(const struct layer_device *device, const struct layer_list *list);
/* Whether a write of a breadcrumb word can be recorded at this place of the list. */
bool layer_words_may_come(const struct layer_list *list);
/* Records a breadcrumb write before the next work (is_started) or after all earlier work. */
void layer_words_write(const struct layer_device *device, struct layer_list *list, bool is_started,
                       uint32_t value);
/* Records the GPU's writes of an execution's annot_prologue. */
void layer_words_write_prologue(const struct layer_device *device, void *writer,
                                const annot_prologue *prologue);
/* The kinds of evidence that the layer tested on the device, and those that worked. */
struct layer_found {
    bool own_memory, readback, was_tried, came;
    bool copies_came;
    enum layer_ordered { LAYER_ORDER_UNKNOWN, LAYER_ORDER_COPIES, LAYER_ORDER_DISPATCHES } ordered;
    /* Numbers of observations of work between two breadcrumb words. between: only the first was
     * there; late: work had begun without a word; early: unfinished work had both words. */
    uint32_t between, late, early;
};
/* Records a GPU write of a value below LAYER_CONSTANTS. `list` must be able to write words. */
enum { LAYER_CONSTANTS = 256 };
void layer_word_write(const struct layer_device *device, void *list, uint64_t offset,
                      uint32_t value, D3D12_WRITEBUFFERIMMEDIATE_MODE mode);
/* Tests whether two breadcrumb words arrive in memory while their list runs. */
bool layer_probe_words(struct layer_device *device);
/* Writes words between dispatches of count.hlsl, or between copies if dispatches fail, and reads
 * these words while the GPU works. */
void layer_probe_order(struct layer_device *device, struct layer_found *found);
/* Makes the buffer from which copies write breadcrumb values. Returns false if memory runs out. */
bool layer_copies_open(struct layer_device *device);
void layer_copies_finish(struct layer_device *device);
void layer_copies_write_constant(const struct layer_device *device, void *list, uint64_t offset,
                                 uint32_t value);
void layer_copies_write(const struct layer_device *device, struct layer_arena *arena, void *list,
                        uint64_t offset, uint32_t value);
/* Call layer_copies_reset when the arena's recordings won't be executed again, and
 * layer_copies_leave at the arena's end. */
void layer_copies_reset(struct layer_arena *arena);
void layer_copies_leave(struct layer_arena *arena);
/* Whether the user wants lines about evidence (--probe). layer_tell prints such lines. */
bool layer_is_asked(void);
void layer_tell(const struct layer_device *device, UINT immediate, const struct layer_found *found);
const char *layer_evidence_text(const struct layer_device *device);

/* ---- DRED ---- */

/* Notes that the program itself changed a setting of DRED. */
void layer_dred_chosen(uint16_t method, uint64_t value);
/* layer_dred_enable is called before a device is made, layer_dred_open after that. */
/* Returns the runtime's ID3D12DeviceRemovedExtendedDataSettings, with a reference, or NULL. */
void *layer_dred_settings(void);
void layer_dred_enable(void);
void layer_dred_open(struct layer_device *device);
/* Whether the program's DRED breadcrumbs would also count the layer's copies of words. */
bool layer_dred_counts_copies(const struct layer_device *device);
/* Whether the method returns output of DRED. layer_dred_pass is called before such a call,
 * layer_dred_answer after it. */
bool layer_dred_is_asked(uint16_t method);
void layer_dred_pass(struct object *data, uint16_t method, uint64_t *args);
void layer_dred_answer(struct object *data, uint16_t method, const uint64_t *args,
                       uint64_t *result);
/* Restores the program's own DRED settings in a D3D12_DEVICE_CONFIGURATION_DESC. */
void layer_dred_describe(struct object *configuration, void *desc);
/* Called when the recording of a list begins. */
void layer_dred_begin(struct layer_list *list);
/* Notes a WriteBufferImmediate that the program itself calls on the list. `list` may be NULL. */
void layer_dred_written(struct layer_list *list);
/* Reads the data of DRED if the device is removed. `rows` has all executions in flight; `out` is
 * zeroed. */
void layer_dred_read(struct layer_device *device, const annot_progress *rows, uint32_t count,
                     struct layer_crumbs *out);
void layer_dred_give(struct layer_crumbs *crumbs);

/* ---- queues ---- */

struct layer_queue *layer_queue_of(struct object *object);
void layer_queue_submit(struct object *object, uint32_t count, const uint64_t *lists);
/* Changes the arguments for the runtime: adds the layer's lists in front of the program's lists. */
void layer_queue_pass(struct object *object, uint64_t *args);
/* Called after ExecuteCommandLists of the runtime. Signals the layer's fence, and returns the
 * signal's result. */
uint32_t layer_queue_submitted(struct object *object);
void layer_queue_marker(struct object *object, bool is_scope, const uint64_t *args);
void layer_queue_end(struct object *object);
/* Whether the queue has reached the submission `serial`. If so, all earlier submissions are
 * complete. */
enum layer_reached { LAYER_REACHED_UNKNOWN, LAYER_NOT_REACHED, LAYER_REACHED };
enum layer_reached layer_queue_reached(const struct layer_queue *queue, uint64_t serial);
/* Reads the fences of all queues. Returns false if the device is removed. Never waits. */
bool layer_device_poll(struct layer_device *device);

/* Makes a fence for the layer's own use. NULL means out of memory. */
ID3D12Fence *layer_fence_create(struct layer_device *device);
/* Notes a value of the program's fence `fence`; NULL is ignored. */
void layer_fence_note(struct object *fence, enum crash_fence_note note, uint64_t value);
/* Notes that the program told a queue to wait for a fence's value, or to signal it. */
void layer_queue_told(struct object *object, bool is_wait, struct object *fence, uint64_t value);
/* Notes that a list waits for a fence's value, or signals it. */
void layer_list_told(struct object *object, bool is_wait, struct object *fence, uint64_t value);

/* Makes a closed list that writes the prologue of submission `serial`. NULL: out of memory. */
ID3D12CommandList *layer_seam_record(struct layer_queue *queue, uint64_t serial,
                                     const annot_prologue *prologue);
void layer_seams_finish(struct layer_queue *queue);

/* ---- callbacks ---- */

/* Whether the method registers a callback. The layer's callback then replaces and calls it. */
bool layer_callback_is_asked(uint16_t method);
void layer_callback_pass(uint16_t method, uint64_t *args);

/* ---- crashes ---- */

/* If the call returned a device loss, writes the device's dump, or waits for it. */
void layer_check(struct object *object, uint16_t method, uint64_t result);
/* Looks for a loss when a call can't report one: reads the queues' progress, and asks whether the
 * device is removed. */
void layer_notice(struct object *object, uint16_t method);
void layer_watch(struct layer_device *device);
