/*
 * ID3D12CommandSignature: what one command of ExecuteIndirect consists of, checked and kept.
 */
#ifndef D3D12_COMMAND_SIGNATURE_H
#define D3D12_COMMAND_SIGNATURE_H

#include "child.h"

struct d3d12_command_signature {
    ID3D12CommandSignature iface;
    struct d3d12_child child;
};

/* E_INVALIDARG, with a message that says why, for what D3D12 does not permit: a command ends with its one draw or
 * dispatch, `signature` is there exactly if an argument changes root arguments and has the parameters that are named,
 * and the stride is a multiple of 4 that has room for all. */
HRESULT d3d12_command_signature_create(struct d3d12_device *device,
                                       const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                       ID3D12RootSignature *signature,
                                       struct d3d12_command_signature **out);

#endif
