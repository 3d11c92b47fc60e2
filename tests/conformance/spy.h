/* A driver's table that writes down every call, and passes it on to the driver that would have got
 * it where the runtime says which that is. One per process. Calls are numbered in the order in
 * which they came, over all threads.
 */
#pragma once

#include "runtime.h"

enum spy_function {
    SPY_QUEUE_BEGIN,
    SPY_QUEUE_END,
    SPY_QUEUE_SET,
    SPY_LIST_BEGIN,
    SPY_LIST_END,
    SPY_LIST_SET,
    SPY_NAME
};

struct spy_call {
    enum spy_function function;
    void *handle;
    UINT metadata, size;
    uint64_t event_id;
    const void *data; /* the pointer that the driver was given */
    const uint8_t
        *bytes; /* what was there during the call, `size` bytes; NULL when there was nothing */
    D3D12DDI_HANDLETYPE type; /* SPY_NAME */
    const WCHAR *name;        /* SPY_NAME: a copy with its NUL; NULL when the driver got NULL */
    size_t name_length;       /* in WCHARs */
    uint64_t thread;          /* os_thread_id() of the caller */
};

/* The spy as a driver. `next` NULL: calls end here. A driver without the feature makes a spy
 * without it: version 0, but with a table, so that a call that must not come is heard. Static; a
 * later call changes what the earlier returned. */
const annot_driver *spy_driver(const annot_driver *next);

/* One without the feature. */
const annot_driver *spy_driver_without_feature(void);

/* Calls so far. */
size_t spy_count(void);
size_t spy_count_of(enum spy_function function);

/* Calls whose handle is that. */
size_t spy_count_on(const void *handle);

/* The call with this number, from 0; ends the case when there were fewer. It is valid until
 * spy_forget. */
const struct spy_call *spy_at(size_t number);
const struct spy_call *spy_last(void);

/* Forgets all calls. No other thread may be in a call. */
void spy_forget(void);

/* Expects this many Begins and Sets so far, each with an EventID of its own, none with 0. */
void spy_expect_unique_ids(size_t wanted);

/* Expects call `number` to be that marker call with these arguments. */
#define EXPECT_MARKER(number, function, metadata, data, size)                                      \
    spy_expect_marker((number), (function), (metadata), (data), (size), __FILE__, __LINE__)
bool spy_expect_marker(size_t number, enum spy_function function, UINT metadata, const void *data,
                       UINT size, const char *file, int line);
