/* Proton's DXGI makes a swap chain of the program's queue through an interface of vkd3d-proton's:
 * what it does, in its order, on a runtime of the suite's own [ANN-FIELD-03]. */
#include "fake.h"

#include <intercept/call.h>
#include <intercept/d3d12.h>
#include <intercept/wrap.h>

#include "asserts.h"

#include <string.h>

enum { BUFFERS = 3 };
static const uint32_t lost = 0x887a0005; /* DXGI_ERROR_DEVICE_REMOVED */

/* DXGI_SWAP_CHAIN_DESC1 */
struct desc {
    uint32_t before[7], buffers, behind[4];
};

static struct {
    struct fake *device, *queue, *chain, *buffers[BUFFERS];
    void *surfaces; /* DXGI's own object */
    struct desc desc;
    unsigned presents, changes;
} runtime;

static struct fake *queues_given[BUFFERS];
static unsigned failures;
static uint16_t failed_method;

static unsigned wants(uint16_t method)
{
    (void)method;
    return CALL_FAILED;
}

static void failed(struct object *self, uint16_t method, uint64_t result)
{
    cr_assert(self->real == runtime.chain && (uint32_t)result == lost);
    failed_method = method;
    failures++;
}

static const struct client client = {.wants = wants, .failed = failed, .notes = OBJECT_NOTE_CRASH};

static void write_object(uint64_t place, struct fake *object)
{
    object->unknown->references++;
    memcpy((void *)(uintptr_t)place, &object, sizeof(void *));
}

static void make_buffers(void)
{
    for (int i = 0; i < BUFFERS; i++)
        runtime.buffers[i] = fake_create(type_newest(TYPE_ID3D12Resource));
}

static void answer(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    (void)self;
    if (method == METHOD_IDXGIVkSwapChainFactory_CreateSwapChain) {
        cr_assert(args[0] == (uintptr_t)runtime.surfaces);
        write_object(args[2], runtime.chain);
    } else if (method == METHOD_IDXGIVkSwapChain_GetDevice) {
        write_object(args[1], runtime.device);
    } else if (method == METHOD_IDXGIVkSwapChain_GetImage) {
        write_object(args[2], runtime.buffers[args[0]]);
    } else if (method == METHOD_IDXGIVkSwapChain_ChangeProperties) {
        runtime.changes++;
        memset(queues_given, 0, sizeof queues_given);
        if (args[0] && args[2])
            memcpy(queues_given, (void *)(uintptr_t)args[2], runtime.desc.buffers * sizeof(void *));
        make_buffers();
    } else {
        cr_assert_eq(method, METHOD_IDXGIVkSwapChain_Present);
        result->word = ++runtime.presents == 5 ? lost : 0;
    }
}

static uint32_t call(uint16_t method, struct object *object, uint64_t a, uint64_t b, uint64_t c)
{
    struct call_result result = {0};
    const uint64_t args[CODEC_ARGS] = {a, b, c};
    call_method(method, object, args, &result);
    return (uint32_t)result.word;
}

static uint64_t iid_word(uint16_t type)
{
    return (uintptr_t)schema_interfaces[type - SCHEMA_INTERFACE_FIRST].iid;
}

static struct object *image(struct object *chain, uint32_t buffer)
{
    struct object *got = NULL;
    cr_assert_eq(call(METHOD_IDXGIVkSwapChain_GetImage, chain, buffer,
                      iid_word(TYPE_ID3D12Resource), (uintptr_t)&got),
                 0);
    cr_assert(object_at(got) == got && got->real == runtime.buffers[buffer]);
    return got;
}

static struct object *open_chain(struct object **device)
{
    static const struct client *const clients[] = {&client};
    struct object *factory = NULL, *chain = NULL, *same = NULL;
    schema_init();
    call_open(wrap_tables, clients, 1);
    fake_answer = answer;
    runtime.device = fake_create(type_newest(TYPE_ID3D12Device));
    runtime.queue = fake_create(type_newest(TYPE_ID3D12CommandQueue));
    runtime.chain = fake_create(type_newest(TYPE_IDXGIVkSwapChain));
    runtime.surfaces = fake_create(TYPE_IDXGIVkSurfaceFactory);
    runtime.desc.buffers = BUFFERS;
    fake_sibling(runtime.queue, TYPE_IDXGIVkSwapChainFactory);
    make_buffers();
    *device = object_wrap(runtime.device, TYPE_ID3D12Device, true);
    struct object *queue = object_wrap(runtime.queue, TYPE_ID3D12CommandQueue, true);
    call(METHOD_IUnknown_QueryInterface, queue, iid_word(TYPE_IDXGIVkSwapChainFactory),
         (uintptr_t)&factory, 0);
    cr_assert(object_is(factory, TYPE_IDXGIVkSwapChainFactory));
    cr_assert_eq(call(METHOD_IDXGIVkSwapChainFactory_CreateSwapChain, factory,
                      (uintptr_t)runtime.surfaces, (uintptr_t)&runtime.desc, (uintptr_t)&chain),
                 0);
    cr_assert(object_at(chain) && chain->real == runtime.chain);
    call(METHOD_IDXGIVkSwapChain_GetDevice, chain, iid_word(TYPE_ID3D12Device), (uintptr_t)&same,
         0);
    cr_assert(same == *device);
    return chain;
}

Test(swap_chain, protons_gives_the_programs_buffers_and_takes_its_queues)
{
    struct object *device, *chain = open_chain(&device), *first[BUFFERS];
    struct object *queues[BUFFERS];
    for (uint32_t i = 0; i < BUFFERS; i++) {
        first[i] = image(chain, i);
        object_set_note(first[i], OBJECT_NOTE_CRASH, i + 1);
        queues[i] = object_wrap(runtime.queue, TYPE_ID3D12CommandQueue, false);
    }
    for (uint32_t frame = 0; frame < 4; frame++) { /* each is the object that it was */
        cr_assert(image(chain, frame % BUFFERS) == first[frame % BUFFERS]);
        cr_assert_eq(object_note(first[frame % BUFFERS], OBJECT_NOTE_CRASH), frame % BUFFERS + 1);
        cr_assert_eq(call(METHOD_IDXGIVkSwapChain_Present, chain, 1, 0, 0), 0);
    }
    for (uint32_t count = 0; count <= BUFFERS; count++) {
        runtime.desc.buffers = count;
        cr_assert_eq(call(METHOD_IDXGIVkSwapChain_ChangeProperties, chain, (uintptr_t)&runtime.desc,
                          0, (uintptr_t)queues),
                     0);
        for (uint32_t i = 0; i < BUFFERS; i++)
            cr_assert(queues_given[i] == (i < count ? runtime.queue : NULL), "%u of %u", i, count);
    }
    call(METHOD_IDXGIVkSwapChain_ChangeProperties, chain, (uintptr_t)&runtime.desc, 0, 0);
    call(METHOD_IDXGIVkSwapChain_ChangeProperties, chain, 0, 0, (uintptr_t)queues);
    cr_assert_eqs(runtime.changes, BUFFERS + 3, queues_given[0], (struct fake *)NULL);
    for (uint32_t i = 0; i < BUFFERS; i++) {
        struct object *now = image(chain, i);
        cr_assert(now != first[i] && object_note(now, OBJECT_NOTE_CRASH) == 0);
    }
    cr_assert_eq(failures, 0);
    cr_assert_eq(call(METHOD_IDXGIVkSwapChain_Present, chain, 1, 0, 0), lost);
    cr_assert_eqs(failures, 1, failed_method, METHOD_IDXGIVkSwapChain_Present);
}
