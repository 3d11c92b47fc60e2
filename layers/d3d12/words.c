/* Words that the GPU writes: WriteBufferImmediate, MARKER_IN in front of a marker's work and
 * MARKER_OUT behind it. WriteBufferImmediate is allowed in render passes and is not predicated. In
 * bundles, and on types of lists without it, nothing is written and the markers are unknown. If a
 * device lacks WriteBufferImmediate for all lists, words are copied: copies.c. */
#include "layer.h"

bool layer_device_has_words(const struct layer_device *device)
{
    return device->evidence == LAYER_EVIDENCE_IMMEDIATE || device->evidence == LAYER_EVIDENCE_COPY;
}

uint16_t layer_words_writer(const struct layer_device *device)
{
    return device->evidence == LAYER_EVIDENCE_COPY ? TYPE_ID3D12GraphicsCommandList
                                                   : TYPE_ID3D12GraphicsCommandList2;
}

bool layer_words_are_written(const struct layer_device *device, const struct layer_list *list)
{
    return layer_device_has_words(device) && list->real && (device->writes_flags >> list->type & 1);
}

bool layer_words_may_come(const struct layer_list *list)
{
    return list->mirror.device->evidence != LAYER_EVIDENCE_COPY ||
           !(list->in_pass || list->is_suspended || list->is_predicated || list->is_protected);
}

void layer_word_write(const struct layer_device *device, void *list, uint64_t offset,
                      uint32_t value, D3D12_WRITEBUFFERIMMEDIATE_MODE mode)
{
    ID3D12GraphicsCommandList2 *writer = list;
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER word = {device->memory.address + offset, value};
    if (device->evidence == LAYER_EVIDENCE_COPY)
        layer_copies_write_constant(device, list, offset, value);
    else
        writer->lpVtbl->WriteBufferImmediate(writer, 1, &word, &mode);
}

void layer_words_write(const struct layer_device *device, struct layer_list *list, bool is_started,
                       uint32_t value)
{
    const uint64_t offset = is_started ? list->stream.words.started : list->stream.words.completed;
    if (!list->stream.is_marked || !layer_words_may_come(list))
        return;
    if (list->owes_words) {
        *(is_started ? &list->owed_started : &list->owed_completed) = value;
        return;
    }
    list->writes++;
    if (device->evidence == LAYER_EVIDENCE_COPY && value >= LAYER_CONSTANTS)
        layer_copies_write(device, list->arena, list->real, offset, value);
    else
        layer_word_write(device, list->real, offset, value,
                         is_started ? D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN
                                    : D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT);
}

void layer_words_write_prologue(const struct layer_device *device, void *writer,
                                const annot_prologue *prologue)
{
    const D3D12_WRITEBUFFERIMMEDIATE_MODE in = D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN;
    const D3D12_WRITEBUFFERIMMEDIATE_MODE out = D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT;
    layer_word_write(device, writer, prologue->entered, ANNOT_WORD_ENTERED, in);
    layer_word_write(device, writer, prologue->restarted, 0, in);
    layer_word_write(device, writer, prologue->entered, ANNOT_WORD_LEFT, in);
    layer_word_write(device, writer, prologue->claimed, ANNOT_WORD_ENTERED, out);
    layer_word_write(device, writer, prologue->cleared, 0, out);
    layer_word_write(device, writer, prologue->claimed, ANNOT_WORD_LEFT, out);
}
