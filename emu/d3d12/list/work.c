/* Work for the GPU: dispatches, draws, indirect work, and bundles. Nothing is rasterised: a draw
 * runs the kernel in a stage of its pipeline state, or no kernel. A draw always has its place among
 * the markers. */
#include "list/command_list_record.h"

#include "list/command_signature.h"
#include "device/device.h"
#include "dred/log.h"
#include "resource/resource.h"

/* Whether a dispatch or draw has everything that it needs. If not, D3D12's debug layer reports the
 * call; the emulator also drops the call. */
static bool can_work(struct d3d12_command_list *list, bool draws, const char *method)
{
    if (!list->roots[draws].has_signature && list->type != D3D12_COMMAND_LIST_TYPE_BUNDLE)
        return command_list_report_error(
            list,
            draws ? D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_ROOT_SIGNATURE_NOT_SET
                  : D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_NOT_SET,
            method, "no root signature is set: call Set...RootSignature first");
    if (!list->pipeline.set)
        return command_list_report_error(list, D3D12_MESSAGE_ID_COMMAND_LIST_PIPELINE_STATE_NOT_SET,
                                         method,
                                         "no pipeline state is set: call SetPipelineState first");
    if (list->pipeline.is_graphics != draws || list->pipeline.is_mesh)
        return command_list_report_error(list, D3D12_MESSAGE_ID_PIPELINE_STATE_TYPE_MISMATCH,
                                         method, "the current pipeline state is for %s",
                                         list->pipeline.is_mesh ? "meshes"
                                         : draws                ? "dispatches"
                                                                : "draws");
    return true;
}

/* Checks the other state of draws. Mistakes in this state only change pixels, so the draw is kept.
 * Bundles inherit the index buffer, but not the topology. */
static void check_input(struct d3d12_command_list *list, bool indexed, const char *method)
{
    if (list->graphics.topology == (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_UNDEFINED)
        command_list_report_error(
            list, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INVALID_PRIMITIVETOPOLOGY, method,
            "no primitive topology is set: call IASetPrimitiveTopology first");
    if (indexed && !list->graphics.has_indices && list->type != D3D12_COMMAND_LIST_TYPE_BUNDLE)
        d3d12_child_warning(&list->child, D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_INDEX_BUFFER_NOT_SET,
                            "ID3D12GraphicsCommandList::%s: no index buffer is set, so every index "
                            "is 0: call IASetIndexBuffer first",
                            method);
}

static emu_dispatch prepare(struct d3d12_command_list *list, bool draws, UINT x, UINT y, UINT z)
{
    emu_dispatch work = list->roots[draws].bound;
    work.kernel = list->pipeline.kernel;
    work.groups[0] = x;
    work.groups[1] = y;
    work.groups[2] = z;
    list->roots[draws].inherits |= work.inherited != 0;
    return work;
}

void STDMETHODCALLTYPE d3d12_command_list_Dispatch(list_iface *iface, UINT x, UINT y, UINT z)
{
    LIST_OPERATION_OF(DISPATCH, .runs = true, .work = LIST_WORK_DISPATCH, .count = 3,
                      .arguments = {x, y, z});
    LIST_METHOD(ON_COMPUTE | OUTSIDE_PASS);
    if (!can_work(list, false, method))
        return;
    const emu_dispatch work = prepare(list, false, x, y, z);
    list->child.device->driver->cmd_dispatch(list->driver, &work);
}

/* ---- draws ---- */

static void draw(list_iface *iface, bool indexed, UINT vertices, UINT instances, const char *method)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON_GRAPHICS, method);
    if (!list || !can_work(list, true, method))
        return;
    check_input(list, indexed, method);
    const emu_dispatch work = prepare(list, true, vertices, instances, 1);
    list->child.device->driver->cmd_draw(list->driver, &work);
}

void STDMETHODCALLTYPE d3d12_command_list_DrawInstanced(list_iface *iface, UINT vertices,
                                                        UINT instances, UINT first_vertex,
                                                        UINT first_instance)
{
    LIST_OPERATION_OF(DRAWINSTANCED, .runs = true, .work = LIST_WORK_DRAW, .count = 4,
                      .arguments = {vertices, instances, first_vertex, first_instance});
    draw(iface, false, vertices, instances, "DrawInstanced");
}

void STDMETHODCALLTYPE d3d12_command_list_DrawIndexedInstanced(list_iface *iface, UINT indices,
                                                               UINT instances, UINT first_index,
                                                               INT base_vertex, UINT first_instance)
{
    LIST_OPERATION_OF(DRAWINDEXEDINSTANCED, .runs = true, .work = LIST_WORK_DRAW_INDEXED,
                      .count = 5,
                      .arguments = {indices, instances, first_index, base_vertex, first_instance});
    draw(iface, true, indices, instances, "DrawIndexedInstanced");
}

/* ---- indirect ---- */

/* Returns the mistake in the call's arguments, or NULL. */
static const char *find_indirect_mistake(const struct d3d12_command_list *list,
                                         const struct d3d12_command_signature *signature, UINT max,
                                         ID3D12Resource *arguments, UINT64 offset,
                                         ID3D12Resource *counts, UINT64 count_offset)
{
    if (!signature || signature->child.device != list->child.device)
        return "pCommandSignature must be a command signature of this device";
    if (d3d12_command_signature_draws(signature) && list->type == D3D12_COMMAND_LIST_TYPE_COMPUTE)
        return "a compute list can't execute a command signature that draws";
    if (offset % sizeof(UINT) != 0 || count_offset % sizeof(UINT) != 0)
        return "ArgumentBufferOffset and CountBufferOffset must be multiples of 4";
    const UINT64 size = max != 0 ? (UINT64)(max - 1) * signature->stride + signature->size : 0;
    if (!command_list_buffer(list, arguments, offset, size))
        return "pArgumentBuffer must be a buffer of this device with all commands";
    if (counts && !command_list_buffer(list, counts, count_offset, sizeof(UINT)))
        return "the count must lie within pCountBuffer";
    return NULL;
}

static bool check_indirect_root(struct d3d12_command_list *list,
                                const struct d3d12_command_signature *signature, bool draws)
{
    const struct root_bindings *root = &list->roots[draws];
    if (!signature->changes_root ||
        (root->has_signature && root_layouts_match(&root->layout, &signature->layout)))
        return true;
    return command_list_fail(list,
                             draws ? D3D12_MESSAGE_ID_COMMAND_LIST_DRAW_ROOT_SIGNATURE_MISMATCH
                                   : D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH,
                             "ExecuteIndirect", "set pCommandSignature's root signature first");
}

static void execute_indirect(struct d3d12_command_list *list,
                             const struct d3d12_command_signature *signature,
                             const emu_indirect *indirect)
{
    static const char method[] = "ExecuteIndirect";
    const bool draws = d3d12_command_signature_draws(signature);
    if (!check_indirect_root(list, signature, draws) || !can_work(list, draws, method))
        return;
    if (draws)
        check_input(list,
                    signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED &&
                        !signature->sets.sets_indices,
                    method);
    const emu_dispatch work = prepare(list, draws, 1, 1, 1);
    if (indirect->max_count != 0)
        list->child.device->driver->cmd_execute_indirect(list->driver, &work, draws, indirect);
    command_list_reset_indirect(list, draws, indirect);
    if (signature->sets.sets_indices)
        list->graphics.has_indices = false;
    list_state_forget_indirect(&list->noted, &signature->sets);
}

void STDMETHODCALLTYPE d3d12_command_list_ExecuteIndirect(list_iface *iface,
                                                          ID3D12CommandSignature *signature_iface,
                                                          UINT max, ID3D12Resource *arguments,
                                                          UINT64 offset, ID3D12Resource *counts,
                                                          UINT64 count_offset)
{
    const struct d3d12_command_signature *signature = d3d12_command_signature_from(signature_iface);
    LIST_OPERATION_OF(EXECUTEINDIRECT, .runs = true,
                      .work = signature ? signature->sets.work : LIST_WORK_UNKNOWN, .count = 3,
                      .arguments = {max, (int64_t)offset, (int64_t)count_offset},
                      .sides = {{arguments, LIST_WHOLE, ANNOT_BOUND_ARGUMENTS},
                                {counts, LIST_WHOLE, ANNOT_BOUND_COUNTS}});
    LIST_METHOD(ON_COMPUTE);
    const char *error =
        find_indirect_mistake(list, signature, max, arguments, offset, counts, count_offset);
    if (error)
        command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT, method, "%s", error);
    else if (list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE && (counts || signature->count != 1))
        command_list_fail(list, D3D12_MESSAGE_ID_INVALID_BUNDLE_API, method,
                          "in a bundle, pCountBuffer must be NULL, and the command signature must "
                          "have one argument");
    else if (signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_RAYS ||
             signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH)
        d3d12_device_not_modelled(list->child.device,
                                  "ID3D12GraphicsCommandList::ExecuteIndirect with rays or meshes");
    else {
        emu_indirect indirect = signature->indirect;
        indirect.commands = d3d12_resource_from(arguments)->address + offset;
        indirect.count = counts != NULL ? d3d12_resource_from(counts)->address + count_offset : 0;
        indirect.max_count = max;
        execute_indirect(list, signature, &indirect);
    }
}

/* ---- bundles ---- */

/* The caller gets the state that the bundle leaves. */
static void take_state(struct d3d12_command_list *list, const struct d3d12_command_list *bundle)
{
    command_list_take_roots(list, bundle);
    if (bundle->pipeline.set)
        list->pipeline = bundle->pipeline;
    if (bundle->graphics.topology != (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_UNDEFINED)
        list->graphics.topology = bundle->graphics.topology;
    list->graphics.has_indices |= bundle->graphics.has_indices;
    list_state_execute_bundle(&list->noted, &bundle->noted);
}

void STDMETHODCALLTYPE d3d12_command_list_ExecuteBundle(list_iface *iface,
                                                        ID3D12GraphicsCommandList *bundle_iface)
{
    LIST_OPERATION_OF(EXECUTEBUNDLE, .count = 1);
    const bool has_details = operation.has_details;
    operation.has_details = false; /* unless the bundle runs */
    LIST_METHOD(ON(DIRECT));
    const struct d3d12_command_list *bundle =
        d3d12_command_list_from((ID3D12CommandList *)bundle_iface);
    LIST_REFUSES(!bundle || bundle->type != D3D12_COMMAND_LIST_TYPE_BUNDLE ||
                     bundle->child.device != list->child.device,
                 fail, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE,
                 "pCommandList must be a bundle of this device");
    LIST_REFUSES(bundle->state != COMMAND_LIST_CLOSED, fail,
                 D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE,
                 "the bundle is still recording: call Close first");
    LIST_REFUSES(!d3d12_command_list_is_intact(bundle) &&
                     !list->child.device->settings.config.reset_in_flight,
                 report_error, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_RESET_BUNDLE,
                 "the bundle's allocator was reset after the recording: record the bundle again");
    if (!command_list_check_inheritance(list, bundle))
        return;
    for (size_t i = 0; i < bundle->allocator_count; i++)
        if (!command_list_hold(list, bundle->allocators[i].usage)) {
            list->failure = FAILED(list->failure) ? list->failure : E_OUTOFMEMORY;
            return;
        }
    command_list_lend_roots(list, bundle);
    annot_context_execute_bundle(list->context, bundle->context);
    list->child.device->driver->cmd_execute_bundle(list->driver, bundle->driver);
    operation.has_details = has_details;
    operation.arguments[0] = ++list->bundle_calls;
    operation.bundle = annot_object_id(bundle->child.annot);
    take_state(list, bundle);
    if (list->dred && !dred_log_add_bundle(list->dred, bundle->dred)) {
        dred_log_release(list->dred); /* the bundle's words could not be distinguished */
        list->dred = NULL;
    }
}
