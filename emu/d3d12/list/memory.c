/* Discards and immediate writes, which video lists have too. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/resource.h"

static struct validation_error check_write(const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameter)
{
    REFUSE(parameter->Dest == 0, WRITEBUFFERIMMEDIATE_INVALID_DEST,
           "the destination must not be NULL");
    REFUSE(parameter->Dest % sizeof parameter->Value != 0, WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT,
           "Dest must be a multiple of 4");
    return no_validation_error;
}

void STDMETHODCALLTYPE d3d12_command_list_WriteBufferImmediate(
    list_iface *iface, UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
    const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    LIST_OPERATION(WRITEBUFFERIMMEDIATE);
    LIST_METHOD(ON_ANY);
    LIST_REFUSES(count != 0 && !parameters, report_error, EMU_MESSAGE_INVALID_ARGUMENT,
                 "pParams must not be NULL");
    for (UINT i = 0; i < count; i++) {
        const D3D12_WRITEBUFFERIMMEDIATE_MODE mode =
            modes ? modes[i] : D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT;
        LIST_REFUSES((unsigned)mode > D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT, fail,
                     D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_MODE,
                     "parameter %u: the mode must be a D3D12_WRITEBUFFERIMMEDIATE_MODE", i);
        const struct validation_error error = check_write(&parameters[i]);
        LIST_REFUSES(error.text, report_error, error.id, "parameter %u: %s", i,
                     validation_words(error).text);
        list->child.device->driver->cmd_write_immediate(list->driver, parameters[i].Dest,
                                                        parameters[i].Value, (uint32_t)mode);
    }
}

/* Discarded memory is undefined, so it may stay as it was. */
void STDMETHODCALLTYPE d3d12_command_list_DiscardResource(list_iface *iface,
                                                          ID3D12Resource *resource_iface,
                                                          const D3D12_DISCARD_REGION *region)
{
    LIST_METHOD(ON(DIRECT) | ON(COMPUTE) | ON_VIDEO | OUTSIDE_PASS);
    const struct d3d12_resource *resource = d3d12_resource_from(resource_iface);
    LIST_REFUSES(!resource || resource->child.device != list->child.device, report_error,
                 EMU_MESSAGE_INVALID_ARGUMENT, "pResource must be a resource of this device");
    if (!region)
        return;
    const UINT parts = d3d12_resource_parts(resource);
    if (region->FirstSubresource >= parts ||
        region->NumSubresources > parts - region->FirstSubresource ||
        (region->NumRects != 0 && !region->pRects))
        command_list_report_error(list, EMU_MESSAGE_INVALID_ARGUMENT, method,
                                  "the subresources must lie in the resource, and pRects must not "
                                  "be NULL if NumRects is above 0");
    else if (region->NumRects != 0 &&
             resource->desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D)
        command_list_report_error(list, D3D12_MESSAGE_ID_DISCARD_NO_RECTS_FOR_NON_TEXTURE2D, method,
                                  "NumRects must be 0 unless the resource is a 2D texture");
    else if (region->NumRects != 0 && region->NumSubresources != 1)
        command_list_report_error(list,
                                  D3D12_MESSAGE_ID_DISCARD_ONE_SUBRESOURCE_FOR_MIPS_WITH_RECTS,
                                  method, "NumSubresources must be 1 if NumRects is above 0");
}
