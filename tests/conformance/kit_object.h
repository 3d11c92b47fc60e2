/* One object of each kind that can be named [ANN-NAME-01]. */
#pragma once

#include "kit.h"
#include "kit_object_kind.h"

/* Rows: every kind, case_row() is its enum kit_object_kind. The names alone:
 * kit_object_rows[kind]. */
extern const char *const kit_object_rows[];

struct kit_object {
    ID3D12Object *object;
    IUnknown *below[2];       /* the objects from which the object was made, alive as long */
    D3D12DDI_HANDLETYPE type; /* the type that a driver is told */
};

/* Makes an object. Skips the case if the runtime lacks this kind (E_NOTIMPL, or no interface). */
struct kit_object kit_object(ID3D12Device *device, enum kit_object_kind kind);
/* Does the same without skipping: the object is NULL if the runtime lacks the kind. */
struct kit_object kit_object_if_any(ID3D12Device *device, enum kit_object_kind kind);
void kit_object_done(struct kit_object *object);
