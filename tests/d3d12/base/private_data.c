/* Private data and identity: what all objects have in common, on one of every kind. */
#include "every_kind.h"

#include <pthread.h>

static const GUID guids[3] = {{0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}},
                              {0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 9}},
                              {0x11223345, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}}};

/* Calls `check` with an object of every kind that has this interface. */
static void for_every(const IID *iid, void (*check)(ID3D12Device *device, void *object))
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    size_t checked = 0;
    for (size_t k = 0; k < every_kind_count; k++) {
        OWNED IUnknown *object = every_kind[k].make(device);
        void *face = NULL;
        if (SUCCEEDED(IUnknown_QueryInterface(object, iid, &face))) {
            check(device, face);
            IUnknown_Release((IUnknown *)face);
            checked++;
        }
    }
    cr_assert(checked > 20);
}

static void expect_data(ID3D12Object *object, const GUID *guid, const char *data, UINT size)
{
    char got[16] = {0};
    UINT room = 99;
    EXPECT_HR(ID3D12Object_GetPrivateData(object, guid, &room, NULL), S_OK);
    cr_assert_eq(room, size);
    room = size - 1;
    EXPECT_HR(ID3D12Object_GetPrivateData(object, guid, &room, got), DXGI_ERROR_MORE_DATA);
    cr_assert_eqs(room, size, got[0], 0);
    room = sizeof got;
    EXPECT_HR(ID3D12Object_GetPrivateData(object, guid, &room, got), S_OK);
    cr_assert(room == size && memcmp(got, data, size) == 0 && got[size] == 0);
}

static void expect_nothing(ID3D12Object *object, const GUID *guid)
{
    char got[16] = {0};
    UINT room = sizeof got;
    EXPECT_HR(ID3D12Object_GetPrivateData(object, guid, &room, got), DXGI_ERROR_NOT_FOUND);
    cr_assert_eqs(room, 0, got[0], 0);
}

static void check_data(ID3D12Device *device, void *face)
{
    ID3D12Object *object = face;
    (void)device;
    UINT room = 4;
    for (int i = 0; i < 3; i++)
        expect_nothing(object, &guids[i]);
    MUST(ID3D12Object_SetPrivateData(object, &guids[0], 3, "abc"));
    MUST(ID3D12Object_SetPrivateData(object, &guids[1], 5, "12345"));
    expect_data(object, &guids[0], "abc", 3);
    expect_data(object, &guids[1], "12345", 5);
    expect_nothing(object, &guids[2]);
    MUST(ID3D12Object_SetPrivateData(object, &guids[0], 7, "ABCDEFG"));
    MUST(ID3D12Object_SetPrivateData(object, &guids[1], 1, "1"));
    expect_data(object, &guids[0], "ABCDEFG", 7);
    expect_data(object, &guids[1], "1", 1);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[0], 0, NULL), S_OK);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[0], 0, NULL), S_FALSE);
    expect_nothing(object, &guids[0]);
    expect_data(object, &guids[1], "1", 1);
    EXPECT_HR(ID3D12Object_GetPrivateData(object, &guids[1], NULL, &room), E_INVALIDARG);
    EXPECT_HR(ID3D12Object_GetPrivateData(object, NULL, &room, NULL), E_INVALIDARG);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, NULL, 1, "x"), E_INVALIDARG);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[1], UINT32_MAX, "x"), E_INVALIDARG);
    expect_data(object, &guids[1], "1", 1);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[1], UINT32_MAX, NULL), S_OK);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[1], UINT32_MAX, NULL), S_FALSE);
    expect_nothing(object, &guids[1]);
}

Test(private_data, of_every_kind_is_kept_replaced_and_removed)
{
    for_every(&IID_ID3D12Object, check_data);
}

static void check_interface(ID3D12Device *device, void *face)
{
    ID3D12Object *object = face;
    ID3D12Fence *held = kit_fence(device, 0), *other = kit_fence(device, 0), *got = NULL;
    UINT room = sizeof got - 1;
    EXPECT_HR(ID3D12Object_SetPrivateDataInterface(object, NULL, (IUnknown *)held), E_INVALIDARG);
    MUST(ID3D12Object_SetPrivateDataInterface(object, &guids[0], (IUnknown *)held));
    cr_assert_eq(kit_references(held), 2);
    EXPECT_HR(ID3D12Object_GetPrivateData(object, &guids[0], &room, &got), DXGI_ERROR_MORE_DATA);
    cr_assert_eq3(room, sizeof got, got, NULL, kit_references(held), 2);
    MUST(ID3D12Object_GetPrivateData(object, &guids[0], &room, &got));
    cr_assert_eqs(got, held, kit_references(held), 3);
    ID3D12Fence_Release(got);

    MUST(ID3D12Object_SetPrivateDataInterface(object, &guids[0], (IUnknown *)other));
    cr_assert_eqs(kit_references(held), 1, kit_references(other), 2);
    MUST(ID3D12Object_SetPrivateData(object, &guids[0], 3, "abc"));
    cr_assert_eq(kit_references(other), 1);
    MUST(ID3D12Object_SetPrivateDataInterface(object, &guids[0], (IUnknown *)other));
    /* no clearing: an interface that happens to be NULL */
    EXPECT_HR(ID3D12Object_SetPrivateDataInterface(object, &guids[0], NULL), S_OK);
    cr_assert_eq(kit_references(other), 1);
    got = held;
    room = sizeof got;
    MUST(ID3D12Object_GetPrivateData(object, &guids[0], &room, &got));
    cr_assert_eqs(got, NULL, room, sizeof got);
    EXPECT_HR(ID3D12Object_SetPrivateData(object, &guids[0], 0, NULL), S_OK);
    expect_nothing(object, &guids[0]);
    RELEASE(held, other);
}

Test(private_data, interfaces_of_every_kind_are_counted)
{
    for_every(&IID_ID3D12Object, check_interface);
}

Test(private_data, goes_with_the_last_reference_of_every_kind)
{
    ID3D12Device *device = kit_device(), *second = kit_device();
    ID3D12Fence *held =
        kit_fence(second, 0); /* of another device: the first may be among the kinds */
    for (size_t k = 0; k < every_kind_count; k++) {
        IUnknown *made = every_kind[k].make(device);
        ID3D12Object *object = NULL;
        if (FAILED(IUnknown_QueryInterface(made, &IID_ID3D12Object, (void **)&object)) ||
            (void *)object == (void *)device) {
            if (object)
                ID3D12Object_Release(object);
            IUnknown_Release(made);
            continue;
        }
        IUnknown_Release(made);
        MUST(ID3D12Object_SetPrivateDataInterface(object, &guids[0], (IUnknown *)held));
        cr_assert_eq(kit_references(held), 2);
        cr_assert_eq(ID3D12Object_Release(object), 0, "kind %zu", k);
        cr_assert_eq(kit_references(held), 1, "kind %zu", k);
    }
    MUST(ID3D12Device_SetPrivateDataInterface(device, &guids[0], (IUnknown *)held));
    kit_close(device);
    cr_assert_eq(kit_references(held), 1);
    ID3D12Fence_Release(held);
    kit_close(second);
}

/* The application's last Release lets its private data go, not when the GPU has done. */
Test(private_data, does_not_wait_for_the_gpu)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    OWNED ID3D12Fence *held = kit_fence(device, 0), *go = kit_fence(device, 0);
    MUST(ID3D12CommandQueue_Wait(queue, go, 1));
    kit_execute(queue, list);
    MUST(ID3D12CommandAllocator_SetPrivateDataInterface(allocator, &guids[0], (IUnknown *)held));
    ID3D12GraphicsCommandList_Release(list);
    cr_assert_eq(ID3D12CommandAllocator_Release(allocator), 0);
    cr_assert_eq(kit_references(held), 1);
    MUST(ID3D12Fence_Signal(go, 1));
    kit_finish(device, queue);
}

static void check_name(ID3D12Device *device, void *face)
{
    static const WCHAR name[] = {'n', 'a', 'm', 'e', 0};
    ID3D12Object *object = face;
    WCHAR got[8] = {0};
    UINT room = sizeof got;
    (void)device;
    MUST(ID3D12Object_SetName(object, name));
    MUST(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &room, got));
    cr_assert_eq(room, 5 * sizeof *name);
    cr_assert_mem_eq(got, name, sizeof name);
    MUST(ID3D12Object_SetName(object, name + 3));
    room = sizeof got;
    MUST(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &room, got));
    cr_assert_eq3(room, 2 * sizeof *name, got[0], 'e', got[1], 0);
    MUST(ID3D12Object_SetName(object, NULL));
    room = sizeof got;
    EXPECT_HR(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &room, got),
              DXGI_ERROR_NOT_FOUND);
}

Test(private_data, has_the_name_of_every_kind)
{
    for_every(&IID_ID3D12Object, check_name);
}

static void check_device(ID3D12Device *device, void *face)
{
    ID3D12DeviceChild *child = face;
    const IID *const asked[] = {&IID_IUnknown, &IID_ID3D12Device, &IID_ID3D12Device11,
                                &IID_ID3D12DeviceTools2, &IID_ID3D12InfoQueue};
    const ULONG before = kit_references(device);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        OWNED IUnknown *got = NULL, *same = NULL;
        MUST(ID3D12DeviceChild_GetDevice(child, asked[i], (void **)&got));
        cr_assert_eq(kit_references(device), before + 1);
        MUST(IUnknown_QueryInterface(got, &IID_ID3D12Device, (void **)&same));
        cr_assert_eq((void *)same, (void *)device);
    }
    void *none = &none;
    EXPECT_HR(ID3D12DeviceChild_GetDevice(child, &IID_ID3D12Fence, &none), E_NOINTERFACE);
    cr_assert(!none);
    none = &none;
    EXPECT_HR(ID3D12DeviceChild_GetDevice(child, NULL, &none), E_INVALIDARG);
    cr_assert(!none);
    EXPECT_HR(ID3D12DeviceChild_GetDevice(child, &IID_ID3D12Device, NULL), E_POINTER);
    cr_assert_eq(kit_references(device), before);
}

Test(interfaces, every_child_knows_its_device)
{
    for_every(&IID_ID3D12DeviceChild, check_device);
}

/* ---- threads ---- */

struct hand {
    ID3D12Object *object;
    ID3D12Fence *held;
    unsigned number;
};

/* Data of one byte repeated, interfaces and nothing take turns under two GUIDs; whatever is read is
 * whole. */
static void *use(void *user)
{
    const struct hand *hand = user;
    char bytes[64];
    for (unsigned i = 0; i < 300; i++) {
        const GUID *guid = &guids[i % 2];
        union {
            char bytes[64];
            ID3D12Fence *fence;
        } got;
        UINT room = sizeof got;
        memset(bytes, (int)(hand->number * 16 + i % 16), sizeof bytes);
        if (i % 3 == 0)
            MUST(ID3D12Object_SetPrivateData(hand->object, guid, 9 + i % 50, bytes));
        else if (i % 3 == 1)
            MUST(ID3D12Object_SetPrivateDataInterface(hand->object, guid, (IUnknown *)hand->held));
        else
            cr_assert(SUCCEEDED(ID3D12Object_SetPrivateData(hand->object, guid, 0, NULL)));
        const HRESULT hr = ID3D12Object_GetPrivateData(hand->object, guid, &room, &got);
        if (hr == S_OK && room == sizeof got.fence) {
            cr_assert_eq(got.fence, hand->held);
            ID3D12Fence_Release(got.fence);
        } else if (hr == S_OK) {
            for (UINT byte = 1; byte < room; byte++)
                cr_assert_eq(got.bytes[byte], got.bytes[0]);
        } else {
            cr_assert_eq(hr, DXGI_ERROR_NOT_FOUND);
        }
    }
    return NULL;
}

Test(private_data, of_one_object_is_used_by_many_threads)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    ID3D12Fence *object = kit_fence(device, 0), *held = kit_fence(device, 0);
    struct hand hands[8];
    pthread_t threads[8];
    for (unsigned i = 0; i < 8; i++) {
        hands[i] = (struct hand){(ID3D12Object *)object, held, i};
        cr_assert_eq(pthread_create(&threads[i], NULL, use, &hands[i]), 0);
    }
    for (unsigned i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    ID3D12Fence_Release(object);
    cr_assert_eq(kit_references(held), 1);
    ID3D12Fence_Release(held);
}
