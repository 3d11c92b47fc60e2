/* One object of each kind that can be named [ANN-NAME-01]. */
#pragma once

#include "kit.h"
#include "kit_object_kind.h"

/* Rows: every kind, case_row() is its enum kit_object_kind. The names alone:
 * kit_object_rows[kind]. */
extern const char *const kit_object_rows[];

struct kit_object {
    ID3D12Object *object;
    IUnknown *below[2];       /* what it was made of, alive as long as it is */
    D3D12DDI_HANDLETYPE type; /* what a driver is told that it is */
};

/* Skips the case when the runtime doesn't have this kind (E_NOTIMPL, or no such interface). */
struct kit_object kit_object(ID3D12Device *device, enum kit_object_kind kind);
/* The same without skipping: an object that is NULL where the runtime doesn't have the kind. */
struct kit_object kit_object_if_any(ID3D12Device *device, enum kit_object_kind kind);
void kit_object_done(struct kit_object *object);
