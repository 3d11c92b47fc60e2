/* Discards and immediate writes, which video lists have too. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"

static struct validation_error check_write(const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameter)
{
    if (parameter->Dest == 0)
        return VALIDATION_ERROR(WRITEBUFFERIMMEDIATE_INVALID_DEST, "no destination");
    if (parameter->Dest % sizeof parameter->Value != 0)
        return VALIDATION_ERROR(WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT,
                                "the destination is no multiple of 4");
    return no_validation_error;
}

void d3d12_command_list_write_immediate(struct d3d12_command_list *list, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    static const char method[] = "WriteBufferImmediate";
    if (!command_list_recorder(&list->iface, ON_ANY, method))
        return;
    if (count != 0 && !parameters) {
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT, "%s::%s: no parameters",
                                  command_list_interface(list), method);
        return;
    }
    for (UINT i = 0; i < count; i++) {
        const D3D12_WRITEBUFFERIMMEDIATE_MODE mode =
            modes ? modes[i] : D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT;
        if ((unsigned)mode > D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT) {
            command_list_fail(list, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_MODE,
                              "%s::%s: parameter %u: no such mode", command_list_interface(list),
                              method, i);
            return;
        }
        const struct validation_error error = check_write(&parameters[i]);
        if (error.text) {
            command_list_report_error(list, error.id, "%s::%s: parameter %u: %s",
                                      command_list_interface(list), method, i, error.text);
            return;
        }
        list->child.device->driver->cmd_write_immediate(list->driver, parameters[i].Dest,
                                                        parameters[i].Value, (uint32_t)mode);
    }
}

void STDMETHODCALLTYPE d3d12_command_list_WriteBufferImmediate(
    list_iface *iface, UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
    const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    d3d12_command_list_write_immediate(container_of(iface, struct d3d12_command_list, iface), count,
                                       parameters, modes);
}

/* Discarded memory is undefined, so it may stay as it was. */
void d3d12_command_list_discard(struct d3d12_command_list *list, ID3D12Resource *iface,
                                const D3D12_DISCARD_REGION *region)
{
    if (command_list_recorder(&list->iface, ON(DIRECT) | ON(COMPUTE) | ON_VIDEO | OUTSIDE_PASS,
                              "DiscardResource") == NULL)
        return;
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    if (!resource || resource->child.device != list->child.device) {
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT,
                                  "%s::DiscardResource: not a resource of this device",
                                  command_list_interface(list));
        return;
    }
    if (!region)
        return;
    const UINT parts = d3d12_resource_parts(resource);
    if (region->FirstSubresource >= parts ||
        region->NumSubresources > parts - region->FirstSubresource ||
        (region->NumRects != 0 && !region->pRects))
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT,
                                  "%s::DiscardResource: no such subresources, or no rectangles",
                                  command_list_interface(list));
    else if (region->NumRects != 0 &&
             resource->desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D)
        command_list_report_error(
            list, D3D12_MESSAGE_ID_DISCARD_NO_RECTS_FOR_NON_TEXTURE2D,
            "%s::DiscardResource: only two-dimensional textures have rectangles",
            command_list_interface(list));
    else if (region->NumRects != 0 && region->NumSubresources != 1)
        command_list_report_error(list,
                                  D3D12_MESSAGE_ID_DISCARD_ONE_SUBRESOURCE_FOR_MIPS_WITH_RECTS,
                                  "%s::DiscardResource: rectangles are of one subresource",
                                  command_list_interface(list));
}

void STDMETHODCALLTYPE d3d12_command_list_DiscardResource(list_iface *iface,
                                                          ID3D12Resource *resource,
                                                          const D3D12_DISCARD_REGION *region)
{
    d3d12_command_list_discard(container_of(iface, struct d3d12_command_list, iface), resource,
                               region);
}
