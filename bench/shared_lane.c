/* Loaded by annot-bench twice, linked against libannot.so and with libannot.a inside: its calls are
 * those of any application. */
#include "shared_lane.h"

#include "world.h"

#include <stdlib.h>

void *bench_shared_open(uint32_t mode, const void *driver);
void bench_shared_rewind(void *lane);
void bench_shared_set(void *lane, uint64_t calls, const void *data, uint32_t size);
void bench_shared_pair(void *lane, uint64_t calls, const void *data, uint32_t size);

void *bench_shared_open(uint32_t mode, const void *driver)
{
    struct bench_world *world = calloc(1, sizeof *world);
    if (world)
        bench_world_init(world, (annot_mode)mode, driver, NULL);
    return world;
}

void bench_shared_rewind(void *lane)
{
    bench_world_rewind(lane);
}

void bench_shared_set(void *lane, uint64_t calls, const void *data, uint32_t size)
{
    annot_context *list = ((struct bench_world *)lane)->list;
    for (; calls != 0; calls--)
        annot_context_set_marker(list, 2, data, size);
}

void bench_shared_pair(void *lane, uint64_t calls, const void *data, uint32_t size)
{
    annot_context *list = ((struct bench_world *)lane)->list;
    for (; calls != 0; calls--) {
        annot_context_begin_event(list, 2, data, size);
        annot_context_end_event(list);
    }
}
