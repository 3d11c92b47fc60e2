/*
 * The tests of the D3D12 interface share these: a device and the few objects most of them need, a
 * driver table that records its calls, and the info queue. Only what a D3D12 program sees, and
 * emu.h.
 */
#pragma once

#define COBJMACROS
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#include <annot/d3d12.h>
#include <emu/emu.h>

#include "asserts.h"
#include "at_end.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        HRESULT must_hr = (call);                                                                  \
        cr_assert(SUCCEEDED(must_hr), "%s: 0x%08x", #call, (unsigned)must_hr);                     \
    } while (0)
/* What a method gives after its other arguments: MADE(ID3D12Heap, device, CreateHeap, &desc). GOT:
 * the method has no others; AS: another interface of the object. */
#define MADE(Interface, object, Method, ...)                                                       \
    __extension__({                                                                                \
        void *made_ = NULL;                                                                        \
        MUST((object)->lpVtbl->Method((object), __VA_ARGS__, &IID_##Interface, &made_));           \
        (Interface *)made_;                                                                        \
    })
#define GOT(Interface, object, Method)                                                             \
    __extension__({                                                                                \
        void *got_ = NULL;                                                                         \
        MUST((object)->lpVtbl->Method((object), &IID_##Interface, &got_));                         \
        (Interface *)got_;                                                                         \
    })
#define AS(Interface, object)     GOT(Interface, object, QueryInterface)
#define EXPECT_HR(call, expected) TEST_EQUALS(test_abort, call, expected, #call, #expected, "")
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
void kit_release_all(void *const objects[], size_t number);
#define RELEASE(...)                                                                               \
    kit_release_all((void *const[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
/* The reference was the last one. */
void kit_closed(void *pointer);

/* ---- devices ---- */

/* A device under the seeded order, of an adapter of its own; kit_device_with for other settings.
 * Both have the debug layer. */
ID3D12Device *kit_device(void);
ID3D12Device *kit_device_with(const emu_config *config);
/* Releases the last reference and asserts that it was. */
void kit_close(ID3D12Device *device);
/* Hangs the GPU: the device, of kit_device, is removed afterwards. */
void kit_remove(ID3D12Device *device);

void kit_set_mode(ID3D12Device *device, D3D12_USER_DEFINED_ANNOTATION_MODE mode);
D3D12_USER_DEFINED_ANNOTATION_MODE kit_get_mode(ID3D12Device *device);
ULONG kit_references(void *object);
/* Calls `round` several times. Returns the least number of bytes that one call leaves allocated; 0
 * without glibc, which counts them. */
size_t kit_left_behind(void (*round)(void));

/* ---- children ---- */

ID3D12CommandQueue *kit_queue(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type);
ID3D12CommandAllocator *kit_allocator(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type);
ID3D12GraphicsCommandList *kit_list(ID3D12Device *device, ID3D12CommandAllocator *allocator,
                                    D3D12_COMMAND_LIST_TYPE type);
ID3D12Fence *kit_fence(ID3D12Device *device, UINT64 value);
ID3D12Resource *kit_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size);
D3D12_RESOURCE_DESC kit_buffer_desc(UINT64 size);
ID3D12RootSignature *kit_root_signature_of(ID3D12Device *device,
                                           const D3D12_ROOT_SIGNATURE_DESC *desc);
ID3D12RootSignature *kit_root_signature(ID3D12Device *device);
ID3D12PipelineState *kit_pipeline(ID3D12Device *device, ID3D12RootSignature *signature,
                                  emu_kernel kernel);

/* The least that is a shader, by D3D's number of its stage: a container with code that nobody
 * executes. */
enum { KIT_PS, KIT_VS, KIT_GS, KIT_HS, KIT_DS, KIT_CS, KIT_MS = 13, KIT_AS, KIT_STAGES };
extern const unsigned char kit_shaders[KIT_STAGES][52];
#define KIT_SHADER(stage)                                                                          \
    {                                                                                              \
        kit_shaders[KIT_##stage], sizeof kit_shaders[0]                                            \
    }

/* Records a dispatch of `pipeline` on `destination` and `source` (NULL: none). */
void kit_dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                  ID3D12PipelineState *pipeline, ID3D12Resource *destination,
                  ID3D12Resource *source, UINT constant, UINT words);

/* Closes and executes one list; kit_finish waits for the queue. */
void kit_execute(ID3D12CommandQueue *queue, ID3D12GraphicsCommandList *list);
void kit_finish(ID3D12Device *device, ID3D12CommandQueue *queue);

/* ---- messages ---- */

UINT64 kit_messages(ID3D12Device *device);
/* How many stored messages have this ID. */
UINT64 kit_count(ID3D12Device *device, int id);
void kit_clear(ID3D12Device *device);
/* The info queue of a device of its own, which goes with it. */
ID3D12InfoQueue1 *kit_info_queue(void);
void kit_close_info_queue(ID3D12InfoQueue1 *queue);

/* ---- an ear on the driver's table: every call is noted and passed on to the reference driver
 * ---- */

enum heard_what { HEARD_BEGIN, HEARD_END, HEARD_SET, HEARD_NAME };

struct heard {
    enum heard_what what;
    bool on_queue;
    void *handle;
    uint32_t metadata, size;
    uint64_t event_id;
    uint8_t bytes[64];
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
