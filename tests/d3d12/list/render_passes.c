/* Render passes: clears at the beginning, resolves at the end, and what is refused in between. */
#include "list/texel_kit.h"

#define BEGIN_CLEAR   D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR
#define BEGIN_KEEP    D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE
#define BEGIN_NOTHING D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_NO_ACCESS
#define END_KEEP      D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE
#define END_RESOLVE   D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE
#define END_NOTHING   D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_NO_ACCESS

Test(render_pass, clears_at_its_beginning_and_resolves_at_its_end)
{
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    const D3D12_RESOURCE_DESC depth_desc =
        texels_desc(DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    OWNED ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, s.list);
    OWNED ID3D12Resource *one = texels_create(&s, &desc), *planes = texels_create(&s, &depth_desc);
    desc.SampleDesc.Count = 2;
    OWNED ID3D12Resource *two = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, two, NULL, s.at[RTV]);
    ID3D12Device_CreateDepthStencilView(s.device, planes, NULL, s.at[DSV]);
    const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS parts = {
        .SrcRect = {0, 0, 8, 4}};
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {
        .cpuDescriptor = s.at[RTV],
        .BeginningAccess = {BEGIN_CLEAR, {{{DXGI_FORMAT_R8_UINT, {{6}}}}}},
        .EndingAccess = {
            END_RESOLVE,
            {{two, one, 1, &parts, DXGI_FORMAT_R8_UINT, D3D12_RESOLVE_MODE_AVERAGE, FALSE}}}};
    const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC depth = {
        .cpuDescriptor = s.at[DSV],
        .DepthBeginningAccess = {.Type = BEGIN_KEEP},
        .StencilBeginningAccess = {BEGIN_CLEAR,
                                   {{{DXGI_FORMAT_D24_UNORM_S8_UINT,
                                      {.DepthStencil = {.Stencil = 4}}}}}},
        .DepthEndingAccess = {.Type = END_KEEP},
        .StencilEndingAccess = {.Type = END_KEEP}};
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &target, &depth,
                                               D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList_RSSetViewports(s.list, 0, NULL);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    texels_read_back(&s, one, 0);
    cr_assert_eqs(s.bytes[0], 6, s.bytes[3 * 256 + 7], 6);
    texels_read_back(&s, planes, 1);
    cr_assert_eq(s.bytes[0], 4);
    texels_read_back(&s, planes, 0);
    cr_assert_eqs(s.bytes[0], 0, kit_messages(s.device), 0);
}

Test(render_pass, is_begun_and_ended_once_in_its_list)
{
    AT_END(texels_close) struct texels s = texels_open();
    const D3D12_RESOURCE_DESC desc = texels_target();
    OWNED ID3D12GraphicsCommandList4 *l = AS(ID3D12GraphicsCommandList4, s.list);
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    D3D12_RENDER_PASS_RENDER_TARGET_DESC right = {.cpuDescriptor = s.at[RTV],
                                                  .BeginningAccess = {.Type = BEGIN_KEEP},
                                                  .EndingAccess = {.Type = END_KEEP}};
    D3D12_RENDER_PASS_RENDER_TARGET_DESC wrong[6];
    for (int i = 0; i < 6; i++)
        wrong[i] = right;
    wrong[0].cpuDescriptor = s.at[DSV];
    wrong[1].BeginningAccess.Type = (D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE)9;
    wrong[2].EndingAccess.Type = (D3D12_RENDER_PASS_ENDING_ACCESS_TYPE)9;
    wrong[3].BeginningAccess.Type = BEGIN_NOTHING;
    wrong[4].EndingAccess.Type = END_NOTHING;
    wrong[5].EndingAccess.Type = END_RESOLVE;
    static const int ids[6] = {D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
                               D3D12_MESSAGE_ID_RENDER_PASS_ERROR,
                               D3D12_MESSAGE_ID_RENDER_PASS_ERROR,
                               D3D12_MESSAGE_ID_RENDER_PASS_MISMATCHING_NO_ACCESS,
                               D3D12_MESSAGE_ID_RENDER_PASS_MISMATCHING_NO_ACCESS,
                               D3D12_MESSAGE_ID_RENDER_PASS_UNSUPPORTED_RESOLVE};
    for (int i = 0; i < 6; i++) {
        ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &wrong[i], NULL,
                                                   D3D12_RENDER_PASS_FLAG_NONE);
        ID3D12GraphicsCommandList4_EndRenderPass(l); /* of a pass of nothing */
        texels_report(&s, ids[i], "a target");
    }
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 0, NULL, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    texels_report(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "no targets");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 9, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    texels_report(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "nine");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, (D3D12_RENDER_PASS_FLAGS)8);
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    texels_report(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "a flag");
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    texels_mistake_and(&s, E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_END_WITHOUT_BEGIN,
                       "the end of none");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_FAIL);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_CLOSE_COMMAND_LIST);
    kit_clear(s.device);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL)); /* and is in none */
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    cr_assert_eq(kit_count(s.device, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES), 1);
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    texels_mistake_and(&s, E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES,
                       "one in another");
}

/* The list of disallowed APIs [D3D12 Render Passes]. */
Test(render_pass, has_no_copies_clears_resolves_or_dispatches_in_it)
{
    AT_END(texels_close) struct texels s = texels_open();
    const D3D12_RESOURCE_DESC desc = texels_target();
    const FLOAT color[4] = {0};
    const UINT values[4] = {0};
    const D3D12_GPU_DESCRIPTOR_HANDLE nowhere = {0};
    OWNED ID3D12GraphicsCommandList4 *l = AS(ID3D12GraphicsCommandList4, s.list);
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {.cpuDescriptor = s.at[RTV],
                                                         .BeginningAccess = {.Type = BEGIN_KEEP},
                                                         .EndingAccess = {.Type = END_KEEP}};
#define IN_PASS(hr, id, Method, ...)                                                               \
    do {                                                                                           \
        ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &target, NULL,                            \
                                                   D3D12_RENDER_PASS_FLAG_NONE);                   \
        ID3D12GraphicsCommandList4_##Method(l, __VA_ARGS__);                                       \
        ID3D12GraphicsCommandList4_EndRenderPass(l);                                               \
        kit_mistake(s.device, s.list, s.allocator, hr, id, #Method);                               \
    } while (0)
#define DISALLOWED(...)                                                                            \
    IN_PASS(E_FAIL, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED, __VA_ARGS__)
    DISALLOWED(ClearState, NULL);
    DISALLOWED(ClearRenderTargetView, s.at[RTV], color, 0, NULL);
    DISALLOWED(ClearDepthStencilView, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH, 0, 0, 0, NULL);
    DISALLOWED(ClearUnorderedAccessViewUint, nowhere, s.at[UAV], texture, values, 0, NULL);
    DISALLOWED(ClearUnorderedAccessViewFloat, nowhere, s.at[UAV], texture, color, 0, NULL);
    DISALLOWED(CopyBufferRegion, s.readback, 0, s.readback, 4, 4);
    DISALLOWED(CopyTextureRegion, NULL, 0, 0, 0, NULL, NULL);
    DISALLOWED(CopyResource, s.readback, s.readback);
    DISALLOWED(SetDescriptorHeaps, 0, NULL);
    DISALLOWED(DiscardResource, texture, NULL);
    DISALLOWED(Dispatch, 1, 1, 1);
    DISALLOWED(OMSetRenderTargets, 0, NULL, FALSE, NULL);
    DISALLOWED(ResolveQueryData, NULL, D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, s.readback, 0);
    DISALLOWED(ResolveSubresource, texture, 0, texture, 0, DXGI_FORMAT_R8_UINT);
    DISALLOWED(ResolveSubresourceRegion, texture, 0, 0, 0, texture, 0, NULL, DXGI_FORMAT_R8_UINT,
               D3D12_RESOLVE_MODE_AVERAGE);
    DISALLOWED(SetProtectedResourceSession, NULL);
    IN_PASS(S_OK, 0, OMSetStencilRef, 1); /* what sets state is allowed */
}
