#include "object.h"
#include "held.h"

#include "d3d12.h"
#include "hashed.h"

#include <utlist.h>

/* All interface pointers of one COM object: they share its reference count. */
struct identity {
    void *unknown; /* the object's IUnknown, which identifies it */
    uint64_t number;
    int64_t references;
    struct entry *entries;
    UT_hash_handle hh;
};

struct foreign {
    void *pointer;
    uint64_t number;
    UT_hash_handle hh;
};

struct entry {
    struct object_more more; /* first */
    void *real;
    UT_hash_handle hh; /* the table by `unknown` */
    struct object *self;
    UT_hash_handle by_self;
    struct identity *identity; /* NULL: the object is gone */
    struct entry *next;        /* the identity's next entry; gone: the next older entry */
    struct entry *newer;       /* the next newer entry of a gone object */
    atomic_uint releases;      /* Releases that have not returned; the entry stays meanwhile */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct identity *identities;
static struct entry *entries, *wrappers;
static struct foreign *foreigners;
static struct entry *newest_gone; /* the list's head; its `newer` is the oldest one */
static struct block {
    struct block *older;
    struct object objects[512];
} * blocks;
static struct object *oldest_forgotten, *newest_forgotten;
static unsigned gone_count, free_count, forgotten_count;
static uint64_t numbers;
static const object_slot *const *tables;
object_slot object_first_slot;
static void (*tell_gone)(const uintptr_t *notes);

static const object_slot *table_of(uint16_t type)
{
    return tables[type - SCHEMA_INTERFACE_FIRST];
}

static uint64_t foreign_number(void *pointer)
{
    struct foreign *foreign;
    pthread_mutex_lock(&lock);
    TABLE_FIND_OR_ADD(foreigners, pointer, pointer, foreign);
    if (foreign && !foreign->number)
        foreign->number = OBJECT_FOREIGN | ++numbers;
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
    return object ? object->more->number : foreign_number(pointer);
}

void *object_known(void *real)
{
    struct entry *entry;
    void *known = real;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, entries, &real, sizeof real, entry);
    for (struct entry *gone = newest_gone; gone && !entry; gone = gone->next)
        if (gone->real == real)
            entry = gone;
    if (entry)
        known = entry->self;
    pthread_mutex_unlock(&lock);
    return known;
}

uint64_t object_number_of_address(void *pointer)
{
    struct entry *entry;
    pthread_mutex_lock(&lock);
    HASH_FIND(by_self, wrappers, &pointer, sizeof pointer, entry);
    const uint64_t number = entry ? entry->more.number : 0;
    pthread_mutex_unlock(&lock);
    return number ? number : foreign_number(pointer);
}

/* ---- choice of the method table ---- */

static const struct schema_interface *interface_at(uint16_t type)
{
    return &schema_interfaces[type - SCHEMA_INTERFACE_FIRST];
}

bool object_is(const struct object *object, uint16_t type)
{
    return schema_derives(object->more->type, type);
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

/* The oldest interface of `leaf` that no other leaf has. A query for this interface shows whether
 * an object is of this kind. */
static uint16_t root_of(uint16_t leaf)
{
    uint16_t root = leaf;
    for (uint16_t i = interface_at(leaf)->base; i != TYPE_NONE && only_leaf(i) == leaf;
         i = interface_at(i)->base)
        root = i;
    return root;
}

/* Returns the leaf of a pointer. Many kinds of objects have IUnknown, ID3D12Object and so on. These
 * interfaces don't tell the kind, so the object is asked. */
static uint16_t leaf_of(void *real, uint16_t type)
{
    const uint16_t leaf = only_leaf(type);
    if (leaf != TYPE_NONE)
        return leaf;
    for (uint16_t i = SCHEMA_INTERFACE_FIRST; i < TYPE_NONE; i++)
        if (interface_at(i)->is_leaf && schema_derives(i, type) &&
            object_peek(real, interface_at(root_of(i))->iid) == real)
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

static struct entry forgotten = {.more.type = TYPE_IUnknown};

/* Returns the entry; the lock is held, or a Release is running. NULL: the object is forgotten. */
static struct entry *entry_of(const struct object *object)
{
    return object_is_forgotten(object) ? NULL : (struct entry *)object->more;
}

static struct identity *identity_of(void *unknown)
{
    struct identity *identity;
    TABLE_FIND_OR_ADD(identities, unknown, unknown, identity);
    if (identity && !identity->number)
        identity->number = ++numbers;
    return identity;
}

/* Forgets an identity that no wrapper has. */
static void forget_unused(struct identity *identity)
{
    if (!identity || identity->entries)
        return;
    HASH_DEL(identities, identity);
    free(identity);
}

struct object *object_of_identity(void *real, uint16_t type)
{
    struct identity *identity;
    void *unknown = object_peek(real, interface_at(TYPE_IUnknown)->iid);
    if (!unknown)
        return NULL;
    pthread_mutex_lock(&lock);
    HASH_FIND_PTR(identities, &unknown, identity);
    struct entry *entry = identity ? identity->entries : NULL;
    while (entry && !schema_derives(entry->more.type, type))
        entry = entry->next;
    pthread_mutex_unlock(&lock);
    return entry ? entry->self : NULL;
}

static void forget_object(struct object *object)
{
    object->more = &forgotten.more;
    object->next = NULL;
    *(forgotten_count++ ? &newest_forgotten->next : &oldest_forgotten) = object;
    newest_forgotten = object;
}

/* Returns the oldest forgotten object, or one from blocks, which are never freed. */
static struct object *object_allocate(void)
{
    struct object *oldest = oldest_forgotten;
    if (forgotten_count > OBJECTS_FORGOTTEN) {
        oldest_forgotten = oldest->next;
        forgotten_count--;
        return oldest;
    }
    if (free_count == 0) {
        struct block *block = malloc(sizeof *block);
        if (!block)
            return NULL;
        block->older = blocks;
        blocks = block;
        free_count = sizeof block->objects / sizeof *block->objects;
    }
    return &blocks->objects[--free_count];
}

static struct entry *entry_create(void *real, struct identity *identity)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry || !(entry->self = object_allocate())) {
        free(entry);
        return NULL;
    }
    entry->real = real;
    HASH_ADD(hh, entries, real, sizeof real, entry);
    if (entry->hh.tbl)
        HASH_ADD(by_self, wrappers, self, sizeof entry->self, entry);
    if (!entry->by_self.tbl) {
        if (entry->hh.tbl)
            HASH_DEL(entries, entry);
        forget_object(entry->self);
        free(entry);
        return NULL;
    }
    entry->more.number = ++numbers;
    entry->more.identity = identity->number;
    entry->identity = identity;
    entry->next = identity->entries;
    for (unsigned i = 0; i < OBJECT_NOTES && entry->next; i++)
        entry->more.notes[i] = entry->next->more.notes[i];
    identity->entries = entry;
    return entry;
}

static struct object *entry_for(void *real, void *unknown, uint16_t leaf)
{
    struct entry *entry;
    HASH_FIND(hh, entries, &real, sizeof real, entry);
    if (!entry) {
        struct identity *identity = identity_of(unknown);
        entry = identity ? entry_create(real, identity) : NULL;
        if (!entry) {
            forget_unused(identity);
            return NULL;
        }
        entry->more.type = leaf;
        *entry->self = (struct object){table_of(leaf), real, &entry->more, NULL};
    } else if (schema_derives(leaf, entry->more.type)) { /* a newer interface is known now */
        entry->more.type = leaf;
        entry->self->table = table_of(leaf);
    }
    entry->identity->references++;
    return entry->self;
}

void object_add_reference(struct object *object)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = entry_of(object);
    if (entry && entry->identity)
        entry->identity->references++;
    pthread_mutex_unlock(&lock);
}

int64_t object_references(const struct object *object)
{
    pthread_mutex_lock(&lock);
    const struct entry *entry = entry_of(object);
    const int64_t references = entry && entry->identity ? entry->identity->references : 0;
    pthread_mutex_unlock(&lock);
    return references;
}

void object_release_reference(struct object *object)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = entry_of(object);
    if (entry)
        entry->releases++;
    if (entry && entry->identity)
        entry->identity->references--;
    pthread_mutex_unlock(&lock);
}

/* If too many objects are gone, forgets the oldest gone object. The caller holds the lock. */
static void forget_oldest(void)
{
    struct entry *entry = newest_gone->newer;
    while (entry->releases > 0 && entry != newest_gone)
        entry = entry->newer;
    if (gone_count <= OBJECTS_KEPT || entry->releases > 0)
        return;
    DL_DELETE2(newest_gone, entry, newer, next);
    gone_count--;
    HASH_DELETE(by_self, wrappers, entry);
    forget_object(entry->self);
    free(entry);
}

/* Takes an object without references out of the tables, and takes its notes. The lock is held. */
static void retire(struct identity *identity, uintptr_t *notes)
{
    struct entry *next;
    for (unsigned i = 0; i < OBJECT_NOTES; i++)
        notes[i] = identity->entries->more.notes[i];
    for (struct entry *entry = identity->entries; entry; entry = next) {
        next = entry->next;
        HASH_DEL(entries, entry);
        for (unsigned i = 0; i < OBJECT_NOTES; i++)
            entry->more.notes[i] = 0;
        entry->identity = NULL;
        DL_PREPEND2(newest_gone, entry, newer, next);
        gone_count++;
        forget_oldest();
    }
    HASH_DEL(identities, identity);
    free(identity);
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

void object_released(struct object *object, bool is_gone)
{
    uintptr_t notes[OBJECT_NOTES] = {0};
    struct entry *entry = entry_of(object);
    if (!is_gone) {
        if (entry)
            atomic_fetch_sub_explicit(&entry->releases, 1, memory_order_release);
        return;
    }
    pthread_mutex_lock(&lock);
    if (entry && atomic_load_explicit(&entry->releases, memory_order_relaxed) > 0)
        atomic_fetch_sub_explicit(&entry->releases, 1, memory_order_relaxed);
    if (entry && entry->identity && entry->identity->references <= 0)
        retire(entry->identity, notes);
    pthread_mutex_unlock(&lock);
    tell(notes);
}

void object_ended(void *real)
{
    uintptr_t notes[OBJECT_NOTES] = {0};
    struct entry *entry;
    pthread_mutex_lock(&lock);
    HASH_FIND(hh, entries, &real, sizeof real, entry);
    if (entry && entry->identity->references <= 0)
        retire(entry->identity, notes);
    pthread_mutex_unlock(&lock);
    tell(notes);
}

/* Puts a note into all interfaces of one object. The lock is held. */
static void put_note(struct identity *identity, enum object_notes whose, uintptr_t note)
{
    for (struct entry *each = identity->entries; each; each = each->next)
        each->more.notes[whose] = note;
}

uintptr_t object_set_note(const struct object *object, enum object_notes whose, uintptr_t note)
{
    pthread_mutex_lock(&lock);
    const struct entry *entry = entry_of(object);
    if (!entry || !entry->identity)
        note = 0;
    else if (entry->more.notes[whose])
        note = entry->more.notes[whose];
    else
        put_note(entry->identity, whose, note);
    pthread_mutex_unlock(&lock);
    return note;
}

uintptr_t object_take_note(const struct object *object, enum object_notes whose)
{
    pthread_mutex_lock(&lock);
    const struct entry *entry = entry_of(object);
    const uintptr_t note = entry ? entry->more.notes[whose] : 0;
    if (note)
        put_note(entry->identity, whose, 0);
    pthread_mutex_unlock(&lock);
    return note;
}

void *object_wrap(void *real, uint16_t type, bool is_new)
{
    uintptr_t notes[OBJECT_NOTES] = {0};
    if (!real || object_at(real) || type == TYPE_NONE)
        return real;
    pthread_mutex_lock(&lock);
    struct entry *known;
    HASH_FIND(hh, entries, &real, sizeof real, known);
    if (known && is_new && known->identity->references <= 0) {
        /* the runtime's object ended unseen, and another object has its address */
        retire(known->identity, notes);
        known = NULL;
    }
    struct object *object = known && schema_derives(known->more.type, type) ? known->self : NULL;
    if (object)
        known->identity->references++;
    pthread_mutex_unlock(&lock);
    tell(notes);
    if (object)
        return object;
    const uint16_t leaf = leaf_of(real, type);
    void *unknown = object_peek(real, interface_at(TYPE_IUnknown)->iid);
    if (!unknown)
        unknown = real;
    pthread_mutex_lock(&lock);
    object = entry_for(real, unknown, leaf);
    pthread_mutex_unlock(&lock);
    return object ? (void *)object : real;
}
