/* Pipeline states, and the state of the fixed-function stages. Nothing is rasterised, so this state
 * is checked as in D3D12, and stored only if a later check needs it. */
#include "list/command_list_record.h"

#include "view/descriptor_heap.h"
#include "device/device.h"
#include "dred/range.h"
#include "pipeline/pipeline_state.h"

/* ---- pipeline states ---- */

bool command_list_check_pipeline(const struct d3d12_command_list *list, ID3D12PipelineState *state,
                                 const char *method)
{
    const struct d3d12_pipeline_state *pipeline = d3d12_pipeline_state_from(state);
    if (!pipeline || pipeline->child.device != list->child.device)
        return d3d12_child_refused(&list->child, EMU_MESSAGE_INVALID_ARGUMENT,
                                   "%s: pPipelineState must be a pipeline state of this device",
                                   method);
    if (pipeline->is_graphics && list->type == D3D12_COMMAND_LIST_TYPE_COMPUTE)
        return d3d12_child_refused(&list->child, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH,
                                   "%s: a compute list can't have a graphics pipeline state",
                                   method);
    return true;
}

/* Sets a pipeline and returns its annot_object_id; 0: the pipeline is NULL. */
static uint64_t set_pipeline(struct d3d12_command_list *list, ID3D12PipelineState *state)
{
    const struct d3d12_pipeline_state *pipeline = d3d12_pipeline_state_from(state);
    if (pipeline && pipeline->child.usage && !command_list_hold(list, pipeline->child.usage))
        list->failure = FAILED(list->failure) ? list->failure : E_OUTOFMEMORY;
    list->pipeline.set = pipeline != NULL;
    list->pipeline.is_graphics = pipeline != NULL && pipeline->is_graphics;
    list->pipeline.is_mesh = pipeline != NULL && pipeline->is_mesh;
    list->pipeline.kernel = pipeline != NULL ? pipeline->kernel : 0;
    list->pipeline.flags = pipeline != NULL ? pipeline->flags : 0;
    return pipeline ? annot_object_id(pipeline->child.annot) : 0;
}

void command_list_clear_state(struct d3d12_command_list *list, ID3D12PipelineState *state)
{
    command_list_clear_roots(list);
    memset(&list->graphics, 0, sizeof list->graphics);
    list_state_begin(&list->noted, set_pipeline(list, state), state != NULL);
}

void STDMETHODCALLTYPE d3d12_command_list_ClearState(list_iface *iface, ID3D12PipelineState *state)
{
    LIST_METHOD((ON_COMPUTE & ~ON(BUNDLE)) | OUTSIDE_PASS);
    if (state && !command_list_check_pipeline(list, state, "ID3D12GraphicsCommandList::ClearState"))
        return;
    command_list_clear_state(list, state);
    d3d12_command_list_end_predication(list);
}

void STDMETHODCALLTYPE d3d12_command_list_SetPipelineState(list_iface *iface,
                                                           ID3D12PipelineState *state)
{
    LIST_METHOD(ON_COMPUTE);
    if (command_list_check_pipeline(list, state, "ID3D12GraphicsCommandList::SetPipelineState"))
        list_state_set_pipeline(&list->noted, set_pipeline(list, state));
}

/* ---- input assembler ---- */

void STDMETHODCALLTYPE d3d12_command_list_IASetPrimitiveTopology(list_iface *iface,
                                                                 D3D12_PRIMITIVE_TOPOLOGY topology)
{
    LIST_METHOD(ON_GRAPHICS);
    const int value = (int)topology;
    if (value < 0 || value > (int)D3D_PRIMITIVE_TOPOLOGY_32_CONTROL_POINT_PATCHLIST ||
        (value > (int)D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP &&
         value < (int)D3D_PRIMITIVE_TOPOLOGY_LINELIST_ADJ) ||
        (value > (int)D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ &&
         value < (int)D3D_PRIMITIVE_TOPOLOGY_1_CONTROL_POINT_PATCHLIST))
        command_list_report_error(list,
                                  D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY,
                                  method, "PrimitiveTopology %d is not a D3D12_PRIMITIVE_TOPOLOGY",
                                  value);
    else
        list->graphics.topology = topology;
}

static uint64_t resource_at(const struct d3d12_command_list *list, uint64_t address)
{
    return list->dred ? dred_ranges_resource_at(&list->child.device->dred.ranges, address) : 0;
}

void STDMETHODCALLTYPE d3d12_command_list_IASetIndexBuffer(list_iface *iface,
                                                           const D3D12_INDEX_BUFFER_VIEW *view)
{
    LIST_METHOD(ON_GRAPHICS);
    list->graphics.has_indices = false;
    list_state_set_indices(&list->noted, 0);
    if (!view || view->BufferLocation == 0 || view->Format == DXGI_FORMAT_UNKNOWN)
        return;
    const UINT size = view->Format == DXGI_FORMAT_R16_UINT   ? 2
                      : view->Format == DXGI_FORMAT_R32_UINT ? 4
                                                             : 0;
    if (size == 0 || view->BufferLocation % size != 0)
        command_list_report_error(list, D3D12_MESSAGE_ID_SET_INDEX_BUFFER_INVALID_DESC, method,
                                  "Format must be R16_UINT or R32_UINT, and BufferLocation must be "
                                  "a multiple of the format's size");
    else {
        list->graphics.has_indices = true;
        list_state_set_indices(&list->noted, resource_at(list, view->BufferLocation));
    }
}

/* Whether `count` slots from `start` on are below `limit` and described, unless `may_be_null`. */
static bool check_slots(struct d3d12_command_list *list, UINT start, UINT count, UINT limit,
                        const void *views, bool may_be_null, D3D12_MESSAGE_ID id,
                        const char *method)
{
    if (start <= limit && count <= limit - start && (views || may_be_null || count == 0))
        return true;
    return command_list_report_error(
        list, id, method,
        "pViews is NULL, or %u slots that begin at slot %u exceed the limit of %u slots", count,
        start, limit);
}

void STDMETHODCALLTYPE d3d12_command_list_IASetVertexBuffers(list_iface *iface, UINT start,
                                                             UINT count,
                                                             const D3D12_VERTEX_BUFFER_VIEW *views)
{
    LIST_METHOD(ON_GRAPHICS);
    if (!check_slots(list, start, count, D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT, views, true,
                     D3D12_MESSAGE_ID_SET_VERTEX_BUFFERS_INVALID, method))
        return;
    for (UINT i = 0; views && i < count; i++)
        LIST_REFUSES(views[i].StrideInBytes > D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES,
                     report_error, D3D12_MESSAGE_ID_SET_VERTEX_BUFFERS_INVALID_DESC,
                     "view %u: StrideInBytes must be at most %d", i,
                     D3D12_REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES);
    for (UINT i = 0; i < count; i++)
        list_state_set_vertices(
            &list->noted, start + i,
            views && views[i].BufferLocation != 0 ? resource_at(list, views[i].BufferLocation) : 0);
}

/* ---- stream output ---- */

void STDMETHODCALLTYPE d3d12_command_list_SOSetTargets(list_iface *iface, UINT start, UINT count,
                                                       const D3D12_STREAM_OUTPUT_BUFFER_VIEW *views)
{
    LIST_METHOD(ON(DIRECT));
    if (!check_slots(list, start, count, D3D12_SO_BUFFER_SLOT_COUNT, views, true,
                     D3D12_MESSAGE_ID_SET_STREAM_OUTPUT_BUFFERS_INVALID, method))
        return;
    for (UINT i = 0; views && i < count; i++)
        LIST_REFUSES(views[i].BufferLocation % 4 != 0 || views[i].SizeInBytes % 4 != 0 ||
                         views[i].BufferFilledSizeLocation % 4 != 0,
                     report_error, D3D12_MESSAGE_ID_SET_STREAM_OUTPUT_BUFFERS_INVALID_DESC,
                     "view %u: BufferLocation, BufferFilledSizeLocation and "
                     "SizeInBytes must be multiples of 4",
                     i);
}

/* ---- rasteriser ---- */

void STDMETHODCALLTYPE d3d12_command_list_RSSetViewports(list_iface *iface, UINT count,
                                                         const D3D12_VIEWPORT *viewports)
{
    LIST_METHOD(ON(DIRECT));
    check_slots(list, 0, count, D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE, viewports,
                false, (D3D12_MESSAGE_ID)EMU_MESSAGE_INVALID_ARGUMENT, method);
}

void STDMETHODCALLTYPE d3d12_command_list_RSSetScissorRects(list_iface *iface, UINT count,
                                                            const D3D12_RECT *rects)
{
    LIST_METHOD(ON(DIRECT));
    if (!check_slots(list, 0, count, D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE,
                     rects, false, (D3D12_MESSAGE_ID)EMU_MESSAGE_INVALID_ARGUMENT, method))
        return;
    for (UINT i = 0; i < count; i++)
        LIST_REFUSES(rects[i].left > rects[i].right || rects[i].top > rects[i].bottom, report_error,
                     D3D12_MESSAGE_ID_SET_SCISSOR_RECTS_INVALID_RECT,
                     "rectangle %u must have left <= right and top <= bottom", i);
}

/* Devices here have no variable-rate shading: every call that asks for it is a mistake. */
void STDMETHODCALLTYPE d3d12_command_list_RSSetShadingRate(
    list_iface *iface, D3D12_SHADING_RATE rate, const D3D12_SHADING_RATE_COMBINER *combiners)
{
    LIST_METHOD(ON_GRAPHICS);
    (void)rate;
    (void)combiners;
    command_list_report_error(list, D3D12_MESSAGE_ID_RSSETSHADINGRATE_REQUIRES_TIER_1, method,
                              "the device has no variable-rate shading");
}

void STDMETHODCALLTYPE d3d12_command_list_RSSetShadingRateImage(list_iface *iface,
                                                                ID3D12Resource *image)
{
    LIST_METHOD(ON_GRAPHICS);
    (void)image;
    command_list_report_error(list, D3D12_MESSAGE_ID_RSSETSHADINGRATEIMAGE_REQUIRES_TIER_2, method,
                              "the device has no variable-rate shading");
}

/* Programmable sample positions are an optional feature, which devices here lack. */
void STDMETHODCALLTYPE d3d12_command_list_SetSamplePositions(list_iface *iface, UINT samples,
                                                             UINT pixels,
                                                             D3D12_SAMPLE_POSITION *positions)
{
    LIST_METHOD(ON_GRAPHICS);
    (void)positions;
    if ((samples != 0 || pixels != 0))
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT, method,
                                  "NumSamplesPerPixel and NumPixels must be 0: the device has no "
                                  "programmable sample positions");
}

/* ---- state that pipelines leave to lists ---- */

/* Finds the recorder. The message ids are for no pipeline, and for a pipeline without the flag. */
static struct d3d12_command_list *dynamic_recorder(list_iface *iface, UINT flag, int no_pipeline,
                                                   int no_flag, const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON_GRAPHICS, method);
    if (list && (list->pipeline.flags & flag) == 0) {
        command_list_report_error(
            list, list->pipeline.set ? no_flag : no_pipeline, method,
            "the Flags of the current pipeline state must declare this value as dynamic");
        return NULL;
    }
    return list;
}

void STDMETHODCALLTYPE d3d12_command_list_RSSetDepthBias(list_iface *iface, FLOAT bias, FLOAT clamp,
                                                         FLOAT slope)
{
    (void)bias, (void)clamp, (void)slope;
    dynamic_recorder(iface, PIPELINE_DYNAMIC_DEPTH_BIAS, 1367, 1366, "RSSetDepthBias");
}

void STDMETHODCALLTYPE d3d12_command_list_IASetIndexBufferStripCutValue(
    list_iface *iface, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE value)
{
    static const char method[] = "IASetIndexBufferStripCutValue";
    struct d3d12_command_list *list =
        dynamic_recorder(iface, PIPELINE_DYNAMIC_STRIP_CUT, 1369, 1368, method);
    if (list && (unsigned)value > D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFFFFFF)
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT, method, "no such value");
}

/* ---- output merger ---- */

/* State that only a rasteriser would read: every value is allowed, and no value has an effect. */
#define IGNORED(method, value, ...)                                                                \
    void STDMETHODCALLTYPE d3d12_command_list_##method(list_iface *iface, __VA_ARGS__)             \
    {                                                                                              \
        (void)(value);                                                                             \
        command_list_recorder(iface, ON_GRAPHICS, #method);                                        \
    }
IGNORED(OMSetBlendFactor, factor, const FLOAT factor[4])
IGNORED(OMSetStencilRef, reference, UINT reference)
IGNORED(OMSetFrontAndBackStencilRef, front + back, UINT front, UINT back)
IGNORED(OMSetDepthBounds, min + max, FLOAT min, FLOAT max)
IGNORED(SetViewInstanceMask, mask, UINT mask)

static bool is_view(struct d3d12_command_list *list, D3D12_CPU_DESCRIPTOR_HANDLE handle, UINT count,
                    D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    UINT index;
    const struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find(list->child.device, handle, count, &index);
    return heap && heap->desc.Type == type;
}

static bool are_targets(struct d3d12_command_list *list, UINT count,
                        const D3D12_CPU_DESCRIPTOR_HANDLE *handles, BOOL is_range)
{
    if (is_range)
        return is_view(list, handles[0], count, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    for (UINT i = 0; i < count; i++)
        if (!is_view(list, handles[i], 1, D3D12_DESCRIPTOR_HEAP_TYPE_RTV))
            return false;
    return true;
}

/* Keeps the targets; the handles belong to views. */
static void keep_targets(struct d3d12_command_list *list, UINT count,
                         const D3D12_CPU_DESCRIPTOR_HANDLE *targets, BOOL is_range,
                         const D3D12_CPU_DESCRIPTOR_HANDLE *depth)
{
    if (!list->dred)
        return;
    list_state_clear_targets(&list->noted);
    for (UINT i = 0; i < count; i++)
        list->noted.targets[i] =
            command_list_seen_by(list, targets[is_range ? 0 : i], is_range ? i : 0, false);
    if (depth)
        list->noted.depth = command_list_seen_by(list, *depth, 0, true);
}

void STDMETHODCALLTYPE d3d12_command_list_OMSetRenderTargets(
    list_iface *iface, UINT count, const D3D12_CPU_DESCRIPTOR_HANDLE *targets, BOOL is_range,
    const D3D12_CPU_DESCRIPTOR_HANDLE *depth)
{
    LIST_METHOD(ON(DIRECT) | OUTSIDE_PASS);
    if (!check_slots(list, 0, count, D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT, targets, false,
                     D3D12_MESSAGE_ID_COMMAND_LIST_SETRENDERTARGETS_INVALIDNUMRENDERTARGETS,
                     method))
        return;
    if ((count != 0 && !are_targets(list, count, targets, is_range)) ||
        (depth && !is_view(list, *depth, 1, D3D12_DESCRIPTOR_HEAP_TYPE_DSV)))
        command_list_report_error(list, D3D12_MESSAGE_ID_SET_RENDER_TARGETS_INVALID, method,
                                  "render target handles must lie in an RTV heap, and the "
                                  "depth-stencil handle must lie in a DSV heap");
    else
        keep_targets(list, count, targets, is_range, depth);
}
