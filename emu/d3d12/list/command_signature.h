/* ID3D12CommandSignature: describes the arguments that each command of ExecuteIndirect has. */
#pragma once

#include "d3d12_rules/list_state.h"
#include "device/child.h"
#include "root_signature/root_signature_blob.h"

#include <emu/driver.h>

struct d3d12_command_signature {
    ID3D12CommandSignature iface;
    struct d3d12_child child;
    /* The type of the last argument: the draw or dispatch that a command makes. */
    D3D12_INDIRECT_ARGUMENT_TYPE work;
    UINT count;        /* how many arguments a command has */
    UINT size, stride; /* size of a command, and distance between two commands, in bytes */
    struct list_indirect sets;
    bool changes_root;
    struct root_layout layout; /* layout of the root signature, if changes_root */
    emu_indirect indirect;     /* offsets of the arguments within a command */
};

/* Returns the command signature with this interface. NULL: the emulator didn't make `iface`. */
struct d3d12_command_signature *d3d12_command_signature_from(ID3D12CommandSignature *iface);

static inline bool d3d12_command_signature_draws(const struct d3d12_command_signature *signature)
{
    return signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW ||
           signature->work == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED;
}

/* Makes a command signature. E_INVALIDARG: D3D12 doesn't permit the description; a message has the
 * reason. A command's last argument must be its only draw or dispatch. If an argument changes root
 * arguments, `signature` must have the changed parameters; otherwise `signature` must be NULL. The
 * stride must be a multiple of 4 with room for all arguments. */
HRESULT d3d12_command_signature_create(struct d3d12_device *device,
                                       const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                       ID3D12RootSignature *signature,
                                       struct d3d12_command_signature **out);
