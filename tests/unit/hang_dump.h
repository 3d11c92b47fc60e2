/* Dumps of one hang, for what names hangs. */
#pragma once

#include "dump_builder.h"

#include <annot/dump.h>
#include <annot/fleet.h>

enum { QUEUE_OBJECT = 21, LIST_OBJECT = 100 /* what dump_submit says */, BUFFER_OBJECT = 41 };

struct hang {
    uint32_t error;
    const char *queue_scope, *scopes[4]; /* innermost last; NULL: none */
    const char *list;                    /* its object's name */
    const char *recorded_as;             /* the list's name then; NULL: not stored */
    uint64_t ids;                        /* added to every identity and EventID */
    uint32_t done_before;                /* finished submissions in front */
    uint32_t op;                         /* what breadcrumbs say is not done; 0: there are none */
    uint64_t fault;                      /* address; 0: none */
    uint32_t range_flags;                /* of the object around it */
    const char *fault_name;              /* of the object around it; NULL: none is */
    const struct annot__dump_RANGE *ranges; /* more of them, of "Buffer A", "Buffer B"... */
    uint32_t range_count;
    bool is_unsaid;      /* the driver says nothing */
    bool is_uncountable; /* breadcrumbs have markers that the dump lost */
};

/* The dump is the caller's, dump_free. */
void hang_dump_build(struct dump *dump, const struct hang *hang);

/* The identity of a finished dump, which it frees. */
void hang_dump_identify(struct dump *dump, annot_identity *identity);
