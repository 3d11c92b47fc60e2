/* Calls any method or export with arguments from an array of 64-bit words. */
#pragma once

#include "../trace/codec.h"

#define CALL_STRUCT_MAX 512

struct call_result {
    uint64_t word;
    _Alignas(16) unsigned char structure[CALL_STRUCT_MAX];
};

/* These functions call a method of `self`, or the export at `function`. */
void call_method(unsigned method, void *self, const uint64_t *args, struct call_result *result);
void call_export(unsigned method, void *function, const uint64_t *args, struct call_result *result);

/* ---- calls that replay makes for itself, not for the trace ---- */
void call_fence_set(void *fence, uint64_t value);
/* Waits until the queue has finished its work. Returns at once if the device is removed. */
void call_queue_wait(void *queue);
void call_fence_wait(void *fence, uint64_t value);
/* Returns the size of all handles of a descriptor heap in bytes. *step becomes the size of one
 * handle; `step` may be NULL. */
uint64_t call_heap_span(void *heap, uint32_t *step);
/* The two functions return the largest size in bytes that a heap or a resource with the description
 * `desc` can have. */
uint64_t call_heap_desc_size(const void *desc);
uint64_t call_resource_desc_size(const void *desc);
/* Sets the address of the device's next resource; 0 means any address. False: impossible. */
bool call_set_address(void *device, uint64_t address);
/* Returns a buffer's size; 0 for other resources. */
uint64_t call_resource_size(void *resource);
/* Returns the identity of a COM object: its IUnknown, without a reference. */
void *call_identity(void *object);
/* Returns a static IUnknown whose methods do nothing. It replaces objects of the program. */
void *call_stand_in(void);
/* Returns a callback that does nothing. */
uint64_t call_callback(void);
