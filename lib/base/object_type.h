/* Maps D3D12's kinds of objects to those of any API. */
#pragma once

#include <annot/annot.h>

/* Returns ANNOT_OBJECT_OTHER for a kind without an equivalent. */
annot_object_type annot__object_type_of_d3d12(uint32_t kind);
