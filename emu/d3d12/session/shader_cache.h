/*
 * The process's shader caches by identifier; all sessions with one identifier share a cache. A
 * memory cache ends with its last session. A disk cache stays until the process ends or, after
 * SetDeleteOnDestroy, until its last session ends. Nothing is written to disk. Any thread.
 */
#pragma once

#include "base/com.h"

#ifndef DXGI_ERROR_CACHE_FULL
#define DXGI_ERROR_CACHE_FULL ((HRESULT)0x887A0034L)
#endif
#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

struct shader_cache;

/* Opens or makes the cache of a valid description. DXGI_ERROR_ALREADY_EXISTS: it is open with
 * another version or mode; DXGI_ERROR_NOT_CURRENTLY_AVAILABLE: caches are disabled. */
HRESULT shader_cache_open(const D3D12_SHADER_CACHE_SESSION_DESC *desc, struct shader_cache **out);
void shader_cache_close(struct shader_cache *cache);

/* As the methods of the same names; arguments are valid. */
HRESULT shader_cache_find(struct shader_cache *cache, const void *key, UINT key_size, void *value,
                          UINT *value_size);
HRESULT shader_cache_store(struct shader_cache *cache, const void *key, UINT key_size,
                           const void *value, UINT value_size);
void shader_cache_delete_on_destroy(struct shader_cache *cache);

/* The application's caches, as ShaderCacheControl switches them. False: they are so already. */
bool shader_cache_enable(bool enabled);
void shader_cache_clear(void);
