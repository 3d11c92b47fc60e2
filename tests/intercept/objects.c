/* The program's view of the runtime's objects: one wrapper for each interface pointer, one identity
 * for each object [ANN-TRACE-01, ANN-D3D-03]. */
#include "fake.h"

#include <intercept/call.h>
#include <intercept/d3d12.h>
#include <intercept/wrap.h>

#include "asserts.h"

#include <malloc.h>
#include <string.h>

static uintptr_t gone[8][OBJECT_NOTES];
static unsigned gone_count;

static void note_gone(const uintptr_t *notes)
{
    memcpy(gone[gone_count++], notes, sizeof *gone);
}

static void open_objects(void)
{
    schema_init();
    call_open(wrap_tables, NULL, 0);
}

/* Told of notes itself, not through clients. */
static void open_with_notes(void)
{
    schema_init();
    object_open(wrap_tables, note_gone);
}

TestSuite(objects, .init = open_objects);
TestSuite(objects_gone, .init = open_with_notes);

static bool is_leaf(uint16_t type)
{
    return schema_interfaces[type - SCHEMA_INTERFACE_FIRST].is_leaf;
}

static uint16_t base_of(uint16_t type)
{
    return schema_interfaces[type - SCHEMA_INTERFACE_FIRST].base;
}

Test(objects, what_is_none_of_the_runtimes_stays_as_it_is)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
    struct fake *other = fake_create(TYPE_ID3D12Heap);
    cr_assert(object_wrap(NULL, TYPE_ID3D12Fence1, true) == NULL);
    cr_assert(object_wrap(wrapper, TYPE_ID3D12Fence1, true) == wrapper);
    cr_assert_eq(object_references(wrapper), 1);
    cr_assert(object_wrap(other, TYPE_NONE, true) == (void *)other);
    cr_assert(object_real(NULL) == NULL && object_real(other) == other);
    cr_assert(object_at(other) == NULL && object_at(NULL) == NULL);
    cr_assert(object_real(wrapper) == fake && object_at(wrapper) == wrapper);
    cr_assert(object_known(other) == other && object_known(NULL) == NULL);
    cr_assert(object_known(fake) == wrapper);
    cr_assert_eqs(fake->references, 1, other->references, 1); /* each query gives back */
}

Test(objects, a_pointer_has_one_wrapper_that_counts_its_references)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence, true);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence, false) == wrapper);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, true) == wrapper);
    cr_assert_eq(object_references(wrapper), 3);
    object_add_reference(wrapper);
    cr_assert_eq(object_references(wrapper), 4);
    object_release_reference(wrapper);
    object_release_reference(wrapper);
    cr_assert_eq(object_references(wrapper), 2);
}

/* Whatever interface it came as: where it alone can be what it is, or the object says so. */
Test(objects, an_object_has_the_newest_interface_that_it_can_be_called_by)
{
    for (uint16_t leaf = SCHEMA_INTERFACE_FIRST; leaf < TYPE_NONE; leaf++)
        for (uint16_t as = leaf; is_leaf(leaf) && as != TYPE_NONE; as = base_of(as)) {
            struct fake *fake = fake_create(leaf);
            struct object *wrapper = object_wrap(fake, as, true);
            cr_assert_eq(wrapper->more->type, leaf, "%u as %u", leaf, as);
            cr_assert(wrapper->table == wrap_tables[leaf - SCHEMA_INTERFACE_FIRST]);
            cr_assert_eq(fake->references, 1, "%u as %u", leaf, as);
            for (uint16_t type = SCHEMA_INTERFACE_FIRST; type < TYPE_NONE; type++)
                cr_assert_eq(object_is(wrapper, type), type_derives(leaf, type), "%u is %u", leaf,
                             type);
        }
}

static unsigned leaves_of(uint16_t type)
{
    unsigned count = 0;
    for (uint16_t leaf = SCHEMA_INTERFACE_FIRST; leaf < TYPE_NONE; leaf++)
        count += is_leaf(leaf) && type_derives(leaf, type);
    return count;
}

/* A runtime from before the newest interface of the kind. */
Test(objects, an_object_of_an_older_runtime_is_told_by_the_oldest_interface_of_its_kind)
{
    unsigned older = 0;
    for (uint16_t leaf = SCHEMA_INTERFACE_FIRST; leaf < TYPE_NONE; leaf++) {
        uint16_t root = leaf;
        if (!is_leaf(leaf))
            continue;
        while (leaves_of(base_of(root)) == 1)
            root = base_of(root);
        older += root != leaf;
        struct object *wrapper = object_wrap(fake_create(root), TYPE_IUnknown, true);
        cr_assert_eq(wrapper->more->type, leaf, "%u by %u", leaf, root);
    }
    cr_assert(older > 5);
}

/* An object that says nothing of itself, or has the interface at another pointer only. */
Test(objects, an_object_that_is_no_known_kind_has_the_interface_that_it_came_as)
{
    const int32_t answers[] = {(int32_t)E_NOINTERFACE, 0, 1};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct fake *fake = fake_create(TYPE_ID3D12Heap1);
        fake->queried = answers[i];
        fake->is_silent = true;
        struct object *wrapper = object_wrap(fake, TYPE_ID3D12Pageable, true);
        cr_assert_eq(wrapper->more->type, TYPE_ID3D12Pageable);
        cr_assert_eq(fake->references, 1);
        /* more is known of it now */
        cr_assert(object_wrap(fake, TYPE_ID3D12Heap, false) == wrapper);
        cr_assert_eq(wrapper->more->type, TYPE_ID3D12Heap1);
        cr_assert(wrapper->table == wrap_tables[TYPE_ID3D12Heap1 - SCHEMA_INTERFACE_FIRST]);
        cr_assert(object_wrap(fake, TYPE_IUnknown, false) == wrapper);
        cr_assert_eq(wrapper->more->type, TYPE_ID3D12Heap1);
        cr_assert_eq(object_references(wrapper), 3);
    }
    struct fake *device = fake_create(type_newest(TYPE_ID3D12Device));
    struct fake *object = fake_sibling(device, TYPE_ID3D12Object);
    struct object *wrapper = object_wrap(object, TYPE_ID3D12Object, true);
    cr_assert_eq(wrapper->more->type, TYPE_ID3D12Object);
    cr_assert_eq(device->references, 2);
}

Test(objects, interface_pointers_of_one_object_share_references_and_notes)
{
    struct fake *device = fake_create(type_newest(TYPE_ID3D12Device));
    struct fake *debug = fake_sibling(device, type_newest(TYPE_ID3D12DebugDevice));
    struct fake *other = fake_create(type_newest(TYPE_ID3D12Device));
    struct object *first = object_wrap(device, device->type, true);
    struct object *second = object_wrap(debug, debug->type, true);
    struct object *third = object_wrap(other, other->type, true);
    cr_assert(first != second && first->more->number != second->more->number);
    cr_assert_eqs(object_references(first), 2, object_references(second), 2);
    cr_assert_eq(object_set_note(first, OBJECT_NOTE_CRASH, 7), 7);
    cr_assert_eq(object_set_note(second, OBJECT_NOTE_CRASH, 8), 7);
    cr_assert_eqs(object_note(second, OBJECT_NOTE_CRASH), 7, object_note(third, OBJECT_NOTE_CRASH),
                  0);
    cr_assert_eq(object_note(second, OBJECT_NOTE_RECORDER), 0);
    cr_assert_eqs(object_take_note(second, OBJECT_NOTE_CRASH), 7,
                  object_note(first, OBJECT_NOTE_CRASH), 0);
    cr_assert(object_of_identity(device, debug->type) == second);
    cr_assert(object_of_identity(debug, device->type) == first);
    cr_assert(object_of_identity(debug, TYPE_ID3D12Device) == first);
    cr_assert(object_of_identity(other, debug->type) == NULL);
    cr_assert(object_of_identity(fake_create(TYPE_ID3D12Fence1), TYPE_IUnknown) == NULL);
    cr_assert_eqs(device->references, 2, other->references, 1);
    device->queried = (int32_t)E_NOINTERFACE;
    cr_assert(object_of_identity(device, debug->type) == NULL);
    device->queried = 1;
    device->is_silent = true;
    cr_assert(object_of_identity(device, debug->type) == NULL);
}

Test(objects, numbers_are_never_used_twice)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
    struct fake *others[] = {fake_create(TYPE_ID3D12Heap), fake_create(TYPE_ID3D12Heap)};
    const uint64_t first = object_number(others[0]), second = object_number(others[1]);
    cr_assert(first & OBJECT_FOREIGN && second & OBJECT_FOREIGN && first != second);
    cr_assert((first & ~OBJECT_FOREIGN) && (second & ~OBJECT_FOREIGN));
    cr_assert_eq(object_number(others[0]), first);
    cr_assert_eq(object_number_of_address(others[1]), second);
    cr_assert(!(wrapper->more->number & OBJECT_FOREIGN) && wrapper->more->number);
    cr_assert_eqs(object_number(wrapper), wrapper->more->number, object_number_of_address(wrapper),
                  wrapper->more->number);
    object_forget_foreign(others[0]);
    const uint64_t third = object_number(others[0]);
    cr_assert(third & OBJECT_FOREIGN && third != first && third != second);
    cr_assert((third ^ OBJECT_FOREIGN) != wrapper->more->number);
    cr_assert_eq(object_number(others[1]), second);
    object_forget_foreign(wrapper); /* none of those */
    cr_assert_eq(object_number_of_address(wrapper), wrapper->more->number);
    /* what leads nowhere */
    void *nowhere = (void *)(uintptr_t)8;
    cr_assert_eq(object_number_of_address(nowhere), object_number_of_address(nowhere));
    cr_assert(object_known(nowhere) == nowhere);
}

Test(objects_gone, notes_are_told_once_when_an_object_is_gone)
{
    struct fake *device = fake_create(type_newest(TYPE_ID3D12Device));
    struct fake *debug = fake_sibling(device, type_newest(TYPE_ID3D12DebugDevice));
    struct object *first = object_wrap(device, device->type, true);
    struct object *second = object_wrap(debug, debug->type, true);
    object_set_note(first, OBJECT_NOTE_RECORDER, 5);
    object_set_note(first, OBJECT_NOTE_CRASH, 6);
    object_release_reference(first);
    object_released(first, true); /* one is left */
    cr_assert_eq(gone_count, 0);
    cr_assert(object_known(device) == first && object_wrap(device, device->type, false) == first);
    object_release_reference(first);
    object_release_reference(second);
    object_released(second, true);
    cr_assert_eq(gone_count, 1);
    cr_assert_eqs(gone[0][OBJECT_NOTE_RECORDER], 5, gone[0][OBJECT_NOTE_CRASH], 6);
    object_released(first, true);
    cr_assert_eq(gone_count, 1);
    cr_assert_eq(object_note(first, OBJECT_NOTE_CRASH), 0);
    /* the program's pointers still mean the runtime's, until others are there */
    cr_assert(object_known(device) == first && object_known(debug) == second);
    cr_assert(object_real(first) == device);
    struct object *anew = object_wrap(device, device->type, true);
    cr_assert(anew->more->identity != first->more->identity);
    cr_assert(anew != first && anew->more->number != first->more->number &&
              object_known(device) == anew);
    cr_assert_eqs(object_references(anew), 1, object_note(anew, OBJECT_NOTE_CRASH), 0);
    cr_assert(object_known(debug) == second);
    object_release_reference(anew);
    object_released(anew, true);
    cr_assert_eq(gone_count, 1);             /* it had none */
    cr_assert(object_known(device) == anew); /* the newest of both */
    cr_assert(object_known(debug) == second);
    struct object *other = object_wrap(fake_create(TYPE_ID3D12Fence1), TYPE_ID3D12Fence1, true);
    object_set_note(other, OBJECT_NOTE_RECORDER, 3);
    object_release_reference(other);
    object_released(other, true);
    cr_assert_eqs(gone_count, 2, gone[1][OBJECT_NOTE_RECORDER], 3);
}

/* The runtime's object ended without a word, as one that another kept does. */
Test(objects_gone, a_new_object_at_the_address_of_one_without_references_is_another)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *first = object_wrap(fake, TYPE_ID3D12Fence1, true);
    object_set_note(first, OBJECT_NOTE_CRASH, 9);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, true) == first); /* both references are there */
    object_release_reference(first);
    object_release_reference(first);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, false) == first); /* returned, not created */
    object_release_reference(first);
    struct object *second = object_wrap(fake, TYPE_ID3D12Fence1, true);
    cr_assert(second != first);
    cr_assert_eqs(gone_count, 1, gone[0][OBJECT_NOTE_CRASH], 9);
    cr_assert_eqs(gone[0][OBJECT_NOTE_RECORDER], 0, object_references(second), 1);
}

static uint64_t method(int number, void *object, uint64_t first, uint64_t second);

/* A long run makes and releases millions: what is kept of the newest is everything, of others the
 * few bytes by which a program's call still reaches the runtime. */
Test(objects_gone, little_is_kept_of_objects_that_are_gone)
{
    enum { MANY = 20000, BYTES = 40 };
    static struct fake *fakes[MANY];
    static struct object *wrappers[MANY];
    for (int i = 0; i < MANY; i++)
        fakes[i] = fake_create(TYPE_ID3D12Fence1);
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < MANY; i++) {
        wrappers[i] = object_wrap(fakes[i], TYPE_ID3D12Fence1, true);
        object_set_note(wrappers[i], OBJECT_NOTE_CRASH, 1);
        object_release_reference(wrappers[i]);
        object_released(wrappers[i], true);
        gone_count = 0;
    }
    const size_t kept = (size_t)OBJECTS_KEPT * 512 + (size_t)MANY * BYTES;
    const size_t after = mallinfo2().uordblks;
    cr_assert(after < before + kept, "%zu bytes", after - before);
    struct object *newest = wrappers[MANY - OBJECTS_KEPT], *oldest = wrappers[0];
    cr_assert(!object_is_forgotten(newest) && newest->more->number);
    cr_assert(object_known(fakes[MANY - OBJECTS_KEPT]) == newest);
    cr_assert(object_is_forgotten(wrappers[MANY - OBJECTS_KEPT - 1]));
    cr_assert(object_is_forgotten(oldest) && object_known(fakes[0]) == fakes[0]);
    cr_assert(object_at(oldest) == oldest && object_real(oldest) == fakes[0]);
    cr_assert_eqs(object_references(oldest), 0, object_set_note(oldest, OBJECT_NOTE_CRASH, 2), 0);
    cr_assert_eqs(object_note(oldest, OBJECT_NOTE_CRASH), 0,
                  object_take_note(oldest, OBJECT_NOTE_CRASH), 0);
    cr_assert_eq(method(METHOD_IUnknown_AddRef, oldest, 0, 0), 2);
    cr_assert_eq(method(METHOD_IUnknown_Release, oldest, 0, 0), 1);
    cr_assert_eqs(fakes[0]->references, 1, gone_count, 0);
    struct object *anew = object_wrap(fakes[0], TYPE_ID3D12Fence1, true);
    cr_assert(anew != oldest && object_references(anew) == 1);
}

/* A swap chain's buffers go with a resize, without a Release of the program's. */
Test(objects_gone, an_object_that_ended_by_itself_is_another_afterwards)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *first = object_wrap(fake, TYPE_ID3D12Fence1, false);
    object_set_note(first, OBJECT_NOTE_CRASH, 4);
    object_ended(fake); /* the program has a reference still */
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, false) == first);
    object_release_reference(first);
    object_release_reference(first);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, false) == first);
    object_release_reference(first);
    object_ended(fake);
    cr_assert_eqs(gone_count, 1, gone[0][OBJECT_NOTE_CRASH], 4);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, false) != first);
    object_ended(&fake); /* none */
    cr_assert_eq(gone_count, 1);
}

/* While a Release runs, others may end any number of objects. */
Test(objects_gone, what_a_release_needs_is_kept_until_it_returns)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
    object_release_reference(wrapper);
    cr_assert(object_wrap(fake, TYPE_ID3D12Fence1, true) != wrapper); /* a new one is there */
    for (int i = 0; i < 2 * OBJECTS_KEPT; i++) {
        struct object *other = object_wrap(fake_create(TYPE_ID3D12Fence1), TYPE_ID3D12Fence1, true);
        object_release_reference(other);
        object_released(other, true);
    }
    cr_assert(!object_is_forgotten(wrapper));
    object_released(wrapper, true);
    struct object *last = object_wrap(fake_create(TYPE_ID3D12Fence1), TYPE_ID3D12Fence1, true);
    object_release_reference(last);
    object_released(last, true);
    cr_assert(object_is_forgotten(wrapper));
}

/* An object without an IUnknown is one by itself. */
Test(objects_gone, objects_without_identity_are_told_apart)
{
    struct object *wrappers[2];
    for (int i = 0; i < 2; i++) {
        struct fake *fake = fake_create(TYPE_ID3D12Fence1);
        fake->queried = i ? (int32_t)E_NOINTERFACE : 0;
        fake->is_silent = true;
        wrappers[i] = object_wrap(fake, TYPE_ID3D12Fence1, true);
        cr_assert(wrappers[i]->real == fake);
        object_set_note(wrappers[i], OBJECT_NOTE_CRASH, 1);
    }
    cr_assert(wrappers[0]->more->identity != wrappers[1]->more->identity);
    object_release_reference(wrappers[0]);
    object_released(wrappers[0], true);
    cr_assert_eqs(gone_count, 1, object_note(wrappers[1], OBJECT_NOTE_CRASH), 1);
}

/* Each allocation of the first wrapper, and of one that enlarges the tables, fails in turn. */
Test(objects_gone, without_memory_a_pointer_stays_the_runtimes)
{
    for (unsigned from = 1;; from++) {
        struct fake *fake = fake_create(TYPE_ID3D12Fence1);
        fake_fail_allocations(from);
        struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
        fake_fail_allocations(0);
        cr_assert(object_known(fake) == (void *)wrapper);
        if (wrapper != (void *)fake) {
            cr_assert(from > 4); /* an identity, a wrapper, and tables of both */
            break;
        }
        cr_assert_eq(fake->references, 1);
        cr_assert(object_of_identity(fake, TYPE_IUnknown) == NULL);
        cr_assert(object_number_of_address(wrapper) & OBJECT_FOREIGN);
        wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
        cr_assert(object_at(wrapper) == wrapper && object_known(fake) == wrapper);
        cr_assert_eq(object_references(wrapper), 1);
        object_release_reference(wrapper);
        object_released(wrapper, true);
    }
}

Test(objects, without_memory_what_is_not_ours_shares_a_number)
{
    struct fake *other = fake_create(TYPE_ID3D12Heap);
    unsigned from = 0;
    uint64_t number;
    do {
        fake_fail_allocations(++from);
        number = object_number(other);
        fake_fail_allocations(0);
        cr_assert(number & OBJECT_FOREIGN);
    } while (number == OBJECT_FOREIGN);
    cr_assert(from > 2 && object_number(other) == number);
}

/* ---- through the methods ---- */

static uint64_t method(int number, void *object, uint64_t first, uint64_t second)
{
    struct call_result result = {0};
    const uint64_t args[CODEC_ARGS] = {first, second};
    call_method((unsigned)number, object, args, &result);
    return result.word;
}

Test(objects, references_are_the_runtimes_own)
{
    struct fake *fake = fake_create(TYPE_ID3D12Fence1);
    struct object *wrapper = object_wrap(fake, TYPE_ID3D12Fence1, true);
    cr_assert_eq(method(METHOD_IUnknown_AddRef, wrapper, 0, 0), 2);
    cr_assert_eqs(fake->references, 2, object_references(wrapper), 2);
    fake->references = 9; /* the runtime has its own */
    cr_assert_eq(method(METHOD_IUnknown_Release, wrapper, 0, 0), 8);
    cr_assert_eq(object_references(wrapper), 1);
    fake->references = 1;
    cr_assert_eq(method(METHOD_IUnknown_Release, wrapper, 0, 0), 0);
    cr_assert(object_of_identity(fake, TYPE_IUnknown) == NULL); /* gone */
    cr_assert(object_known(fake) == wrapper);
    /* the runtime keeps it: it is not gone */
    struct fake *kept = fake_create(TYPE_ID3D12Fence1);
    struct object *of_kept = object_wrap(kept, TYPE_ID3D12Fence1, true);
    kept->references = 2;
    cr_assert_eq(method(METHOD_IUnknown_Release, of_kept, 0, 0), 1);
    cr_assert(object_of_identity(kept, TYPE_IUnknown) == of_kept);
}

static struct object *query(struct object *wrapper, uint16_t type, uint32_t right)
{
    struct object *found = (void *)(uintptr_t)0x1234;
    const uint8_t *iid = schema_interfaces[type - SCHEMA_INTERFACE_FIRST].iid;
    cr_assert_eq(method(METHOD_IUnknown_QueryInterface, wrapper, (uintptr_t)iid, (uintptr_t)&found),
                 right, "%u", type);
    return found;
}

Test(objects, queries_answer_with_wrappers)
{
    struct fake *device = fake_create(type_newest(TYPE_ID3D12Device));
    struct fake *debug = fake_sibling(device, type_newest(TYPE_ID3D12DebugDevice));
    struct object *wrapper = object_wrap(device, device->type, true);
    cr_assert(query(wrapper, TYPE_ID3D12Device, 0) == wrapper);
    cr_assert(query(wrapper, TYPE_IUnknown, 0) == wrapper);
    struct object *other = query(wrapper, TYPE_ID3D12DebugDevice, 0);
    cr_assert(other != wrapper && other->real == debug);
    cr_assert_eq(other->more->type, debug->type);
    cr_assert(query(other, TYPE_ID3D12Device, 0) == wrapper);
    cr_assert_eqs(object_references(wrapper), 5, device->references, 6);
    cr_assert(query(wrapper, TYPE_ID3D12Fence, (uint32_t)E_NOINTERFACE) == NULL);
    cr_assert_eq(object_references(wrapper), 5);
}
