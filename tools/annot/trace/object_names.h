/* Names that the program set with SetName, as they are at the current record of a trace. */
#pragma once

#include <capture/trace/read.h>

struct object_names { /* empty: all zero */
    struct object_name *all;
};

/* Follows the trace. Call this function with every record, in order. False means out of memory. */
bool object_names_follow(struct object_names *names, const struct trace_item *item);

/* A callback for trace_printer.name_of. `names` is a struct object_names. */
const char *object_names_of(void *names, uint64_t object);

void object_names_free(struct object_names *names);
