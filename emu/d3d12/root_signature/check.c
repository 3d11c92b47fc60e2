/* The rules for root signatures: "Root Signature Limits", "Root Signature Version 1.1" and the
 * structures' pages of D3D12's documentation. */
#include "root_signature/root_desc.h"

#define SPACE_RESERVED    UINT32_C(0xfffffff0) /* this and higher spaces are for drivers */
#define SPACE_IS_RESERVED "parameter %u: RegisterSpace is reserved; use a number below 0xFFFFFFF0"
#define UNBOUNDED         UINT32_MAX

/* ---- registers: used once within their visibility ---- */

static void add_binding(struct root_registers *bindings, D3D12_DESCRIPTOR_RANGE_TYPE kind,
                        D3D12_SHADER_VISIBILITY visibility, UINT space, UINT first, UINT count)
{
    const uint64_t last = count == UNBOUNDED ? UINT32_MAX : (uint64_t)first + count - 1;
    bindings->all[bindings->count++] = (struct root_binding){kind, visibility, space, first, last};
}

static void add_parameter(struct root_registers *bindings, const D3D12_ROOT_PARAMETER1 *parameter)
{
    static const D3D12_DESCRIPTOR_RANGE_TYPE kinds[] = {
        [D3D12_ROOT_PARAMETER_TYPE_CBV] = D3D12_DESCRIPTOR_RANGE_TYPE_CBV,
        [D3D12_ROOT_PARAMETER_TYPE_SRV] = D3D12_DESCRIPTOR_RANGE_TYPE_SRV,
        [D3D12_ROOT_PARAMETER_TYPE_UAV] = D3D12_DESCRIPTOR_RANGE_TYPE_UAV};
    const D3D12_SHADER_VISIBILITY visibility = parameter->ShaderVisibility;
    if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
        add_binding(bindings, D3D12_DESCRIPTOR_RANGE_TYPE_CBV, visibility,
                    parameter->Constants.RegisterSpace, parameter->Constants.ShaderRegister, 1);
        return;
    }
    if (parameter->ParameterType != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
        add_binding(bindings, kinds[parameter->ParameterType], visibility,
                    parameter->Descriptor.RegisterSpace, parameter->Descriptor.ShaderRegister, 1);
        return;
    }
    for (UINT i = 0; i < parameter->DescriptorTable.NumDescriptorRanges; i++) {
        const D3D12_DESCRIPTOR_RANGE1 *range = &parameter->DescriptorTable.pDescriptorRanges[i];
        add_binding(bindings, range->RangeType, visibility, range->RegisterSpace,
                    range->BaseShaderRegister, range->NumDescriptors);
    }
}

static int by_register(const void *left, const void *right)
{
    const struct root_binding *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static bool see_each_other(D3D12_SHADER_VISIBILITY a, D3D12_SHADER_VISIBILITY b)
{
    return a == b || a == D3D12_SHADER_VISIBILITY_ALL || b == D3D12_SHADER_VISIBILITY_ALL;
}

/* Finds an overlap. In sorted order, an overlapping binding directly follows the other. */
static HRESULT find_overlap(const struct root_registers *bindings, struct root_error_text *error)
{
    static const char letters[] = {'t', 'u', 'b', 's'};
    for (size_t i = 0; i < bindings->count; i++) {
        const struct root_binding *a = &bindings->all[i];
        for (size_t k = i + 1; k < bindings->count; k++) {
            const struct root_binding *b = &bindings->all[k];
            if (b->kind != a->kind || b->space != a->space || b->first > a->last)
                break;
            ROOT_REFUSE_IF(see_each_other(a->visibility, b->visibility), error,
                           "register %c%u in space %u is bound twice", letters[a->kind],
                           (unsigned)b->first, (unsigned)b->space);
        }
    }
    return S_OK;
}

bool root_registers_find(const D3D12_ROOT_SIGNATURE_DESC1 *desc, struct root_registers *out)
{
    const size_t count =
        root_ranges_count(desc) + (size_t)desc->NumParameters + desc->NumStaticSamplers;
    *out = (struct root_registers){calloc(count + 1, sizeof *out->all), 0};
    if (!out->all)
        return false;
    for (UINT i = 0; i < desc->NumParameters; i++)
        add_parameter(out, &desc->pParameters[i]);
    for (UINT i = 0; i < desc->NumStaticSamplers; i++)
        add_binding(out, D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER,
                    desc->pStaticSamplers[i].ShaderVisibility,
                    desc->pStaticSamplers[i].RegisterSpace, desc->pStaticSamplers[i].ShaderRegister,
                    1);
    return true;
}

bool root_registers_cover(const struct root_registers *registers, D3D12_DESCRIPTOR_RANGE_TYPE kind,
                          D3D12_SHADER_VISIBILITY visibility, UINT space, UINT first, UINT last)
{
    const UINT needed = last == UNBOUNDED ? first : last;
    for (size_t i = 0; i < registers->count; i++) {
        const struct root_binding *binding = &registers->all[i];
        if (binding->kind == kind && binding->space == space && binding->first <= first &&
            binding->last >= needed && see_each_other(binding->visibility, visibility))
            return true;
    }
    return false;
}

static HRESULT check_registers(const D3D12_ROOT_SIGNATURE_DESC1 *desc,
                               struct root_error_text *error)
{
    struct root_registers bindings;
    if (!root_registers_find(desc, &bindings))
        return E_OUTOFMEMORY;
    qsort(bindings.all, bindings.count, sizeof *bindings.all, by_register);
    HRESULT hr = find_overlap(&bindings, error);
    free(bindings.all);
    return hr;
}

/* ---- parameters ---- */

static bool is_one_bit(UINT bits)
{
    return (bits & (bits - 1)) == 0;
}

#define DATA_FLAGS                                                                                 \
    (D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE |                                                   \
     D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC_WHILE_SET_AT_EXECUTE |                                \
     D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC)
#define DESCRIPTOR_FLAGS                                                                           \
    (D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE |                                            \
     D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS)

/* A range may have one flag for descriptors and one flag for data. Samplers have no data, and data
 * of volatile descriptors can't be static. */
static bool range_flags_are_valid(const D3D12_DESCRIPTOR_RANGE1 *range)
{
    const UINT flags = (UINT)range->Flags;
    const UINT data = flags & (UINT)DATA_FLAGS, descriptors = flags & (UINT)DESCRIPTOR_FLAGS;
    if ((flags & ~(UINT)(DATA_FLAGS | DESCRIPTOR_FLAGS)) != 0 || !is_one_bit(data) ||
        !is_one_bit(descriptors))
        return false;
    if (range->RangeType == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER)
        return data == 0;
    return descriptors != D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE ||
           data != D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC;
}

static HRESULT check_range(const D3D12_DESCRIPTOR_RANGE1 *range, UINT index,
                           struct root_error_text *error)
{
    const UINT count = range->NumDescriptors;
    ROOT_REFUSE_IF((UINT)range->RangeType > D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER, error,
                   "parameter %u: RangeType must be a D3D12_DESCRIPTOR_RANGE_TYPE", index);
    ROOT_REFUSE_IF(
        count == 0 || (count != UNBOUNDED && range->BaseShaderRegister > UINT32_MAX - count + 1),
        error,
        "parameter %u: a range must have at least one register, and no register above 0xFFFFFFFF",
        index);
    ROOT_REFUSE_IF(range->RegisterSpace >= SPACE_RESERVED, error, SPACE_IS_RESERVED, index);
    ROOT_REFUSE_IF(!range_flags_are_valid(range), error,
                   "parameter %u: a range's Flags 0x%x are unknown, or exclude each other", index,
                   (UINT)range->Flags);
    return S_OK;
}

static HRESULT check_table(const D3D12_ROOT_DESCRIPTOR_TABLE1 *table, UINT index,
                           struct root_error_text *error)
{
    uint64_t end = 0; /* end of the range before, in the table */
    for (UINT i = 0; i < table->NumDescriptorRanges; i++) {
        const D3D12_DESCRIPTOR_RANGE1 *range = &table->pDescriptorRanges[i];
        const bool appends =
            range->OffsetInDescriptorsFromTableStart == D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND;
        const uint64_t start = appends ? end : range->OffsetInDescriptorsFromTableStart;
        const HRESULT hr = check_range(range, index, error);
        if (FAILED(hr))
            return hr;
        ROOT_REFUSE_IF(
            (range->RangeType == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER) !=
                (table->pDescriptorRanges[0].RangeType == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER),
            error, "parameter %u: a table must not have samplers together with other descriptors",
            index);
        ROOT_REFUSE_IF(start > UINT32_MAX, error,
                       "parameter %u: no range may be appended to an unbounded range", index);
        end = range->NumDescriptors == UNBOUNDED ? UINT64_MAX : start + range->NumDescriptors;
        ROOT_REFUSE_IF(range->NumDescriptors != UNBOUNDED && end > UINT32_MAX, error,
                       "parameter %u: a range goes beyond the end of its table", index);
    }
    return S_OK;
}

static HRESULT check_place(UINT space, UINT index, struct root_error_text *error)
{
    ROOT_REFUSE_IF(space >= SPACE_RESERVED, error, SPACE_IS_RESERVED, index);
    return S_OK;
}

static HRESULT check_descriptor(const D3D12_ROOT_DESCRIPTOR1 *descriptor, UINT index,
                                struct root_error_text *error)
{
    const UINT flags = (UINT)descriptor->Flags;
    ROOT_REFUSE_IF((flags & ~(UINT)DATA_FLAGS) != 0 || !is_one_bit(flags), error,
                   "parameter %u: a descriptor's Flags 0x%x are unknown, or exclude each other",
                   index, flags);
    return check_place(descriptor->RegisterSpace, index, error);
}

static HRESULT check_parameter(const D3D12_ROOT_PARAMETER1 *parameter, UINT index,
                               struct root_error_text *error)
{
    ROOT_REFUSE_IF((UINT)parameter->ShaderVisibility > D3D12_SHADER_VISIBILITY_MESH, error,
                   "parameter %u: ShaderVisibility must be a D3D12_SHADER_VISIBILITY", index);
    switch (parameter->ParameterType) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
        return check_table(&parameter->DescriptorTable, index, error);
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
        return check_place(parameter->Constants.RegisterSpace, index, error);
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV:
        return check_descriptor(&parameter->Descriptor, index, error);
    default:
        return ROOT_REFUSE(error, "parameter %u: ParameterType must be a D3D12_ROOT_PARAMETER_TYPE",
                           index);
    }
}

/* Returns the cost in values of 32 bits: 1 for a table, 2 for a descriptor, and the number of
 * constants. */
static uint64_t cost_of(const D3D12_ROOT_PARAMETER1 *parameter)
{
    if (parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
        return 1;
    return parameter->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS
               ? parameter->Constants.Num32BitValues
               : 2;
}

static HRESULT check_sampler(const D3D12_STATIC_SAMPLER_DESC *sampler, UINT index,
                             struct root_error_text *error)
{
    const D3D12_TEXTURE_ADDRESS_MODE modes[] = {sampler->AddressU, sampler->AddressV,
                                                sampler->AddressW};
    for (int i = 0; i < 3; i++)
        ROOT_REFUSE_IF((UINT)modes[i] < D3D12_TEXTURE_ADDRESS_MODE_WRAP ||
                           (UINT)modes[i] > D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE,
                       error,
                       "static sampler %u: an address mode must be a D3D12_TEXTURE_ADDRESS_MODE",
                       index);
    ROOT_REFUSE_IF(
        (UINT)sampler->ComparisonFunc > D3D12_COMPARISON_FUNC_ALWAYS ||
            (UINT)sampler->BorderColor > D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT ||
            sampler->MaxAnisotropy > D3D12_REQ_MAXANISOTROPY,
        error, "static sampler %u: ComparisonFunc, BorderColor or MaxAnisotropy is out of range",
        index);
    ROOT_REFUSE_IF((UINT)sampler->ShaderVisibility > D3D12_SHADER_VISIBILITY_MESH ||
                       sampler->RegisterSpace >= SPACE_RESERVED,
                   error, "static sampler %u: ShaderVisibility or RegisterSpace is out of range",
                   index);
    return S_OK;
}

/* Checks D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE: only raytracing uses such signatures. */
static HRESULT check_local(const D3D12_ROOT_SIGNATURE_DESC1 *desc, struct root_error_text *error)
{
    const D3D12_ROOT_SIGNATURE_FLAGS fit =
        D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE |
        D3D12_ROOT_SIGNATURE_FLAG_CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED |
        D3D12_ROOT_SIGNATURE_FLAG_SAMPLER_HEAP_DIRECTLY_INDEXED;
    ROOT_REFUSE_IF(
        (desc->Flags & ~fit) != 0, error,
        "Flags 0x%x: a local root signature must not have flags of the graphics pipeline",
        (UINT)desc->Flags);
    for (UINT i = 0; i < desc->NumParameters; i++)
        ROOT_REFUSE_IF(desc->pParameters[i].ShaderVisibility != D3D12_SHADER_VISIBILITY_ALL, error,
                       "parameter %u: in a local root signature, ShaderVisibility must be ALL", i);
    return S_OK;
}

HRESULT root_desc_check(const struct root_desc *root, struct root_error_text *error)
{
    const D3D12_ROOT_SIGNATURE_DESC1 *desc = &root->desc;
    const UINT known = (UINT)D3D12_ROOT_SIGNATURE_FLAG_SAMPLER_HEAP_DIRECTLY_INDEXED * 2 - 1;
    uint64_t cost = 0;
    HRESULT hr = S_OK;
    ROOT_REFUSE_IF((UINT)desc->Flags > known, error, "unknown flags 0x%x", (UINT)desc->Flags);
    for (UINT i = 0; i < desc->NumParameters && SUCCEEDED(hr); i++) {
        hr = check_parameter(&desc->pParameters[i], i, error);
        cost += cost_of(&desc->pParameters[i]);
    }
    for (UINT i = 0; i < desc->NumStaticSamplers && SUCCEEDED(hr); i++)
        hr = root->samplers && root->samplers[i].flags > ROOT_SAMPLER_FLAGS
                 ? ROOT_REFUSE(error, "static sampler %u: Flags has unknown flags", i)
                 : check_sampler(&desc->pStaticSamplers[i], i, error);
    if (FAILED(hr))
        return hr;
    const bool is_local = (desc->Flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0;
    if (is_local)
        hr = check_local(desc, error);
    if (FAILED(hr))
        return hr;
    ROOT_REFUSE_IF(
        !is_local && cost > D3D12_MAX_ROOT_COST, error,
        "the parameters cost more than %d DWORDs: move parameters into a descriptor table",
        D3D12_MAX_ROOT_COST);
    return check_registers(desc, error);
}
