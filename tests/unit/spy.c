#include "spy.h"

#include <pthread.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* ---- the driver ---- */

struct spy_log spy_calls;

uint64_t spy_hash(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static void note(struct spy_call call)
{
    if (spy_calls.count == spy_calls.capacity) {
        spy_calls.capacity = spy_calls.capacity ? spy_calls.capacity * 2 : 64;
        spy_calls.calls = realloc(spy_calls.calls, spy_calls.capacity * sizeof call);
    }
    spy_calls.calls[spy_calls.count++] = call;
}

static void note_marker(enum spy_function function, void *handle, uint32_t metadata,
                        const void *data, uint32_t size, uint64_t id)
{
    note((struct spy_call){.function = function,
                           .handle = handle,
                           .metadata = metadata,
                           .data = data,
                           .size = size,
                           .id = id,
                           .hash = spy_hash(data, size)});
}

static void ANNOT_DDI_CALL queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_QUEUE_BEGIN, queue.pDrvPrivate, metadata, data, size, id);
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    note((struct spy_call){.function = SPY_QUEUE_END, .handle = queue.pDrvPrivate, .id = id});
}

static void ANNOT_DDI_CALL queue_set(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_QUEUE_SET, queue.pDrvPrivate, metadata, data, size, id);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_LIST_BEGIN, list.pDrvPrivate, metadata, data, size, id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    note((struct spy_call){.function = SPY_LIST_END, .handle = list.pDrvPrivate, .id = id});
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t id)
{
    note_marker(SPY_LIST_SET, list.pDrvPrivate, metadata, data, size, id);
}

wchar_t spy_wide_name[64];
size_t spy_name_unit;

/* Whether the `unit` bytes at `text` are a character and not the end. */
static bool is_character(const unsigned char *text, size_t unit)
{
    for (size_t i = 0; i < unit; i++)
        if (text[i])
            return true;
    return false;
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    const unsigned char *text = (const unsigned char *)name;
    memset(spy_wide_name, 0, sizeof spy_wide_name);
    for (size_t at = 0; text && spy_name_unit && at + 2 * spy_name_unit <= sizeof spy_wide_name &&
                        is_character(text + at, spy_name_unit);
         at += spy_name_unit)
        memcpy((char *)spy_wide_name + at, text + at, spy_name_unit);
    note((struct spy_call){
        .function = SPY_NAME, .handle = object.Handle, .type = object.Type, .name = name});
}

const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 spy_table = {
    .pfnCmdQueueBeginEvent = queue_begin,
    .pfnCmdQueueEndEvent = queue_end,
    .pfnCmdQueueSetMarker = queue_set,
    .pfnCmdListBeginEvent = list_begin,
    .pfnCmdListEndEvent = list_end,
    .pfnCmdListSetMarker = list_set,
    .pfnSetName = set_name,
};

const annot_driver spy_driver = {"spy", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
                                 &spy_table, 0};

void spy_forget_calls(void)
{
    spy_calls.count = 0;
}

const struct spy_call *spy_last(void)
{
    return spy_calls.count ? &spy_calls.calls[spy_calls.count - 1] : NULL;
}

/* ---- messages ---- */

struct spy_messages spy_said;

static struct {
    annot_message_id id;
    unsigned count;
} tally[16];

void spy_message(void *user, const annot_message *message)
{
    (void)user;
    spy_said.count++;
    spy_said.id = message->id;
    spy_said.severity = message->severity;
    strncpy(spy_said.text, message->text, sizeof spy_said.text - 1);
    for (size_t i = 0; i < sizeof tally / sizeof tally[0]; i++)
        if (tally[i].id == message->id || tally[i].count == 0) {
            tally[i].id = message->id;
            tally[i].count++;
            return;
        }
}

void spy_forget_messages(void)
{
    memset(&spy_said, 0, sizeof spy_said);
    memset(tally, 0, sizeof tally);
}

unsigned spy_said_how_often(annot_message_id id)
{
    for (size_t i = 0; i < sizeof tally / sizeof tally[0]; i++)
        if (tally[i].count && tally[i].id == id)
            return tally[i].count;
    return 0;
}

/* ---- memory ---- */

struct block {
    void *memory;
    size_t size;
    UT_hash_handle hh;
};

struct spy_memory spy_heap;
static struct block *blocks;
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;

static bool fails_now(void)
{
    size_t number = ++spy_heap.allocations;
    return spy_heap.fail_at &&
           (number == spy_heap.fail_at || (spy_heap.fail_from && number > spy_heap.fail_at));
}

static void *heap_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    if (spy_heap.trap)
        abort();
    pthread_mutex_lock(&heap_lock);
    void *memory = NULL;
    spy_heap.wrong += size == 0; /* for which an allocator may have nothing */
    struct block *block = fails_now() ? NULL : malloc(sizeof *block);
    if (block && posix_memalign(&memory, alignment < 16 ? 16 : alignment, size) != 0) {
        free(block);
    } else if (block) {
        memset(memory, 0xA5, size); /* nobody may count on zeros */
        *block = (struct block){.memory = memory, .size = size};
        HASH_ADD_PTR(blocks, memory, block);
        spy_heap.blocks++;
        spy_heap.bytes += size;
    }
    pthread_mutex_unlock(&heap_lock);
    return memory;
}

static void heap_release(void *user, void *memory, size_t size)
{
    (void)user;
    if (spy_heap.trap)
        abort();
    pthread_mutex_lock(&heap_lock);
    struct block *block;
    HASH_FIND_PTR(blocks, &memory, block);
    if (!block || block->size != size) {
        spy_heap.wrong++;
    } else {
        HASH_DEL(blocks, block);
        spy_heap.blocks--;
        spy_heap.bytes -= size;
        free(block);
        memset(memory, 0x5A, size); /* who still reads it is found out */
        free(memory);
    }
    pthread_mutex_unlock(&heap_lock);
}

const annot_allocator spy_allocator = {NULL, heap_allocate, heap_release};

/* ---- devices and children ---- */

annot_device *spy_device(annot_mode mode, uint64_t budget)
{
    annot_device_desc desc = spy_desc();
    desc.driver = &spy_driver;
    desc.memory_budget = budget;
    desc.message = spy_message;
    annot_device *device = NULL;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    cr_assert_eq(annot_device_set_mode(device, mode), ANNOT_OK);
    return device;
}

void spy_device_done(annot_device *device)
{
    annot_device_destroy(device);
    cr_assert_eq(spy_heap.blocks, 0, "%zu blocks were kept", spy_heap.blocks);
    cr_assert_eq(spy_heap.wrong, 0, "%zu releases with a wrong size", spy_heap.wrong);
}

static struct spy_child child_make(annot_device *device, D3D12DDI_HANDLETYPE kind,
                                   uint32_t list_type, void *handle)
{
    annot_object_desc desc = {.kind = kind, .list_type = list_type, .driver_handle = handle};
    struct spy_child child = {NULL, NULL};
    cr_assert_eq(annot_object_create(device, &desc, &child.object), ANNOT_OK);
    cr_assert_eq(annot_context_create(child.object, &child.context), ANNOT_OK);
    return child;
}

struct spy_child spy_list(annot_device *device, uint32_t list_type, void *handle)
{
    return child_make(device, D3D12DDI_HT_COMMAND_LIST, list_type, handle);
}

struct spy_child spy_queue(annot_device *device, uint32_t list_type, void *handle)
{
    return child_make(device, D3D12DDI_HT_COMMAND_QUEUE, list_type, handle);
}

void spy_child_done(struct spy_child child)
{
    annot_context_destroy(child.context);
    annot_object_destroy(child.object);
}

annot_arena *spy_arena(annot_device *device)
{
    annot_arena *arena = NULL;
    cr_assert_eq(annot_arena_create(device, &arena), ANNOT_OK);
    return arena;
}

void *spy_handle(size_t number)
{
    static char places[256];
    return &places[number % sizeof places];
}

annot_device_stats spy_stats(const annot_device *device)
{
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    return stats;
}

uint64_t spy_mark(annot_context *context, uint32_t size)
{
    static const char payload[1 << 21];
    annot_context_set_marker(context, 0, payload, size);
    return spy_last()->id;
}

annot_lookup spy_lookup(annot_device *device, uint64_t id)
{
    annot_marker_info info;
    return annot_device_lookup(device, id, &info, NULL, 0);
}

void spy_device_ended(annot_device **device)
{
    spy_device_done(*device);
}

void spy_arena_ended(annot_arena **arena)
{
    annot_arena_destroy(*arena);
}

void spy_object_ended(annot_object **object)
{
    annot_object_destroy(*object);
}

void spy_child_ended(struct spy_child *child)
{
    spy_child_done(*child);
}

void spy_writer_ended(annot_dump_writer **writer)
{
    annot_dump_writer_destroy(*writer);
}
