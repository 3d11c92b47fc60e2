/* Protected resource sessions and shader caches. */
#include "kit.h"

#include "base/abi.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* winerror.h's, which the headers for Linux lack */
#define NOT_CURRENTLY_AVAILABLE ((HRESULT)0x887A0022L)
#define CACHE_FULL              ((HRESULT)0x887A0034L)
#define ALREADY_EXISTS          ((HRESULT)0x887A0036L)

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
        ID3D12Resource *committed = NULL, *placed = NULL;
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
        RELEASE(committed, placed);
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

/* ---- shader caches ---- */

static const GUID first_id = {1, 2, 3, {4}}, second_id = {5, 6, 7, {8}};

static D3D12_SHADER_CACHE_SESSION_DESC cache_desc(D3D12_SHADER_CACHE_MODE mode)
{
    return (D3D12_SHADER_CACHE_SESSION_DESC){.Identifier = first_id, .Mode = mode};
}

static ID3D12ShaderCacheSession *open_cache(ID3D12Device *device,
                                            const D3D12_SHADER_CACHE_SESSION_DESC *desc)
{
    return MADE(ID3D12ShaderCacheSession, device11(device), CreateShaderCacheSession, desc);
}

static HRESULT try_cache(ID3D12Device *device, const D3D12_SHADER_CACHE_SESSION_DESC *desc)
{
    void *out = &out;
    const HRESULT hr = ID3D12Device11_CreateShaderCacheSession(device11(device), desc,
                                                               &IID_ID3D12ShaderCacheSession, &out);
    cr_assert(FAILED(hr) && !out);
    return hr;
}

static HRESULT store(ID3D12ShaderCacheSession *session, const char *key, const char *value)
{
    return ID3D12ShaderCacheSession_StoreValue(session, key, (UINT)strlen(key), value,
                                               (UINT)strlen(value));
}

/* Asked twice, as documented: for the size, and for the value. */
static bool has(ID3D12ShaderCacheSession *session, const char *key, const char *value)
{
    char got[64];
    UINT size = 0;
    HRESULT hr = ID3D12ShaderCacheSession_FindValue(session, key, (UINT)strlen(key), NULL, &size);
    if (!value)
        return hr == DXGI_ERROR_NOT_FOUND;
    if (hr != S_OK || size != strlen(value))
        return false;
    hr = ID3D12ShaderCacheSession_FindValue(session, key, (UINT)strlen(key), got, &size);
    return hr == S_OK && memcmp(got, value, size) == 0;
}

Test(shader_cache, finds_what_was_stored)
{
    const D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_MEMORY);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ShaderCacheSession *session = open_cache(device, &desc);
    char room[4] = "...";
    UINT size = 3;
    MUST(store(session, "key", "value"));
    MUST(store(session, "ke", "yvalue"));
    cr_assert(has(session, "key", "value") && has(session, "ke", "yvalue"));
    cr_assert(has(session, "Key", NULL) && has(session, "keyv", NULL));
    EXPECT_HR(store(session, "key", "other"), ALREADY_EXISTS);
    cr_assert(has(session, "key", "value"));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_ALREADYPRESENT),
                 1);
    EXPECT_HR(ID3D12ShaderCacheSession_FindValue(session, "key", 3, room, &size),
              DXGI_ERROR_MORE_DATA);
    cr_assert_eq(size, 5);
    cr_assert_mem_eq(room, "...", 3);

    D3D12_SHADER_CACHE_SESSION_DESC got;
    ABI_CALL_STRUCT(session, GetDesc, &got);
    cr_assert_mem_eq(&got, &desc, sizeof got);
}

Test(shader_cache, arguments_that_can_not_be_are_refused)
{
    const D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_MEMORY);
    D3D12_SHADER_CACHE_SESSION_DESC bad[3] = {desc, desc, desc};
    memset(&bad[0].Identifier, 0, sizeof(GUID));
    bad[1].Mode = (D3D12_SHADER_CACHE_MODE)2;
    bad[2].Flags = (D3D12_SHADER_CACHE_FLAGS)4;
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int i = 0; i < 4; i++)
        EXPECT_HR(try_cache(device, i < 3 ? &bad[i] : NULL), E_INVALIDARG);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_INVALIDARGS), 4);

    OWNED ID3D12ShaderCacheSession *session = open_cache(device, &desc);
    UINT size = 1;
    char byte = 0;
    EXPECT_HR(ID3D12ShaderCacheSession_StoreValue(session, NULL, 1, &byte, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_StoreValue(session, &byte, 0, &byte, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_StoreValue(session, &byte, 1, NULL, 1), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_StoreValue(session, &byte, 1, &byte, 0), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_FindValue(session, NULL, 1, &byte, &size), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_FindValue(session, &byte, 0, &byte, &size), E_INVALIDARG);
    EXPECT_HR(ID3D12ShaderCacheSession_FindValue(session, &byte, 1, &byte, NULL), E_INVALIDARG);
}

/* "Caches with the same identifier are shared across all sessions in the same process." */
Test(shader_cache, is_shared_by_sessions_of_one_identifier)
{
    D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_MEMORY);
    AT_END(kit_closed) ID3D12Device *device = kit_device(), *other = kit_device();
    ID3D12ShaderCacheSession *a = open_cache(device, &desc), *b = open_cache(other, &desc);
    desc.Identifier = second_id;
    ID3D12ShaderCacheSession *c = open_cache(device, &desc);
    MUST(store(a, "key", "value"));
    cr_assert(has(b, "key", "value") && has(c, "key", NULL));
    ID3D12ShaderCacheSession_Release(a);
    cr_assert(has(b, "key", "value"));
    RELEASE(b, c);
    desc.Identifier = first_id;
    a = open_cache(device, &desc);
    cr_assert(has(a, "key", NULL), "a memory cache goes with its last session");
    ID3D12ShaderCacheSession_Release(a);
}

/* "unless the Version doesn't match. In that case, if there are no other sessions open to that
 * cache, it is cleared and re-created. If there are existing sessions, DXGI_ERROR_ALREADY_EXISTS."
 */
Test(shader_cache, on_disk_stays_for_the_same_version)
{
    D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_DISK);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ShaderCacheSession *session = open_cache(device, &desc);
    MUST(store(session, "key", "value"));
    ID3D12ShaderCacheSession_Release(session);
    session = open_cache(device, &desc);
    cr_assert(has(session, "key", "value"));

    desc.Version = 1;
    EXPECT_HR(try_cache(device, &desc), ALREADY_EXISTS);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_ALREADYOPEN), 1);
    cr_assert(has(session, "key", "value"));
    ID3D12ShaderCacheSession_Release(session);
    session = open_cache(device, &desc);
    cr_assert(has(session, "key", NULL));

    MUST(store(session, "key", "newer"));
    ID3D12ShaderCacheSession_SetDeleteOnDestroy(session);
    cr_assert(has(session, "key", "newer"), "not before it is destroyed");
    ID3D12ShaderCacheSession_Release(session);
    session = open_cache(device, &desc);
    cr_assert(has(session, "key", NULL));
}

Test(shader_cache, has_a_maximum_of_bytes_and_of_entries)
{
    static char large[1025];
    D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_MEMORY);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ShaderCacheSession *session = open_cache(device, &desc);
    EXPECT_HR(ID3D12ShaderCacheSession_StoreValue(session, "k", 1, large, 1024), CACHE_FULL);
    MUST(ID3D12ShaderCacheSession_StoreValue(session, "k", 1, large, 1023)); /* 1 KiB by default */
    EXPECT_HR(store(session, "l", "x"), CACHE_FULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_CACHEFULL), 2);
    ID3D12ShaderCacheSession_Release(session);

    session = open_cache(device, &desc);
    for (char key = 1; key > 0; key++) /* 127 */
        MUST(ID3D12ShaderCacheSession_StoreValue(session, &key, 1, "x", 1));
    MUST(store(session, "\xFF", "x"));
    EXPECT_HR(store(session, "one more", "x"), CACHE_FULL);
    ID3D12ShaderCacheSession_Release(session);

    desc.MaximumInMemoryCacheEntries = 1;
    desc.MaximumInMemoryCacheSizeBytes = 100000;
    session = open_cache(device, &desc);
    MUST(ID3D12ShaderCacheSession_StoreValue(session, "k", 1, large, sizeof large));
    EXPECT_HR(store(session, "l", "x"), CACHE_FULL);
    ID3D12ShaderCacheSession_Release(session);

    desc.Mode = D3D12_SHADER_CACHE_MODE_DISK; /* whose memory is no limit */
    desc.MaximumValueFileSizeBytes = 4;
    session = open_cache(device, &desc);
    MUST(store(session, "a", "b"));
    MUST(store(session, "c", "d"));
    EXPECT_HR(store(session, "e", "f"), CACHE_FULL);
    ID3D12ShaderCacheSession_SetDeleteOnDestroy(session);
}

#define APPLICATION D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED
#define DISABLE     D3D12_SHADER_CACHE_CONTROL_FLAG_DISABLE
#define ENABLE      D3D12_SHADER_CACHE_CONTROL_FLAG_ENABLE
#define CLEAR       D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR

static HRESULT control(ID3D12Device *device, UINT kinds, UINT flags)
{
    return ID3D12Device11_ShaderCacheControl(device11(device), (D3D12_SHADER_CACHE_KIND_FLAGS)kinds,
                                             (D3D12_SHADER_CACHE_CONTROL_FLAGS)flags);
}

/* "Attempts to use/create a cache while it's disabled result in
 * DXGI_ERROR_NOT_CURRENTLY_AVAILABLE." */
Test(shader_cache, can_be_disabled_and_cleared)
{
    const D3D12_SHADER_CACHE_SESSION_DESC desc = cache_desc(D3D12_SHADER_CACHE_MODE_MEMORY);
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12ShaderCacheSession *session = open_cache(device, &desc);
    UINT size = 0;
    MUST(store(session, "key", "value"));
    MUST(control(device, APPLICATION, DISABLE));
    EXPECT_HR(store(session, "other", "value"), NOT_CURRENTLY_AVAILABLE);
    EXPECT_HR(ID3D12ShaderCacheSession_FindValue(session, "key", 3, NULL, &size),
              NOT_CURRENTLY_AVAILABLE);
    EXPECT_HR(try_cache(device, &desc), NOT_CURRENTLY_AVAILABLE);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_SHADERCACHESESSION_DISABLED), 2);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_DISABLED), 1);
    MUST(control(device, APPLICATION, DISABLE));
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_SHADERCACHECONTROL_STATEALREADYSET), 1);
    MUST(control(device, APPLICATION, ENABLE));
    cr_assert(has(session, "key", "value"));
    MUST(control(device, 7, CLEAR | DISABLE)); /* others than the application's */
    cr_assert(has(session, "key", "value"));
    MUST(control(device, APPLICATION, CLEAR));
    cr_assert(has(session, "key", NULL));
    MUST(store(session, "key", "value"));
}

Test(shader_cache, control_refuses_flags_that_contradict_or_are_none)
{
    static const UINT bad[][2] = {{APPLICATION, DISABLE | ENABLE},
                                  {APPLICATION, 0},
                                  {APPLICATION, 8},
                                  {0, CLEAR},
                                  {16, CLEAR},
                                  {APPLICATION, 7}};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EXPECT_HR(control(device, bad[i][0], bad[i][1]), E_INVALIDARG);
        cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_SHADERCACHECONTROL_INVALIDFLAGS), i + 1);
    }
}
