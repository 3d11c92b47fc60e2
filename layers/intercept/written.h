/* Replaces the runtime's objects by the program's wrappers in structures that the runtime wrote. */
#pragma once

#include <stdint.h>

/* `memory` holds a structure of this type. Its targets are the runtime's, and may point to objects
 * that are gone: it is copied, into memory that stays. */
void written_wrap(uint16_t type, uint8_t *memory);
