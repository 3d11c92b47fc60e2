/* What the emulator does not model of ID3D12Device; included by device.c only. */
#include "base/residual.h"

#define RESIDUAL_NOUN      d3d12_device
#define RESIDUAL_INTERFACE ID3D12Device11
#define RESIDUAL_NAME      "ID3D12Device"
#define RESIDUAL_DEVICE    impl_from_ID3D12Device11(iface)

RESIDUAL_CREATE(OpenExistingHeapFromFileMapping, HANDLE file_mapping)
