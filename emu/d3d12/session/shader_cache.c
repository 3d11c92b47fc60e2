#include "session/shader_cache.h"

#include <pthread.h>

struct entry {
    struct entry *next;
    uint64_t hash;
    UINT key_size, value_size;
    unsigned char bytes[]; /* key, value */
};

#define BUCKETS 256

struct shader_cache {
    struct shader_cache *next;
    GUID identifier;
    D3D12_SHADER_CACHE_MODE mode;
    UINT64 version;
    UINT64 bytes_limit, entries_limit;
    UINT64 bytes, entries;
    UINT sessions;
    bool delete_on_destroy;
    struct entry *buckets[BUCKETS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shader_cache *caches;
static bool disabled;

static uint64_t hash_of(const void *key, UINT size)
{
    const unsigned char *bytes = key;
    uint64_t hash = 0xcbf29ce484222325u;
    for (UINT i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static void clear(struct shader_cache *cache)
{
    for (int i = 0; i < BUCKETS; i++)
        while (cache->buckets[i] != NULL) {
            struct entry *entry = cache->buckets[i];
            cache->buckets[i] = entry->next;
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
    struct shader_cache *cache = caches;
    while (cache != NULL && !com_same(&cache->identifier, identifier))
        cache = cache->next;
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
    if (cache != NULL && !same && cache->sessions > 0)
        return DXGI_ERROR_ALREADY_EXISTS;
    if (cache == NULL) {
        cache = calloc(1, sizeof *cache);
        if (cache == NULL)
            return E_OUTOFMEMORY;
        cache->identifier = desc->Identifier;
        cache->next = caches;
        caches = cache;
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
    pthread_mutex_lock(&lock);
    const HRESULT hr = find_or_create(desc, out);
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    cache->sessions--;
    if (!stays(cache)) {
        struct shader_cache **link = &caches;
        while (*link != cache)
            link = &(*link)->next;
        *link = cache->next;
        clear(cache);
        free(cache);
    }
    pthread_mutex_unlock(&lock);
}

static struct entry *find_entry(const struct shader_cache *cache, uint64_t hash, const void *key,
                                UINT key_size)
{
    struct entry *entry = cache->buckets[hash % BUCKETS];
    while (entry != NULL && (entry->hash != hash || entry->key_size != key_size ||
                             memcmp(entry->bytes, key, key_size) != 0))
        entry = entry->next;
    return entry;
}

static HRESULT copy_value(const struct entry *entry, void *value, UINT *value_size)
{
    const UINT capacity = *value_size;
    *value_size = entry->value_size;
    if (value == NULL)
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
    const uint64_t hash = hash_of(key, key_size);
    pthread_mutex_lock(&lock);
    const struct entry *entry = find_entry(cache, hash, key, key_size);
    if (disabled)
        hr = DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    else if (entry != NULL)
        hr = copy_value(entry, value, value_size);
    pthread_mutex_unlock(&lock);
    return hr;
}

static HRESULT add_entry(struct shader_cache *cache, const void *key, UINT key_size,
                         const void *value, UINT value_size)
{
    const uint64_t hash = hash_of(key, key_size);
    const UINT64 size = (UINT64)key_size + value_size;
    if (disabled)
        return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    if (find_entry(cache, hash, key, key_size) != NULL)
        return DXGI_ERROR_ALREADY_EXISTS;
    if (cache->entries >= cache->entries_limit || size > cache->bytes_limit - cache->bytes)
        return DXGI_ERROR_CACHE_FULL;
    struct entry *entry = malloc(sizeof *entry + (size_t)size);
    if (entry == NULL)
        return E_OUTOFMEMORY;
    *entry = (struct entry){cache->buckets[hash % BUCKETS], hash, key_size, value_size};
    memcpy(entry->bytes, key, key_size);
    memcpy(entry->bytes + key_size, value, value_size);
    cache->buckets[hash % BUCKETS] = entry;
    cache->entries++;
    cache->bytes += size;
    return S_OK;
}

HRESULT shader_cache_store(struct shader_cache *cache, const void *key, UINT key_size,
                           const void *value, UINT value_size)
{
    pthread_mutex_lock(&lock);
    const HRESULT hr = add_entry(cache, key, key_size, value, value_size);
    pthread_mutex_unlock(&lock);
    return hr;
}

void shader_cache_delete_on_destroy(struct shader_cache *cache)
{
    pthread_mutex_lock(&lock);
    cache->delete_on_destroy = true;
    pthread_mutex_unlock(&lock);
}

bool shader_cache_enable(bool enabled)
{
    pthread_mutex_lock(&lock);
    const bool changed = disabled == enabled;
    disabled = !enabled;
    pthread_mutex_unlock(&lock);
    return changed;
}

void shader_cache_clear(void)
{
    pthread_mutex_lock(&lock);
    for (struct shader_cache *cache = caches; cache != NULL; cache = cache->next)
        clear(cache);
    pthread_mutex_unlock(&lock);
}
