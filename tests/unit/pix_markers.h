/* What the tests of the macros share: the same markers from two translation units, one compiled with USE_PIX_RETAIL. */
#ifndef ANNOT_TEST_PIX_MARKERS_H
#define ANNOT_TEST_PIX_MARKERS_H

#include <annot/annot.h>

/* A COM object as the D3D12 macros see one. */
typedef struct fake_list fake_list;
typedef struct fake_list_vtbl {
    void (*SetMarker)(fake_list *self, uint32_t metadata, const void *data, uint32_t size);
    void (*BeginEvent)(fake_list *self, uint32_t metadata, const void *data, uint32_t size);
    void (*EndEvent)(fake_list *self);
} fake_list_vtbl;
struct fake_list {
    const fake_list_vtbl *lpVtbl;
};

/* Each records a development scope and a retail scope, both with a marker in it, through either family of macros.
 * *evaluated counts how often the arguments of the development markers were evaluated. */
void record_markers(annot_context *context, int *evaluated);
void record_markers_retail(annot_context *context, int *evaluated);
void record_d3d12_markers(fake_list *list, int *evaluated);
void record_d3d12_markers_retail(fake_list *list, int *evaluated);

#endif
