#include "kit_scene.h"

/* ---- a scene ---- */

static void note_removal(void *user, annot_device_error error, const char *path)
{
    struct kit_scene *scene = user;
    scene->removals++;
    scene->error = error;
    EXPECT(path && strcmp(path, scene->path) == 0);
}

static void make_pipelines(struct kit_scene *scene)
{
    void *words = NULL;
    scene->signature = kit_root_signature(scene->device);
    scene->fill = kit_pipeline(scene->device, scene->signature, EMU_KERNEL_FILL);
    scene->spin = kit_pipeline(scene->device, scene->signature, EMU_KERNEL_SPIN);
    scene->touch = kit_pipeline(scene->device, scene->signature, EMU_KERNEL_TOUCH);
    scene->buffer =
        kit_buffer(scene->device, D3D12_HEAP_TYPE_READBACK, KIT_WORDS * sizeof(uint32_t));
    REQUIRE_OK(ID3D12Resource_Map(scene->buffer, 0, NULL, &words));
    scene->words = words;
}

HRESULT kit_scene_try(struct kit_scene *scene, const emu_config *changes)
{
    emu_config config = changes ? *changes : kit_config();
    *scene = (struct kit_scene){.path = config.dump_path};
    if (!scene->path)
        scene->path = case_file("annotdmp");
    remove(scene->path); /* an earlier scene's: nothing would replace it */
    config.dump_path = scene->path;
    config.on_removed = note_removal;
    config.user = scene;
    const HRESULT hr = kit_device_try(&config, &scene->device);
    if (FAILED(hr))
        return hr;
    kit_set_mode(scene->device, RETAIL);
    make_pipelines(scene);
    return hr;
}

void kit_scene(struct kit_scene *scene, const emu_config *changes)
{
    REQUIRE_OK(kit_scene_try(scene, changes));
}

void kit_scene_done(struct kit_scene *scene)
{
    annot_reader_close(scene->reader);
    kit_release(scene->buffer);
    kit_release(scene->touch);
    kit_release(scene->spin);
    kit_release(scene->fill);
    kit_release(scene->signature);
    kit_device_done(scene->device);
}

/* ---- recording ---- */

struct kit_list kit_named_list(struct kit_scene *scene, D3D12_COMMAND_LIST_TYPE type,
                               const char *name)
{
    struct kit_list list = kit_list(scene->device, type);
    kit_name(list.list, name);
    return list;
}

ID3D12CommandQueue *kit_named_queue(struct kit_scene *scene, D3D12_COMMAND_LIST_TYPE type,
                                    const char *name)
{
    ID3D12CommandQueue *queue = kit_queue(scene->device, type);
    kit_name(queue, name);
    return queue;
}

void kit_work(const struct kit_scene *scene, const struct kit_list *list, UINT word)
{
    ID3D12GraphicsCommandList *const graphics = kit_graphics(list);
    const UINT one_word[2] = {1, 1};
    ID3D12GraphicsCommandList_SetComputeRootSignature(graphics, scene->signature);
    ID3D12GraphicsCommandList_SetPipelineState(graphics, scene->fill);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        graphics, 0, ID3D12Resource_GetGPUVirtualAddress(scene->buffer) + word * sizeof(uint32_t));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(graphics, 2, 2, one_word, 0);
    ID3D12GraphicsCommandList_Dispatch(graphics, 1, 1, 1);
}

void kit_spin(const struct kit_scene *scene, const struct kit_list *list)
{
    kit_dispatch(kit_graphics(list), scene->signature, scene->spin, NULL, NULL, 0, 0);
}

void kit_hang(const struct kit_scene *scene, const struct kit_list *list, const char *name)
{
    kit_scope(list, name);
    kit_spin(scene, list);
    kit_end(list);
}

void kit_touch(const struct kit_scene *scene, const struct kit_list *list, uint64_t address)
{
    kit_dispatch(kit_graphics(list), scene->signature, scene->touch, scene->buffer, NULL,
                 (UINT)address, (UINT)(address >> 32));
}

void kit_bundle(const struct kit_list *list, const struct kit_list *bundle)
{
    ID3D12GraphicsCommandList_ExecuteBundle(kit_graphics(list), kit_graphics(bundle));
}

/* ---- dumps ---- */

annot_reader *kit_crash(struct kit_scene *scene)
{
    the_runtime.run_until_idle(scene->device);
    REQUIRE_EQ(scene->removals, 1);
    REQUIRE_HR(ID3D12Device_GetDeviceRemovedReason(scene->device), 0x887A0006); /* HUNG */
    annot_reader_close(scene->reader);
    scene->reader = NULL;
    REQUIRE_EQ(annot_reader_open_file(NULL, scene->path, &scene->reader), ANNOT_OK);
    REQUIRE(!annot_reader_is_damaged(scene->reader));
    return scene->reader;
}

annot_reader *kit_scene_dump(struct kit_scene *scene, const annot_crash_report *report)
{
    annot_reader_close(scene->reader);
    scene->reader = kit_dump_with(scene->device, report);
    return scene->reader;
}
