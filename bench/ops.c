/*
 * Each operation in a function of its own, for callgrind: bench/instructions.sh divides what a
 * function executed by how often it did it. Memory is warmed up first, so that a chunk's first use
 * is not in the count.
 */
#include "bench.h"

#include "driver.h"
#include "limit.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

#define COUNT 20000u

static struct limit_library limits;
static struct bench_world world, idle;
static char payload[256];

/* 48 bytes in the list's memory. */
static const int64_t groups[3] = {128, 1, 1};
static const annot_bound_object pipeline = {77, ANNOT_BOUND_PIPELINE, 0};
static const annot_operation dispatch = {6, 0, 3, 1, groups, &pipeline};

#define OP(name, size, call)                                                                       \
    __attribute__((noinline, aligned(64))) static void op_##name(void)                             \
    {                                                                                              \
        struct limit_library *it = &limits;                                                        \
        annot_context *list = world.list;                                                          \
        (void)it, (void)list;                                                                      \
        for (uint32_t i = COUNT; i != 0; i--)                                                      \
            call;                                                                                  \
    }

#define OPS(OP)                                                                                    \
    OP(limit_begin_16, 16, limit_begin(it, 2, payload, 16))                                        \
    OP(limit_begin_32, 32, limit_begin(it, 2, payload, 32))                                        \
    OP(limit_begin_64, 64, limit_begin(it, 2, payload, 64))                                        \
    OP(limit_begin_256, 256, limit_begin(it, 2, payload, 256))                                     \
    OP(limit_end, 0, limit_end(it))                                                                \
    OP(begin_16, 16, annot_context_begin_event(list, 2, payload, 16))                              \
    OP(begin_32, 32, annot_context_begin_event(list, 2, payload, 32))                              \
    OP(begin_64, 64, annot_context_begin_event(list, 2, payload, 64))                              \
    OP(begin_256, 256, annot_context_begin_event(list, 2, payload, 256))                           \
    OP(set_16, 16, annot_context_set_marker(list, 2, payload, 16))                                 \
    OP(set_32, 32, annot_context_set_marker(list, 2, payload, 32))                                 \
    OP(set_64, 64, annot_context_set_marker(list, 2, payload, 64))                                 \
    OP(set_48, 48, annot_context_set_marker(list, 2, payload, 48))                                 \
    OP(operation_48, 48, annot_context_note_operation(list, &dispatch))                            \
    OP(set_256, 256, annot_context_set_marker(list, 2, payload, 256))                              \
    OP(pair_32, 32,                                                                                \
       (annot_context_begin_event(list, 2, payload, 32), annot_context_end_event(list)))           \
    OP(end_far, 0, annot_context_end_event(list))                                                  \
    OP(runtime_only, 32, annot_context_set_marker(idle.list, 2, payload, 32))

OPS(OP)

static const struct {
    const char *name;
    void (*run)(void);
} ops[] = {
#define ENTRY(name, size, call) {#name, op_##name},
    OPS(ENTRY)};

static void rewind_all(void)
{
    limit_rewind(&limits);
    bench_world_rewind(&world);
}

/* An End ends a scope that was begun before. */
static void open_scopes(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        limit_begin(&limits, 2, payload, 32);
        annot_context_begin_event(world.list, 2, payload, 32);
    }
}

/* As long as the longest frame: later ones find its chunks. */
static void warm_up(void)
{
    for (uint32_t i = 0; i < COUNT; i++)
        annot_context_set_marker(world.list, 2, payload, sizeof payload);
}

int main(int count, char **arguments)
{
    if (count == 2 && !strcmp(arguments[1], "--compiler")) {
#if defined(__clang__)
        printf("clang-%d\n", __clang_major__);
#else
        printf("gcc-%d\n", __GNUC__);
#endif
        return 0;
    }
    limit_init(&limits, (size_t)COUNT * 512);
    bench_world_init(&world, ANNOT_MODE_DRIVER_RETAIL, &bench_driver_empty, NULL);
    bench_world_init(&idle, ANNOT_MODE_RUNTIME_ONLY, &bench_driver_empty, NULL);
    warm_up();
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        rewind_all();
        if (ops[i].run == op_limit_end || ops[i].run == op_end_far)
            open_scopes();
        ops[i].run();
    }
    printf("%u\n", COUNT);
    return 0;
}
