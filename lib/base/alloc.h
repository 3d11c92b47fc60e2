/* Memory comes from the caller's allocator; the default is the C library's. */
#pragma once

#include <annot/annot.h>

/* Fills in the C library's functions if both are NULL. False means that only one is NULL. */
bool annot__allocator_complete(annot_allocator *allocator);
