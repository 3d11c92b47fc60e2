#include "list/texel_kit.h"

struct texels texels_open(void)
{
    struct texels s;
    KIT_SCENE_OPEN(&s, kit_device(), DIRECT);
    s.readback = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 65536);
    MUST(ID3D12Resource_Map(s.readback, 0, NULL, (void **)&s.bytes));
    memset(s.bytes, 0xEE, 65536);
    for (int type = 0; type < 4; type++) {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {(D3D12_DESCRIPTOR_HEAP_TYPE)type, 1, 0, 0};
        s.heaps[type] = MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &desc);
        ABI_CALL_STRUCT(s.heaps[type], GetCPUDescriptorHandleForHeapStart, &s.at[type]);
    }
    return s;
}

void texels_close(struct texels *s)
{
    for (int type = 0; type < 4; type++)
        ID3D12DescriptorHeap_Release(s->heaps[type]);
    KIT_SCENE_CLOSE(s, s->readback);
}

D3D12_RESOURCE_DESC texels_desc(DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags)
{
    return kit_texture_desc(format, 8, 4, 1, 1, flags);
}

ID3D12Resource *texels_create(struct texels *s, const D3D12_RESOURCE_DESC *desc)
{
    return kit_resource(s->device, desc, D3D12_RESOURCE_STATE_COMMON);
}

void texels_read_back(struct texels *s, ID3D12Resource *texture, UINT part)
{
    D3D12_RESOURCE_DESC desc;
    ABI_CALL_STRUCT(texture, GetDesc, &desc);
    const D3D12_TEXTURE_COPY_LOCATION from = kit_part(texture, part);
    D3D12_TEXTURE_COPY_LOCATION to = kit_placed(s->readback, 0, (D3D12_SUBRESOURCE_FOOTPRINT){0});
    ID3D12Device_GetCopyableFootprints(s->device, &desc, part, 1, 0, &to.PlacedFootprint, NULL,
                                       NULL, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s->list, &to, 0, 0, 0, &from, NULL);
    kit_run(s->device, s->queue, s->list);
    MUST(ID3D12GraphicsCommandList_Reset(s->list, s->allocator, NULL));
}

void texels_mistake_and(struct texels *s, HRESULT hr, int id, const char *what)
{
    kit_mistake(s->device, s->list, s->allocator, hr, id, what);
}

void texels_mistake(struct texels *s, int id, const char *what)
{
    texels_mistake_and(s, E_INVALIDARG, id, what);
}

void texels_report(struct texels *s, int id, const char *what)
{
    texels_mistake_and(s, S_OK, id, what);
}
