#include "list/command_signature.h"

#include "device/device.h"
#include "root_signature/root_signature.h"

D3D12_CHILD_METHODS(d3d12_command_signature, ID3D12CommandSignature)

static CONST_VTBL ID3D12CommandSignatureVtbl d3d12_command_signature_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_command_signature),
};

static const struct d3d12_child_class command_signature_class = {
    .kind = D3D12DDI_HT_COMMAND_SIGNATURE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12CommandSignature, NULL},
    .methods = &d3d12_command_signature_vtable,
};

D3D12_CHILD_FROM(d3d12_command_signature, ID3D12CommandSignature, command_signature_class)

struct argument {
    UINT64 size;  /* bytes in the argument buffer; 0: no such type */
    bool is_work; /* the draw or dispatch that ends a command */
    bool is_root;
    UINT parameter; /* is_root: index of the parameter of this type, */
    D3D12_ROOT_PARAMETER_TYPE type;
    UINT64 constants; /* and the least number of its constants */
};

static struct argument root_view(UINT parameter, D3D12_ROOT_PARAMETER_TYPE type)
{
    return (struct argument){.size = sizeof(D3D12_GPU_VIRTUAL_ADDRESS),
                             .is_root = true,
                             .parameter = parameter,
                             .type = type};
}

static struct argument describe(const D3D12_INDIRECT_ARGUMENT_DESC *desc)
{
    switch (desc->Type) {
    case D3D12_INDIRECT_ARGUMENT_TYPE_DRAW:
        return (struct argument){.size = sizeof(D3D12_DRAW_ARGUMENTS), .is_work = true};
    case D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED:
        return (struct argument){.size = sizeof(D3D12_DRAW_INDEXED_ARGUMENTS), .is_work = true};
    case D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH:
        return (struct argument){.size = sizeof(D3D12_DISPATCH_ARGUMENTS), .is_work = true};
    case D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_RAYS:
        return (struct argument){.size = sizeof(D3D12_DISPATCH_RAYS_DESC), .is_work = true};
    case D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH:
        return (struct argument){.size = sizeof(D3D12_DISPATCH_MESH_ARGUMENTS), .is_work = true};
    case D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW:
        return (struct argument){.size = sizeof(D3D12_VERTEX_BUFFER_VIEW)};
    case D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW:
        return (struct argument){.size = sizeof(D3D12_INDEX_BUFFER_VIEW)};
    case D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT: {
        const UINT count = desc->Constant.Num32BitValuesToSet;
        return (struct argument){.size = (UINT64)count * sizeof(UINT),
                                 .is_root = true,
                                 .parameter = desc->Constant.RootParameterIndex,
                                 .type = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
                                 .constants =
                                     (UINT64)desc->Constant.DestOffsetIn32BitValues + count};
    }
    case D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT_BUFFER_VIEW:
        return root_view(desc->ConstantBufferView.RootParameterIndex,
                         D3D12_ROOT_PARAMETER_TYPE_CBV);
    case D3D12_INDIRECT_ARGUMENT_TYPE_SHADER_RESOURCE_VIEW:
        return root_view(desc->ShaderResourceView.RootParameterIndex,
                         D3D12_ROOT_PARAMETER_TYPE_SRV);
    case D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW:
        return root_view(desc->UnorderedAccessView.RootParameterIndex,
                         D3D12_ROOT_PARAMETER_TYPE_UAV);
    default:
        return (struct argument){0};
    }
}

static bool has_parameter(const struct root_layout *layout, const struct argument *argument)
{
    return argument->parameter < layout->count &&
           layout->parameters[argument->parameter].type == argument->type &&
           argument->constants <= layout->parameters[argument->parameter].constants;
}

/* Returns the mistake of the description; NULL: there is none. */
static const char *find_mistake(const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                const struct d3d12_root_signature *signature)
{
    UINT64 size = 0;
    bool changes_root = false;
    if (desc->NodeMask > 1 || desc->NumArgumentDescs == 0 || !desc->pArgumentDescs)
        return "pArgumentDescs is NULL, NumArgumentDescs is 0, or NodeMask is above 1";
    for (UINT i = 0; i < desc->NumArgumentDescs; i++) {
        const struct argument argument = describe(&desc->pArgumentDescs[i]);
        if (argument.size == 0)
            return "an argument's Type is unknown, or the argument's size is 0";
        if (argument.is_work != (i == desc->NumArgumentDescs - 1))
            return "a signature must have one draw or dispatch, as its last argument";
        if (argument.is_root && (!signature || !has_parameter(&signature->layout, &argument)))
            return "the root signature is missing, or lacks a parameter that an argument sets";
        changes_root |= argument.is_root;
        size += argument.size;
    }
    if (signature && !changes_root)
        return "pRootSignature must be NULL: no argument changes root arguments";
    if (desc->ByteStride % 4 != 0 || desc->ByteStride < size)
        return "ByteStride must be a multiple of 4, and at least the size of the arguments";
    return NULL;
}

/* Kernels only read root parameters 0 to 2 [emu.h]; values for other parameters are dropped. */
static void note_root(emu_indirect *indirect, const D3D12_INDIRECT_ARGUMENT_DESC *desc,
                      const struct argument *argument, UINT offset)
{
    const UINT first = desc->Constant.DestOffsetIn32BitValues;
    if (argument->type != D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
        if (argument->parameter < 2)
            indirect->argument_offsets[argument->parameter] = offset;
        return;
    }
    const UINT kept = sizeof indirect->constant_offsets / sizeof indirect->constant_offsets[0];
    for (UINT i = first; argument->parameter == 2 && i < argument->constants && i < kept; i++)
        indirect->constant_offsets[i] = offset + (i - first) * (UINT)sizeof(UINT);
}

/* Lays out a command. The description was checked, so the command fits into a stride. */
static void lay_out(struct d3d12_command_signature *signature,
                    const D3D12_COMMAND_SIGNATURE_DESC *desc)
{
    emu_indirect *indirect = &signature->indirect;
    memset(indirect->argument_offsets, 0xFF, sizeof indirect->argument_offsets);
    memset(indirect->constant_offsets, 0xFF, sizeof indirect->constant_offsets);
    signature->count = desc->NumArgumentDescs;
    signature->stride = desc->ByteStride;
    indirect->stride = desc->ByteStride;
    for (UINT i = 0; i < desc->NumArgumentDescs; i++) {
        const D3D12_INDIRECT_ARGUMENT_DESC *one = &desc->pArgumentDescs[i];
        const struct argument argument = describe(one);
        if (argument.is_work)
            indirect->groups_offset = signature->size;
        if (argument.is_root)
            note_root(indirect, one, &argument, signature->size);
        list_indirect_add(&signature->sets, (uint32_t)one->Type, one->VertexBuffer.Slot,
                          one->Constant.Num32BitValuesToSet);
        signature->work = one->Type;
        signature->size += (UINT)argument.size;
    }
}

HRESULT d3d12_command_signature_create(struct d3d12_device *device,
                                       const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                       ID3D12RootSignature *signature_iface,
                                       struct d3d12_command_signature **out)
{
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(signature_iface);
    if (!desc || (signature_iface && (!signature || signature->child.device != device)))
        return E_INVALIDARG;
    const char *error = find_mistake(desc, signature);
    if (error)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12Device::CreateCommandSignature: %s", error);
    struct d3d12_command_signature *command =
        d3d12_child_begin(device, &command_signature_class, sizeof *command);
    if (!command)
        return E_OUTOFMEMORY;
    lay_out(command, desc);
    command->changes_root = signature != NULL;
    if (signature)
        command->layout = signature->layout;
    *out = command;
    return d3d12_child_end(&command->child, S_OK);
}
