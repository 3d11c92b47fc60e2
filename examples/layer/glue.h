/* A layer's own objects, and what its entry points of the same names do. */
#ifndef LAYER_GLUE_H
#define LAYER_GLUE_H

#include "gpu.h"

#include <annot/dump.h>
#include <annot/evidence.h>

struct layer {
    struct gpu *gpu;
    uint32_t word_size; /* 4 or 8: what the API's marker extension writes */
    annot_device *device;
    annot_tracker *tracker;
    annot_dump_writer *writer;
    annot_object *queue_object;
    annot_context *queue;
};

struct layer_command_buffer {
    struct layer *layer;
    annot_object *object;
    annot_context *list;
    annot_arena *arena; /* of this buffer alone, since it can be reset alone */
    annot_words words;
    struct gpu_command_buffer commands;
};

bool layer_create(struct layer *layer, struct gpu *gpu, uint32_t word_size);
void layer_destroy(struct layer *layer);

bool layer_allocate(struct layer *layer, struct layer_command_buffer *buffer, const char *name);
void layer_free(struct layer_command_buffer *buffer);
void layer_begin(struct layer_command_buffer *buffer);
void layer_end(struct layer_command_buffer *buffer);
void layer_begin_label(struct layer_command_buffer *buffer, const char *label);
void layer_insert_label(struct layer_command_buffer *buffer, const char *label);
void layer_end_label(struct layer_command_buffer *buffer);

uint64_t layer_submit(struct layer *layer, struct layer_command_buffer *buffer);

/* A fence of this submission is seen signalled, before the application sees it. */
void layer_completed(struct layer *layer, uint64_t serial);

/* The device is lost: a dump, before the application is told. */
annot_result layer_lost(struct layer *layer, const char *path);

#endif
