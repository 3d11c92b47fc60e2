/* Render passes, on an adapter of tier 0. A pass has clears at its begin, its recorded commands,
 * and resolves at its end. command_list_recorder refuses calls that a pass forbids. Nothing checks
 * that the next pass resumes a suspended pass. */
#include "list/command_list_record.h"

#include "view/descriptor_heap.h"

#include <string.h>

#define FLAGS_KNOWN                                                                                \
    ((unsigned)(D3D12_RENDER_PASS_FLAG_ALLOW_UAV_WRITES | D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS | \
                D3D12_RENDER_PASS_FLAG_RESUMING_PASS))

static struct validation_error check_access(const D3D12_RENDER_PASS_BEGINNING_ACCESS *beginning,
                                            const D3D12_RENDER_PASS_ENDING_ACCESS *ending)
{
    REFUSE((unsigned)beginning->Type > D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_NO_ACCESS ||
               (unsigned)ending->Type > D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_NO_ACCESS,
           RENDER_PASS_ERROR, "the Type of a BeginningAccess or EndingAccess is out of range");
    REFUSE((beginning->Type == D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_NO_ACCESS) !=
               (ending->Type == D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_NO_ACCESS),
           RENDER_PASS_MISMATCHING_NO_ACCESS,
           "if BeginningAccess or EndingAccess is NO_ACCESS, both must be NO_ACCESS");
    REFUSE(ending->Type == D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE &&
               (ending->Resolve.SubresourceCount == 0 || !ending->Resolve.pSubresourceParameters),
           RENDER_PASS_UNSUPPORTED_RESOLVE,
           "a RESOLVE needs SubresourceCount above 0 and pSubresourceParameters");
    return no_validation_error;
}

static struct validation_error check_targets(const struct d3d12_command_list *list, UINT count,
                                             const D3D12_RENDER_PASS_RENDER_TARGET_DESC *targets,
                                             const struct view_parts **views)
{
    struct emu_descriptor descriptor;
    for (UINT i = 0; i < count; i++) {
        views[i] =
            command_list_view(list, targets[i].cpuDescriptor, EMU_DESCRIPTOR_TARGET, &descriptor);
        REFUSE(!views[i], INVALID_DESCRIPTOR_HANDLE,
               "cpuDescriptor must be of a render target view");
        const struct validation_error error =
            check_access(&targets[i].BeginningAccess, &targets[i].EndingAccess);
        if (error.text)
            return error;
    }
    return no_validation_error;
}

static struct validation_error check_depth(const struct d3d12_command_list *list,
                                           const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth,
                                           const struct view_parts **view)
{
    struct emu_descriptor descriptor;
    *view = command_list_view(list, depth->cpuDescriptor, EMU_DESCRIPTOR_DEPTH, &descriptor);
    REFUSE(!*view, INVALID_DESCRIPTOR_HANDLE, "cpuDescriptor must be of a depth-stencil view");
    const struct validation_error error =
        check_access(&depth->DepthBeginningAccess, &depth->DepthEndingAccess);
    return error.text ? error
                      : check_access(&depth->StencilBeginningAccess, &depth->StencilEndingAccess);
}

static bool clears(const D3D12_RENDER_PASS_BEGINNING_ACCESS *access)
{
    return access->Type == D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR;
}

/* Clears the pass's targets. False: a view's format has no such value. */
static bool clear_targets(struct d3d12_command_list *list, UINT count,
                          const D3D12_RENDER_PASS_RENDER_TARGET_DESC *targets,
                          const struct view_parts *const *views)
{
    for (UINT i = 0; i < count; i++)
        if (clears(&targets[i].BeginningAccess) &&
            !command_list_clear_target(list, views[i],
                                       targets[i].BeginningAccess.Clear.ClearValue.Color, 0, NULL))
            return false;
    return true;
}

static bool clear_depth(struct d3d12_command_list *list,
                        const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth,
                        const struct view_parts *view)
{
    const D3D12_DEPTH_STENCIL_VALUE *values =
        &depth->DepthBeginningAccess.Clear.ClearValue.DepthStencil;
    const D3D12_DEPTH_STENCIL_VALUE *stencils =
        &depth->StencilBeginningAccess.Clear.ClearValue.DepthStencil;
    return (!clears(&depth->DepthBeginningAccess) ||
            command_list_clear_depth(list, view, D3D12_CLEAR_FLAG_DEPTH, values->Depth, 0, 0,
                                     NULL)) &&
           (!clears(&depth->StencilBeginningAccess) ||
            command_list_clear_depth(list, view, D3D12_CLEAR_FLAG_STENCIL, 0, stencils->Stencil, 0,
                                     NULL));
}

static void note_ending(struct render_pass *pass, const D3D12_RENDER_PASS_ENDING_ACCESS *ending)
{
    if (ending->Type == D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE)
        pass->resolves[pass->resolve_count++] = ending->Resolve;
}

static struct validation_error begin(struct d3d12_command_list *list, UINT count,
                                     const D3D12_RENDER_PASS_RENDER_TARGET_DESC *targets,
                                     const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth,
                                     unsigned flags)
{
    const struct view_parts *views[D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT], *depths = NULL;
    REFUSE(count > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT || (count != 0 && !targets) ||
               (count == 0 && !depth) || (flags & ~FLAGS_KNOWN) != 0,
           RENDER_PASS_ERROR,
           "the pass has no view, NumRenderTargets is above 8, pRenderTargets is NULL, or Flags "
           "has unknown flags");
    struct validation_error error = check_targets(list, count, targets, views);
    if (!error.text && depth)
        error = check_depth(list, depth, &depths);
    if (error.text)
        return error;
    REFUSE((flags & D3D12_RENDER_PASS_FLAG_RESUMING_PASS) == 0 &&
               (!clear_targets(list, count, targets, views) ||
                (depth && !clear_depth(list, depth, depths))),
           RENDER_PASS_ERROR,
           "a view is read-only, or the view's format can't hold the clear value");
    list->pass = (struct render_pass){.active = true};
    list_state_clear_targets(&list->noted);
    for (UINT i = 0; i < count; i++)
        list->noted.targets[i] = command_list_seen(views[i], false);
    list->noted.depth = command_list_seen(depths, true);
    if ((flags & D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS) != 0)
        return no_validation_error;
    for (UINT i = 0; i < count; i++)
        note_ending(&list->pass, &targets[i].EndingAccess);
    if (depth) {
        note_ending(&list->pass, &depth->DepthEndingAccess);
        note_ending(&list->pass, &depth->StencilEndingAccess);
    }
    return no_validation_error;
}

void STDMETHODCALLTYPE d3d12_command_list_BeginRenderPass(
    list_iface *iface, UINT count, const D3D12_RENDER_PASS_RENDER_TARGET_DESC *targets,
    const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth, D3D12_RENDER_PASS_FLAGS flags)
{
    LIST_METHOD(ON(DIRECT));
    LIST_REFUSES(list->pass.active, fail_call,
                 D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES,
                 "a render pass is already active: call EndRenderPass first");
    const struct validation_error error = begin(list, count, targets, depth, (unsigned)flags);
    if (!error.text)
        return;
    command_list_report_error(list, error.id, method, "%s", validation_words(error).text);
    list->pass = (struct render_pass){.active = true}; /* begins an empty pass, so that
                                                          EndRenderPass works */
}

/* Resolves at the pass's end. The application owns the parameters of the subresources, and must
 * keep them until now [EndRenderPass]. */
static void resolve_all(struct d3d12_command_list *list,
                        const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_PARAMETERS *all)
{
    for (UINT i = 0; i < all->SubresourceCount; i++) {
        const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS *one =
            &all->pSubresourceParameters[i];
        const struct resolve resolve = {
            all->pDstResource,   one->DstSubresource, one->DstX, one->DstY,   all->pSrcResource,
            one->SrcSubresource, &one->SrcRect,       true,      all->Format, all->ResolveMode};
        command_list_resolve(list, &resolve, "EndRenderPass");
    }
}

void STDMETHODCALLTYPE d3d12_command_list_EndRenderPass(list_iface *iface)
{
    LIST_METHOD(ON(DIRECT));
    LIST_REFUSES(!list->pass.active, fail_call,
                 D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_END_WITHOUT_BEGIN, "no render pass is active");
    list->pass.active = false;
    list_state_clear_targets(&list->noted);
    for (UINT i = 0; i < list->pass.resolve_count; i++)
        resolve_all(list, &list->pass.resolves[i]);
}

void command_list_check_pass(struct d3d12_command_list *list)
{
    if (list->pass.active)
        command_list_fail_call(list, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_CLOSE_COMMAND_LIST,
                               "Close", "a render pass is still active: call EndRenderPass first");
}
