/* Protected resource sessions. */
#include "kit.h"

#include "base/abi.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static ID3D12Device11 *device11(ID3D12Device *device)
{
    ID3D12Device11 *newest = AS(ID3D12Device11, device);
    ID3D12Device11_Release(newest); /* the caller's reference holds it */
    return newest;
}

/* ---- protected resource sessions ---- */

static ID3D12ProtectedResourceSession1 *open_session(ID3D12Device *device)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC desc = {0};
    return MADE(ID3D12ProtectedResourceSession1, device11(device), CreateProtectedResourceSession,
                &desc);
}

Test(protected_session, says_what_it_was_made_with)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ProtectedResourceSession1 *session = open_session(device);
    D3D12_PROTECTED_RESOURCE_SESSION_DESC desc;
    D3D12_PROTECTED_RESOURCE_SESSION_DESC1 desc1;
    ABI_CALL_STRUCT(session, GetDesc, &desc);
    ABI_CALL_STRUCT(session, GetDesc1, &desc1);
    cr_assert_eqs(desc.NodeMask, 1, desc.Flags, D3D12_PROTECTED_RESOURCE_SESSION_FLAG_NONE);
    cr_assert_eq(desc1.NodeMask, 1);
    cr_assert_mem_eq(&desc1.ProtectionType, &D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED,
                     sizeof(GUID));
    ID3D12ProtectedResourceSession1_Release(session);

    desc1.NodeMask = 1;
    MUST(ID3D12Device11_CreateProtectedResourceSession1(
        device11(device), &desc1, &IID_ID3D12ProtectedSession, (void **)&session));
}

Test(protected_session, descriptions_that_can_not_be_are_refused)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC bad[] = {
        {.NodeMask = 2}, {.Flags = (D3D12_PROTECTED_RESOURCE_SESSION_FLAGS)1}};
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 bad1 = {.NodeMask = 1}; /* of no type */
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int i = 0; i < 4; i++) {
        void *out = &out;
        const HRESULT hr =
            i < 3 ? ID3D12Device11_CreateProtectedResourceSession(
                        device11(device), i < 2 ? &bad[i] : NULL,
                        &IID_ID3D12ProtectedResourceSession, &out)
                  : ID3D12Device11_CreateProtectedResourceSession1(
                        device11(device), &bad1, &IID_ID3D12ProtectedResourceSession, &out);
        cr_assert_eqs(hr, E_INVALIDARG, out, NULL, "%d", i);
        cr_assert_eq(kit_count(device,
                               D3D12_MESSAGE_ID_CREATE_PROTECTED_RESOURCE_SESSION_INVALID_ARGUMENT),
                     (UINT64)i + 1);
    }
}

/* "From the fence ... add monitors for changes to its value. This is a read-only fence." */
Test(protected_session, is_valid_until_the_device_is_removed_and_its_fence_tells)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ProtectedResourceSession1 *session = open_session(device);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12Fence *fence = NULL, *again = NULL;
    fence = GOT(ID3D12Fence, session, GetStatusFence);
    again = GOT(ID3D12Fence, session, GetStatusFence);
    cr_assert_eq(fence, again);
    ID3D12Fence_Release(again);
    const UINT64 value = ID3D12Fence_GetCompletedValue(fence);
    EXPECT_HR(ID3D12Fence_Signal(fence, value + 1), E_INVALIDARG);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, fence, value + 1), E_INVALIDARG);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), value);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 2);
    MUST(ID3D12CommandQueue_Wait(queue, fence, value));

    const int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(fence, value + 1, (HANDLE)(intptr_t)event));
    struct pollfd poller = {.fd = event, .events = POLLIN};
    cr_assert_eq(poll(&poller, 1, 0), 0);
    cr_assert_eq(ID3D12ProtectedResourceSession1_GetSessionStatus(session),
                 D3D12_PROTECTED_SESSION_STATUS_OK);
    ID3D12Device11_RemoveDevice(device11(device));
    cr_assert_eq(poll(&poller, 1, 0), 1);
    cr_assert_eq(ID3D12ProtectedResourceSession1_GetSessionStatus(session),
                 D3D12_PROTECTED_SESSION_STATUS_INVALID);
    close(event);
    ID3D12Fence_Release(fence);
}

Test(protected_session, its_fence_outlives_it_and_comes_back_after_a_release)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12ProtectedResourceSession1 *session = open_session(device);
    OWNED ID3D12Fence *fence = NULL;
    for (int i = 0; i < 3; i++) { /* down to no reference of the application's each time */
        fence = GOT(ID3D12Fence, session, GetStatusFence);
        if (i < 2)
            ID3D12Fence_Release(fence);
    }
    ID3D12ProtectedResourceSession1_Release(session);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(fence), 0);
}

static bool session_is(ID3D12ProtectedResourceSession1 *expected, HRESULT hr, void *got)
{
    if (!expected)
        return hr == DXGI_ERROR_NOT_FOUND && !got;
    if (FAILED(hr))
        return false;
    ID3D12ProtectedResourceSession_Release((ID3D12ProtectedResourceSession *)got);
    return got == expected;
}

static bool resource_is_in(ID3D12Resource *resource, ID3D12ProtectedResourceSession1 *session)
{
    void *got = &got;
    OWNED ID3D12Resource1 *newer = AS(ID3D12Resource1, resource);
    const HRESULT hr = ID3D12Resource1_GetProtectedResourceSession(
        newer, &IID_ID3D12ProtectedResourceSession, &got);
    return session_is(session, hr, got);
}

Test(protected_session, what_is_created_in_it_knows_it)
{
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12ProtectedResourceSession1 *session = open_session(device);
    ID3D12ProtectedResourceSession *in = (ID3D12ProtectedResourceSession *)session;
    for (int i = 0; i < 2; i++) { /* with the session and without */
        ID3D12ProtectedResourceSession1 *expected = i == 0 ? session : NULL;
        OWNED ID3D12Resource *committed = NULL, *placed = NULL;
        void *got = &got;
        ID3D12Heap1 *heap =
            MADE(ID3D12Heap1, device11(device), CreateHeap1, &heap_desc, i == 0 ? in : NULL);
        committed = MADE(ID3D12Resource, device11(device), CreateCommittedResource1,
                         &heap_desc.Properties, D3D12_HEAP_FLAG_NONE, &buffer,
                         D3D12_RESOURCE_STATE_COMMON, NULL, i == 0 ? in : NULL);
        placed = MADE(ID3D12Resource, device, CreatePlacedResource, (ID3D12Heap *)heap, 0, &buffer,
                      D3D12_RESOURCE_STATE_COMMON, NULL);
        const HRESULT hr = ID3D12Heap1_GetProtectedResourceSession(
            heap, &IID_ID3D12ProtectedResourceSession, &got);
        cr_assert(session_is(expected, hr, got));
        cr_assert(resource_is_in(committed, expected));
        cr_assert(resource_is_in(placed, expected));
        ID3D12Heap1_Release(heap);
        if (i == 0) /* they hold it */
            cr_assert(ID3D12ProtectedResourceSession1_Release(session) > 0);
        cr_assert(resource_is_in(placed, expected));
    }
}

Test(protected_session, only_of_the_same_device_can_anything_be_created_in)
{
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536,
                                       .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *other = kit_device();
    OWNED ID3D12ProtectedResourceSession1 *theirs = open_session(other);
    OWNED ID3D12Fence *fence = kit_fence(device, 0); /* not a session at all */
    void *foreign[] = {theirs, fence};
    for (size_t i = 0; i < 2; i++) {
        ID3D12ProtectedResourceSession *session = foreign[i];
        REFUSES(E_INVALIDARG, ID3D12Heap, device11(device), CreateHeap1, &heap_desc, session);
        REFUSES(E_INVALIDARG, ID3D12Resource, device11(device), CreateCommittedResource1,
                &heap_desc.Properties, D3D12_HEAP_FLAG_NONE, &buffer, D3D12_RESOURCE_STATE_COMMON,
                NULL, session);
        cr_assert_eq(kit_count(device, EMU_MESSAGE_INVALID_ARGUMENT), 2 * i + 2);
    }
}

/* ---- sessions that there are none of ---- */

Test(session, of_shader_caches_and_lifetimes_is_not_modelled)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_SHADER_CACHE_SESSION_DESC desc = {.Identifier = {1, 2, 3, {4}}};
    REFUSES(E_NOTIMPL, ID3D12ShaderCacheSession, device11(device), CreateShaderCacheSession, &desc);
    REFUSES(E_NOTIMPL, ID3D12LifetimeTracker, device11(device), CreateLifetimeTracker, NULL);
    EXPECT_HR(ID3D12Device11_ShaderCacheControl(device11(device),
                                                D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED,
                                                D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR),
              E_NOTIMPL);
    EXPECT_MESSAGES(device, 3, EMU_MESSAGE_NOT_MODELLED);
}
