/* A call of the program, during its recording. */
#pragma once

#include "../../intercept/object.h"

struct recorded {
    uint64_t number; /* the call's number; 0: recording has ended or is paused */
    uint16_t method;
    struct object *self; /* NULL: the call is an export */
    uint64_t heap_call;  /* the call that created the heap in which this call places a resource */
    bool has_reached;    /* whether a fence has already reached the value of an event */
    uint64_t given;      /* size of the program's memory that the call gives to the runtime */
};
