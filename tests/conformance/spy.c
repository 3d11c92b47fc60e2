#include "spy.h"

#include "case.h"
#include "os.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that never move: a call that was handed out stays valid. */
enum { BLOCK_CALLS = 256 };

struct block {
    struct block *next;
    struct spy_call calls[BLOCK_CALLS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *first, *last;
static size_t count;
static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *pass_on;

static void *need(void *memory)
{
    if (!memory) {
        case_note("the suite itself ran out of memory");
        case_stop(NULL);
    }
    return memory;
}

static void note(const struct spy_call *call)
{
    pthread_mutex_lock(&lock);
    if (count % BLOCK_CALLS == 0) {
        struct block *block = need(calloc(1, sizeof *block));
        if (last)
            last->next = block;
        else
            first = block;
        last = block;
    }
    last->calls[count % BLOCK_CALLS] = *call;
    last->calls[count % BLOCK_CALLS].thread = os_thread_id();
    count++;
    pthread_mutex_unlock(&lock);
}

static void note_marker(enum spy_function function, void *handle, UINT metadata, const void *data,
                        UINT size, uint64_t id)
{
    struct spy_call call = {.function = function,
                            .handle = handle,
                            .metadata = metadata,
                            .size = size,
                            .event_id = id,
                            .data = data};
    if (size != 0 && data) {
        uint8_t *bytes = need(malloc(size));
        memcpy(bytes, data, size);
        call.bytes = bytes;
    }
    note(&call);
}

static void ANNOT_DDI_CALL queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_QUEUE_BEGIN, queue.pDrvPrivate, metadata, data, size, id);
    if (pass_on)
        pass_on->pfnCmdQueueBeginEvent(queue, metadata, data, size, id);
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    note_marker(SPY_QUEUE_END, queue.pDrvPrivate, 0, NULL, 0, id);
    if (pass_on)
        pass_on->pfnCmdQueueEndEvent(queue, id);
}

static void ANNOT_DDI_CALL queue_set(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_QUEUE_SET, queue.pDrvPrivate, metadata, data, size, id);
    if (pass_on)
        pass_on->pfnCmdQueueSetMarker(queue, metadata, data, size, id);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t id)
{
    note_marker(SPY_LIST_BEGIN, list.pDrvPrivate, metadata, data, size, id);
    if (pass_on)
        pass_on->pfnCmdListBeginEvent(list, metadata, data, size, id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    note_marker(SPY_LIST_END, list.pDrvPrivate, 0, NULL, 0, id);
    if (pass_on)
        pass_on->pfnCmdListEndEvent(list, id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t id)
{
    note_marker(SPY_LIST_SET, list.pDrvPrivate, metadata, data, size, id);
    if (pass_on)
        pass_on->pfnCmdListSetMarker(list, metadata, data, size, id);
}

static void ANNOT_DDI_CALL set_name(D3D12DDI_HANDLE_AND_TYPE object, const ANNOT_DDI_WCHAR *name)
{
    struct spy_call call = {.function = SPY_NAME, .handle = object.Handle, .type = object.Type};
    if (name) {
        while (name[call.name_length] != 0)
            call.name_length++;
        WCHAR *copy = need(malloc((call.name_length + 1) * sizeof *copy));
        memcpy(copy, name, (call.name_length + 1) * sizeof *copy);
        call.name = copy;
    }
    note(&call);
    if (pass_on)
        pass_on->pfnSetName(object, name);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table = {
    .pfnCmdQueueBeginEvent = queue_begin,
    .pfnCmdQueueEndEvent = queue_end,
    .pfnCmdQueueSetMarker = queue_set,
    .pfnCmdListBeginEvent = list_begin,
    .pfnCmdListEndEvent = list_end,
    .pfnCmdListSetMarker = list_set,
    .pfnSetName = set_name,
};

const annot_driver *spy_driver(const annot_driver *next)
{
    static annot_driver driver = {.name = "spy", .annotation = &table};
    driver.annotation_version =
        next ? next->annotation_version : D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0;
    pass_on = next ? next->annotation : NULL;
    return &driver;
}

const annot_driver *spy_driver_without_feature(void)
{
    static annot_driver driver;
    driver = *spy_driver(NULL);
    driver.annotation_version = 0;
    return &driver;
}

/* ---- what was heard ---- */

static const struct spy_call *find(size_t number)
{
    const struct block *block = first;
    for (; number >= BLOCK_CALLS; number -= BLOCK_CALLS)
        block = block->next;
    return &block->calls[number];
}

size_t spy_count(void)
{
    pthread_mutex_lock(&lock);
    const size_t now = count;
    pthread_mutex_unlock(&lock);
    return now;
}

size_t spy_count_of(enum spy_function function)
{
    size_t found = 0, left = spy_count();
    for (const struct block *block = first; left > 0; block = block->next)
        for (size_t i = 0; i < BLOCK_CALLS && left > 0; i++, left--)
            found += block->calls[i].function == function;
    return found;
}

size_t spy_count_on(const void *handle)
{
    size_t found = 0, left = spy_count();
    for (const struct block *block = first; left > 0; block = block->next)
        for (size_t i = 0; i < BLOCK_CALLS && left > 0; i++, left--)
            found += block->calls[i].handle == handle;
    return found;
}

const struct spy_call *spy_at(size_t number)
{
    const size_t now = spy_count();
    if (number >= now) {
        case_note("driver call %zu is wanted, there were only %zu", number, now);
        case_stop(NULL);
    }
    return find(number);
}

const struct spy_call *spy_last(void)
{
    return spy_at(spy_count() - 1);
}

void spy_forget(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        const struct spy_call *call = find(i);
        free((void *)(uintptr_t)call->bytes);
        free((void *)(uintptr_t)call->name);
    }
    for (struct block *block = first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    first = last = NULL;
    count = 0;
    pthread_mutex_unlock(&lock);
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void spy_expect_unique_ids(size_t wanted)
{
    const size_t end = spy_count();
    size_t found = 0;
    uint64_t *ids = need(malloc((end + 1) * sizeof *ids));
    for (size_t i = 0; i < end; i++) {
        const struct spy_call *call = spy_at(i);
        if (call->function == SPY_LIST_END || call->function == SPY_QUEUE_END ||
            call->function == SPY_NAME)
            continue;
        EXPECT(call->event_id != 0);
        ids[found++] = call->event_id;
    }
    EXPECT_EQ(found, wanted);
    qsort(ids, found, sizeof *ids, compare_ids);
    for (size_t i = 1; i < found; i++)
        EXPECT(ids[i] != ids[i - 1]);
    free(ids);
}

bool spy_expect_marker(size_t number, enum spy_function function, UINT metadata, const void *data,
                       UINT size, const char *file, int line)
{
    const struct spy_call *call = spy_at(number);
    bool same = case_check_equal(call->function, function, file, line, "the call's function",
                                 "the expected one", NULL, 0);
    same &= case_check_equal(call->metadata, metadata, file, line, "the driver's Metadata",
                             "the application's", NULL, 0);
    same &= case_check_equal(call->size, size, file, line, "the driver's Size", "the application's",
                             NULL, 0);
    return same && case_check_bytes(call->bytes, data, size, file, line, "the driver's pData");
}
