#include "root_signature/root_desc.h"

D3D12_DESCRIPTOR_RANGE_FLAGS root_range_flags_1_0(D3D12_DESCRIPTOR_RANGE_TYPE type)
{
    return type == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER
               ? D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE
               : D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE |
                     D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE;
}

bool root_desc_allocate(struct root_desc *root, UINT parameters, size_t ranges, UINT samplers)
{
    const size_t size = parameters * sizeof(D3D12_ROOT_PARAMETER1) +
                        ranges * sizeof(D3D12_DESCRIPTOR_RANGE1) +
                        samplers * (sizeof(D3D12_STATIC_SAMPLER_DESC) + sizeof *root->samplers);
    root->memory = calloc(1, size + 1);
    return root->memory != NULL;
}

void root_desc_finish(struct root_desc *root)
{
    free(root->memory);
}

/* Both versions differ in their parameters only. */
_Static_assert(offsetof(D3D12_ROOT_SIGNATURE_DESC, Flags) ==
                   offsetof(D3D12_ROOT_SIGNATURE_DESC1, Flags),
               "both descriptions have the same shape");
_Static_assert(offsetof(D3D12_ROOT_PARAMETER, DescriptorTable.pDescriptorRanges) ==
                       offsetof(D3D12_ROOT_PARAMETER1, DescriptorTable.pDescriptorRanges) &&
                   offsetof(D3D12_ROOT_PARAMETER, ShaderVisibility) ==
                       offsetof(D3D12_ROOT_PARAMETER1, ShaderVisibility) &&
                   sizeof(D3D12_ROOT_PARAMETER) == sizeof(D3D12_ROOT_PARAMETER1),
               "both parameters have the same shape");
_Static_assert(offsetof(D3D12_DESCRIPTOR_RANGE, OffsetInDescriptorsFromTableStart) ==
                   offsetof(D3D12_DESCRIPTOR_RANGE1, Flags),
               "both ranges begin alike");

static HRESULT check_table(const D3D12_ROOT_PARAMETER1 *parameter, struct root_error_text *error)
{
    const D3D12_ROOT_DESCRIPTOR_TABLE1 *table = &parameter->DescriptorTable;
    if (parameter->ParameterType != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
        return S_OK;
    ROOT_REFUSE_IF(
        table->NumDescriptorRanges != 0 && !table->pDescriptorRanges, error,
        "a descriptor table has NumDescriptorRanges above 0, but pDescriptorRanges is NULL");
    ROOT_REFUSE_IF(table->NumDescriptorRanges > ROOT_RANGES_MAX, error,
                   "a descriptor table has too many ranges");
    return S_OK;
}

/* Checks the pointers and counts before any pointer is followed. */
static HRESULT check_shape(const D3D12_ROOT_SIGNATURE_DESC1 *desc, struct root_error_text *error)
{
    HRESULT hr = S_OK;
    ROOT_REFUSE_IF(desc->NumParameters > root_parameters_max(desc->Flags) ||
                       desc->NumStaticSamplers > ROOT_SAMPLERS_MAX,
                   error, "too many parameters or static samplers");
    ROOT_REFUSE_IF(
        (desc->NumParameters != 0 && !desc->pParameters) ||
            (desc->NumStaticSamplers != 0 && !desc->pStaticSamplers),
        error,
        "NumParameters or NumStaticSamplers is above 0, but pParameters or pStaticSamplers "
        "is NULL");
    for (UINT i = 0; i < desc->NumParameters && SUCCEEDED(hr); i++)
        hr = check_table(&desc->pParameters[i], error);
    return hr;
}

/* The words of a parameter that both versions have in the same places are copied. Returns the
 * ranges that are left. */
static D3D12_DESCRIPTOR_RANGE1 *parameter_from_1_0(const D3D12_ROOT_PARAMETER *from,
                                                   D3D12_ROOT_PARAMETER1 *to,
                                                   D3D12_DESCRIPTOR_RANGE1 *ranges)
{
    memcpy(to, from, sizeof *to);
    if (from->ParameterType != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
        if (from->ParameterType != D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS)
            to->Descriptor.Flags = ROOT_DESCRIPTOR_FLAGS_1_0;
        return ranges;
    }
    to->DescriptorTable.pDescriptorRanges = ranges;
    for (UINT i = 0; i < from->DescriptorTable.NumDescriptorRanges; i++, ranges++) {
        const D3D12_DESCRIPTOR_RANGE *range = &from->DescriptorTable.pDescriptorRanges[i];
        memcpy(ranges, range, offsetof(D3D12_DESCRIPTOR_RANGE1, Flags));
        ranges->Flags = root_range_flags_1_0(range->RangeType);
        ranges->OffsetInDescriptorsFromTableStart = range->OffsetInDescriptorsFromTableStart;
    }
    return ranges;
}

size_t root_ranges_count(const D3D12_ROOT_SIGNATURE_DESC1 *desc)
{
    size_t count = 0;
    for (UINT i = 0; i < desc->NumParameters; i++)
        if (desc->pParameters[i].ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE)
            count += desc->pParameters[i].DescriptorTable.NumDescriptorRanges;
    return count;
}

static HRESULT samplers_from_1_2(struct root_desc *root)
{
    const UINT count = root->desc.NumStaticSamplers;
    root->samplers = (const struct root_sampler *)(const void *)root->desc.pStaticSamplers;
    if (!root_desc_allocate(root, 0, 0, count))
        return E_OUTOFMEMORY;
    D3D12_STATIC_SAMPLER_DESC *samplers = root->memory;
    for (UINT i = 0; i < count; i++)
        samplers[i] = root->samplers[i].desc;
    root->desc.pStaticSamplers = count != 0 ? samplers : NULL;
    return S_OK;
}

HRESULT root_desc_init(struct root_desc *root, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                       struct root_error_text *error)
{
    *root = (struct root_desc){0};
    ROOT_REFUSE_IF(!desc || desc->Version < D3D_ROOT_SIGNATURE_VERSION_1_0 ||
                       desc->Version > ROOT_VERSION_1_2,
                   error, "the description is NULL, or its Version is unknown");
    root->version = desc->Version;
    root->desc = desc->Desc_1_1;
    HRESULT hr = check_shape(&root->desc, error);
    if (FAILED(hr) || desc->Version == D3D_ROOT_SIGNATURE_VERSION_1_1)
        return hr;
    if (desc->Version == ROOT_VERSION_1_2)
        return samplers_from_1_2(root);
    const UINT count = desc->Desc_1_0.NumParameters;
    if (!root_desc_allocate(root, count, root_ranges_count(&root->desc), 0))
        return E_OUTOFMEMORY;
    D3D12_ROOT_PARAMETER1 *parameters = root->memory;
    D3D12_DESCRIPTOR_RANGE1 *ranges = (D3D12_DESCRIPTOR_RANGE1 *)(void *)(parameters + count);
    for (UINT i = 0; i < count; i++)
        ranges = parameter_from_1_0(&desc->Desc_1_0.pParameters[i], &parameters[i], ranges);
    root->desc.pParameters = parameters;
    return S_OK;
}
