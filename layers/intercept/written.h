/* Replaces the runtime's objects by wrappers, in structures that the runtime wrote. */
#pragma once

#include <stdint.h>

/* Replaces the objects in `memory`, a structure of this type. Data behind the structure's pointers
 * is copied into memory that stays, because the data may have objects that are gone. */
void written_wrap(uint16_t type, uint8_t *memory);
