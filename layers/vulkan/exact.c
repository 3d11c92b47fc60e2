/* Level "exact": each command that does work is a label of its own. At other levels the application
 * calls the driver's own functions. */
#include "calls.h"

#define COMMAND(name, other, parameters, arguments)                                                \
    static VKAPI_ATTR void VKAPI_CALL vkl_Cmd##name parameters                                     \
    {                                                                                              \
        struct vkl_device *device = vkl_device_of(vkl_key(b));                                     \
        struct vkl_cmd *cmd = vkl_cmd_of(b);                                                       \
        if (cmd)                                                                                   \
            vkl_label_begin(cmd, "vkCmd" #name, NULL);                                             \
        device->next.Cmd##name arguments;                                                          \
        if (cmd)                                                                                   \
            vkl_label_end(cmd);                                                                    \
    }
VKL_COMMANDS(COMMAND)

#define COMMAND_CALL(name, other, parameters, arguments)                                           \
    VKL_CALL(Cmd##name), VKL_CALL_AS(Cmd##name, Cmd##name##other),

const struct vkl_call vkl_command_calls[] = {VKL_COMMANDS(COMMAND_CALL){NULL, NULL, false}};
