/* Maps D3D12's kinds of objects to annot_object_type. */
#pragma once

#include <annot/annot.h>

/* Returns the type of a D3D12 kind, or ANNOT_OBJECT_OTHER if the kind has no equivalent. */
annot_object_type annot__object_type_of_d3d12(uint32_t kind);
