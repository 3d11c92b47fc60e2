/* Compares what a dump says with what is true. Each check is a question of its own. */
#pragma once

#include "run.h"

#include <annot/reader.h>

enum { COMPLAINTS_MAX = 16, STREAMS_MAX = 512, SUBMISSIONS_MAX = 512 };

/* False statements of one program. A kind says which statement is false, and by which evidence:
 * "list finished: the runtime's breadcrumbs". */
struct verdict {
    uint32_t count; /* all of them; the first COMPLAINTS_MAX are kept */
    /* Where an operation failed: how many the dump names, and whether work behind it is done. */
    enum { NAMED_ALONE = 1, NAMED_FEW, NAMED_MORE, NAMED_NONE, NAMED_WAYS } named;
    bool went_on;
    struct complaint {
        char kind[96];
        char text[256];
    } complaints[COMPLAINTS_MAX];
};

__attribute__((format(printf, 3, 4))) void complain(struct verdict *verdict, const char *kind,
                                                    const char *format, ...);

/* A dump and the program that left it. */
struct scene {
    const struct program *program;
    const struct truth *truth;
    annot_reader *reader;
    uint32_t queue_of[STREAMS_MAX]; /* stream to queue, or QUEUES */
    /* the dump's submission to that of its queue in `truth`; NULL: one without lists */
    const struct queue_entry *entry_of[SUBMISSIONS_MAX];
    bool has_failed; /* there was no memory for something */
    struct verdict *verdict;
};

/* Whether the program's driver lies: what only it has said may be false. */
bool scene_lies(const struct scene *scene);
/* The number of a marker, from its name; 0: it is none of ours. */
uint32_t scene_marker(const struct scene *scene, uint32_t entry);
/* The queue's execution that an execution of the dump is, or -1. */
int scene_execution(const struct scene *scene, uint32_t execution);
/* Whether a bundle of the dump, whose stream this is, is a layer's own, which has no kind of the
 * API's: markers of the list itself. */
bool scene_is_inner(const struct scene *scene, uint32_t stream);
/* Returns the bundle that an entry of this stream executes, from 1; 0: none of the program's. */
uint32_t scene_ordinal(const struct scene *scene, uint32_t stream, uint32_t entry);

/* D3D12_AUTO_BREADCRUMB_OP */
unsigned check_op_of(const struct item *item);

void check_states(const struct scene *scene);
void check_guilt(const struct scene *scene);
void check_path(const struct scene *scene);
void check_operations(const struct scene *scene);
void check_findings(const struct scene *scene);
void check_names(const struct scene *scene);
void check_dred(const struct scene *scene, const struct outcome *outcome);
void check_timeline(const struct scene *scene);
/* `outcome` NULL: it is no dump of a removed device. */
void check_outputs(const struct scene *scene, const struct outcome *outcome);
void check_page(const struct scene *scene);

/* The same program with other numbers in its names, other EventIDs, and with or without times. */
void check_signature(const struct scene *scene, const char *folder);

/* All of them. */
void check_outcome(const struct program *program, const struct outcome *outcome, const char *folder,
                   struct verdict *verdict);
