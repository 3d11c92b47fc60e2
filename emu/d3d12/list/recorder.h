/* Functions that decide whether a list may record a command now. Otherwise they emit a message. */
#pragma once

#include "device/device.h"
#include "list/command_list.h"

static inline struct d3d12_command_list *command_list_of(list_iface *iface)
{
    return container_of(iface, struct d3d12_command_list, iface);
}

/* Masks that say which types of lists may record a command. */
#define ON(type)     (1u << D3D12_COMMAND_LIST_TYPE_##type)
#define ON_COPYING   (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define ON_GRAPHICS  (ON(DIRECT) | ON(BUNDLE))
#define ON_COMPUTE   (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define ON_VIDEO     (ON(VIDEO_DECODE) | ON(VIDEO_PROCESS) | ON(VIDEO_ENCODE))
#define ON_ANY       (ON_COPYING | ON_COMPUTE | ON_VIDEO)

#define OUTSIDE_PASS (1u << 31) /* a flag: the command is forbidden inside a render pass */

/* Reports a mistake in a call of `method`; the caller drops the call. If `hr` is a failure, Close
 * will fail; D3D12's documentation of the method calls this runtime validation. Returns false. */
__attribute__((format(printf, 5, 6))) bool command_list_fail_with(struct d3d12_command_list *list,
                                                                  HRESULT hr, int id,
                                                                  const char *method,
                                                                  const char *format, ...);
/* Makes Close fail: "E_INVALIDARG if an invalid argument was passed to the command list API". */
#define command_list_fail(list, id, ...)                                                           \
    command_list_fail_with(list, E_INVALIDARG, (int)(id), __VA_ARGS__)
/* Makes Close fail: "E_FAIL if (...) an invalid API was called during command list recording". */
#define command_list_fail_call(list, id, ...)                                                      \
    command_list_fail_with(list, E_FAIL, (int)(id), __VA_ARGS__)
/* Reports a mistake with an undefined effect, as D3D12's debug layer does. Recording goes on. */
#define command_list_report_error(list, id, ...)                                                   \
    command_list_fail_with(list, S_OK, (int)(id), __VA_ARGS__)

/* For a function with a `list` and a `method`. If `condition` holds, the macro reports a mistake
 * and returns. `how` completes the macro's name: command_list_fail, _fail_call or _report_error. */
#define LIST_REFUSES(condition, how, id, ...)                                                      \
    do {                                                                                           \
        if (condition) {                                                                           \
            command_list_##how(list, id, method, __VA_ARGS__);                                     \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Returns the list with this interface if the list may record this command now. Otherwise emits a
 * message and returns NULL. */
struct d3d12_command_list *command_list_recorder(list_iface *iface, unsigned types,
                                                 const char *method);
/* Begins a method that records, and declares `list` and the name `method`. If the list may not
 * record this command now, the macro emits a message and returns. */
#define LIST_METHOD(types)                                                                         \
    const char *const method = __func__ + sizeof "d3d12_command_list_" - 1;                        \
    struct d3d12_command_list *const list = command_list_recorder(iface, types, method);           \
    if (!list)                                                                                     \
    return
