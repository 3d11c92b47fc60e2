/* The building blocks of cases: devices, lists and queues of every type, markers on them, work and
 * waiting, messages. Every function ends the case when the runtime refuses what it must do.
 * kit_object.h makes one object of each kind. */
#pragma once

#include "../at_end.h"
#include "case.h"
#include "runtime.h"
#include "spy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Modes are the specification's numbers, whichever letter they are set and got by. */
typedef annot_D3D12_MODE_V006 kit_mode;
#define RUNTIME ANNOT_D3D12_MODE_V006_RUNTIME_ONLY
#define RETAIL  ANNOT_D3D12_MODE_V006_DRIVER_RETAIL

#define DIRECT  D3D12_COMMAND_LIST_TYPE_DIRECT
#define BUNDLE  D3D12_COMMAND_LIST_TYPE_BUNDLE
#define COMPUTE D3D12_COMMAND_LIST_TYPE_COMPUTE
#define COPY    D3D12_COMMAND_LIST_TYPE_COPY
#define DECODE  D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE
#define PROCESS D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS
#define ENCODE  D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE

/* Calls a method that returns a struct: by value where DirectX-Headers' Linux ABI does so, else
 * into the caller's memory. KIT_STRUCT(heap, GetDesc, &desc) or, with arguments,
 * KIT_STRUCT_OF(device, GetResourceAllocationInfo, &info, 0, 1, &desc). */
#if defined(_WIN32) || defined(EMU_D3D12_ABI_VKD3D)
#define KIT_STRUCT(object, method, out) ((void)(object)->lpVtbl->method(object, out))
#define KIT_STRUCT_OF(object, method, out, ...)                                                    \
    ((void)(object)->lpVtbl->method(object, out, __VA_ARGS__))
#else
#define KIT_STRUCT(object, method, out) ((void)(*(out) = (object)->lpVtbl->method(object)))
#define KIT_STRUCT_OF(object, method, out, ...)                                                    \
    ((void)(*(out) = (object)->lpVtbl->method(object, __VA_ARGS__)))
#endif

/* ---- devices ---- */

/* The mode is set after creation; the case's driver, and with the emulator its seeded order. */
ID3D12Device *kit_device(kit_mode mode);

/* The same with the spy in front of the driver. The case needs SPY. */
ID3D12Device *kit_spied_device(kit_mode mode);

/* As kit_config() gives it, and then as the case wants it. A runtime that is not the emulator takes
 * `annotation` alone, and a case that sets more needs EMULATOR. mode 0: not set. */
emu_config kit_config(void);
ID3D12Device *kit_device_with(const emu_config *config, kit_mode mode);
/* The same, and what D3D12CreateDevice answered, for drivers that may refuse; the mode is not
 * set. */
HRESULT kit_device_try(const emu_config *config, ID3D12Device **device);
/* emu_config.seed number `number`: with the hostile driver each of them lies about markers and in
 * reports, and no more. */
uint64_t kit_seed(uint64_t number);

/* With this driver's table in place of the runtime's own; the case needs SPY. mode 0: not set. */
ID3D12Device *kit_device_on(const annot_driver *driver, kit_mode mode);

/* The driver of the case, for kit_device_on(spy_driver(kit_driver())); NULL where nothing can be
 * passed on. */
const annot_driver *kit_driver(void);

/* Releases the last reference, and expects that it was. */
void kit_device_done(ID3D12Device *device);

/* AT_END(kit_device_end): the same for a device of this case. */
void kit_device_end(ID3D12Device **device);

/* As by an application that gives it up; skips the case where the device has no
 * ID3D12Device5::RemoveDevice. */
void kit_remove(ID3D12Device *device);

/* ID3D12DeviceTools2 has two letters: the published one, and that of its specification v0.06. A
 * case uses the first that the device has, or the one that it asked for: rows, and the letter of
 * each. */
enum kit_letter { KIT_PUBLISHED, KIT_SPECIFIED, KIT_LETTERS };
extern const char *const kit_letter_rows[];
extern const struct kit_letter_of {
    const IID *iid;
    unsigned runtime; /* the mode's number; RETAIL is one more */
    D3D12_FEATURE feature;
    int refused; /* message */
    bool has_result;
} kit_letters[KIT_LETTERS];
void kit_use_letter(enum kit_letter letter);
/* NULL: the device has none. */
const struct kit_letter_of *kit_letter(ID3D12Device *device);

void kit_set_mode(ID3D12Device *device, kit_mode mode);
kit_mode kit_get_mode(ID3D12Device *device);
/* Sets the letter's own number; S_OK where there is no result. */
HRESULT kit_try_mode(ID3D12Device *device, unsigned number);

/* The answer of CheckFeatureSupport. */
bool kit_is_supported(ID3D12Device *device);

/* The annotation device behind it; the case needs LOOKUP. */
annot_device *kit_annot(ID3D12Device *device);
annot_lookup kit_lookup(ID3D12Device *device, uint64_t event_id);

/* References that a COM object has. */
ULONG kit_references(void *object);

/* Releases any COM object; NULL is allowed. */
void kit_release(void *object);

/* An interface of this case, which it releases at its end, or NULL. */
#define OWNED AT_END(kit_release_end)
void kit_release_end(void *pointer);

/* ---- command lists ---- */

/* Rows: every type of list, case_row() is its D3D12_COMMAND_LIST_TYPE. The names alone:
 * kit_list_rows[type]. */
extern const char *const kit_list_rows[];

/* A list of any type. `list` is an ID3D12GraphicsCommandList up to COPY, a video list after it. */
struct kit_list {
    D3D12_COMMAND_LIST_TYPE type;
    ID3D12CommandAllocator *allocator;
    ID3D12CommandList *list;
};

/* Open for recording, with an allocator of its own. */
struct kit_list kit_list(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type);
ID3D12CommandAllocator *kit_allocator(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type);
ID3D12CommandList *kit_list_on(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type,
                               ID3D12CommandAllocator *allocator);
ID3D12GraphicsCommandList *kit_graphics(const struct kit_list *list);
HRESULT kit_list_try_close(const struct kit_list *list);
HRESULT kit_list_try_reset(const struct kit_list *list);
void kit_list_close(const struct kit_list *list);
/* Opens a closed list again, on its own allocator, which keeps what it has. */
void kit_list_reset(const struct kit_list *list);
void kit_list_done(struct kit_list *list);
#define OWNED_LIST AT_END(kit_list_done) struct kit_list
/* A spied `device` that retains markers, and a `list`. */
#define OPEN_SPIED_LIST(type)                                                                      \
    AT_END(kit_device_end) ID3D12Device *device = kit_spied_device(RETAIL);                        \
    OWNED_LIST list = kit_list(device, type)

/* BeginEvent, SetMarker, EndEvent in the vtable of the list's type. */
void kit_begin(const struct kit_list *list, UINT metadata, const void *data, UINT size);
void kit_set(const struct kit_list *list, UINT metadata, const void *data, UINT size);
void kit_end(const struct kit_list *list);

/* ---- names ---- */

/* An object's name, of ASCII letters. */
void kit_name(void *object, const char *name);

/* BeginEvent and SetMarker with a name, as PIX's Metadata 1; the same on a queue. */
void kit_scope(const struct kit_list *list, const char *name);
void kit_marker(const struct kit_list *list, const char *name);
void kit_queue_scope(ID3D12CommandQueue *queue, const char *name);

/* ---- queues, work and waiting ---- */

/* Rows: every type of queue, its type is kit_queue_types[case_row()]. */
extern const char *const kit_queue_rows[];
extern const D3D12_COMMAND_LIST_TYPE kit_queue_types[];

ID3D12CommandQueue *kit_queue(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type);
/* Closes the list and executes it; kit_wait waits for all that the queue was given; kit_run does
 * both. */
void kit_execute(ID3D12CommandQueue *queue, const struct kit_list *list);
void kit_wait(ID3D12Device *device, ID3D12CommandQueue *queue);
void kit_run(ID3D12Device *device, ID3D12CommandQueue *queue, const struct kit_list *list);

ID3D12Fence *kit_fence(ID3D12Device *device, UINT64 value);
D3D12_RESOURCE_DESC kit_buffer_desc(UINT64 size);
ID3D12Resource *kit_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size);
/* Root parameters 0: UAV, 1: SRV, 2: two constants, as emu_kernel wants them. */
ID3D12RootSignature *kit_root_signature(ID3D12Device *device);
/* A compute pipeline of one of the emulator's kernels; the case needs KERNELS. */
ID3D12PipelineState *kit_pipeline(ID3D12Device *device, ID3D12RootSignature *signature,
                                  emu_kernel kernel);
/* Records a dispatch of a pipeline; destination and source NULL: none. */
void kit_dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                  ID3D12PipelineState *pipeline, ID3D12Resource *destination,
                  ID3D12Resource *source, UINT constant, UINT words);

/* ---- messages ---- */

/* All stored messages, those with this ID, and those whose text has this part. The case needs
 * MESSAGES. */
UINT64 kit_messages(ID3D12Device *device);
UINT64 kit_count(ID3D12Device *device, int id);
UINT64 kit_messages_with(ID3D12Device *device, const char *part);
void kit_forget_messages(ID3D12Device *device);
