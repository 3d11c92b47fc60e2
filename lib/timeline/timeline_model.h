/* Lists and counts that the files of the timeline share. */
#pragma once

#include "report/report.h"

#include <annot/timeline.h>

struct annot__list {
    void *items;
    size_t count, capacity; /* how many items there are, and how many fit into the memory */
};

struct annot_timeline {
    const annot_reader *reader;
    uint64_t begin, end;
    struct annot__list tracks;  /* annot_timeline_track */
    struct annot__list slices;  /* annot_timeline_slice */
    struct annot__list waiting; /* annot_timeline_waiting */
    uint64_t left_out, untimed;
    uint64_t visits_left;           /* limit: entries that the timeline may still visit */
    struct annot__list open, outer; /* working memory: struct annot__open_scope */
    bool is_out_of_memory;
};

/* A scope that is open around the current call. */
struct annot__open_scope {
    uint32_t entry;
    size_t slice; /* index of the scope's slice; SIZE_MAX: it has no slice */
};

/* Adds room for an item of `size` bytes, without clearing the room, and returns the room. If memory
 * runs out, remembers this in `timeline` and returns NULL. */
void *annot__list_add(struct annot_timeline *timeline, struct annot__list *list, size_t size);

/* Frees a list's memory. Its items have `size` bytes each. */
void annot__list_release(const struct annot_timeline *timeline, const struct annot__list *list,
                         size_t size);

/* Adds a slice and returns its index. Returns SIZE_MAX if the timeline is full. */
size_t annot__slice_add(struct annot_timeline *timeline, const annot_timeline_slice *slice);

static inline annot_timeline_slice *annot__slice(const struct annot_timeline *timeline, size_t at)
{
    return (annot_timeline_slice *)timeline->slices.items + at;
}

static inline uint64_t annot__since_begin(const struct annot_timeline *timeline, uint64_t time)
{
    return time > timeline->begin ? time - timeline->begin : 0;
}
