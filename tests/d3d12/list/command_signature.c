/* Command signatures: what D3D12 permits as one command of ExecuteIndirect. */
#include "kit.h"

#define ARGUMENTS_MAX 3

static const D3D12_INDIRECT_ARGUMENT_DESC dispatch = {.Type =
                                                          D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
static const D3D12_INDIRECT_ARGUMENT_DESC destination = {
    .Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW};
static const D3D12_INDIRECT_ARGUMENT_DESC constants = {
    .Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
    .Constant = {.RootParameterIndex = 2, .Num32BitValuesToSet = 2}};

/* With kit_root_signature's signature when `rooted`. */
static HRESULT create(ID3D12Device *device, bool rooted, UINT stride, UINT count,
                      const D3D12_INDIRECT_ARGUMENT_DESC *arguments, ID3D12CommandSignature **out)
{
    const D3D12_COMMAND_SIGNATURE_DESC desc = {stride, count, arguments, 0};
    ID3D12RootSignature *signature = rooted ? kit_root_signature(device) : NULL;
    HRESULT hr = TRY(ID3D12CommandSignature, out, device, CreateCommandSignature, &desc, signature);
    if (signature)
        ID3D12RootSignature_Release(signature);
    return hr;
}

Test(command_signature, can_be_made_and_named) /* ANN-NAME-01, -04 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    const D3D12_INDIRECT_ARGUMENT_DESC all[] = {destination, constants, dispatch};
    OWNED ID3D12CommandSignature *plain = NULL, *rooted = NULL;
    MUST(create(device, false, 12, 1, &dispatch, &plain));
    MUST(create(device, true, 28, 3, all, &rooted));
    void *pageable = AS(ID3D12Pageable, plain);
    cr_assert_eq(pageable, plain);
    ID3D12CommandSignature_Release(plain);
    EXPECT_HR(ID3D12CommandSignature_QueryInterface(plain, &IID_ID3D12Fence, &pageable),
              E_NOINTERFACE);
    MUST(ID3D12CommandSignature_SetName(rooted, L"indirect"));
    MUST(ID3D12CommandSignature_SetName(rooted, NULL));
    cr_assert_eqs(heard_count, 2, heard[0].type, D3D12DDI_HT_COMMAND_SIGNATURE);
    cr_assert_eq(heard[0].name_length, 8);
    cr_assert(!heard[1].has_name);
    cr_assert_eq(kit_messages(device), 0);
}

Test(command_signature, refuses_what_is_not_permitted)
{
    D3D12_INDIRECT_ARGUMENT_DESC no_values = constants, past_end = constants,
                                 no_parameter = destination, unknown = dispatch;
    no_values.Constant.Num32BitValuesToSet = 0;
    past_end.Constant.DestOffsetIn32BitValues = UINT32_MAX;
    no_parameter.UnorderedAccessView.RootParameterIndex = 1; /* a shader resource view */
    unknown.Type = (D3D12_INDIRECT_ARGUMENT_TYPE)99;
    const struct {
        const char *what;
        bool rooted;
        UINT stride, count;
        D3D12_INDIRECT_ARGUMENT_DESC arguments[ARGUMENTS_MAX];
    } wrong[] = {
        {"no arguments", false, 12, 0, {dispatch}},
        {"a stride that is too small", false, 8, 1, {dispatch}},
        {"a stride between words", false, 13, 1, {dispatch}},
        {"no work", true, 64, 1, {constants}},
        {"work in the middle", true, 64, 2, {dispatch, constants}},
        {"work twice", false, 64, 2, {dispatch, dispatch}},
        {"an unknown type", false, 64, 1, {unknown}},
        {"a root argument without signature", false, 64, 2, {constants, dispatch}},
        {"a signature without root argument", true, 64, 1, {dispatch}},
        {"no constants", true, 64, 2, {no_values, dispatch}},
        {"constants past the end", true, 64, 2, {past_end, dispatch}},
        {"a parameter of another type", true, 64, 2, {no_parameter, dispatch}},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ID3D12CommandSignature *out = (ID3D12CommandSignature *)device;
        HRESULT hr = create(device, wrong[i].rooted, wrong[i].stride, wrong[i].count,
                            wrong[i].arguments, &out);
        cr_assert_eqs(hr, E_INVALIDARG, out, NULL, "%s: 0x%08x", wrong[i].what, (unsigned)hr);
        cr_assert_eq(kit_messages(device), i + 1, "%s", wrong[i].what);
    }
    EXPECT_HR(TRY(ID3D12CommandSignature, NULL, device, CreateCommandSignature, NULL, NULL),
              E_INVALIDARG);
}
