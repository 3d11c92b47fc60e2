/* The tests of the D3D12 interface share these: a device and the few objects most of them need, a
 * driver table that records its calls, and the info queue. Only what a D3D12 program sees, and
 * emu.h. */
#pragma once

#include "asserts.h"
#include "at_end.h"
#include "d3d12_objects.h"

#include <directx/d3d12video.h>

#define EXPECT_HR(call, expected) TEST_EQUALS(test_abort, call, expected, #call, #expected, "")
/* The method fails and gives no object: REFUSES(E_INVALIDARG, ID3D12Heap, device, CreateHeap,
 * NULL). */
#define REFUSES(expected, Interface, object, Method, ...)                                          \
    do {                                                                                           \
        void *refused_ = &refused_;                                                                \
        TEST_EQUALS(test_abort, TRY(Interface, &refused_, object, Method, __VA_ARGS__), expected,  \
                    #Method "(" #__VA_ARGS__ ")", #expected);                                      \
        TEST_EQUALS(test_abort, refused_, NULL, #Method "(" #__VA_ARGS__ ")'s object", "NULL");    \
    } while (0)
/* The info queue has `number` messages, all with this ID. */
#define EXPECT_MESSAGES(device, number, id)                                                        \
    cr_assert_eqs(kit_messages(device), (UINT64)(number), kit_count(device, id), (UINT64)(number))

#define MODE_RUNTIME D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY
#define MODE_RETAIL  D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL

#define DIRECT       D3D12_COMMAND_LIST_TYPE_DIRECT
#define COMPUTE      D3D12_COMMAND_LIST_TYPE_COMPUTE
#define COPY         D3D12_COMMAND_LIST_TYPE_COPY
#define BUNDLE       D3D12_COMMAND_LIST_TYPE_BUNDLE

/* An interface of this test, which it releases at its end. */
#define OWNED AT_END(kit_release)

/* ---- at the end; `pointer`: to the pointer to what is let go ---- */

void kit_release(void *pointer);
/* The reference was the last one. */
void kit_closed(void *pointer);

/* ---- devices ---- */

/* A device under the seeded order, of an adapter of its own; kit_device_with for other settings.
 * Both have the debug layer. */
ID3D12Device *kit_device(void);
ID3D12Device *kit_device_with(const emu_config *config);
static inline emu_config kit_config(void) /* the seeded order */
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    return config;
}
/* Releases the last reference and asserts that it was. */
void kit_close(ID3D12Device *device);
/* Hangs the GPU: the device, of kit_device, is removed afterwards. */
void kit_remove(ID3D12Device *device);

ULONG kit_references(void *object);
/* Calls `round` several times. Returns the least number of bytes that one call leaves allocated; 0
 * without glibc, which counts them. */
size_t kit_left_behind(void (*round)(void));

/* ---- children: those of d3d12_objects.h, and shaders ---- */

/* An open `list` of `device`, with an `allocator` of its own. */
#define OPEN_LIST(type)                                                                            \
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, type);                         \
    OWNED ID3D12GraphicsCommandList *list = kit_list(device, allocator, type)

#define OPEN_QUEUE_AND_LIST(type)                                                                  \
    OWNED ID3D12CommandQueue *queue = kit_queue(device, type);                                     \
    OPEN_LIST(type)
#define OPEN_BUNDLE                                                                                \
    OWNED ID3D12CommandAllocator *bundling = kit_allocator(device, BUNDLE);                        \
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(device, bundling, BUNDLE)

/* The first members of a scene: a device with a queue and an open list. */
#define KIT_SCENE                                                                                  \
    ID3D12Device *device;                                                                          \
    ID3D12CommandQueue *queue;                                                                     \
    ID3D12CommandAllocator *allocator;                                                             \
    ID3D12GraphicsCommandList *list
#define KIT_SCENE_OPEN(s, device_, type)                                                           \
    ((s)->device = (device_), (s)->queue = kit_queue((s)->device, type),                           \
     (s)->allocator = kit_allocator((s)->device, type),                                            \
     (s)->list = kit_list((s)->device, (s)->allocator, type))
/* Releases these members, and others before them. */
#define KIT_SCENE_CLOSE(s, ...)                                                                    \
    do {                                                                                           \
        RELEASE(__VA_ARGS__, (s)->list, (s)->allocator, (s)->queue);                               \
        kit_close((s)->device);                                                                    \
    } while (0)

/* The memory of a buffer or a texture's first subresource. */
static inline void *kit_map(ID3D12Resource *resource)
{
    void *memory = NULL;
    MUST(ID3D12Resource_Map(resource, 0, NULL, &memory));
    return memory;
}

/* What textures are copied from and to: a subresource, and rows in a buffer. */
static inline D3D12_TEXTURE_COPY_LOCATION kit_part(ID3D12Resource *texture, UINT index)
{
    return (D3D12_TEXTURE_COPY_LOCATION){.pResource = texture,
                                         .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                         .SubresourceIndex = index};
}

static inline D3D12_TEXTURE_COPY_LOCATION kit_placed(ID3D12Resource *buffer, UINT64 offset,
                                                     D3D12_SUBRESOURCE_FOOTPRINT footprint)
{
    return (D3D12_TEXTURE_COPY_LOCATION){.pResource = buffer,
                                         .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
                                         .PlacedFootprint = {offset, footprint}};
}

/* The least that is a shader, by D3D's number of its stage: a container with code that nobody
 * executes. */
enum { KIT_PS, KIT_VS, KIT_GS, KIT_HS, KIT_DS, KIT_CS, KIT_MS = 13, KIT_AS, KIT_STAGES };
extern const unsigned char kit_shaders[KIT_STAGES][52];
#define KIT_SHADER(stage)                                                                          \
    {                                                                                              \
        kit_shaders[KIT_##stage], sizeof kit_shaders[0]                                            \
    }

/* A pipeline that draws with nobody's vertex shader. */
ID3D12PipelineState *kit_draws(ID3D12Device *device, ID3D12RootSignature *signature);

/* ---- messages ---- */

UINT64 kit_messages(ID3D12Device *device);
void kit_clear(ID3D12Device *device);
/* The list's last call left one message with this number, or none if `id` is 0. Close returns `hr`,
 * and the list records anew. */
void kit_mistake(ID3D12Device *device, ID3D12GraphicsCommandList *list,
                 ID3D12CommandAllocator *allocator, HRESULT hr, int id, const char *what);
/* The same of a call: KIT_MISTAKE(device, list, allocator, S_OK, id, SOSetTargets, 0, 1, NULL). */
#define KIT_MISTAKE(device, list, allocator, hr, id, Method, ...)                                  \
    do {                                                                                           \
        (list)->lpVtbl->Method(list, __VA_ARGS__);                                                 \
        kit_mistake(device, list, allocator, hr, id, #Method "(" #__VA_ARGS__ ")");                \
    } while (0)
/* The info queue of a device of its own, which goes with it. */
ID3D12InfoQueue1 *kit_info_queue(void);
void kit_close_info_queue(ID3D12InfoQueue1 *queue);

/* ---- an ear on the driver's table: every call is noted and passed on to the reference driver
 * ---- */

enum heard_what { HEARD_BEGIN, HEARD_END, HEARD_SET, HEARD_NAME };

struct heard {
    enum heard_what what;
    uint64_t event_id;
    void *handle; /* and what follows: of a name */
    D3D12DDI_HANDLETYPE type;
    bool has_name;
    WCHAR name[64];
    size_t name_length;
};

extern struct heard heard[256];
extern size_t heard_count;
extern bool heard_slowly; /* SetName lets other threads go first before it returns */

/* A device whose driver calls are heard, in the given mode. */
ID3D12Device *kit_heard_device(D3D12_USER_DEFINED_ANNOTATION_MODE mode);
