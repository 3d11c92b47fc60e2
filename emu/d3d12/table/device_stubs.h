/* What the emulator does not model of ID3D12Device; included by device.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_device
#define STUB_INTERFACE ID3D12Device11
#define STUB_NAME      "ID3D12Device"
#define STUB_DEVICE    impl_from_ID3D12Device11(iface)

STUB_CREATE(OpenExistingHeapFromFileMapping, HANDLE file_mapping)
