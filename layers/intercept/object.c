#include "object.h"
#include "held.h"

#include "d3d12.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* All interface pointers of one COM object: they share its reference count. */
struct identity {
    void *unknown; /* the object's IUnknown, which identifies it */
    int64_t references;
    struct object *objects;
    _Atomic uintptr_t notes[OBJECT_NOTES];
    UT_hash_handle hh;
};

struct foreign {
    void *pointer;
    uint64_t number;
    UT_hash_handle hh;
};

struct entry { /* real pointer to wrapper */
    struct object object;
    UT_hash_handle hh;
    const struct object *self;
    UT_hash_handle by_self;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct identity *identities;
static struct entry *entries, *wrappers;
static struct foreign *foreigners;
static struct object *retired;
static uint64_t numbers;
static const object_slot *const *tables;
object_slot object_first_slot;
static void (*tell_gone)(const uintptr_t *notes);

static const object_slot *table_of(uint16_t type)
{
    return tables[type - SCHEMA_INTERFACE_FIRST];
}

int32_t object_query(void *real, const uint8_t iid[16], void **out)
{
    IID as_declared;
    IUnknown *unknown = real;
    memcpy(&as_declared, iid, sizeof as_declared);
    return unknown->lpVtbl->QueryInterface(unknown, &as_declared, out);
}

uint32_t object_release(void *real)
{
    IUnknown *unknown = real;
    return unknown->lpVtbl->Release(unknown);
}

static uint64_t foreign_number(void *pointer)
{
    struct foreign *foreign;
    pthread_mutex_lock(&lock);
    HASH_FIND_PTR(foreigners, &pointer, foreign);
    if (!foreign && (foreign = calloc(1, sizeof *foreign))) {
        foreign->pointer = pointer;
        foreign->number = OBJECT_FOREIGN | ++numbers;
        HASH_ADD_PTR(foreigners, pointer, foreign);
        if (!foreign->hh.tbl) {
            free(foreign);
            foreign = NULL;
        }
    }
    const uint64_t number = foreign ? foreign->number : OBJECT_FOREIGN;
    pthread_mutex_unlock(&lock);
    return number;
}

void object_forget_foreign(void *pointer)
{
    struct foreign *foreign;
    pthread_mutex_lock(&lock);
    HASH_FIND_PTR(foreigners, &pointer, foreign);
    if (foreign)
        HASH_DEL(foreigners, foreign);
    pthread_mutex_unlock(&lock);
    free(foreign);
}

uint64_t object_number(void *pointer)
{
    const struct object *object = object_at(pointer);
    return object ? object->number : foreign_number(pointer);
}

void *object_known(void *real)
{
    struct entry *entry;
    void *known = real;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, entries, &real, sizeof real, entry);
    if (entry)
        known = &entry->object;
    for (struct object *o = retired; o && known == real; o = o->sibling)
        if (o->real == real) /* the newest is first */
            known = o;
    pthread_mutex_unlock(&lock);
    return known;
}

uint64_t object_number_of_address(void *pointer)
{
    struct entry *entry;
    pthread_mutex_lock(&lock);
    HASH_FIND(by_self, wrappers, &pointer, sizeof pointer, entry);
    pthread_mutex_unlock(&lock);
    return entry ? entry->object.number : foreign_number(pointer);
}

/* ---- which method table ---- */

static const struct schema_interface *interface_at(uint16_t type)
{
    return &schema_interfaces[type - SCHEMA_INTERFACE_FIRST];
}

static bool derives(uint16_t type, uint16_t base)
{
    while (type != TYPE_NONE && type != base)
        type = interface_at(type)->base;
    return type == base;
}

bool object_is(const struct object *object, uint16_t type)
{
    return derives(object->type, type);
}

/* For each interface the only leaf that derives from it; TYPE_NONE: there are several. */
static uint16_t leaves[TYPE_NONE - SCHEMA_INTERFACE_FIRST];

static void find_leaves(void)
{
    for (uint16_t leaf = SCHEMA_INTERFACE_FIRST; leaf < TYPE_NONE; leaf++) {
        for (uint16_t i = interface_at(leaf)->is_leaf ? leaf : TYPE_NONE; i != TYPE_NONE;
             i = interface_at(i)->base) {
            uint16_t *only = &leaves[i - SCHEMA_INTERFACE_FIRST];
            *only = *only ? TYPE_NONE : leaf;
        }
    }
}

static uint16_t only_leaf(uint16_t type)
{
    return leaves[type - SCHEMA_INTERFACE_FIRST];
}

/* The oldest interface of `leaf` that no other leaf has: what an object is asked for to see whether
 * it is one. */
static uint16_t root_of(uint16_t leaf)
{
    uint16_t root = leaf;
    for (uint16_t i = interface_at(leaf)->base; i != TYPE_NONE && only_leaf(i) == leaf;
         i = interface_at(i)->base)
        root = i;
    return root;
}

static bool is_implemented_at(void *real, uint16_t type)
{
    void *found = NULL;
    if (object_query(real, interface_at(type)->iid, &found) < 0 || !found)
        return false;
    object_release(found);
    return found == real;
}

/* An interface that many kinds of objects have (IUnknown, ID3D12Object...) says nothing of the
 * others that can be called through the same pointer: the object is asked. */
static uint16_t leaf_of(void *real, uint16_t type)
{
    const uint16_t leaf = only_leaf(type);
    if (leaf != TYPE_NONE)
        return leaf;
    for (uint16_t i = SCHEMA_INTERFACE_FIRST; i < TYPE_NONE; i++)
        if (interface_at(i)->is_leaf && derives(i, type) && is_implemented_at(real, root_of(i)))
            return i;
    return type;
}

void object_open(const object_slot *const *all, void (*gone)(const uintptr_t *notes))
{
    tables = all;
    object_first_slot = all[0][0];
    tell_gone = gone;
    find_leaves();
}

/* ---- wrapping ---- */

static struct identity *identity_of(void *unknown)
{
    struct identity *identity;
    HASH_FIND_PTR(identities, &unknown, identity);
    if (!identity && (identity = calloc(1, sizeof *identity))) {
        identity->unknown = unknown;
        HASH_ADD_PTR(identities, unknown, identity);
        if (!identity->hh.tbl) {
            free(identity);
            return NULL;
        }
    }
    return identity;
}

/* One that no object of ours has. */
static void forget_unused(struct identity *identity)
{
    if (!identity || identity->objects)
        return;
    HASH_DEL(identities, identity);
    free(identity);
}

struct object *object_of_identity(void *real, uint16_t type)
{
    struct identity *identity;
    void *unknown = NULL;
    if (object_query(real, interface_at(TYPE_IUnknown)->iid, &unknown) < 0 || !unknown)
        return NULL;
    object_release(unknown);
    pthread_mutex_lock(&lock);
    HASH_FIND_PTR(identities, &unknown, identity);
    struct object *object = identity ? identity->objects : NULL;
    while (object && !derives(object->type, type))
        object = object->sibling;
    pthread_mutex_unlock(&lock);
    return object;
}

static struct object *entry_for(void *real, void *unknown, uint16_t leaf)
{
    struct entry *entry;
    HASH_FIND(hh, entries, &real, sizeof real, entry);
    if (entry) {
        if (derives(leaf, entry->object.type)) { /* more of it is known now */
            entry->object.type = leaf;
            entry->object.table = table_of(leaf);
        }
        return &entry->object;
    }
    struct identity *identity = identity_of(unknown);
    entry = identity ? calloc(1, sizeof *entry) : NULL;
    if (!entry) {
        forget_unused(identity);
        return NULL;
    }
    entry->object = (struct object){.table = table_of(leaf),
                                    .real = real,
                                    .number = ++numbers,
                                    .type = leaf,
                                    .identity = identity,
                                    .notes = identity->notes,
                                    .sibling = identity->objects};
    entry->self = &entry->object;
    HASH_ADD(hh, entries, object.real, sizeof real, entry);
    if (entry->hh.tbl)
        HASH_ADD(by_self, wrappers, self, sizeof entry->self, entry);
    if (!entry->by_self.tbl) {
        if (entry->hh.tbl)
            HASH_DEL(entries, entry);
        free(entry);
        forget_unused(identity);
        return NULL;
    }
    identity->objects = &entry->object;
    return &entry->object;
}

void object_add_reference(struct object *object)
{
    pthread_mutex_lock(&lock);
    object->identity->references++;
    pthread_mutex_unlock(&lock);
}

int64_t object_references(const struct object *object)
{
    pthread_mutex_lock(&lock);
    const int64_t references = object->identity->references;
    pthread_mutex_unlock(&lock);
    return references;
}

void object_release_reference(struct object *object)
{
    pthread_mutex_lock(&lock);
    object->identity->references--;
    pthread_mutex_unlock(&lock);
}

/* Takes an identity without references out of the tables, and its notes; the lock is held. Its
 * memory stays: a program that uses an object after its end meets the runtime's answer and not
 * ours. */
static void retire(struct identity *identity, uintptr_t *notes)
{
    struct identity *found;
    HASH_FIND_PTR(identities, &identity->unknown, found);
    if (found != identity || !identity->objects)
        return;
    for (unsigned i = 0; i < OBJECT_NOTES; i++)
        notes[i] = atomic_exchange(&identity->notes[i], 0);
    HASH_DEL(identities, identity);
    struct object *last = identity->objects;
    for (struct object *o = identity->objects; o; o = o->sibling) {
        HASH_DEL(entries, (struct entry *)o);
        last = o;
    }
    last->sibling = retired;
    retired = identity->objects;
}

static void tell(const uintptr_t *notes)
{
    for (unsigned i = 0; i < OBJECT_NOTES; i++) {
        if (notes[i]) {
            tell_gone(notes);
            return;
        }
    }
}

void object_is_gone(struct object *object)
{
    uintptr_t notes[OBJECT_NOTES] = {0};
    pthread_mutex_lock(&lock);
    if (object->identity->references <= 0)
        retire(object->identity, notes);
    pthread_mutex_unlock(&lock);
    tell(notes);
}

uintptr_t object_set_note(const struct object *object, enum object_notes whose, uintptr_t note)
{
    uintptr_t there = 0;
    return atomic_compare_exchange_strong(&object->identity->notes[whose], &there, note) ? note
                                                                                         : there;
}

uintptr_t object_take_note(const struct object *object, enum object_notes whose)
{
    return atomic_exchange(&object->identity->notes[whose], 0);
}

void *object_wrap(void *real, uint16_t type, bool is_new)
{
    void *unknown = NULL;
    uintptr_t notes[OBJECT_NOTES] = {0};
    if (!real || object_at(real) || type == TYPE_NONE)
        return real;
    pthread_mutex_lock(&lock);
    struct entry *known;
    HASH_FIND(hh, entries, &real, sizeof real, known);
    if (known && is_new && known->object.identity->references <= 0) {
        /* the runtime's object died unseen, another is where it was */
        retire(known->object.identity, notes);
        known = NULL;
    }
    const bool is_known = known && derives(known->object.type, type);
    if (is_known)
        known->object.identity->references++;
    pthread_mutex_unlock(&lock);
    tell(notes);
    if (is_known)
        return &known->object;
    const uint16_t leaf = leaf_of(real, type);
    if (object_query(real, interface_at(TYPE_IUnknown)->iid, &unknown) < 0 || !unknown)
        unknown = real;
    else
        object_release(unknown);
    pthread_mutex_lock(&lock);
    struct object *object = entry_for(real, unknown, leaf);
    if (object)
        object->identity->references++;
    pthread_mutex_unlock(&lock);
    return object ? (void *)object : real;
}
