/* A driver's table that notes every call. It passes the call on to the real driver, if the runtime
 * names that driver. There is one spy in a process. Calls of all threads are numbered in the order
 * of arrival. */
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
    const void *data;         /* the payload's pointer, as the driver got it */
    const uint8_t *bytes;     /* copy of the payload's `size` bytes during the call, or NULL */
    D3D12DDI_HANDLETYPE type; /* SPY_NAME */
    const WCHAR *name;        /* SPY_NAME: a copy with its NUL; NULL when the driver got NULL */
    size_t name_length;       /* in WCHARs */
    uint64_t thread;          /* os_thread_id() of the caller */
};

/* Returns the spy as a driver, which calls `next` unless it is NULL. If `next` lacks the feature,
 * the spy lacks it, too: version 0, but with a table, so that forbidden calls are noted. The result
 * is static; the next call changes it. */
const annot_driver *spy_driver(const annot_driver *next);

/* Returns a spy without the feature. */
const annot_driver *spy_driver_without_feature(void);

/* Calls so far. */
size_t spy_count(void);
size_t spy_count_of(enum spy_function function);

/* Returns the number of calls with this handle. */
size_t spy_count_on(const void *handle);

/* Returns call `number`, from 0, valid until spy_forget. Ends the case if there were fewer
 * calls. */
const struct spy_call *spy_at(size_t number);
const struct spy_call *spy_last(void);

/* Forgets all calls. No other thread may be in a call. */
void spy_forget(void);

/* Expects `wanted` Begins and Sets so far, with different EventIDs that are not 0. */
void spy_expect_unique_ids(size_t wanted);

/* Expects call `number` to be that marker call with these arguments. */
#define EXPECT_MARKER(number, function, metadata, data, size)                                      \
    spy_expect_marker((number), (function), (metadata), (data), (size), __FILE__, __LINE__)
bool spy_expect_marker(size_t number, enum spy_function function, UINT metadata, const void *data,
                       UINT size, const char *file, int line);
