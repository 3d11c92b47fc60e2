/* The library's side of a model: one device, its lists and queue recorded once, and a dump for
 * every piece of evidence. Nothing but public headers. */
#pragma once

#include <annot/dump.h>
#include <annot/reader.h>

enum { SCENE_LISTS = 3 };

struct scene {
    annot_device *device;
    annot_arena *arenas[SCENE_LISTS];
    annot_object *list_objects[SCENE_LISTS], *queue_object;
    annot_context *lists[SCENE_LISTS], *queue;
    annot_object *bundle_object;
    annot_context *bundle;
    annot_arena *bundle_arena;
    const annot_crumbs *crumbs; /* that dumps have, `crumb_count` of them */
    size_t crumb_count;
    annot_dump_writer *writer;
    uint64_t submitted;
    unsigned char *dump;
    size_t size, capacity;
};

void scene_start(struct scene *scene);
void scene_finish(struct scene *scene);

/* Each returns the EventID. */
uint64_t scene_begin(annot_context *context);
uint64_t scene_set(annot_context *context);

/* The list's entry of its n-th ExecuteBundle, from 0. */
uint32_t scene_call(const annot_reader *reader, uint32_t stream, int n);

/* A dump with this report, opened. */
annot_reader *scene_open(struct scene *scene, const annot_crash_report *report);

/* What a row may say of a list or a bundle. */
static const struct {
    bool has_row, has_state;
    unsigned inside;
} variants[] = {
    {false, false, 0},
    {true, false, ANNOT_INSIDE_NOT_TRACKED},
    {true, false, ANNOT_INSIDE_STARTED},
    {true, false, ANNOT_INSIDE_COMPLETED},
    {true, false, ANNOT_INSIDE_TRACKED},
    {true, true, ANNOT_INSIDE_NOT_TRACKED},
    {true, true, ANNOT_INSIDE_STARTED},
    {true, true, ANNOT_INSIDE_COMPLETED},
    {true, true, ANNOT_INSIDE_TRACKED},
    {true, true, ANNOT_INSIDE_LOST},
};
enum { VARIANTS = sizeof variants / sizeof *variants };
