/* The D3D12 stress programs share this: how they fail, and what goes on beside the threads that do
 * the work. The annotation mode is turned round and dumps of the live device are written until
 * `running` is 0. */
#pragma once

#define INITGUID
#include "../d3d12_objects.h"

#include <pthread.h>
#include <stdatomic.h>

#define CHECK(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s: %s\n", what, #condition);                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct beside {
    ID3D12Device *device;
    atomic_int running; /* threads that still work */
};

static inline void *beside_turn_mode(void *argument)
{
    struct beside *beside = argument;
    ID3D12DeviceTools2 *tools = AS(ID3D12DeviceTools2, beside->device);
    for (unsigned i = 0; atomic_load(&beside->running) > 0; i++) {
        ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
            tools, (D3D12_USER_DEFINED_ANNOTATION_MODE)(1 + i % 2));
        const unsigned mode = (unsigned)ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools);
        CHECK(mode == 1 || mode == 2, "a mode that nobody has set");
    }
    ID3D12DeviceTools2_Release(tools);
    return NULL;
}

static inline bool beside_count(void *user, const void *data, size_t size)
{
    (void)data;
    *(size_t *)user += size;
    return true;
}

static inline void *beside_write_dumps(void *argument) /* ANN-CRASH-07 */
{
    struct beside *beside = argument;
    annot_dump_writer *writer = NULL;
    size_t bytes = 0;
    const annot_dump_sink sink = {&bytes, beside_count, beside_count};
    const annot_dump_info info = {.reason = "a live device"};
    CHECK(annot_dump_writer_create(emu_annot_device(beside->device), &writer) == ANNOT_OK,
          "no memory for dumps");
    while (atomic_load(&beside->running) > 0)
        CHECK(annot_dump_write(writer, &info, &sink) == ANNOT_OK, "a live device can't be dumped");
    annot_dump_writer_destroy(writer);
    return NULL;
}

/* `work` gets its thread's number, and counts itself out of `running` at its end. */
static inline void beside_run(struct beside *beside, void *(*work)(void *), unsigned threads)
{
    pthread_t mode, dumps, workers[64];
    CHECK(threads <= sizeof workers / sizeof workers[0], "too many threads");
    atomic_store(&beside->running, (int)threads);
    for (uintptr_t i = 0; i < threads; i++)
        pthread_create(&workers[i], NULL, work, (void *)i);
    pthread_create(&mode, NULL, beside_turn_mode, beside);
    pthread_create(&dumps, NULL, beside_write_dumps, beside);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i], NULL);
    pthread_join(mode, NULL);
    pthread_join(dumps, NULL);
}
