/* The method tables of all wrappers. */
#pragma once

#include "object.h"

/* The tables, one for each interface in the order of their types. All begin with the same method,
 * which no other table has. */
extern const object_slot *const wrap_tables[];
