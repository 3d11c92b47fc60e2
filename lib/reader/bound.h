/* Names the resources that an operation is bound to. */
#pragma once

#include "analysis/operation.h"
#include "reader/ask.h"

enum {
    ANNOT__BARRIERS_LOOKED = 4096, /* operations in front of one that are looked at */
    ANNOT__BARRIERS_SHOWN = 8      /* the last ones */
};

/* "buffer, 4096 bytes", "1024 x 1024, D32_FLOAT"; false: the dump doesn't say it. */
bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size);

/* A barrier, or another call, says this of a resource. */
struct annot__bound_state {
    uint32_t kind; /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t role; /* ANNOT_BOUND_BARRIER or ANNOT_BOUND_ACCESS */
    uint32_t value;
};

/* "COPY_DEST", "INDEX_BUFFER | COPY_SOURCE", "GENERAL". */
void annot__state_text(const annot_reader *reader, struct annot__bound_state of, char *text,
                       size_t size);

/* How the operation's object number `index` is when it comes to it: as it says itself, or as the
 * last barrier of this recording in front of it left it; false: neither is there. */
bool annot__state_at(const annot_reader *reader, const annot_reader_operation *operation,
                     uint32_t index, struct annot__bound_state *state);
/* How it was created; false: the dump doesn't say it. */
bool annot__state_created(const annot_reader *reader, uint64_t object,
                          struct annot__bound_state *state);

/* The last barriers since the operation in front that does work, in reader->operations. */
struct annot__range annot__barriers_before(const annot_reader *reader,
                                           const annot_reader_operation *operation);
