/* ID3D12CommandSignature: the arguments of one command of ExecuteIndirect, checked and stored. */
#pragma once

#include "d3d12_rules/list_state.h"
#include "device/child.h"
#include "root_signature/root_signature_blob.h"

#include <emu/driver.h>

struct d3d12_command_signature {
    ID3D12CommandSignature iface;
    struct d3d12_child child;
    D3D12_INDIRECT_ARGUMENT_TYPE work; /* what ends each command */
    UINT count;                        /* arguments of a command */
    UINT size, stride; /* size of a command, and distance from one to the next, in bytes */
    struct list_indirect sets;
    bool changes_root;
    struct root_layout
        layout; /* changes_root: whether it changes root arguments; the root signature's layout */
    emu_indirect indirect; /* the offsets in a command */
};

/* The emulator's object of `iface`; NULL if it is NULL or not the emulator's. */
struct d3d12_command_signature *d3d12_command_signature_from(ID3D12CommandSignature *iface);

static inline bool d3d12_command_signature_draws(const struct d3d12_command_signature *signature)
{
    return signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW ||
           signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED;
}

/* Makes a command signature. E_INVALIDARG, with a message: D3D12 does not permit the description. A
 * command's last argument must be its only draw or dispatch. `signature` must be set if and only if
 * an argument changes root arguments, and must have their parameters. The stride must be a multiple
 * of 4 with room for all arguments. */
HRESULT d3d12_command_signature_create(struct d3d12_device *device,
                                       const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                       ID3D12RootSignature *signature,
                                       struct d3d12_command_signature **out);
