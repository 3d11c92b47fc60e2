/* Memory comes from the caller's allocator; the default is the C library's. */
#pragma once

#include <annot/annot.h>

/* Fills in the C library's when both functions are NULL. False means that only one of them is. */
bool annot__allocator_complete(annot_allocator *allocator);
