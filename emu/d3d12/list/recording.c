/* The methods of a command list of any type: its creation and end, Reset and Close, and markers. */
#include "list/command_list_record.h"

#include "base/result.h"
#include "device/device.h"
#include "device/hang.h"
#include "dred/log.h"
#include "session/protected_session.h"

/* ---- markers: the library handles them, also their mistakes ---- */

/* Sets a marker and notes the operation. EMU_HANG_AT_MARKER adds work behind the marker; the first
 * list that reaches it stops the GPU. The parameters have the method's places, so no parameter is
 * moved. */
__attribute__((cold, noinline)) static void
mark_watched(struct d3d12_command_list *list, UINT metadata, const void *data, UINT size,
             void (*mark)(annot_context *, uint32_t, const void *, uint32_t))
{
    const emu_dispatch place = {.kernel = EMU_KERNEL_SCRIPTED, .groups = {1, 1, 1}};
    const struct d3d12_device *device = list->child.device;
    mark(list->context, metadata, data, size);
    if (list->watch & LIST_HANGS && list->state == COMMAND_LIST_RECORDING &&
        hang_fits(device->settings.config.hang.marker, metadata, data, data != NULL ? size : 0))
        device->driver->cmd_dispatch(list->driver, &place);
    if (list->watch & LIST_NOTES)
        command_list_note_marker(list,
                                 mark == annot_context_set_marker
                                     ? D3D12_AUTO_BREADCRUMB_OP_SETMARKER
                                     : D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT,
                                 metadata, data, size);
}

__attribute__((cold, noinline)) static void end_watched(struct d3d12_command_list *list)
{
    annot_context_end_event(list->context);
    if (list->watch & LIST_NOTES)
        command_list_note(list, D3D12_AUTO_BREADCRUMB_OP_ENDEVENT);
}

/* Both calls are the last statements and become jumps, so nothing is saved for them. */
void STDMETHODCALLTYPE d3d12_command_list_SetMarker(list_iface *iface, UINT metadata,
                                                    const void *data, UINT size)
{
    struct d3d12_command_list *list = command_list_of(iface);
    if (list->watch)
        mark_watched(list, metadata, data, size, annot_context_set_marker);
    else
        annot_context_set_marker(list->context, metadata, data, size);
}

void STDMETHODCALLTYPE d3d12_command_list_BeginEvent(list_iface *iface, UINT metadata,
                                                     const void *data, UINT size)
{
    struct d3d12_command_list *list = command_list_of(iface);
    if (list->watch)
        mark_watched(list, metadata, data, size, annot_context_begin_event);
    else
        annot_context_begin_event(list->context, metadata, data, size);
}

void STDMETHODCALLTYPE d3d12_command_list_EndEvent(list_iface *iface)
{
    struct d3d12_command_list *list = command_list_of(iface);
    if (list->watch)
        end_watched(list);
    else
        annot_context_end_event(list->context);
}

/* ---- from Reset to Close ---- */

D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE d3d12_command_list_GetType(list_iface *iface)
{
    return command_list_of(iface)->type;
}

/* Starts a recording on a driver's list that is empty. */
static HRESULT open_list(struct d3d12_command_list *list, struct d3d12_command_allocator *allocator,
                         ID3D12PipelineState *state, const char *method)
{
    if (state && !command_list_check_pipeline(list, state, method))
        return E_INVALIDARG;
    if (!d3d12_command_allocator_begin(allocator))
        return d3d12_child_invalid(
            &list->child, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION,
            "another command list is recording with this command allocator: close that list first");
    command_list_drop_allocators(list);
    HRESULT hr = E_OUTOFMEMORY;
    if (command_list_hold(list, allocator->child.usage))
        hr = hresult_from_annot(annot_context_open(list->context, allocator->arena));
    if (FAILED(hr)) {
        d3d12_command_allocator_end(allocator);
        return hr;
    }
    list->allocator = allocator;
    list->state = COMMAND_LIST_RECORDING;
    list->failure = S_OK;
    list->query_count = 0;
    list->bundle_calls = 0;
    list->pass.active = false;
    list->predicated = false;
    command_list_clear_state(list, state);
    return S_OK;
}

static void close_recording(struct d3d12_command_list *list)
{
    annot_context_close(list->context);
    d3d12_command_allocator_end(list->allocator);
    list->allocator = NULL;
}

HRESULT STDMETHODCALLTYPE d3d12_command_list_Close(list_iface *iface)
{
    struct d3d12_command_list *list = command_list_of(iface);
    struct d3d12_device *device = list->child.device;
    if (list->state != COMMAND_LIST_RECORDING) {
        d3d12_child_error(&list->child, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                          "%s::Close: the list is already closed", command_list_interface(list));
        return E_FAIL;
    }
    close_recording(list);
    command_list_check_queries(list);
    command_list_check_pass(list);
    HRESULT hr = list->failure;
    if (list->dred && device->dred.on.breadcrumbs)
        device->driver->op_end(list->driver);
    if (!device->driver->list_close(list->driver) && SUCCEEDED(hr))
        hr = E_OUTOFMEMORY;
    if (d3d12_device_is_removed(device))
        hr = DXGI_ERROR_DEVICE_REMOVED;
    list->state = FAILED(hr) ? COMMAND_LIST_FAILED : COMMAND_LIST_CLOSED;
    return hr;
}

HRESULT STDMETHODCALLTYPE d3d12_command_list_Reset(list_iface *iface,
                                                   ID3D12CommandAllocator *allocator_iface,
                                                   ID3D12PipelineState *state)
{
    struct d3d12_command_allocator *allocator = d3d12_command_allocator_from(allocator_iface);
    struct d3d12_command_list *list = command_list_of(iface);
    struct d3d12_device *device = list->child.device;
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED;
    if (list->state == COMMAND_LIST_RECORDING) {
        d3d12_child_error(&list->child, D3D12_MESSAGE_ID_COMMAND_LIST_OPEN,
                          "%s::Reset: the list is still recording: call Close first",
                          command_list_interface(list));
        return E_FAIL;
    }
    if (!allocator || allocator->child.device != device)
        return d3d12_child_invalid(
            &list->child, EMU_MESSAGE_INVALID_ARGUMENT,
            "%s::Reset: pAllocator must be a command allocator of this device",
            command_list_interface(list));
    if (allocator->type != list->type)
        return d3d12_child_invalid(&list->child, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
                                   "%s::Reset: the allocator's type must be the list's type",
                                   command_list_interface(list));
    HRESULT hr = open_list(list, allocator, state, "ID3D12GraphicsCommandList::Reset");
    if (SUCCEEDED(hr) && !device->driver->list_reset(list->driver)) {
        close_recording(list);
        list->state = COMMAND_LIST_FAILED;
        hr = E_OUTOFMEMORY;
    }
    if (SUCCEEDED(hr))
        command_list_begin_notes(list);
    return hr;
}

/* The emulator's memory is not encrypted: a session only consists of its rules. */
void STDMETHODCALLTYPE d3d12_command_list_SetProtectedResourceSession(
    list_iface *iface, ID3D12ProtectedResourceSession *session)
{
    LIST_OPERATION(SETPROTECTEDRESOURCESESSION);
    LIST_METHOD((ON_ANY & ~ON(BUNDLE)) | OUTSIDE_PASS);
    if (!d3d12_protected_session_usable(list->child.device, session,
                                        "ID3D12Device::SetProtectedResourceSession") &&
        SUCCEEDED(list->failure))
        list->failure = E_INVALIDARG;
}

/* ---- life ---- */

void d3d12_command_list_abandon(struct d3d12_child *child)
{
    struct d3d12_command_list *list = container_of(child, struct d3d12_command_list, child);
    if (list->state == COMMAND_LIST_RECORDING)
        close_recording(list);
    list->state = COMMAND_LIST_EMPTY;
}

void d3d12_command_list_destroy(struct d3d12_child *child)
{
    struct d3d12_command_list *list = container_of(child, struct d3d12_command_list, child);
    annot_context_destroy(list->context);
    child->device->driver->list_destroy(list->driver);
    dred_log_release(list->dred);
    command_list_drop_allocators(list);
    free(list->allocators);
    free(list->queries);
    d3d12_child_finish(child);
    free(list);
}

HRESULT d3d12_command_list_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                  const struct d3d12_child_class *class,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out)
{
    struct d3d12_command_list *list = calloc(1, sizeof *list);
    if (!list)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    list->iface.lpVtbl = class->methods;
    list->type = type;
    list->state = COMMAND_LIST_EMPTY;
    if (device->settings.config.hang.place == EMU_HANG_AT_MARKER && (1u << type & ON_VIDEO) == 0)
        list->watch |= LIST_HANGS;
    if (device->dred.on.breadcrumbs || device->history.on)
        list->watch |= LIST_NOTES;
    struct d3d12_driver_object made = {.id = annot_device_reserve_id(device->annot)};
    made.handle = list->driver =
        device->driver->list_create(device->driver_device, (uint32_t)type, made.id);
    if (!list->driver)
        goto err0;
    hr = d3d12_child_init(&list->child, &list->iface, class, device, (uint32_t)type, &made);
    if (FAILED(hr))
        goto err1;
    hr = hresult_from_annot(annot_context_create(list->child.annot, &list->context));
    if (SUCCEEDED(hr) && allocator)
        hr = open_list(list, allocator, state, "ID3D12Device::CreateCommandList");
    if (FAILED(hr)) {
        d3d12_child_release(&list->child);
        return hr;
    }
    command_list_begin_notes(list);
    *out = list;
    return S_OK;
err1:
    device->driver->list_destroy(list->driver);
err0:
    free(list);
    return hr;
}
