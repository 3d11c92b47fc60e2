#include "diff_place.h"

#include <capture/trace/schema.h>

/* Words of the record: the object that the call is made on is the first, its parameters follow. */
struct row {
    int method;
    uint8_t object, word, end;
    bool takes;
};

static const struct row rows[] = {
    {METHOD_ID3D12CommandQueue_Signal, 1, 2, 0, true},
    {METHOD_ID3D12Fence_Signal, 0, 1, 0, true},
    {METHOD_ID3D12Device3_EnqueueMakeResident, 4, 5, 0, true},
    {METHOD_ID3D12CommandQueue_Wait, 1, 2, 0, false},
    {METHOD_ID3D12Fence_SetEventOnCompletion, 0, 1, 0, false},
    {METHOD_ID3D12GraphicsCommandList_CopyBufferRegion, 1, 2, 0, true},
    {METHOD_ID3D12GraphicsCommandList_CopyBufferRegion, 3, 4, 0, false},
    {METHOD_ID3D12GraphicsCommandList_ResolveQueryData, 5, 6, 0, true},
};

static uint32_t add(const struct trace_item *item, struct diff_place *places, uint32_t count,
                    const struct row *row)
{
    if (count < DIFF_PLACES && item->size / 8 > row->word && item->size / 8 > row->end)
        places[count++] = (struct diff_place){.object = word_at(item, row->object),
                                              .place = word_at(item, row->word),
                                              .word = row->word,
                                              .end = row->end,
                                              .takes = row->takes};
    return count;
}

/* A range behind `words` words: of a pointer to it, how many there are, its begin and its end. */
static uint32_t add_range(const struct trace_item *item, struct diff_place *places, size_t words,
                          bool takes)
{
    const struct row row = {0, 0, (uint8_t)(words + 1), (uint8_t)(words + 2), takes};
    return word_at(item, 2) && word_at(item, words) == 1 ? add(item, places, 0, &row) : 0;
}

/* Two locations, each behind its number: resource, type, offset, and three words of a footprint. */
static uint32_t add_locations(const struct trace_item *item, struct diff_place *places)
{
    enum { FIRST = 7, SIZE = 7, PLACED_FOOTPRINT = 1 };
    uint32_t count = 0;
    if (!word_at(item, 1) || !word_at(item, 5))
        return 0;
    for (uint8_t i = 0; i < 2; i++) {
        const uint8_t at = (uint8_t)(FIRST + i * SIZE);
        const struct row row = {0, (uint8_t)(at + 1), (uint8_t)(at + 3), 0, i == 0};
        if (word_at(item, at) == 1 && (uint32_t)word_at(item, at + 2u) == PLACED_FOOTPRINT)
            count = add(item, places, count, &row);
    }
    return count;
}

uint32_t diff_places(const struct trace_item *item, struct diff_place places[DIFF_PLACES])
{
    uint32_t count = 0;
    switch (item->method) {
    case METHOD_ID3D12Resource_Map:
        return add_range(item, places, 4, true);
    case METHOD_ID3D12Resource_Unmap:
        return add_range(item, places, 3, false);
    case METHOD_ID3D12GraphicsCommandList_CopyTextureRegion:
        return add_locations(item, places);
    default:
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            if (rows[i].method == item->method)
                count = add(item, places, count, &rows[i]);
        return count;
    }
}

bool diff_creates_view(int method)
{
    return method == METHOD_ID3D12Device_CreateConstantBufferView ||
           method == METHOD_ID3D12Device_CreateShaderResourceView ||
           method == METHOD_ID3D12Device_CreateUnorderedAccessView ||
           method == METHOD_ID3D12Device_CreateRenderTargetView ||
           method == METHOD_ID3D12Device_CreateDepthStencilView ||
           method == METHOD_ID3D12Device_CreateSampler;
}
