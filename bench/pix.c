/* What a PIX event costs from its macro to an empty driver, beside a ready-made blob of the same bytes; and what decoding
 * it costs. */
#include "lane.h"

#include <annot/pix.h>

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
    bench_lane *lane = state;
    annot_context *list = lane->world.list;
    for (uint64_t i = lane->count; i != 0; i--)
        ANNOT_PIX_MARKER(list, color, "Draw %d of %d", (int)i, 60);
}

typedef struct decoding {
    uint64_t blob[64];
    uint32_t size;
} decoding;

static void decode(void *state)
{
    const decoding *it = state;
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
    bench_lane lane;
    uint64_t blob[64];
    uint32_t size = make_blob(true, blob, sizeof blob);
    bench_lane_init(&lane, size, BENCH_REUSED_BYTES);
    memcpy(lane.payload, blob, size);
    bench_contestant contestants[] = {
        bench_lane_contestant(&lane, bench_lane_rewind_limit, bench_lane_limit_set),
        bench_lane_contestant(&lane, bench_lane_rewind, bench_lane_set),
        bench_lane_contestant(&lane, bench_lane_rewind, encode),
    };
    bench_figure figures[3];
    bench_measure(contestants, 3, ROUNDS, figures);
    bench_file_figure("pix.blob", size, 1, 0, &figures[1], &figures[0]);
    bench_file_figure("pix.encode", size, 1, 0, &figures[2], &figures[0]);
    bench_file(&(bench_row){.name = "pix.encode.share",
                            .size = size,
                            .threads = 1,
                            .value = figures[2].ns - figures[1].ns,
                            .unit = "ns"});
    bench_lane_finish(&lane);
}

void bench_suite_pix(void)
{
    measure_recording();
    static decoding plain, formatted;
    plain.size = make_blob(false, plain.blob, sizeof plain.blob);
    formatted.size = make_blob(true, formatted.blob, sizeof formatted.blob);
    bench_contestant contestants[] = {{NULL, decode, &plain, DECODES},
                                      {NULL, decode, &formatted, DECODES}};
    bench_figure figures[2];
    bench_measure(contestants, 2, ROUNDS, figures);
    bench_file_figure("pix.decode", plain.size, 1, 0, &figures[0], NULL);
    bench_file_figure("pix.decode.formatted", formatted.size, 1, 0, &figures[1], NULL);
}
