/* ID3D12DeviceRemovedExtendedDataSettings, 0 to 2: one object of the process [ANN-DRED]. */
#include "dred_kit.h"

Test(dred_settings, are_one_object_that_two_exports_give)
{
    static const IID *const iids[] = {&IID_ID3D12DeviceRemovedExtendedDataSettings,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings1,
                                      &IID_ID3D12DeviceRemovedExtendedDataSettings2};
    dred_settings *settings = dred_settings_get();
    for (size_t i = 0; i < 3; i++) {
        OWNED IUnknown *face = NULL;
        MUST(D3D12GetInterface(&CLSID_D3D12DeviceRemovedExtendedData, iids[i], (void **)&face));
        cr_assert_eq((void *)face, (void *)settings);
        IUnknown_Release(face);
        EXPECT_HR(D3D12GetDebugInterface(iids[i], NULL), S_FALSE);
        MUST(settings->lpVtbl->QueryInterface(settings, iids[i], (void **)&face));
    }
    void *out = &out;
    EXPECT_HR(settings->lpVtbl->QueryInterface(settings, &IID_ID3D12Debug, &out), E_NOINTERFACE);
    cr_assert(!out);
    settings->lpVtbl->SetWatsonDumpEnablement(settings, DRED_ON); /* accepted, without effect */
    settings->lpVtbl->Release(settings);
}

Test(dred_settings, a_value_that_is_none_changes_nothing)
{
    AT_END(scene_close) struct scene s;
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT out;
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
    dred_set((D3D12_DRED_ENABLEMENT)3, DRED_OFF, DRED_OFF, FALSE);
    dred_set((D3D12_DRED_ENABLEMENT)-1, DRED_OFF, DRED_OFF, FALSE);
    scene_open(&s);
    EXPECT_HR(s.data->lpVtbl->GetAutoBreadcrumbsOutput(s.data, &out), (HRESULT)0x887A0022);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
}

Test(dred_settings, data_is_a_face_of_the_device)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    static const IID *const iids[] = {&IID_ID3D12DeviceRemovedExtendedData,
                                      &IID_ID3D12DeviceRemovedExtendedData1,
                                      &IID_ID3D12DeviceRemovedExtendedData2};
    for (size_t i = 0; i < 3; i++) {
        OWNED IUnknown *data = NULL, *unknown = NULL, *own = NULL;
        MUST(ID3D12Device_QueryInterface(device, iids[i], (void **)&data));
        unknown = AS(IUnknown, data);
        own = AS(IUnknown, device);
        cr_assert_eq(unknown, own);
    }
}

/* The dump of a device that came before the switch says why it has no breadcrumbs. */
Test(dred_settings, a_switch_after_the_device_is_told_in_its_dump)
{
    static const struct {
        bool before, after, is_told;
    } rows[] = {
        {false, true, true}, {true, true, false}, {false, false, false}, {true, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(scene_close) struct scene s;
        AT_END(at_end_close) annot_reader *reader = NULL;
        annot_reader_fact fact;
        bool is_told = false;
        emu_config config = kit_config();
        config.dump_path = dred_dump();
        dred_set(rows[i].before ? DRED_ON : DRED_OFF, DRED_OFF, DRED_OFF, FALSE);
        scene_open_with(&s, &config);
        dred_set(rows[i].after ? DRED_ON : DRED_OFF, DRED_OFF, DRED_OFF, FALSE);
        OWNED ID3D12Device5 *device = AS(ID3D12Device5, s.device);
        ID3D12Device5_RemoveDevice(device);
        reader = dred_dump_read();
        for (size_t k = 0; annot_reader_fact_at(reader, k, &fact); k++)
            is_told |= fact.key.size == 4 && memcmp(fact.key.data, "DRED", 4) == 0;
        cr_expect_eq(is_told, rows[i].is_told, "row %zu", i);
        unlink(dred_dump());
    }
}
