/* The method tables of all wrappers. */
#pragma once

#include "object.h"

/* One table for each interface, in the order of the interfaces' types. All tables begin with the
 * same method, which no other table has. */
extern const object_slot *const wrap_tables[];
