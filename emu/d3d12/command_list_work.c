/* What the GPU is given to do beyond copies: dispatches, bundles, barriers, immediate writes. */
#include "command_list_record.h"

#include "device.h"

void STDMETHODCALLTYPE d3d12_command_list_Dispatch(ID3D12GraphicsCommandList8 *iface, UINT x,
                                                   UINT y, UINT z)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COMPUTE, "Dispatch");
    if (list == NULL)
        return;
    if (!list->has_signature || list->next.kernel == 0) {
        d3d12_device_error(list->child.device,
                           D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_NOT_SET,
                           "ID3D12GraphicsCommandList::Dispatch: no root signature or no compute "
                           "pipeline state is set; nothing is dispatched");
        return;
    }
    list->next.groups[0] = x;
    list->next.groups[1] = y;
    list->next.groups[2] = z;
    list->child.device->driver->cmd_dispatch(list->driver, &list->next);
}

void d3d12_command_list_write_immediate(struct d3d12_command_list *list, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    if (command_list_recorder(&list->iface, ON_ANY, "WriteBufferImmediate") == NULL)
        return;
    for (UINT i = 0; i < count; i++) {
        const D3D12_WRITEBUFFERIMMEDIATE_MODE mode =
            modes != NULL ? modes[i] : D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT;
        if (parameters == NULL || parameters[i].Dest % 4 != 0 ||
            mode > D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT) {
            command_list_fail(list, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT,
                              "%s::WriteBufferImmediate: bad parameter %u",
                              command_list_interface(list), i);
            return;
        }
        list->child.device->driver->cmd_write_immediate(list->driver, parameters[i].Dest,
                                                        parameters[i].Value, (uint32_t)mode);
    }
}

void STDMETHODCALLTYPE
d3d12_command_list_WriteBufferImmediate(ID3D12GraphicsCommandList8 *iface, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    d3d12_command_list_write_immediate(container_of(iface, struct d3d12_command_list, iface), count,
                                       parameters, modes);
}

void d3d12_command_list_barrier(struct d3d12_command_list *list, UINT count, const void *barriers,
                                const char *method)
{
    if (command_list_recorder(&list->iface, ON_COPYING | ON_VIDEO, method) == NULL)
        return;
    if (count != 0 && barriers == NULL)
        command_list_fail(list, EMU_MESSAGE_INVALID_ARGUMENT, "%s::%s: no barriers",
                          command_list_interface(list), method);
    else if (count != 0)
        list->child.device->driver->cmd_barrier(list->driver);
}

void STDMETHODCALLTYPE d3d12_command_list_ResourceBarrier(ID3D12GraphicsCommandList8 *iface,
                                                          UINT count,
                                                          const D3D12_RESOURCE_BARRIER *barriers)
{
    d3d12_command_list_barrier(container_of(iface, struct d3d12_command_list, iface), count,
                               barriers, "ResourceBarrier");
}

void STDMETHODCALLTYPE d3d12_command_list_Barrier(ID3D12GraphicsCommandList8 *iface, UINT32 count,
                                                  const D3D12_BARRIER_GROUP *groups)
{
    d3d12_command_list_barrier(container_of(iface, struct d3d12_command_list, iface), count, groups,
                               "Barrier");
}

/* A bundle starts without state here; D3D12 lets it inherit the root signature and arguments of its caller. */
void STDMETHODCALLTYPE d3d12_command_list_ExecuteBundle(ID3D12GraphicsCommandList8 *iface,
                                                        ID3D12GraphicsCommandList *bundle_iface)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON(DIRECT), "ExecuteBundle");
    const struct d3d12_command_list *bundle =
        d3d12_command_list_from((ID3D12CommandList *)bundle_iface);
    if (list == NULL)
        return;
    if (bundle == NULL || bundle->type != D3D12_COMMAND_LIST_TYPE_BUNDLE ||
        bundle->child.device != list->child.device) {
        command_list_fail(list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE,
                          "ID3D12GraphicsCommandList::ExecuteBundle: not a bundle of this device");
        return;
    }
    if (bundle->state != COMMAND_LIST_CLOSED) {
        command_list_fail(list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE,
                          "ID3D12GraphicsCommandList::ExecuteBundle: the bundle is not closed");
        return;
    }
    annot_context_execute_bundle(list->context, bundle->context);
    list->child.device->driver->cmd_execute_bundle(list->driver, bundle->driver);
}
