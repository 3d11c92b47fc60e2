/*
 * Frames through the layer until the GPU hangs in one, and the dump of it.
 *
 *     layer PATH markers32    words of 32 bits, as VK_AMD_buffer_marker writes them
 *     layer PATH markers64    words of 64 bits
 *     layer PATH fill32       no marker extension: fills behind barriers
 *     layer PATH twice        one command buffer is in flight twice: its words belong to nobody
 */
#include "glue.h"

#include <stdio.h>

enum { FRAMES = 8 };

static void record(struct layer_command_buffer *buffer, bool hangs)
{
    layer_begin(buffer);
    layer_begin_label(buffer, "frame");
    layer_begin_label(buffer, "shadows");
    gpu_record(&buffer->commands, GPU_WORK, 0, 0, 0);
    layer_end_label(buffer);
    layer_insert_label(buffer, "lights");
    layer_begin_label(buffer, "lighting");
    gpu_record(&buffer->commands, hangs ? GPU_HANG : GPU_WORK, 0, 0, 0);
    layer_end_label(buffer);
    layer_begin_label(buffer, "post");
    gpu_record(&buffer->commands, GPU_WORK, 0, 0, 0);
    layer_end_label(buffer);
    layer_end_label(buffer);
    layer_end(buffer);
}

int main(int argc, char **argv)
{
    static struct gpu gpu;
    static struct layer_command_buffer buffers[2];
    struct layer layer;
    const char *how = argc > 2 ? argv[2] : "markers32";
    bool is_twice = strcmp(how, "twice") == 0;
    gpu.has_markers = strcmp(how, "fill32") != 0;
    if (argc < 2 || !layer_create(&layer, &gpu, strcmp(how, "markers64") == 0 ? 8 : 4) ||
        !layer_allocate(&layer, &buffers[0], "even frames") ||
        !layer_allocate(&layer, &buffers[1], "odd frames"))
        return 1;
    for (uint32_t frame = 0; frame < FRAMES && !gpu.is_lost; frame++) {
        struct layer_command_buffer *buffer = &buffers[frame % 2];
        record(buffer, frame == FRAMES - 1);
        uint64_t serial = layer_submit(&layer, buffer);
        if (is_twice && frame == FRAMES - 1)
            layer_submit(&layer, buffer);
        gpu_run(&gpu);
        if (!gpu.is_lost)
            layer_completed(&layer, serial);
    }
    annot_result result = layer_lost(&layer, argv[1]);
    puts(result == ANNOT_OK ? annot_dump_writer_path(layer.writer) : annot_result_text(result));
    layer_free(&buffers[0]);
    layer_free(&buffers[1]);
    layer_destroy(&layer);
    return result != ANNOT_OK;
}
