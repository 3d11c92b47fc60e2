/* What the emulator does not model of ID3D12VideoDevice; included by video_device.c only. */
#include "base/residual.h"

#define RESIDUAL_NOUN      d3d12_video_device
#define RESIDUAL_INTERFACE ID3D12VideoDevice3
#define RESIDUAL_NAME      "ID3D12VideoDevice"
#define RESIDUAL_DEVICE    impl_from_ID3D12VideoDevice3(iface)

RESIDUAL_CREATE(CreateVideoExtensionCommand, const D3D12_VIDEO_EXTENSION_COMMAND_DESC *desc,
                const void *creation_parameters, SIZE_T creation_parameters_data_size_in_bytes,
                ID3D12ProtectedResourceSession *protected_resource_session)
RESIDUAL_FAIL(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
              const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes,
              void *output_data, SIZE_T output_data_size_in_bytes)
