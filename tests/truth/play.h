/* A program that is being played. */
#pragma once

#include "gpu.h"
#include "outcome.h"

#include <pthread.h>

struct actor {
    D3D12_COMMAND_LIST_TYPE type;
    ID3D12GraphicsCommandList *list; /* or a video list */
    bool is_recording, is_retained;
    uint32_t recording;                /* the last one */
    bool is_in_pass;                   /* a render pass is open */
    uint32_t name;                     /* 0: none */
    ID3D12CommandAllocator *allocator; /* of the last recording; NULL: it failed */
};

struct run {
    const struct program *program;
    struct outcome *outcome;
    struct truth *truth;
    struct gpu gpu;
    bool is_retail;
    pthread_mutex_t lock; /* of what threads that record share: `truth` and the allocators */
    struct actor actors[ACTORS];
    ID3D12CommandAllocator *allocators[2 * OPS_MAX];
    uint32_t allocator_count;
    ID3D12CommandQueue *queues[QUEUES];
    uint32_t queue_names[QUEUES];
    bool next_is_null, had_null;
    unsigned fails_at;       /* the allocation that is to fail; 0: none */
    bool is_lost;            /* the last submission: there was no memory */
    bool *less_next_is_null; /* of the driver; NULL: it has none */
    ID3D12Fence *fences[FENCES];
    DWORD cookie; /* of the message callback */
};

/* The number of a program's operation is the name of the marker that it sets. */
uint32_t play_marker_name(const struct run *run, const struct op *op);
/* Its text; returns the size of the payload, which is larger than the text if the operation says
 * so. */
UINT play_marker_text(char *text, size_t capacity, uint32_t name, const struct op *op);

enum { MARKER_MAX = 16 * 1024 };

/* Whether the operation is one of record_op. */
bool record_is(const struct op *op);
/* BEGIN, END, SET, WORK and CALL. The first four on several threads, for different actors. */
void record_op(struct run *run, const struct op *op);
void record_close(struct run *run, struct actor *actor);

/* All other operations. */
void play_op(struct run *run, const struct op *op);
void play_stop(struct run *run, enum stop_way way);

/* Around a call of D3D12 in which memory may run out. */
void play_fail(struct run *run);
void play_fail_no_more(struct run *run);
/* Whether the call was done. Aborts where it should have been: the device is there, and memory. */
bool play_ok(const struct run *run, HRESULT hr, const char *what);
#define PLAY_OK(run, call) play_ok(run, call, #call)

/* Another dump of the device, behind the stop. */
void play_late_dump(struct run *run);

/* DRED's nodes, from a device that is removed. */
void dred_take(struct run *run);

/* Makes the settings of the program's witnesses the process's. */
void witnesses_configure(const struct program *program, const char *folder,
                         struct outcome *outcome);
/* Gives a device its witnesses. */
void witnesses_open(struct run *run);
void witnesses_close(struct run *run);
