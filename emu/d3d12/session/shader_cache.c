#include "session/shader_cache.h"

#include "containers.h"
#include "gate.h"

#include <pthread.h>

struct entry {
    UT_hash_handle hh; /* by its key */
    UINT key_size, value_size;
    unsigned char bytes[]; /* key, value */
};

struct shader_cache {
    UT_hash_handle hh; /* by identifier */
    GUID identifier;
    D3D12_SHADER_CACHE_MODE mode;
    UINT64 version;
    UINT64 bytes_limit, entries_limit;
    UINT64 bytes, entries;
    UINT sessions;
    bool delete_on_destroy;
    struct entry *table;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shader_cache *caches;
static bool disabled;

static void clear(struct shader_cache *cache)
{
    struct entry *entry, *next;
    HASH_ITER(hh, cache->table, entry, next)
    {
        HASH_DELETE(hh, cache->table, entry);
        free(entry);
    }
    cache->bytes = cache->entries = 0;
}

/* D3D12's defaults: 1 KiB and 128 entries in memory, 128 MiB on disk. */
static void set_limits(struct shader_cache *cache, const D3D12_SHADER_CACHE_SESSION_DESC *desc)
{
    const UINT memory = desc->MaximumInMemoryCacheSizeBytes,
               entries = desc->MaximumInMemoryCacheEntries;
    const UINT file = desc->MaximumValueFileSizeBytes;
    cache->version = desc->Version;
    cache->mode = desc->Mode;
    if (desc->Mode == D3D12_SHADER_CACHE_MODE_DISK) {
        cache->bytes_limit = file != 0 ? file : 128u << 20;
        cache->entries_limit = UINT64_MAX;
    } else {
        cache->bytes_limit = memory != 0 ? memory : 1024;
        cache->entries_limit = entries != 0 ? entries : 128;
    }
}

static struct shader_cache *find_cache(const GUID *identifier)
{
    struct shader_cache *cache;
    HASH_FIND(hh, caches, identifier, sizeof *identifier, cache);
    return cache;
}

/* The lock is held. */
static HRESULT find_or_create(const D3D12_SHADER_CACHE_SESSION_DESC *desc,
                              struct shader_cache **out)
{
    struct shader_cache *cache = find_cache(&desc->Identifier);
    const bool same = cache != NULL && cache->version == desc->Version && cache->mode == desc->Mode;
    if (disabled)
        return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    if (cache && !same && cache->sessions > 0)
        return DXGI_ERROR_ALREADY_EXISTS;
    if (!cache) {
        cache = calloc(1, sizeof *cache);
        if (!cache)
            return E_OUTOFMEMORY;
        bool added;
        cache->identifier = desc->Identifier;
        HASH_ADD_KEYPTR_OR_FAIL(hh, caches, &cache->identifier, sizeof cache->identifier, cache,
                                added);
        if (!added) {
            free(cache);
            return E_OUTOFMEMORY;
        }
    }
    if (!same) {
        clear(cache);
        set_limits(cache, desc);
    }
    cache->sessions++;
    *out = cache;
    return S_OK;
}

HRESULT shader_cache_open(const D3D12_SHADER_CACHE_SESSION_DESC *desc, struct shader_cache **out)
{
    emu_lock(&lock);
    const HRESULT hr = find_or_create(desc, out);
    emu_unlock(&lock);
    return hr;
}

/* A disk cache without entries has nothing to come back for. */
static bool stays(const struct shader_cache *cache)
{
    return cache->sessions > 0 || (cache->mode == D3D12_SHADER_CACHE_MODE_DISK &&
                                   !cache->delete_on_destroy && cache->entries > 0);
}

void shader_cache_close(struct shader_cache *cache)
{
    emu_lock(&lock);
    cache->sessions--;
    if (!stays(cache)) {
        HASH_DELETE(hh, caches, cache);
        clear(cache);
        free(cache);
    }
    emu_unlock(&lock);
}

static struct entry *find_entry(const struct shader_cache *cache, const void *key, UINT key_size)
{
    struct entry *entry;
    HASH_FIND(hh, cache->table, key, key_size, entry);
    return entry;
}

static HRESULT copy_value(const struct entry *entry, void *value, UINT *value_size)
{
    const UINT capacity = *value_size;
    *value_size = entry->value_size;
    if (!value)
        return S_OK;
    if (capacity < entry->value_size)
        return DXGI_ERROR_MORE_DATA;
    memcpy(value, entry->bytes + entry->key_size, entry->value_size);
    return S_OK;
}

HRESULT shader_cache_find(struct shader_cache *cache, const void *key, UINT key_size, void *value,
                          UINT *value_size)
{
    HRESULT hr = DXGI_ERROR_NOT_FOUND;
    emu_lock(&lock);
    const struct entry *entry = find_entry(cache, key, key_size);
    if (disabled)
        hr = DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    else if (entry)
        hr = copy_value(entry, value, value_size);
    emu_unlock(&lock);
    return hr;
}

static HRESULT add_entry(struct shader_cache *cache, const void *key, UINT key_size,
                         const void *value, UINT value_size)
{
    const UINT64 size = (UINT64)key_size + value_size;
    if (disabled)
        return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    if (find_entry(cache, key, key_size))
        return DXGI_ERROR_ALREADY_EXISTS;
    if (cache->entries >= cache->entries_limit || size > cache->bytes_limit - cache->bytes)
        return DXGI_ERROR_CACHE_FULL;
    struct entry *entry = malloc(sizeof *entry + (size_t)size);
    if (!entry)
        return E_OUTOFMEMORY;
    *entry = (struct entry){.key_size = key_size, .value_size = value_size};
    memcpy(entry->bytes, key, key_size);
    memcpy(entry->bytes + key_size, value, value_size);
    bool added;
    HASH_ADD_KEYPTR_OR_FAIL(hh, cache->table, entry->bytes, key_size, entry, added);
    if (!added) {
        free(entry);
        return E_OUTOFMEMORY;
    }
    cache->entries++;
    cache->bytes += size;
    return S_OK;
}

HRESULT shader_cache_store(struct shader_cache *cache, const void *key, UINT key_size,
                           const void *value, UINT value_size)
{
    emu_lock(&lock);
    const HRESULT hr = add_entry(cache, key, key_size, value, value_size);
    emu_unlock(&lock);
    return hr;
}

void shader_cache_delete_on_destroy(struct shader_cache *cache)
{
    emu_lock(&lock);
    cache->delete_on_destroy = true;
    emu_unlock(&lock);
}

bool shader_cache_enable(bool enabled)
{
    emu_lock(&lock);
    const bool changed = disabled == enabled;
    disabled = !enabled;
    emu_unlock(&lock);
    return changed;
}

void shader_cache_clear(void)
{
    emu_lock(&lock);
    for (struct shader_cache *cache = caches; cache; cache = cache->hh.next)
        clear(cache);
    emu_unlock(&lock);
}
