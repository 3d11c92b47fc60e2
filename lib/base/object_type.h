/* Converts D3D12's kinds of objects to annot_object_type. */
#pragma once

#include <annot/annot.h>

/* Returns the annot_object_type of a D3D12 kind of object, or ANNOT_OBJECT_OTHER if none fits. */
annot_object_type annot__object_type_of_d3d12(uint32_t kind);
