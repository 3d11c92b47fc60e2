/* Completes the caller's allocator; by default the C library allocates. */
#pragma once

#include <annot/annot.h>

/* Sets the C library's functions if both are NULL. Returns false if only one is NULL. */
bool annot__allocator_complete(annot_allocator *allocator);
