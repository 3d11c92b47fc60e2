/* Names: SetName and private data under one GUID, from several threads, and the driver's calls for
 * them [ANN-NAME]. */
#include "kit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

Test(names, private_data_names_too) /* ANN-NAME-06 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    /* wide, without NUL at its end */
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, 4 * sizeof(WCHAR),
                                    L"wide and more"));
    cr_assert_eqs(heard_count, 1, heard[0].name_length, 4);
    cr_assert_mem_eq(heard[0].name, L"wide", 4 * sizeof(WCHAR));
    /* char, UTF-8: the driver hears it wide */
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 8,
                                    "gr\xC3\xBC\xC3\x9F\xFF!"));
    cr_assert_eqs(heard_count, 2, heard[1].name_length, 6);
    static const WCHAR wide[] = {'g', 'r', 0xFC, 0xDF, 0xFFFD, '!'};
    cr_assert_mem_eq(heard[1].name, wide, sizeof wide);
    char back[16];
    UINT size = sizeof back;
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectName, &size, back));
    cr_assert_eq(size, 8);
    cr_assert_mem_eq(back, "gr\xC3\xBC\xC3\x9F\xFF!", 8);
}

static void expect_name(const WCHAR *name, size_t length)
{
    const struct heard *last = &heard[heard_count - 1];
    cr_assert_eqs(last->what, HEARD_NAME, last->has_name, name != NULL);
    cr_assert(!name || (last->name_length == length &&
                        memcmp(last->name, name, length * sizeof(WCHAR)) == 0));
}

/* ANN-NAME-04, -06: clearing one of the two names leaves the object the other one, which
 * GetPrivateData still answers. */
Test(names, a_cleared_name_leaves_the_other_one)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    UINT size = 0;
    MUST(ID3D12Fence_SetName(fence, L"wide"));
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(L"wide", 4);
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, NULL));
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    MUST(ID3D12Fence_SetName(fence, NULL));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(NULL, 0);
    cr_assert_eq(heard_count, 6);
}

/* An interface under a name's GUID replaces the name, in the runtime and at the driver. */
Test(names, an_interface_in_a_names_place_is_no_name)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    ID3D12Fence *fence = kit_fence(device, 0), *other = kit_fence(device, 0), *back = NULL;
    UINT size = sizeof back;
    MUST(ID3D12Fence_SetName(fence, L"wide"));
    MUST(
        ID3D12Fence_SetPrivateDataInterface(fence, &WKPDID_D3DDebugObjectNameW, (IUnknown *)other));
    expect_name(NULL, 0);
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, &back));
    cr_assert_eqs(back, other, size, sizeof back);
    ID3D12Fence_Release(back);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(NULL, 0);
    MUST(ID3D12Fence_SetPrivateDataInterface(fence, &WKPDID_D3DDebugObjectNameW, NULL));
    expect_name(NULL, 0);
    RELEASE(other, fence);
}

/* ---- two threads, one object ---- */

enum { NAMERS = 4, ROUNDS = 200 };

static atomic_int turn, ready; /* the round that may begin, and how many have named in it */

struct namer {
    ID3D12Fence *fence;
    WCHAR letter;
};

static void *name_in_turn(void *user)
{
    const struct namer *namer = user;
    const WCHAR name[] = {namer->letter, 0};
    for (int i = 1; i <= ROUNDS; i++) {
        while (atomic_load(&turn) < i)
            sched_yield();
        ID3D12Fence_SetName(namer->fence, name);
        atomic_fetch_add(&ready, 1);
    }
    return NULL;
}

/* ANN-NAME-01: what the driver heard last is what the runtime answers, whoever was last. */
Test(names, threads_that_name_one_object_leave_one_name)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    struct namer namers[NAMERS];
    pthread_t threads[NAMERS];
    heard_slowly = true;
    for (int i = 0; i < NAMERS; i++) {
        namers[i] = (struct namer){fence, (WCHAR)('0' + i)};
        cr_assert_eq(pthread_create(&threads[i], NULL, name_in_turn, &namers[i]), 0);
    }
    for (int i = 1; i <= ROUNDS; i++) {
        WCHAR name[8] = {0};
        UINT size = sizeof name;
        heard_count = 0;
        atomic_store(&turn, i);
        while (atomic_load(&ready) < i * NAMERS)
            sched_yield();
        MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, name));
        cr_assert_eq(heard_count, NAMERS);
        expect_name(name, 1);
    }
    for (int i = 0; i < NAMERS; i++)
        pthread_join(threads[i], NULL);
}
