/* ID3D12DeviceTools2 in both letters, as published and as its specification v0.06 has it: identity,
 * the mode and which objects latch it [ANN-MODE], and the feature query [ANN-CAPS]. */
#include "kit.h"

enum letter { PUBLISHED, SPECIFICATION, LETTERS };
static const struct {
    const IID *iid;
    unsigned runtime, retail; /* modes */
    unsigned feature;
    int refused; /* message */
} letters[LETTERS] = {{&IID_ID3D12DeviceTools2, 0, 1, 73, 1465},
                      {&annot_IID_ID3D12DeviceTools2_v006, 1, 2, 66, 1464}};

/* The specification's Set has no result: S_OK. */
static HRESULT set(ID3D12Device *device, enum letter letter, unsigned mode)
{
    OWNED void *tools = NULL;
    MUST(ID3D12Device_QueryInterface(device, letters[letter].iid, &tools));
    if (letter == PUBLISHED)
        return ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
            (ID3D12DeviceTools2 *)tools, (D3D12_USER_DEFINED_ANNOTATION_MODE)mode);
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode((annot_ID3D12DeviceTools2_v006 *)tools,
                                                    (annot_D3D12_MODE_V006)mode);
    return S_OK;
}

static unsigned get(ID3D12Device *device, enum letter letter)
{
    OWNED void *tools = NULL;
    MUST(ID3D12Device_QueryInterface(device, letters[letter].iid, &tools));
    return (unsigned)ID3D12DeviceTools2_GetUserDefinedAnnotationMode((ID3D12DeviceTools2 *)tools);
}

Test(device_tools, is_one_object_with_the_device) /* ANN-MODE-08 */
{
    static const IID *const iids[] = {&IID_ID3D12DeviceTools,
                                      &IID_ID3D12DeviceTools1,
                                      &IID_ID3D12DeviceTools2,
                                      &IID_ID3D12Device11,
                                      &annot_IID_ID3D12DeviceTools2_v006,
                                      &IID_ID3D12InfoQueue1};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED IUnknown *identity = AS(IUnknown, device);
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++) {
        IUnknown *face = NULL, *same = NULL, *back = NULL;
        const ULONG before = kit_references(device);
        MUST(ID3D12Device_QueryInterface(device, iids[i], (void **)&face));
        cr_assert_eq(kit_references(device), before + 1);
        same = AS(IUnknown, face);
        MUST(IUnknown_QueryInterface(face, &IID_ID3D12Device, (void **)&back));
        cr_assert_eq(same, identity);
        cr_assert_eq((void *)back, (void *)device);
        cr_assert_eq(kit_references(face), before + 3);
        RELEASE(back, same, face);
        cr_assert_eq(kit_references(device), before);
    }
}

Test(device_tools, queries_of_what_does_not_exist_hand_nothing_out)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    void *out = &out;
    EXPECT_HR(ID3D12Device_QueryInterface(device, &IID_ID3D12Tools, &out), E_NOINTERFACE);
    cr_assert(!out);
    EXPECT_HR(ID3D12Device_QueryInterface(device, &IID_ID3D12Device, NULL), E_POINTER);
}

Test(mode, a_new_device_is_runtime_only) /* ANN-MODE-01 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    cr_assert_eqs(get(device, PUBLISHED), 0, get(device, SPECIFICATION), 1);
}

/* 1 is RUNTIME_ONLY to the one caller and DRIVER_RETAIL to the other. */
Test(mode, what_one_letter_sets_the_other_gets) /* ANN-MODE-02 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (enum letter by = PUBLISHED; by < LETTERS; by++)
        for (unsigned i = 0; i < 4; i++) {
            const bool is_retail = i % 2 == 0;
            EXPECT_HR(set(device, by, is_retail ? letters[by].retail : letters[by].runtime), S_OK);
            for (enum letter asked = PUBLISHED; asked < LETTERS; asked++)
                cr_assert_eq(get(device, asked),
                             is_retail ? letters[asked].retail : letters[asked].runtime);
        }
    cr_assert_eq(kit_messages(device), 0);
}

static void check_refused(ID3D12Device *device, enum letter letter)
{
    const unsigned wrong[] = {letter == PUBLISHED ? 2 : 0, 3, 4, 0x80000000u, 0xFFFFFFFFu};
    const unsigned before = get(device, PUBLISHED);
    kit_clear(device);
    for (UINT64 i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        EXPECT_HR(set(device, letter, wrong[i]), letter == PUBLISHED ? E_INVALIDARG : S_OK);
        cr_assert_eq(get(device, PUBLISHED), before);
        cr_assert_eq(kit_messages(device), i + 1);
        cr_assert_eq(kit_count(device, letters[letter].refused), i + 1);
    }
}

Test(mode, any_other_value_changes_nothing_and_says_so_once) /* ANN-MODE-03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (unsigned mode = 0; mode < 2; mode++) {
        EXPECT_HR(set(device, PUBLISHED, mode), S_OK);
        check_refused(device, PUBLISHED);
        check_refused(device, SPECIFICATION);
    }
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), S_OK);
}

/* A program and a library of it, each with its own header, in one process. */
Test(mode, markers_are_heard_whichever_letter_asked) /* ANN-MODE-04 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RUNTIME);
    for (enum letter letter = PUBLISHED; letter < LETTERS; letter++) {
        EXPECT_HR(set(device, letter, letters[letter].retail), S_OK);
        OWNED ID3D12CommandQueue *heard_by = kit_queue(device, DIRECT);
        EXPECT_HR(set(device, letter, letters[letter].runtime), S_OK);
        OWNED ID3D12CommandQueue *unheard = kit_queue(device, DIRECT);
        ID3D12CommandQueue_SetMarker(heard_by, 1, "a", 1);
        ID3D12CommandQueue_SetMarker(unheard, 1, "b", 1);
        cr_assert_eq(heard_count, letter + 1);
    }
}

Test(mode, devices_are_independent) /* ANN-MODE-06 */
{
    ID3D12Device *one = kit_device(), *other = kit_device();
    kit_set_mode(one, MODE_RETAIL);
    cr_assert_eq(kit_get_mode(other), MODE_RUNTIME);
    kit_close(one);
    cr_assert_eq(kit_get_mode(other), MODE_RUNTIME);
    kit_close(other);
}

/* One child of a list's kind made under each mode; the mode is then turned round: markers go where
 * the child was made, also after Reset [ANN-MODE-04, -05]. */
Test(mode, lists_keep_the_mode_they_were_created_with)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    OWNED ID3D12CommandAllocator *allocator2 = kit_allocator(device, DIRECT);
    OWNED ID3D12GraphicsCommandList *retail = kit_list(device, allocator, DIRECT);
    kit_set_mode(device, MODE_RUNTIME);
    OWNED ID3D12GraphicsCommandList *runtime = kit_list(device, allocator2, DIRECT);

    ID3D12GraphicsCommandList_SetMarker(retail, 1, "a", 1);
    ID3D12GraphicsCommandList_SetMarker(runtime, 1, "b", 1);
    cr_assert_eqs(heard_count, 1, heard[0].bytes[0], 'a');
    MUST(ID3D12GraphicsCommandList_SetName(retail, L"named"));
    MUST(ID3D12GraphicsCommandList_SetName(runtime, L"unheard"));
    cr_assert_eqs(heard_count, 2, heard[1].what, HEARD_NAME);

    MUST(ID3D12GraphicsCommandList_Close(retail));
    MUST(ID3D12GraphicsCommandList_Close(runtime));
    MUST(ID3D12GraphicsCommandList_Reset(retail, allocator, NULL));
    kit_set_mode(device, MODE_RETAIL);
    MUST(ID3D12GraphicsCommandList_Reset(runtime, allocator2, NULL));
    ID3D12GraphicsCommandList_SetMarker(runtime, 1, "c", 1);
    cr_assert_eq(heard_count, 2);
    ID3D12GraphicsCommandList_SetMarker(retail, 1, "d", 1);
    cr_assert_eqs(heard_count, 3, heard[2].bytes[0], 'd');
}

Test(mode, queues_keep_the_mode_they_were_created_with) /* ANN-MODE-04 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RUNTIME);
    OWNED ID3D12CommandQueue *runtime = kit_queue(device, DIRECT);
    kit_set_mode(device, MODE_RETAIL);
    OWNED ID3D12CommandQueue *retail = kit_queue(device, COPY);
    kit_set_mode(device, MODE_RUNTIME);
    ID3D12CommandQueue_BeginEvent(runtime, 1, "a", 1);
    ID3D12CommandQueue_EndEvent(runtime);
    cr_assert_eq(heard_count, 0);
    ID3D12CommandQueue_BeginEvent(retail, 1, "b", 1);
    ID3D12CommandQueue_EndEvent(retail);
    cr_assert_eq(heard_count, 2);
}

Test(mode, force_starts_in_driver_retail_and_stays) /* ANN-CONF-02 */
{
    emu_config config = kit_config();
    config.force_driver_retail = true;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    for (enum letter letter = PUBLISHED; letter < LETTERS; letter++) {
        kit_clear(device);
        cr_assert_eq(get(device, letter), letters[letter].retail);
        EXPECT_HR(set(device, letter, letters[letter].runtime), S_OK);
        cr_assert_eq(get(device, letter), letters[letter].retail);
        cr_assert_eq(kit_messages(device), 0);
        check_refused(device, letter); /* wrong values are looked at first */
    }
}

static BOOL is_supported(ID3D12Device *device, enum letter letter)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {77};
    MUST(ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)letters[letter].feature, &data,
                                          sizeof data));
    return data.Supported;
}

Test(caps, the_reference_driver_is_supported) /* ANN-CAPS-01 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    cr_assert_eqs(is_supported(device, PUBLISHED), TRUE, is_supported(device, SPECIFICATION), TRUE);
}

Test(caps, a_driver_without_the_feature_is_not) /* ANN-CAPS-02 */
{
    emu_config config = kit_config();
    config.driver = "legacy";
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    cr_assert_eqs(is_supported(device, PUBLISHED), FALSE, is_supported(device, SPECIFICATION),
                  FALSE);
    kit_set_mode(device, MODE_RETAIL);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandQueue_SetMarker(queue, 1, "x", 1);
    MUST(ID3D12CommandQueue_SetName(queue, L"x"));
}

Test(caps, wrong_sizes_write_nothing) /* ANN-CAPS-03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    unsigned char bytes[16];
    for (enum letter letter = PUBLISHED; letter < LETTERS; letter++) {
        const D3D12_FEATURE feature = (D3D12_FEATURE)letters[letter].feature;
        for (UINT size = 0; size <= sizeof bytes; size++) {
            if (size == sizeof(D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION))
                continue;
            memset(bytes, 0xA5, sizeof bytes);
            EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, feature, bytes, size), E_INVALIDARG);
            for (size_t i = 0; i < sizeof bytes; i++)
                cr_assert_eq(bytes[i], 0xA5);
        }
        EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, feature, NULL, 4), E_INVALIDARG);
    }
}

Test(caps, an_incomplete_table_counts_as_absent_and_says_which_entry) /* ANN-CAPS-04 */
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 holed;
    static const annot_driver driver = {
        "holed", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &holed, 0};
    holed = *emu_driver_annotation("reference")->annotation;
    holed.pfnCmdListSetMarker = NULL;
    emu_config config = kit_config();
    config.annotation = &driver;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    cr_assert_eqs(is_supported(device, PUBLISHED), FALSE, is_supported(device, SPECIFICATION),
                  FALSE);
    cr_assert_eq(kit_messages(device), 1);
    cr_assert_eq(kit_count(device, ANNOT_MESSAGE_DRIVER_TABLE_INVALID), 1);
}
