/* Methods of ID3D12CommandQueue that the emulator does not model, whose kernel knows no priorities;
 * included by command_queue_table.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_command_queue
#define STUB_INTERFACE queue_iface
#define STUB_NAME      "ID3D12CommandQueue"
#define STUB_DEVICE    impl_from_queue_iface(iface)->child.device

STUB_FAIL(SetProcessPriority, UINT priority)
STUB_FAIL(GetProcessPriority, UINT *priority)
STUB_FAIL(SetGlobalPriority, UINT priority)
STUB_FAIL(GetGlobalPriority, UINT *priority)
