/* Asks the runtime's objects for facts that the layers need. Clients don't see these calls. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Says who writes to the memory of a mappable resource: the CPU, the GPU, or both. */
enum resource_kind {
    RESOURCE_UPLOAD = 1,   /* only the CPU writes */
    RESOURCE_READBACK = 2, /* only the GPU writes */
    RESOURCE_SHARED = 4    /* both the CPU and the GPU write to the memory */
};

struct resource_facts {
    uint64_t size;  /* size of a buffer in bytes; 0: a texture */
    uint32_t kind;  /* an enum resource_kind */
    bool is_shared; /* whether another process or adapter shares the resource */
};

/* Returns the facts about the runtime's ID3D12Resource `resource`. */
struct resource_facts resource_describe(void *resource);

/* Gets the description of the runtime's ID3D12Resource; it is valid until the resource is gone. */
struct annot_resource;
void resource_shape(void *resource, struct annot_resource *out);

/* Returns the address of the first descriptor in the runtime's ID3D12DescriptorHeap `heap`. */
uint64_t resource_descriptors(void *heap);

/* Returns how many bytes a row of a texture has, and its number of rows, on the device of a real
 * ID3D12Resource. `desc`: a D3D12_RESOURCE_DESC. 0: the number is unknown; *rows is unchanged. */
uint64_t resource_row_size(void *resource, const void *desc, uint32_t *rows);

/* Returns how many bytes ReadFromSubresource or WriteToSubresource touches with these arguments; 0:
 * the call touches nothing, or the number is unknown. */
uint64_t resource_box_size(uint16_t method, void *resource, const uint64_t *args);

/* Returns the GPU address of the runtime's ID3D12Resource, or 0 if it is not a buffer. */
uint64_t resource_address(void *resource);

/* Returns the value that the runtime's ID3D12Fence has reached. */
uint64_t resource_fence_value(void *fence);

/* Returns how many bytes the pipeline library has when it is serialized. */
uint64_t resource_library_size(void *library);

/* Sets a fact for the dumps of a runtime's device, with the runtime's functions emu_annot_device
 * and annot_device_set_fact. If a function or the device is NULL, nothing happens. */
void resource_set_fact(void *device, void *annot_device_of, void *set_fact, const char *key,
                       const char *value);

/* object_query and object_peek return an interface of a runtime's object, or NULL. The interface
 * from object_peek has no reference, so it lives only as long as the object. */
void *object_query(void *real, const void *iid);
void *object_peek(void *real, const void *iid);
uint32_t object_release(void *real);
