#include "list/recorder.h"

#include <stdarg.h>
#include <stdio.h>

bool command_list_fail_with(struct d3d12_command_list *list, HRESULT hr, int id, const char *method,
                            const char *format, ...)
{
    char text[320];
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    va_end(args);
    d3d12_child_error(&list->child, id, "%s::%s: %s", command_list_interface(list), method, text);
    if (FAILED(hr) && SUCCEEDED(list->failure))
        list->failure = hr;
    return false;
}

struct d3d12_command_list *command_list_recorder(list_iface *iface, unsigned types,
                                                 const char *method)
{
    struct d3d12_command_list *list = command_list_of(iface);
    if (list->state != COMMAND_LIST_RECORDING) {
        command_list_report_error(list, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED, method,
                                  "the list is not recording: call Reset first");
        return NULL;
    }
    if ((types & 1u << list->type) == 0) {
        const int id = list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE
                           ? (int)D3D12_MESSAGE_ID_INVALID_BUNDLE_API
                           : (int)EMU_MESSAGE_INVALID_ARGUMENT;
        command_list_fail_call(list, id, method, "this method is not for lists of this type");
        return NULL;
    }
    if ((types & OUTSIDE_PASS) != 0 && list->pass.active) {
        command_list_fail_call(list, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED, method,
                               "this method is not for render passes: call EndRenderPass first");
        return NULL;
    }
    return list;
}
