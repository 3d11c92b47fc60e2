#include "device/shared_table.h"

#include "base/os.h"

#include <pthread.h>

struct entry {
    struct entry *next;
    uint64_t token;
    struct d3d12_child *child; /* no reference: it takes itself out */
    WCHAR *name;               /* NULL: none */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static uint64_t last_token;

static size_t name_size(LPCWSTR name)
{
    size_t length = 0;
    while (name[length] != 0)
        length++;
    return (length + 1) * sizeof *name;
}

/* The lock is held. */
static const struct entry *find_name(LPCWSTR name)
{
    const size_t size = name_size(name);
    for (const struct entry *e = entries; e != NULL; e = e->next)
        if (e->name != NULL && name_size(e->name) == size && memcmp(e->name, name, size) == 0)
            return e;
    return NULL;
}

static void entry_free(struct entry *entry)
{
    free(entry->name);
    free(entry);
}

/* d3d12_child.gone. */
static void forget(const struct d3d12_child *child)
{
    pthread_mutex_lock(&lock);
    for (struct entry **link = &entries; *link != NULL;) {
        struct entry *entry = *link;
        if (entry->child != child) {
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        entry_free(entry);
    }
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static HRESULT add(struct entry *entry, HANDLE *out)
{
    if (entry->name != NULL && find_name(entry->name) != NULL)
        return DXGI_ERROR_NAME_ALREADY_EXISTS;
    entry->token = ++last_token;
    if (!os_token_create(entry->token, out))
        return E_FAIL;
    entry->next = entries;
    entries = entry;
    atomic_store(&entry->child->gone, forget);
    return S_OK;
}

HRESULT shared_table_add(struct d3d12_child *child, LPCWSTR name, HANDLE *out)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        return E_OUTOFMEMORY;
    entry->child = child;
    if (name != NULL) {
        entry->name = malloc(name_size(name));
        if (entry->name == NULL) {
            entry_free(entry);
            return E_OUTOFMEMORY;
        }
        memcpy(entry->name, name, name_size(name));
    }
    pthread_mutex_lock(&lock);
    HRESULT hr = add(entry, out);
    pthread_mutex_unlock(&lock);
    if (FAILED(hr))
        entry_free(entry);
    return hr;
}

struct d3d12_child *shared_table_find(HANDLE handle)
{
    struct d3d12_child *child = NULL;
    uint64_t token;
    if (!os_token_read(handle, &token))
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct entry *e = entries; e != NULL && child == NULL; e = e->next)
        if (e->token == token && d3d12_child_try_add_ref(e->child))
            child = e->child;
    pthread_mutex_unlock(&lock);
    return child;
}

HRESULT shared_table_open(LPCWSTR name, HANDLE *out)
{
    pthread_mutex_lock(&lock);
    const struct entry *entry = find_name(name);
    HRESULT hr = E_INVALIDARG;
    if (entry != NULL)
        hr = os_token_create(entry->token, out) ? S_OK : E_FAIL;
    pthread_mutex_unlock(&lock);
    return hr;
}
