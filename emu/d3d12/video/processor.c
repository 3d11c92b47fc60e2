#include "video/video.h"

#include "base/abi.h"
#include "device/device.h"
#include "video/capabilities.h"

struct d3d12_video_processor {
    ID3D12VideoProcessor1 iface;
    struct d3d12_child child;
    UINT node_mask, input_count;
    D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC output;
    D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC inputs[VIDEO_MAX_INPUTS];
};

D3D12_CHILD_METHODS(d3d12_video_processor, ID3D12VideoProcessor1)

COM_GET(UINT, ID3D12VideoProcessor1, d3d12_video_processor_GetNodeMask, node_mask)
COM_GET(UINT, ID3D12VideoProcessor1, d3d12_video_processor_GetNumInputStreamDescs, input_count)

static HRESULT STDMETHODCALLTYPE d3d12_video_processor_GetInputStreamDescs(
    ID3D12VideoProcessor1 *iface, UINT count, D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *descs)
{
    const struct d3d12_video_processor *processor = impl_from_ID3D12VideoProcessor1(iface);
    if (count > processor->input_count || (count != 0 && !descs))
        return E_INVALIDARG;
    if (count != 0)
        memcpy(descs, processor->inputs, count * sizeof *descs);
    return S_OK;
}

ABI_GET(D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC, ID3D12VideoProcessor1,
        d3d12_video_processor_GetOutputStreamDesc, output)

static HRESULT STDMETHODCALLTYPE d3d12_video_processor_GetProtectedResourceSession(
    ID3D12VideoProcessor1 *iface, REFIID riid, void **out)
{
    (void)iface, (void)riid;
    return video_no_session(out);
}

static CONST_VTBL ID3D12VideoProcessor1Vtbl d3d12_video_processor_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_video_processor),
    COM_METHODS(d3d12_video_processor, GetNodeMask, GetNumInputStreamDescs, GetInputStreamDescs,
                GetOutputStreamDesc, GetProtectedResourceSession),
};

static const struct d3d12_child_class video_processor_class = {
    .kind = D3D12DDI_HT_VIDEO_PROCESSOR,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12VideoProcessor,
                                 &IID_ID3D12VideoProcessor1, NULL},
    .methods = &d3d12_video_processor_vtable,
};

static bool is_input(const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *input)
{
    return video_format(input->Format) && video_size_range(&input->SourceSizeRange) &&
           video_size_range(&input->DestinationSizeRange);
}

HRESULT d3d12_video_processor_create(struct d3d12_device *device, UINT node_mask,
                                     const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC *output,
                                     UINT input_count,
                                     const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *inputs,
                                     struct d3d12_child **out)
{
    if (node_mask > 1 || !output || !video_format(output->Format) || !inputs || input_count == 0 ||
        input_count > VIDEO_MAX_INPUTS)
        return E_INVALIDARG;
    for (UINT i = 0; i < input_count; i++)
        if (!is_input(&inputs[i]))
            return E_INVALIDARG;
    struct d3d12_video_processor *processor =
        d3d12_child_begin(device, &video_processor_class, sizeof *processor);
    if (!processor)
        return E_OUTOFMEMORY;
    processor->node_mask = node_mask;
    processor->input_count = input_count;
    processor->output = *output;
    memcpy(processor->inputs, inputs, input_count * sizeof *inputs);
    *out = &processor->child;
    return d3d12_child_end(&processor->child, S_OK);
}
