/* The layers' own queries of the runtime's objects; clients don't see them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Who writes to the memory of a mappable resource: the CPU, the GPU, or both. */
enum resource_kind {
    RESOURCE_UPLOAD = 1,   /* the CPU */
    RESOURCE_READBACK = 2, /* the GPU */
    RESOURCE_SHARED = 4    /* the CPU and the GPU */
};

struct resource_facts {
    uint64_t size;  /* bytes of a buffer; 0: a texture */
    uint32_t kind;  /* enum resource_kind */
    bool is_shared; /* shared with other processes or adapters */
};

/* Asks a real ID3D12Resource. */
struct resource_facts resource_describe(void *resource);

/* Describes a real ID3D12Resource; the description is valid as long as the resource. */
struct annot_resource;
void resource_shape(void *resource, struct annot_resource *out);

/* The address of the first descriptor of a real ID3D12DescriptorHeap. */
uint64_t resource_descriptors(void *heap);

/* How many bytes ReadFromSubresource or WriteToSubresource touches with these arguments; 0:
 * nothing, or unknown. */
uint64_t resource_box_size(uint16_t method, void *resource, const uint64_t *args);

/* The address of a real ID3D12Resource, 0 if it is no buffer. */
uint64_t resource_address(void *resource);

/* The value that a real ID3D12Fence has reached. */
uint64_t resource_fence_value(void *fence);

/* The size of a pipeline library's serialized form in bytes. */
uint64_t resource_library_size(void *library);

/* An interface of a real object; NULL: it has none. object_peek's is not counted: it lives as long
 * as the object. */
void *object_query(void *real, const void *iid);
void *object_peek(void *real, const void *iid);
uint32_t object_release(void *real);
