/* Names the resources that an operation is bound to. */
#ifndef ANNOT_LIB_BOUND_H
#define ANNOT_LIB_BOUND_H

#include "report/report.h"

enum {
    ANNOT__RESOURCE_BARRIER = 15, /* D3D12_AUTO_BREADCRUMB_OP */
    ANNOT__BARRIERS_LOOKED = 4096 /* operations in front of one that are looked at */
};

/* "buffer, 4096 bytes", "1024 x 1024, D32_FLOAT"; false: the dump doesn't say it. */
bool annot__resource_text(const annot_reader *reader, uint64_t object, char *text, size_t size);

/* "COPY_DEST", "INDEX_BUFFER | COPY_SOURCE" of D3D12_RESOURCE_STATES. Returns the bytes stored. */
size_t annot__states_text(uint32_t states, char *text, size_t size);

/* The state that the last barrier of this recording in front of the operation left the object in;
 * false: there is none. */
bool annot__state_before(const annot_reader *reader, const annot_reader_operation *operation,
                         uint64_t object, uint32_t *state);

#endif
