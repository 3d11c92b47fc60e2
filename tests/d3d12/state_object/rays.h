/* A device, a library of every kind of shader, and descriptions of state objects to be changed by
 * each test. */
#pragma once

#include "state_object/dxil.h"

enum { RAYS_SUBOBJECTS = 24 };

struct rays {
    ID3D12Device *device;
    ID3D12Device7 *device7;
    ID3D12RootSignature *global, *local, *other_local;
    D3D12_SHADER_BYTECODE code; /* rays_functions, no subobjects */
};

/* "generate", "miss", "call", "closest", "closest2", "any", "cut" (an intersection), and a helper
 * function. */
extern const struct dxil_function rays_functions[8];

struct rays rays_begin(void);
void rays_end(struct rays *rays);
ID3D12RootSignature *rays_signature(ID3D12Device *device, D3D12_ROOT_SIGNATURE_FLAGS flags,
                                    UINT constants);

struct plan {
    D3D12_STATE_OBJECT_TYPE type;
    UINT count;
    D3D12_STATE_SUBOBJECT subobjects[RAYS_SUBOBJECTS];
    D3D12_DXIL_LIBRARY_DESC dxil;
    D3D12_HIT_GROUP_DESC hits;
    D3D12_RAYTRACING_SHADER_CONFIG shader;
    D3D12_RAYTRACING_PIPELINE_CONFIG pipeline;
    D3D12_GLOBAL_ROOT_SIGNATURE root;
    D3D12_STATE_OBJECT_CONFIG config;
};

/* Where rays_plan puts what. */
enum { PLAN_LIBRARY, PLAN_HITS, PLAN_SHADER, PLAN_PIPELINE, PLAN_ROOT, PLAN_CONFIG };

/* A whole pipeline of the library, with the hit group "hits" of "any" and "closest"; nothing is
 * allowed. */
void rays_plan(const struct rays *rays, struct plan *plan);
/* Its own index, so that associations can name it. */
UINT plan_add(struct plan *plan, D3D12_STATE_SUBOBJECT_TYPE type, const void *desc);

D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION plan_associate(const struct plan *plan, UINT index,
                                                      LPCWSTR *exports, UINT count);

HRESULT rays_create(const struct rays *rays, const struct plan *plan, ID3D12StateObject **out);
HRESULT rays_grow(const struct rays *rays, const struct plan *plan, ID3D12StateObject *from,
                  ID3D12StateObject **out);
ID3D12StateObjectProperties *rays_properties(ID3D12StateObject *object);

/* The one message there is has this ID; there is none afterwards. */
void rays_told(const struct rays *rays, int id);
/* GetShaderIdentifier finds it. */
bool rays_identified(ID3D12StateObject *object, const WCHAR *name);
/* Creation works, without a message. */
void rays_accepted(const struct rays *rays, const struct plan *plan, const char *what);
/* Creation fails as it should: E_INVALIDARG, the message, nothing handed out. */
void rays_refused(const struct rays *rays, const struct plan *plan, const char *what);
