/* The input assembler's elements and stream output's declarations. */
#include "format/format.h"
#include "pipeline/pipeline_desc.h"

bool pipeline_same_semantic(const char *a, const char *b)
{
    for (;; a++, b++) {
        const char x = *a >= 'a' && *a <= 'z' ? (char)(*a - 'a' + 'A') : *a;
        const char y = *b >= 'a' && *b <= 'z' ? (char)(*b - 'a' + 'A') : *b;
        if (x != y)
            return false;
        if (x == '\0')
            return true;
    }
}

static bool ends_with_digit(const char *name)
{
    const size_t length = strlen(name);
    return length != 0 && name[length - 1] >= '0' && name[length - 1] <= '9';
}

/* Whether the offset is aligned: to 4 bytes, or to a smaller element's size. */
static bool is_aligned(const D3D12_INPUT_ELEMENT_DESC *element, UINT size)
{
    return element->AlignedByteOffset == D3D12_APPEND_ALIGNED_ELEMENT ||
           element->AlignedByteOffset % (size < 4 ? size : 4) == 0;
}

static struct validation_error check_element(const D3D12_INPUT_ELEMENT_DESC *element)
{
    const UINT size = format_element_size(element->Format);
    REFUSE(!element->SemanticName, CREATEINPUTLAYOUT_NULLSEMANTIC,
           "an input element's SemanticName must not be NULL");
    REFUSE(ends_with_digit(element->SemanticName), CREATEINPUTLAYOUT_TRAILING_DIGIT_IN_SEMANTIC,
           "SemanticName must not end with a digit: use SemanticIndex");
    REFUSE_VALUE(size == 0, CREATEINPUTLAYOUT_INVALIDFORMAT,
                 "an input element's Format must be a format for vertices", element, Format);
    REFUSE_VALUE(element->InputSlot >= D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT,
                 CREATEINPUTLAYOUT_INVALIDSLOT, "an input element's InputSlot must be below 32",
                 element, InputSlot);
    REFUSE_VALUE((UINT)element->InputSlotClass > D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA,
                 CREATEINPUTLAYOUT_INVALIDINPUTSLOTCLASS,
                 "InputSlotClass must be PER_VERTEX_DATA or PER_INSTANCE_DATA", element,
                 InputSlotClass);
    REFUSE_VALUE(element->InputSlotClass == D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA &&
                     element->InstanceDataStepRate != 0,
                 CREATEINPUTLAYOUT_STEPRATESLOTCLASSMISMATCH,
                 "InstanceDataStepRate must be 0 for PER_VERTEX_DATA", element,
                 InstanceDataStepRate);
    REFUSE_VALUE(!is_aligned(element, size), CREATEINPUTLAYOUT_INVALIDALIGNMENT,
                 "AlignedByteOffset must be a multiple of 4, or of the element's size if this size "
                 "is below 4",
                 element, AlignedByteOffset);
    return no_validation_error;
}

static struct validation_error check_pair(const D3D12_INPUT_ELEMENT_DESC *a,
                                          const D3D12_INPUT_ELEMENT_DESC *b)
{
    REFUSE_VALUE(a->SemanticIndex == b->SemanticIndex &&
                     pipeline_same_semantic(a->SemanticName, b->SemanticName),
                 CREATEINPUTLAYOUT_DUPLICATESEMANTIC,
                 "two input elements must not have the same semantic and SemanticIndex", a,
                 SemanticIndex);
    REFUSE_VALUE(a->InputSlot == b->InputSlot && a->InputSlotClass != b->InputSlotClass,
                 CREATEINPUTLAYOUT_INVALIDSLOTCLASSCHANGE,
                 "input elements of one InputSlot must have the same InputSlotClass", a, InputSlot);
    REFUSE_VALUE(a->InputSlot == b->InputSlot && a->InstanceDataStepRate != b->InstanceDataStepRate,
                 CREATEINPUTLAYOUT_INVALIDSTEPRATECHANGE,
                 "input elements of one InputSlot must have the same InstanceDataStepRate", a,
                 InputSlot);
    return no_validation_error;
}

struct validation_error pipeline_check_input_layout(const D3D12_INPUT_LAYOUT_DESC *layout)
{
    struct validation_error error = no_validation_error;
    const D3D12_INPUT_ELEMENT_DESC *elements = layout->pInputElementDescs;
    if (layout->NumElements == 0)
        return error;
    REFUSE_VALUE(!elements, CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET,
                 "NumElements is above 0, but pInputElementDescs is NULL", layout, NumElements);
    REFUSE_VALUE(layout->NumElements > D3D12_IA_VERTEX_INPUT_STRUCTURE_ELEMENT_COUNT,
                 CREATEINPUTLAYOUT_TOOMANYELEMENTS, "NumElements must be at most 32", layout,
                 NumElements);
    for (UINT i = 0; i < layout->NumElements && !error.text; i++) {
        error = check_element(&elements[i]);
        for (UINT j = 0; j < i && !error.text; j++)
            error = check_pair(&elements[i], &elements[j]);
    }
    return error;
}

static struct validation_error check_entry(const D3D12_SO_DECLARATION_ENTRY *entry)
{
    REFUSE_VALUE(entry->Stream >= D3D12_SO_STREAM_COUNT,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAM, "Stream must be below 4",
                 entry, Stream);
    REFUSE_VALUE(entry->OutputSlot >= D3D12_SO_BUFFER_SLOT_COUNT,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSLOT,
                 "OutputSlot must be below 4", entry, OutputSlot);
    if (!entry->SemanticName) { /* an entry without a name is a gap */
        REFUSE(entry->ComponentCount == 0 || entry->SemanticIndex != 0 ||
                   entry->StartComponent != 0,
               CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDGAPDEFINITION,
               "a gap in stream output must have ComponentCount > 0, "
               "SemanticIndex = 0 and StartComponent = 0");
        return no_validation_error;
    }
    REFUSE(ends_with_digit(entry->SemanticName),
           CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_TRAILING_DIGIT_IN_SEMANTIC,
           "SemanticName must not end with a digit: use SemanticIndex");
    REFUSE_VALUE(entry->ComponentCount == 0 || entry->ComponentCount > 4,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDCOMPONENTCOUNT,
                 "ComponentCount must be from 1 to 4", entry, ComponentCount);
    REFUSE_VALUE(entry->StartComponent + entry->ComponentCount > 4,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTARTCOMPONENTANDCOMPONENTCOUNT,
                 "StartComponent + ComponentCount must be at most 4", entry, StartComponent);
    return no_validation_error;
}

static struct validation_error check_strides(const D3D12_STREAM_OUTPUT_DESC *output)
{
    REFUSE_VALUE(output->NumStrides > D3D12_SO_BUFFER_SLOT_COUNT ||
                     (output->NumStrides != 0 && !output->pBufferStrides),
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMSTRIDES,
                 "NumStrides must be at most 4, and must be 0 if pBufferStrides is NULL", output,
                 NumStrides);
    for (UINT i = 0; i < output->NumStrides; i++)
        REFUSE_VALUE(output->pBufferStrides[i] > D3D12_SO_BUFFER_MAX_STRIDE_IN_BYTES ||
                         output->pBufferStrides[i] % 4 != 0,
                     CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSTREAMSTRIDE,
                     "each stride in pBufferStrides must be a multiple of 4 and at most 2048",
                     output, pBufferStrides[i]);
    return no_validation_error;
}

struct validation_error pipeline_check_stream_output(const D3D12_STREAM_OUTPUT_DESC *output)
{
    if (output->NumEntries == 0)
        return output->NumStrides == 0
                   ? no_validation_error
                   : WITH_VALUE(
                         VALIDATION_ERROR(CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_UNEXPECTEDSTRIDES,
                                          "NumStrides must be 0 if NumEntries is 0"),
                         output, NumStrides);
    REFUSE_VALUE(!output->pSODeclaration ||
                     output->NumEntries > D3D12_SO_STREAM_COUNT * D3D12_SO_OUTPUT_COMPONENT_COUNT,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMENTRIES,
                 "NumEntries must be at most 512, and pSODeclaration must not be NULL", output,
                 NumEntries);
    REFUSE_VALUE(output->RasterizedStream >= D3D12_SO_STREAM_COUNT &&
                     output->RasterizedStream != D3D12_SO_NO_RASTERIZED_STREAM,
                 CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAMTORASTERIZER,
                 "RasterizedStream must be below 4, or D3D12_SO_NO_RASTERIZED_STREAM", output,
                 RasterizedStream);
    struct validation_error error = check_strides(output);
    for (UINT i = 0; i < output->NumEntries && !error.text; i++)
        error = check_entry(&output->pSODeclaration[i]);
    return error;
}
