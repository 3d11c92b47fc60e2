/* What the emulator does not model of ID3D12CommandQueue; included by command_queue.c only. */
#include "residual.h"

#define RESIDUAL_NOUN      d3d12_command_queue
#define RESIDUAL_INTERFACE ID3D12CommandQueue
#define RESIDUAL_NAME      "ID3D12CommandQueue"
#define RESIDUAL_DEVICE    impl_from_ID3D12CommandQueue(iface)->child.device

RESIDUAL_VOID(UpdateTileMappings, ID3D12Resource *resource, UINT num_resource_regions,
              const D3D12_TILED_RESOURCE_COORDINATE *resource_region_start_coordinates,
              const D3D12_TILE_REGION_SIZE *resource_region_sizes, ID3D12Heap *heap,
              UINT num_ranges, const D3D12_TILE_RANGE_FLAGS *range_flags,
              const UINT *heap_range_start_offsets, const UINT *range_tile_counts,
              D3D12_TILE_MAPPING_FLAGS flags)
RESIDUAL_VOID(CopyTileMappings, ID3D12Resource *dst_resource,
              const D3D12_TILED_RESOURCE_COORDINATE *dst_region_start_coordinate,
              ID3D12Resource *src_resource,
              const D3D12_TILED_RESOURCE_COORDINATE *src_region_start_coordinate,
              const D3D12_TILE_REGION_SIZE *region_size, D3D12_TILE_MAPPING_FLAGS flags)
