/* Asks the runtime's objects for facts that the layers need; clients don't see these calls. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Who writes to the memory of a mappable resource: the CPU, the GPU, or both. */
enum resource_kind {
    RESOURCE_UPLOAD = 1,   /* only the CPU writes */
    RESOURCE_READBACK = 2, /* only the GPU writes */
    RESOURCE_SHARED = 4    /* the CPU and the GPU write */
};

struct resource_facts {
    uint64_t size;  /* number of bytes of a buffer; 0: the resource is a texture */
    uint32_t kind;  /* an enum resource_kind */
    bool is_shared; /* whether other processes or adapters share the resource */
};

/* Asks a real ID3D12Resource for the members of resource_facts. */
struct resource_facts resource_describe(void *resource);

/* Describes a real ID3D12Resource. The description is valid until the resource is gone. */
struct annot_resource;
void resource_shape(void *resource, struct annot_resource *out);

/* Returns the address of the first descriptor of a real ID3D12DescriptorHeap. */
uint64_t resource_descriptors(void *heap);

/* Returns how many bytes a row of a texture has, and its number of rows, on the device of a real
 * ID3D12Resource. `desc`: a D3D12_RESOURCE_DESC. 0: the number is unknown; *rows is unchanged. */
uint64_t resource_row_size(void *resource, const void *desc, uint32_t *rows);

/* Returns how many bytes ReadFromSubresource or WriteToSubresource touches with these arguments; 0:
 * the call touches nothing, or the number is unknown. */
uint64_t resource_box_size(uint16_t method, void *resource, const uint64_t *args);

/* Returns the address of a real ID3D12Resource, or 0 if the resource is not a buffer. */
uint64_t resource_address(void *resource);

/* Returns the value that a real ID3D12Fence has reached. */
uint64_t resource_fence_value(void *fence);

/* Returns the size of a pipeline library's serialized form in bytes. */
uint64_t resource_library_size(void *library);

/* Both functions return an interface of a real object, or NULL. The interface from object_peek has
 * no reference of its own, so it lives as long as the object. */
void *object_query(void *real, const void *iid);
void *object_peek(void *real, const void *iid);
uint32_t object_release(void *real);
