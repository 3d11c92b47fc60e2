/* Methods of ID3D12VideoDevice that the emulator does not model; included by device.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_device
#define STUB_INTERFACE ID3D12VideoDevice3
#define STUB_NAME      "ID3D12VideoDevice"
#define STUB_DEVICE    impl_from_ID3D12VideoDevice3(iface)

STUB_CREATE(CreateVideoExtensionCommand, const D3D12_VIDEO_EXTENSION_COMMAND_DESC *desc,
            const void *creation_parameters, SIZE_T creation_parameters_data_size_in_bytes,
            ID3D12ProtectedResourceSession *protected_resource_session)
STUB_FAIL(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes,
          void *output_data, SIZE_T output_data_size_in_bytes)
STUB_FAIL(CheckFeatureSupport, D3D12_FEATURE_VIDEO feature, void *data, UINT size)
