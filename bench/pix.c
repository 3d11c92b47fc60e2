/* The cost of a PIX event from its macro to an empty driver, beside a ready-made blob of the same
 * bytes; and what decoding it costs. */
#include "lane.h"

#include <annot/pix.h>

#include <stdio.h>
#include <string.h>

#define ROUNDS  400u
#define DECODES 1000u

static const uint32_t color = ANNOT_PIX_COLOR(80, 160, 240);

/* "Draw %d of %d" with two integers when `arguments` is set, as the macro below makes it. */
static uint32_t make_blob(bool arguments, void *blob, size_t capacity)
{
    annot_pix_arg args[2] = {{.type = ANNOT_PIX_I32, .value.i32 = 3},
                             {.type = ANNOT_PIX_I32, .value.i32 = 60}};
    annot_pix_desc desc = {
        .version = ANNOT_PIX_V1,
        .kind = ANNOT_PIX_KIND_MARKER,
        .color_kind = ANNOT_PIX_COLOR_KIND_ARGB,
        .color = color,
        .format = {.type = ANNOT_PIX_STR, .value.str = arguments ? "Draw %d of %d" : "Shadow pass"},
        .args = args,
        .arg_count = arguments ? 2 : 0,
    };
    return (uint32_t)annot_pix_encode(&desc, blob, capacity);
}

static void encode(void *state)
{
    struct bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint64_t i = lane->count; i != 0; i--)
        ANNOT_PIX_MARKER(list, color, "Draw %d of %d", (int)i, 60);
}

struct decoding {
    uint64_t blob[64];
    uint32_t size;
};

static void decode(void *state)
{
    const struct decoding *it = state;
    char name[128];
    annot_pix_event event;
    for (uint32_t i = DECODES; i != 0; i--) {
        annot_pix_decode(annot_pix_metadata(ANNOT_PIX_V1), it->blob, it->size, name, sizeof name,
                         &event);
        bench_keep(event.name_length + (uint64_t)name[0]);
    }
}

static void measure_recording(void)
{
    struct bench_lane lane;
    uint64_t blob[64];
    uint32_t size = make_blob(true, blob, sizeof blob);
    bench_lane_init(&lane, size, BENCH_REUSED_BYTES);
    memcpy(lane.payload, blob, size);
    struct bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        bench_lane_contestant(&lane, bench_lane_rewind, encode),
    };
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("pix.encode", size, 1, 0, &figures[1], &figures[0]);
    bench_lane_finish(&lane);
}

/* The same texts by the C library, from what a caller would have in its hands. */
static void print_plain(void *state)
{
    const char *text = state;
    char name[128];
    for (uint32_t i = DECODES; i != 0; i--)
        bench_keep((uint64_t)snprintf(name, sizeof name, "%s", text) + (uint64_t)name[0]);
}

static void measure_decoding(void *text)
{
    static struct decoding it;
    it.size = make_blob(false, it.blob, sizeof it.blob);
    struct bench_contestant contestants[] = {{NULL, print_plain, text, DECODES},
                                             {NULL, decode, &it, DECODES}};
    struct bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("pix.decode", it.size, 1, 0, &figures[1], &figures[0]);
}

void bench_suite_pix(void)
{
    static char plain[] = "Shadow pass";
    measure_recording();
    measure_decoding(plain);
}
