/* ANN-CRASH: from a hang to a dump. */
#include "kit.h"

static void note_dump(void *user, annot_device_error error, const char *path)
{
    bool *const written = user;
    *written = error == ANNOT_DEVICE_ERROR_HUNG && path;
}

CASE(a_hang_leaves_a_dump, "ANN-CRASH-01", "After a hang there is nothing to look at.",
     .needs = EMULATOR | HANG | DUMP, .drivers = REFERENCE | REORDER)
{
    bool written = false;
    emu_config config = kit_config();
    config.dump_path = case_file("annotdmp");
    config.on_removed = note_dump;
    config.user = &written;
    ID3D12Device *device = kit_device_with(&config, RETAIL);
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    struct kit_list list = kit_list(device, DIRECT);
    kit_begin(&list, 1, "never ends", 11);
    kit_dispatch(kit_graphics(&list), signature, spin, NULL, NULL, 0, 0);
    kit_end(&list);
    kit_execute(queue, &list);
    the_runtime.run_until_idle(device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), 0x887A0006); /* ..._DEVICE_HUNG */
    EXPECT(written);
    kit_list_done(&list);
    kit_release(spin);
    kit_release(signature);
    kit_release(queue);
    kit_device_done(device);
}

extern const struct case_table crash_cases;
const struct case_table crash_cases = CASES("crash", &a_hang_leaves_a_dump);
