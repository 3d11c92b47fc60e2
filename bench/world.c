#include "world.h"

#include <stdlib.h>

static void must(annot_result result)
{
    if (result != ANNOT_OK)
        abort();
}

void bench_world_join(struct bench_world *world, annot_device *device)
{
    annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST};
    world->device = device;
    must(annot_object_create(device, &desc, &world->object));
    must(annot_arena_create(device, &world->arena));
    must(annot_context_create(world->object, &world->list));
    must(annot_context_open(world->list, world->arena));
}

void bench_world_leave(struct bench_world *world)
{
    annot_context_destroy(world->list);
    annot_arena_destroy(world->arena);
    annot_object_destroy(world->object);
}

void bench_world_init(struct bench_world *world, annot_mode mode, const annot_driver *driver,
                      const annot_allocator *allocator)
{
    annot_device_desc desc = ANNOT_DEVICE_DESC_INIT;
    desc.memory_budget = ANNOT_BUDGET_NONE;
    desc.driver = driver;
    if (allocator)
        desc.allocator = *allocator;
    annot_device *device;
    must(annot_device_create(&desc, &device));
    must(annot_device_set_mode(device, (uint32_t)mode));
    bench_world_join(world, device);
}

void bench_world_finish(struct bench_world *world)
{
    bench_world_leave(world);
    annot_device_destroy(world->device);
}

void bench_world_rewind(struct bench_world *world)
{
    annot_context_close(world->list);
    must(annot_arena_reset(world->arena));
    must(annot_context_open(world->list, world->arena));
}
