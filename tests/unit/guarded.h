/* Memory for readers that is watched: it is not zero, nobody writes beyond it, it is released with
 * the size that was asked for, and what is read after that is wrong [annot_allocator]. */
#pragma once

#include <annot/reader.h>

extern const annot_reader_desc guarded_memory;

/* There is no memory for this one, counted from 1 and from now on; 0: for all. */
void guarded_fail_at(unsigned allocation);

/* A suite closes its readers: at the end of each test all memory is released. */
void guarded_expect_nothing_left(void);
