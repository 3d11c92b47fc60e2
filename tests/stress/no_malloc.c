/* Writing a dump calls neither the device's allocator nor malloc: both trap here, on a device with
 * a bit of everything [ANN-CRASH, dump.h: "writing then allocates nothing"]. Under a sanitizer or
 * another C library than glibc malloc can't be taken over, and only the first is tested. */
#include "checks.h"

#include <annot/dump.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define TAKES_OVER 1
#else
#define TAKES_OVER 0
#endif

static volatile bool trapping; /* the compiler thinks it knows malloc */
static volatile unsigned trapped;

#if TAKES_OVER
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size)
{
    trapped += trapping;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    trapped += trapping;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    trapped += trapping;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    trapped += trapping;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    trapped += trapping;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : 12;
}

void free(void *memory)
{
    trapped += trapping;
    __libc_free(memory);
}
#endif

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    trapped += trapping;
    void *memory = NULL;
    return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size)
               ? NULL
               : memory;
}

static void release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    trapped += trapping;
    free(memory);
}

static bool swallow(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return true;
}

static bool refuse(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return false;
}

int main(void)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.allocator = (annot_allocator){NULL, allocate, release};
    desc.force_driver_retail = true;
    annot_device *device;
    annot_object *objects[3];
    annot_context *contexts[2];
    annot_arena *arena;
    annot_dump_writer *writer;
    static const char payload[200000];
    static const D3D12DDI_HANDLETYPE kinds[] = {D3D12DDI_HT_COMMAND_LIST, D3D12DDI_HT_COMMAND_QUEUE,
                                                D3D12DDI_HT_FENCE};
    if (annot_device_create(&desc, &device) || annot_arena_create(device, &arena) ||
        annot_dump_writer_create(device, &writer))
        return 1;
    for (int i = 0; i < 3; i++) {
        annot_object_desc object = {.kind = kinds[i], .driver_handle = &objects[i]};
        if (annot_object_create(device, &object, &objects[i]))
            return 1;
        annot_object_set_name(objects[i], "name", ANNOT_TEXT_UTF8);
        if (i < 2 && annot_context_create(objects[i], &contexts[i]))
            return 1;
    }
    annot_object_destroy(objects[2]);
    annot_context_open(contexts[0], arena);
    for (uint32_t i = 0; i < 20000; i++) {
        annot_context_begin_event(contexts[0], 0, payload, i % 300);
        annot_context_set_marker(contexts[1], 0, payload, i % 30);
        annot_context_end_event(contexts[0]);
    }
    annot_context_set_marker(contexts[0], 0, payload, sizeof payload);
    annot_context_close(contexts[0]);
    annot_context_submit(contexts[1], contexts, 1);

    annot_progress row = {.queue = annot_object_id(objects[1]), .submission = 1};
    annot_crash_report report = {.size = sizeof report,
                                 .progress = &row,
                                 .progress_count = 1,
                                 .fault_address = 1,
                                 .blob = payload,
                                 .blob_size = sizeof payload};
    annot_blob blob = {ANNOT_BLOB_KERNEL, 0, payload, sizeof payload};
    annot_dump_info info = {.application = "a",
                            .adapter = "b",
                            .reason = "c",
                            .report = &report,
                            .blobs = &blob,
                            .blob_count = 1};
    annot_dump_sink good = {NULL, swallow, swallow}, bad = {NULL, refuse, refuse};
    char folder[] = "/tmp/annot-no-malloc-XXXXXX", path[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/dump", folder);
    trapping = true;
    annot_result to_sink = annot_dump_write(writer, &info, &good);
    annot_result to_bad = annot_dump_write(writer, &info, &bad);
    annot_result to_file = annot_dump_write_file(writer, &info, path);
    annot_result to_nowhere = annot_dump_write_file(writer, &info, "/no/such/folder/dump");
    trapping = false;
    check(to_sink == ANNOT_OK, "a dump into a sink");
    check(to_bad == ANNOT_ERROR_IO, "a dump into a sink that fails");
    check(to_file == ANNOT_OK, "a dump into a file");
    check(to_nowhere == ANNOT_ERROR_IO, "a dump into no file");
    check(trapped == 0, "no allocation while writing");
    unlink(path);
    rmdir(folder);
#if TAKES_OVER
    trapping = true;
    void *volatile memory = malloc(1);
    trapping = false;
    free(memory);
    check(trapped > 0, "the trap itself works");
#endif
    annot_dump_writer_destroy(writer);
    annot_context_destroy(contexts[0]);
    annot_context_destroy(contexts[1]);
    annot_object_destroy(objects[0]);
    annot_object_destroy(objects[1]);
    annot_arena_destroy(arena);
    annot_device_destroy(device);
    return checks_ended();
}
