/* The recorder's data about one call of the program. */
#pragma once

#include "../../intercept/object.h"

struct recorded {
    uint64_t number; /* number of the call; 0: the recorder has ended or is paused */
    uint16_t method;
    struct object *self; /* the called object; NULL: an exported function is called */
    uint64_t heap_call;  /* number of the call that made the heap of a placed resource */
    bool has_reached;    /* whether the event's fence has already reached its value */
    uint64_t given;      /* size of the program's memory that the runtime gets in this call */
};
