/* Replaces the runtime's objects by the program's wrappers in structures that the runtime wrote. */
#pragma once

#include <stdint.h>

/* Replaces the objects in `memory`, a structure of this type. The data behind its pointers is
 * copied into memory that stays, because the data may contain objects that are gone. */
void written_wrap(uint16_t type, uint8_t *memory);
