/*
 * Views: what the Create…View methods write into descriptor heaps. These methods return nothing: a
 * view that D3D12 doesn't permit causes a message, and the descriptor stays as it was.
 */
#ifndef D3D12_VIEW_H
#define D3D12_VIEW_H

#include "view/descriptor_heap.h"

void d3d12_view_create_constants(struct d3d12_device *device,
                                 const D3D12_CONSTANT_BUFFER_VIEW_DESC *desc,
                                 D3D12_CPU_DESCRIPTOR_HANDLE handle);
void d3d12_view_create_shader_resource(struct d3d12_device *device, ID3D12Resource *resource,
                                       const D3D12_SHADER_RESOURCE_VIEW_DESC *desc,
                                       D3D12_CPU_DESCRIPTOR_HANDLE handle);
void d3d12_view_create_unordered_access(struct d3d12_device *device, ID3D12Resource *resource,
                                        ID3D12Resource *counter,
                                        const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc,
                                        D3D12_CPU_DESCRIPTOR_HANDLE handle);
void d3d12_view_create_render_target(struct d3d12_device *device, ID3D12Resource *resource,
                                     const D3D12_RENDER_TARGET_VIEW_DESC *desc,
                                     D3D12_CPU_DESCRIPTOR_HANDLE handle);
void d3d12_view_create_depth_stencil(struct d3d12_device *device, ID3D12Resource *resource,
                                     const D3D12_DEPTH_STENCIL_VIEW_DESC *desc,
                                     D3D12_CPU_DESCRIPTOR_HANDLE handle);
void d3d12_view_create_sampler(struct d3d12_device *device, const D3D12_SAMPLER_DESC2 *desc,
                               D3D12_CPU_DESCRIPTOR_HANDLE handle);

/* ID3D12Device::CopyDescriptors: all or nothing. Sizes NULL: every range is one descriptor. */
void d3d12_view_copy(struct d3d12_device *device, UINT to_count,
                     const D3D12_CPU_DESCRIPTOR_HANDLE *to, const UINT *to_sizes, UINT from_count,
                     const D3D12_CPU_DESCRIPTOR_HANDLE *from, const UINT *from_sizes,
                     D3D12_DESCRIPTOR_HEAP_TYPE type);

#endif
