/* Whether a list may record a command now, and the message when it may not. */
#ifndef D3D12_RECORDER_H
#define D3D12_RECORDER_H

#include "device/device.h"
#include "list/command_list.h"

static inline struct d3d12_command_list *command_list_of(list_iface *iface)
{
    return container_of(iface, struct d3d12_command_list, iface);
}

/* Which list may do what. */
#define ON(type)     (1u << D3D12_COMMAND_LIST_TYPE_##type)
#define ON_COPYING   (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define ON_GRAPHICS  (ON(DIRECT) | ON(BUNDLE))
#define ON_COMPUTE   (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define ON_VIDEO     (ON(VIDEO_DECODE) | ON(VIDEO_PROCESS) | ON(VIDEO_ENCODE))
#define ON_ANY       (ON_COPYING | ON_COMPUTE | ON_VIDEO)

#define OUTSIDE_PASS (1u << 31) /* and not in a render pass */

/* The call is dropped, and Close fails: what the documentation of the method calls runtime
 * validation. */
#define command_list_fail_with(list, hr, id, ...)                                                  \
    do {                                                                                           \
        d3d12_child_error(&(list)->child, id, __VA_ARGS__);                                        \
        if (SUCCEEDED((list)->failure))                                                            \
            (list)->failure = (hr);                                                                \
    } while (0)
/* "E_INVALIDARG if an invalid argument was passed to the command list API during recording"
 * [Close]. */
#define command_list_fail(list, id, ...) command_list_fail_with(list, E_INVALIDARG, id, __VA_ARGS__)
/* "E_FAIL if (...) an invalid API was called during command list recording" [Close]. */
#define command_list_fail_call(list, id, ...) command_list_fail_with(list, E_FAIL, id, __VA_ARGS__)

/* The list behind `iface` when it may record this command now; NULL after a message otherwise. */
struct d3d12_command_list *command_list_recorder(list_iface *iface, unsigned types,
                                                 const char *method);

/* A mistake that D3D12 leaves undefined and its debug layer reports: the call is dropped, the
 * recording goes on. */
#define command_list_report_error(list, id, ...) d3d12_child_error(&(list)->child, id, __VA_ARGS__)

#endif
