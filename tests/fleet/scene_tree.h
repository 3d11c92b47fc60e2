/* A scene between the file that it was read from and the frames that are made of it. */
#pragma once

#include "scene.h"

enum node_kind {
    NODE_PROGRAM,
    NODE_QUEUE,
    NODE_LIST,
    NODE_PART,
    NODE_USE,
    NODE_SCOPE,
    NODE_MARKER,
    NODE_REPEAT,
    NODE_ONE,
    NODE_ANY,
    NODE_SHUFFLE,
    NODE_MAYBE,
    NODE_DISPATCH,
    NODE_DRAW,
    NODE_COPY
};

enum fault_kind { FAULT_HANG, FAULT_UNMAPPED, FAULT_FREED, FAULT_KINDS };

enum { NAME_SIZE = 256, FAULTS_MAX = 256, NO_FAULT = -1 };

struct node {
    enum node_kind kind;
    char name[NAME_SIZE]; /* of a list: its queue's; of a choice: its setting, or "" */
    char text[NAME_SIZE]; /* the quoted one */
    int low, high;
    int faults[FAULT_KINDS]; /* NO_FAULT: none of this kind */
    uint32_t number;         /* among all nodes */
    int indent;
    struct node *parent, *first, *last, *next;
    const struct node *part; /* of NODE_USE */
};

struct scene_fault {
    char name[NAME_SIZE];
    char resource[NAME_SIZE]; /* of FAULT_FREED */
    enum fault_kind kind;
    const struct node *program;
};

struct scene {
    struct node root;
    struct scene_fault faults[FAULTS_MAX];
    int fault_count;
    uint32_t node_count;
};

/* scene_frame.c: what one frame does, in order. */
struct step {
    enum node_kind kind; /* SCOPE, MARKER, or work; LIST: the innermost scope ends */
    const struct node *node;
    char text[NAME_SIZE];
};

struct steps {
    struct step *all;
    int count, capacity;
};

void steps_add(struct steps *steps, const struct step *step);

struct frame_plan {
    const struct scene *scene;
    const struct scene_fault *fault;
    uint64_t player, random; /* the machine's, and the sequence that goes on */
    int frame;
};

/* Whether the plan's fault is here, or in what belongs to this. */
bool frame_has_fault(const struct frame_plan *plan, const struct node *node);
bool frame_holds_fault(const struct frame_plan *plan, const struct node *node);
/* Appends the steps of what belongs to this list. */
void frame_expand(struct frame_plan *plan, const struct node *list, struct steps *steps);
/* A name with everything in braces replaced. */
void frame_text(struct frame_plan *plan, const char *text, int index, char out[NAME_SIZE]);
