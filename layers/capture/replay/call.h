/* Calls any method or export with arguments from an array of 64-bit words. */
#pragma once

#include "../trace/codec.h"

#define CALL_STRUCT_MAX 512

struct call_result {
    uint64_t word;
    _Alignas(16) unsigned char structure[CALL_STRUCT_MAX];
};

/* Call a method of `self`, or the export at `function`. */
void call_method(unsigned method, void *self, const uint64_t *args, struct call_result *result);
void call_export(unsigned method, void *function, const uint64_t *args, struct call_result *result);

/* ---- the replayer's own calls ---- */
void call_fence_set(void *fence, uint64_t value);
/* Waits until the queue has finished its work. If its device is removed, it returns at once. */
void call_queue_wait(void *queue);
/* Returns a heap's properties as an argument for a creation, in static memory of the thread. */
const void *call_heap_properties(void *heap);
void call_fence_wait(void *fence, uint64_t value);
/* Returns the size of all handles of a descriptor heap in bytes. *step becomes the size of one
 * handle; `step` may be NULL. */
uint64_t call_heap_span(void *heap, uint32_t *step);
/* Return the largest size in bytes of a heap, or of a resource, with the description `desc`. */
uint64_t call_heap_desc_size(const void *desc);
uint64_t call_resource_desc_size(const void *desc);
/* Sets the address of the device's next resource; 0 means any address. False: the runtime can't set
 * addresses. */
bool call_set_address(void *device, uint64_t address);
/* Returns a buffer's size; 0 for other resources. */
uint64_t call_resource_size(void *resource);
/* The identity of a COM object: its IUnknown, without a reference. */
void *call_identity(void *object);
/* A static object with IUnknown that does nothing. It replaces an object of the program. */
void *call_stand_in(void);
/* Returns a callback that does nothing. */
uint64_t call_callback(void);
