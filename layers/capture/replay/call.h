/* Calls a method or an export with arguments from an array of 64-bit words. */
#pragma once

#include "../trace/codec.h"

#define CALL_STRUCT_MAX 512

struct call_result {
    uint64_t word;
    _Alignas(16) unsigned char structure[CALL_STRUCT_MAX];
};

/* call_method calls a method of `self`; call_export calls the export at `function`. */
void call_method(unsigned method, void *self, const uint64_t *args, struct call_result *result);
void call_export(unsigned method, void *function, const uint64_t *args, struct call_result *result);

/* ---- replay's own calls, which the trace does not have ---- */
void call_fence_set(void *fence, uint64_t value);
/* Waits until the queue's work is done. If the device is removed, the function returns at once. */
void call_queue_wait(void *queue);
void call_fence_wait(void *fence, uint64_t value);
/* Returns the size of all handles of a descriptor heap, in bytes. *step becomes the size of one
 * handle. `step` may be NULL. */
uint64_t call_heap_span(void *heap, uint32_t *step);
/* call_heap_desc_size and call_resource_desc_size return an upper limit of the size, in bytes, of
 * an object with the description `desc`. */
uint64_t call_heap_desc_size(const void *desc);
uint64_t call_resource_desc_size(const void *desc);
/* Sets the address of the device's next resource; 0 allows any address. False: not possible. */
bool call_set_address(void *device, uint64_t address);
/* Returns the size of a buffer, or 0 for another resource. */
uint64_t call_resource_size(void *resource);
/* Returns the pointer that identifies a COM object: its IUnknown, without a reference. */
void *call_identity(void *object);
/* Removes an interface from an object's private data. */
void call_forget(void *object, const uint8_t guid[16]);
/* Returns a static IUnknown that replaces the program's own objects. Its methods do nothing. */
void *call_stand_in(void);
/* Returns a callback that does nothing, for calls with a callback. */
uint64_t call_callback(void);
