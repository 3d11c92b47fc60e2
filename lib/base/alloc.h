/* Completes the caller's allocator; the default allocator is the C library's. */
#pragma once

#include <annot/annot.h>

/* Sets the C library's functions if both are NULL. Returns false if only one is NULL. */
bool annot__allocator_complete(annot_allocator *allocator);
