/* Which list may record a command now, and what it says otherwise. */
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

/* A mistake that D3D12 answers by failing Close. */
#define command_list_fail(list, id, ...)                                                           \
    do {                                                                                           \
        d3d12_device_error((list)->child.device, id, __VA_ARGS__);                                 \
        if (SUCCEEDED((list)->failure))                                                            \
            (list)->failure = E_INVALIDARG;                                                        \
    } while (0)

/* The list behind `iface` when it may record this command now; NULL after a message otherwise. */
struct d3d12_command_list *command_list_recorder(list_iface *iface, unsigned types,
                                                 const char *method);

/* A mistake that only D3D12's debug layer sees: the call is dropped, the recording goes on. */
#define command_list_report_error(list, id, ...)                                                   \
    d3d12_device_error((list)->child.device, id, __VA_ARGS__)

#endif
