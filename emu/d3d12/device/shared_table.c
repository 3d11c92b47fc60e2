#include "device/shared_table.h"

#include "os_handle.h"
#include "base/wide.h"
#include "containers.h"
#include "gate.h"

#include <pthread.h>

struct entry {
    UT_hash_handle by_token, by_name;
    uint64_t token;
    struct d3d12_child *child; /* no reference: `forget` removes the entry */
    WCHAR *name;               /* NULL: none */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *tokens,
    *names; /* the same entries; those without a name are in the first only */
static uint64_t last_token;

static size_t name_size(LPCWSTR name)
{
    return (wide_length(name) + 1) * sizeof *name;
}

/* The lock is held. */
static const struct entry *find_name(LPCWSTR name)
{
    struct entry *found;
    HASH_FIND(by_name, names, name, name_size(name), found);
    return found;
}

static void entry_free(struct entry *entry)
{
    free(entry->name);
    free(entry);
}

/* The lock is held. */
static void entry_remove(struct entry *entry)
{
    HASH_DELETE(by_token, tokens, entry);
    if (entry->name)
        HASH_DELETE(by_name, names, entry);
}

/* d3d12_child.gone. */
static void forget(const struct d3d12_child *child)
{
    struct entry *entry, *next;
    emu_lock(&lock);
    HASH_ITER(by_token, tokens, entry, next)
    {
        if (entry->child != child)
            continue;
        entry_remove(entry);
        entry_free(entry);
    }
    emu_unlock(&lock);
}

/* The lock is held. False without memory. */
static bool entry_insert(struct entry *entry)
{
    bool added;
    HASH_ADD_KEYPTR_OR_FAIL(by_token, tokens, &entry->token, sizeof entry->token, entry, added);
    if (!added || !entry->name)
        return added;
    HASH_ADD_KEYPTR_OR_FAIL(by_name, names, entry->name, name_size(entry->name), entry, added);
    if (!added)
        HASH_DELETE(by_token, tokens, entry);
    return added;
}

/* The lock is held. */
static HRESULT add(struct entry *entry, HANDLE *out)
{
    if (entry->name && find_name(entry->name))
        return DXGI_ERROR_NAME_ALREADY_EXISTS;
    entry->token = ++last_token;
    if (!entry_insert(entry))
        return E_OUTOFMEMORY;
    if (!os_token_create(entry->token, out)) {
        entry_remove(entry);
        return E_FAIL;
    }
    atomic_store(&entry->child->gone, forget);
    return S_OK;
}

HRESULT shared_table_add(struct d3d12_child *child, LPCWSTR name, HANDLE *out)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return E_OUTOFMEMORY;
    entry->child = child;
    if (name) {
        entry->name = malloc(name_size(name));
        if (!entry->name) {
            entry_free(entry);
            return E_OUTOFMEMORY;
        }
        memcpy(entry->name, name, name_size(name));
    }
    emu_lock(&lock);
    HRESULT hr = add(entry, out);
    emu_unlock(&lock);
    if (FAILED(hr))
        entry_free(entry);
    return hr;
}

struct d3d12_child *shared_table_find(HANDLE handle)
{
    struct entry *entry;
    uint64_t token;
    if (!os_token_read(handle, &token))
        return NULL;
    emu_lock(&lock);
    HASH_FIND(by_token, tokens, &token, sizeof token, entry);
    struct d3d12_child *child =
        entry && d3d12_child_try_add_ref(entry->child) ? entry->child : NULL;
    emu_unlock(&lock);
    return child;
}

HRESULT shared_table_open(LPCWSTR name, HANDLE *out)
{
    emu_lock(&lock);
    const struct entry *entry = find_name(name);
    HRESULT hr = E_INVALIDARG;
    if (entry)
        hr = os_token_create(entry->token, out) ? S_OK : E_FAIL;
    emu_unlock(&lock);
    return hr;
}
