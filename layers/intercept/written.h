/* Replaces the runtime's objects by the program's wrappers in structures that the runtime wrote. */
#pragma once

#include <stdint.h>

/* Replaces the objects in `memory`, a structure of this type. Its pointers may lead to objects that
 * are gone, so it is copied into memory that stays. */
void written_wrap(uint16_t type, uint8_t *memory);
