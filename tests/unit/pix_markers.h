/* The tests of the macros share the same markers from two translation units, one compiled with
 * USE_PIX_RETAIL. */
#pragma once

#include <annot/annot.h>

/* A COM object as the D3D12 macros see one. */
struct fake_list;
struct fake_list_vtbl {
    void (*SetMarker)(struct fake_list *self, uint32_t metadata, const void *data, uint32_t size);
    void (*BeginEvent)(struct fake_list *self, uint32_t metadata, const void *data, uint32_t size);
    void (*EndEvent)(struct fake_list *self);
};
struct fake_list {
    const struct fake_list_vtbl *lpVtbl;
};

/* Each records a development scope and a retail scope, both with a marker in it, through either
 * family of macros. *evaluated counts how often the arguments of the development markers were
 * evaluated. */
void record_markers(annot_context *context, int *evaluated);
void record_markers_retail(annot_context *context, int *evaluated);
void record_d3d12_markers(struct fake_list *list, int *evaluated);
void record_d3d12_markers_retail(struct fake_list *list, int *evaluated);
