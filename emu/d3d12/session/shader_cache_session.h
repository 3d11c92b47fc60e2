/* ID3D12ShaderCacheSession over shader_cache.h. */
#pragma once

#include "device/child.h"
#include "session/shader_cache.h"

struct d3d12_shader_cache_session {
    ID3D12ShaderCacheSession iface;
    struct d3d12_child child;
    D3D12_SHADER_CACHE_SESSION_DESC desc;
    struct shader_cache *cache;
};

HRESULT d3d12_shader_cache_session_create(struct d3d12_device *device,
                                          const D3D12_SHADER_CACHE_SESSION_DESC *desc,
                                          struct d3d12_shader_cache_session **out);
