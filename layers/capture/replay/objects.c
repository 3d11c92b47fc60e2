#include "objects.h"

#include "../../intercept/resource.h"
#include "call.h"

#include "hashed.h"

#include <utlist.h>

struct kept {
    uint8_t guid[16];
    void *pointer;
    struct kept *next;
};

struct identity { /* a COM object; `unknown` is unique in the table */
    void *unknown;
    uint64_t serial;
    uint64_t references; /* number of replay's references */
    uint8_t *memory;
    uint64_t memory_size;
    struct kept *kept;
    UT_hash_handle hh;
};

struct entry { /* a number */
    uint64_t number;
    void *pointer, *unknown;
    uint64_t serial; /* 0: the object is replay's own */
    uint16_t type;
    UT_hash_handle hh;
};

struct objects {
    struct identity *identities;
    struct entry *entries;
    uint64_t serials;
};

struct objects *objects_create(void)
{
    return calloc(1, sizeof(struct objects));
}

static void clear(struct identity *i)
{
    struct kept *kept, *next;
    LL_FOREACH_SAFE(i->kept, kept, next)
    free(kept);
    i->kept = NULL;
    i->memory = NULL;
}

void objects_destroy(struct objects *all)
{
    struct identity *i, *next;
    if (!all)
        return;
    HASH_ITER(hh, all->identities, i, next)
    clear(i);
    TABLE_FREE(struct identity, all->identities)
    TABLE_FREE(struct entry, all->entries)
    free(all);
}

/* ---- objects ---- */

static struct identity *identity_at(const struct objects *all, const void *unknown)
{
    struct identity *i;
    HASH_FIND_PTR(all->identities, &unknown, i);
    return i;
}

bool objects_take(struct objects *all, void *pointer, bool is_kept)
{
    void *unknown = call_identity(pointer);
    struct identity *i;
    TABLE_FIND_OR_ADD(all->identities, unknown, unknown, i);
    if (!i)
        return false;
    if (i->serial == 0 || (i->references == 0 && !is_kept))
        i->serial = ++all->serials; /* a new object at an old object's address */
    i->references++;
    return true;
}

/* ---- numbers ---- */

static struct entry *entry_of(const struct objects *all, uint64_t number)
{
    struct entry *e;
    HASH_FIND(hh, all->entries, &number, sizeof number, e);
    return e;
}

static struct entry *add_entry(struct objects *all, uint64_t number)
{
    struct entry *e;
    TABLE_FIND_OR_ADD(all->entries, number, number, e);
    return e;
}

/* Returns the number's object, if replay has a reference to the object. */
static struct identity *live(const struct objects *all, uint64_t number)
{
    const struct entry *e = entry_of(all, number);
    struct identity *i = e && e->serial ? identity_at(all, e->unknown) : NULL;
    return i && i->serial == e->serial && i->references ? i : NULL;
}

bool objects_name(struct objects *all, uint64_t number, void *pointer, uint16_t type)
{
    void *unknown = call_identity(pointer);
    const struct identity *i = identity_at(all, unknown);
    struct entry *e = i ? add_entry(all, number) : NULL;
    if (!e)
        return !i;
    const bool is_same = e->pointer == pointer && e->serial == i->serial;
    if (!is_same || schema_derives(type, e->type)) /* a newer interface is known now */
        e->type = type;
    e->pointer = pointer;
    e->unknown = unknown;
    e->serial = i->serial;
    return true;
}

bool objects_name_foreign(struct objects *all, uint64_t number, void *pointer)
{
    struct entry *e = pointer ? add_entry(all, number) : NULL;
    if (!e)
        return false;
    e->pointer = e->unknown = pointer;
    e->serial = 0;
    e->type = TYPE_IUnknown;
    return true;
}

/* Whether the pointer also has an interface other than the recorded one; asks the object. */
static bool is_also(struct entry *e, uint16_t type)
{
    if (object_peek(e->pointer, schema_interfaces[type - SCHEMA_INTERFACE_FIRST].iid) != e->pointer)
        return false;
    if (schema_derives(type, e->type))
        e->type = type;
    return true;
}

enum objects_answer objects_find(struct objects *all, uint64_t number, uint16_t type,
                                 void **pointer)
{
    struct entry *e = entry_of(all, number);
    *pointer = NULL;
    if (!e)
        return OBJECTS_UNKNOWN;
    if (e->serial && !live(all, number))
        return OBJECTS_GONE;
    *pointer = e->pointer;
    return schema_derives(e->type, type) || is_also(e, type) ? OBJECTS_FINE : OBJECTS_OTHER;
}

uint64_t objects_serial(const struct objects *all, uint64_t number)
{
    const struct identity *i = live(all, number);
    return i ? i->serial : 0;
}

/* ---- references ---- */

void objects_add_reference(struct objects *all, uint64_t number)
{
    struct identity *i = live(all, number);
    if (i)
        i->references++;
}

void objects_release(struct objects *all, uint64_t number, uint32_t left)
{
    struct identity *i = live(all, number);
    if (!i)
        return;
    i->references = left ? i->references - 1 : 0;
    if (i->references == 0)
        clear(i);
}

static int newest_first(const struct identity *a, const struct identity *b)
{
    return a->serial < b->serial ? 1 : -1;
}

void objects_release_all(struct objects *all)
{
    struct identity *i, *next;
    const struct kept *kept;
    HASH_ITER(hh, all->identities, i, next)
    {
        if (i->references == 0)
            continue;
        LL_FOREACH(i->kept, kept)
        if (kept->pointer)
            call_forget(i->unknown, kept->guid); /* a device may keep its child, which keeps it */
    }
    HASH_SORT(all->identities, newest_first);
    HASH_ITER(hh, all->identities, i, next)
    {
        uint64_t references = i->references;
        i->references = 0;
        for (; references; references--)
            object_release(i->unknown);
    }
}

/* ---- memory ---- */

void objects_map(struct objects *all, uint64_t number, void *memory, uint64_t size)
{
    struct identity *i = live(all, number);
    if (!i)
        return;
    i->memory = memory;
    i->memory_size = size;
}

uint8_t *objects_bytes(struct objects *all, uint64_t number, uint64_t offset, uint64_t size)
{
    const struct identity *i = live(all, number);
    return i && i->memory && offset <= i->memory_size && size <= i->memory_size - offset
               ? i->memory + offset
               : NULL;
}

/* ---- private data ---- */

static struct kept *find_kept(const struct identity *i, const uint8_t guid[16])
{
    struct kept *kept = NULL;
    if (i)
        LL_FOREACH(i->kept, kept)
    if (memcmp(kept->guid, guid, sizeof kept->guid) == 0)
        break;
    return kept;
}

bool objects_keep(struct objects *all, uint64_t number, const uint8_t guid[16], void *pointer)
{
    struct identity *i = live(all, number);
    struct kept *kept = find_kept(i, guid);
    if (!i || (!kept && !pointer))
        return true;
    if (!kept) {
        kept = calloc(1, sizeof *kept);
        if (!kept)
            return false;
        memcpy(kept->guid, guid, sizeof kept->guid);
        LL_PREPEND(i->kept, kept);
    }
    kept->pointer = pointer;
    return true;
}

void *objects_kept(const struct objects *all, uint64_t number, const uint8_t guid[16])
{
    const struct kept *kept = find_kept(live(all, number), guid);
    return kept ? kept->pointer : NULL;
}
