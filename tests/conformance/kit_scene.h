/* From recorded work to a dump, and what the dump then says: a device with pipelines whose work can
 * be seen, that ends in a hang or is dumped alive. Everything is seeded: nothing runs before
 * kit_wait or kit_crash, and no time passes. */
#pragma once

#include "kit_dump.h"

enum { KIT_WORDS = 64 };

struct kit_scene {
    ID3D12Device *device;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill, *spin, *touch;
    ID3D12Resource *buffer;         /* KIT_WORDS words */
    const volatile uint32_t *words; /* what the GPU wrote there; stays readable after the removal */
    const char *path;               /* of the removed device's dump */
    unsigned removals;
    annot_device_error error;
    annot_reader *reader; /* of the last dump */
};

/* A DRIVER_RETAIL device with the case's driver; `changes` (may be NULL) is kit_config() with what
 * the case wants. The scene doesn't move until it is done. The case needs EMULATOR | KERNELS |
 * DUMP. */
void kit_scene(struct kit_scene *scene, const emu_config *changes);
/* The same, and what D3D12CreateDevice answered; when it failed there is no scene, and nothing to
 * be done with it. */
HRESULT kit_scene_try(struct kit_scene *scene, const emu_config *changes);
void kit_scene_done(struct kit_scene *scene);
/* Both, for `scene` and this block. */
#define OPEN_SCENE(changes)                                                                        \
    AT_END(kit_scene_done) struct kit_scene scene;                                                 \
    kit_scene(&scene, changes)

/* A list and a queue with names of their own. */
struct kit_list kit_named_list(struct kit_scene *scene, D3D12_COMMAND_LIST_TYPE type,
                               const char *name);
ID3D12CommandQueue *kit_named_queue(struct kit_scene *scene, D3D12_COMMAND_LIST_TYPE type,
                                    const char *name);
/* A scene with a direct `queue` "Q" and a `list` "L". */
#define OPEN_NAMED_SCENE(changes)                                                                  \
    OPEN_SCENE(changes);                                                                           \
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&scene, DIRECT, "Q");                        \
    OWNED_LIST list = kit_named_list(&scene, DIRECT, "L")

/* A dispatch that stores 1 in words[word]; one that never ends; one that writes to an address that
 * is not mapped. */
void kit_work(const struct kit_scene *scene, const struct kit_list *list, UINT word);
void kit_spin(const struct kit_scene *scene, const struct kit_list *list);
void kit_touch(const struct kit_scene *scene, const struct kit_list *list, uint64_t address);
/* kit_spin in a scope. */
void kit_hang(const struct kit_scene *scene, const struct kit_list *list, const char *name);
void kit_bundle(const struct kit_list *list, const struct kit_list *bundle);

/* Lets the GPU run until its device is removed, and opens the dump. It ends the case when that dump
 * is damaged. */
annot_reader *kit_crash(struct kit_scene *scene);

/* A dump of the device as it is now, with this report (NULL: none), opened. The case needs
 * LOOKUP. */
annot_reader *kit_scene_dump(struct kit_scene *scene, const annot_crash_report *report);
