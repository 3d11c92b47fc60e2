/* The method tables of all wrappers. */
#pragma once

#include "object.h"

/* One for each interface, in the order of their types; all begin with the same method, which no
 * other table has. */
extern const object_slot *const wrap_tables[];
