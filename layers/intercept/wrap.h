/* The method tables of the layer's wrappers, one for each interface. */
#pragma once

#include "object.h"

/* wrap_tables has a table for each interface, in the order of the interfaces' types. All tables
 * begin with the same method, and no other table begins with this method. */
extern const object_slot *const wrap_tables[];
