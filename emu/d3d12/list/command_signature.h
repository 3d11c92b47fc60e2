/* ID3D12CommandSignature: the checked arguments of a command of ExecuteIndirect. */
#pragma once

#include "d3d12_rules/list_state.h"
#include "device/child.h"
#include "root_signature/root_signature_blob.h"

#include <emu/driver.h>

struct d3d12_command_signature {
    ID3D12CommandSignature iface;
    struct d3d12_child child;
    D3D12_INDIRECT_ARGUMENT_TYPE
    work;              /* the type of the argument that comes last in each command */
    UINT count;        /* number of a command's arguments */
    UINT size, stride; /* a command's size, and the distance between two commands, in bytes */
    struct list_indirect sets;
    bool changes_root;
    struct root_layout layout; /* the root signature's layout; unused unless changes_root */
    emu_indirect indirect;     /* the arguments' offsets in a command */
};

/* Returns the emulator's object of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_command_signature *d3d12_command_signature_from(ID3D12CommandSignature *iface);

static inline bool d3d12_command_signature_draws(const struct d3d12_command_signature *signature)
{
    return signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW ||
           signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED;
}

/* Makes a command signature. E_INVALIDARG: D3D12 doesn't permit the description; a message has the
 * reason. A command's last argument must be its only draw or dispatch. `signature` must be set if
 * and only if an argument changes root arguments, and must have the changed parameters. The stride
 * must be a multiple of 4 with room for all arguments. */
HRESULT d3d12_command_signature_create(struct d3d12_device *device,
                                       const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                       ID3D12RootSignature *signature,
                                       struct d3d12_command_signature **out);
