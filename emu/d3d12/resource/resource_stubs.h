/* Methods of ID3D12Resource that the emulator does not model; included by resource.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_resource
#define STUB_INTERFACE ID3D12Resource2
#define STUB_NAME      "ID3D12Resource"
#define STUB_DEVICE    impl_from_ID3D12Resource2(iface)->child.device

STUB_FAIL(WriteToSubresource, UINT subresource, const D3D12_BOX *box, const void *data,
          UINT row_pitch, UINT depth_pitch)
STUB_FAIL(ReadFromSubresource, void *data, UINT row_pitch, UINT depth_pitch, UINT subresource,
          const D3D12_BOX *box)
