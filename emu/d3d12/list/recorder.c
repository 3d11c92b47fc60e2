#include "list/recorder.h"

struct d3d12_command_list *command_list_recorder(list_iface *iface, unsigned types,
                                                 const char *method)
{
    struct d3d12_command_list *list = command_list_of(iface);
    if (list->state != COMMAND_LIST_RECORDING) {
        d3d12_child_error(&list->child, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                          "%s::%s: the list is not recording", command_list_interface(list),
                          method);
        return NULL;
    }
    if ((types & 1u << list->type) == 0) {
        const int id = list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE
                           ? (int)D3D12_MESSAGE_ID_INVALID_BUNDLE_API
                           : (int)EMU_MESSAGE_INVALID_ARGUMENT;
        command_list_fail_call(list, id, "%s::%s: not on this type of list",
                               command_list_interface(list), method);
        return NULL;
    }
    if ((types & OUTSIDE_PASS) != 0 && list->pass.active) {
        command_list_fail_call(list, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED,
                               "%s::%s: not in a render pass", command_list_interface(list),
                               method);
        return NULL;
    }
    return list;
}
