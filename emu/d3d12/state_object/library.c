/*
 * A state object takes of a DXIL library: exports, and the subobjects that HLSL declared. If
 * the container also holds one of the emulator's kernels, as those of emu_kernel_bytecode do, its
 * ray generation shaders run that kernel.
 */
#include "state_object/state_parts.h"

#include "base/dxbc.h"
#include "base/wide.h"

#include <emu/emu.h>

/* A shader's own frame; payload and attributes come on top. */
#define STACK_BASE  64u
#define STACK_ALIGN 16u

struct library_reader {
    struct state_parts *parts;
    const D3D12_DXIL_LIBRARY_DESC *desc;
    struct dxil_library library;
    uint32_t kernel; /* 0: none */
    HRESULT hr;      /* the first failure */
};

static bool failed(struct library_reader *reader, HRESULT hr)
{
    if (SUCCEEDED(reader->hr))
        reader->hr = hr;
    return FAILED(reader->hr);
}

static bool damaged(struct library_reader *reader)
{
    return failed(reader,
                  state_parts_fail(reader->parts, "a DXIL library that is damaged or none"));
}

static bool is_ascii(const char *text)
{
    while (*text != 0 && (unsigned char)*text < 0x80)
        text++;
    return *text == 0;
}

/* HLSL's names, and what compilers make of them, are ASCII; anything else is damage. NULL: see
 * reader->hr. */
static const WCHAR *widen(struct library_reader *reader, const char *name)
{
    if (!name || !is_ascii(name)) {
        damaged(reader);
        return NULL;
    }
    const size_t length = strlen(name);
    WCHAR *wide = state_parts_alloc(reader->parts, (length + 1) * sizeof *wide);
    if (!wide)
        failed(reader, E_OUTOFMEMORY);
    for (size_t i = 0; wide && i < length; i++)
        wide[i] = (WCHAR)(unsigned char)name[i];
    return wide;
}

static bool is_named(const WCHAR *wide, const char *name)
{
    size_t i = 0;
    while (wide[i] != 0 && wide[i] == (WCHAR)(unsigned char)name[i])
        i++;
    return wide[i] == 0 && name[i] == 0;
}

/* ---- functions ---- */

static void add_function(struct library_reader *reader, const WCHAR *name,
                         const struct dxil_function *function)
{
    struct state_export *export;
    const WCHAR *mangled = widen(reader, function->name);
    const WCHAR *plain = mangled != NULL ? widen(reader, function->unmangled) : NULL;
    if (!plain || failed(reader, state_parts_add(reader->parts, name, function->kind, &export)))
        return;
    const UINT64 size = STACK_BASE + (UINT64)function->payload + function->attributes;
    export->stack = (size + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
    export->mangled = mangled;
    export->plain = plain;
    export->kernel = function->kind == DXIL_RAY_GENERATION ? reader->kernel : 0;
}

/* Functions that aren't shaders may be overloaded: the compiler's name tells them apart. */
static void add_all_functions(struct library_reader *reader)
{
    struct dxil_function function;
    for (uint32_t i = 0; SUCCEEDED(reader->hr) && i < reader->library.functions.count; i++) {
        if (!dxil_library_function(&reader->library, i, &function)) {
            damaged(reader);
            return;
        }
        const WCHAR *name =
            widen(reader, function.kind == DXIL_FUNCTION ? function.name : function.unmangled);
        if (name)
            add_function(reader, name, &function);
    }
}

static bool find_function(struct library_reader *reader, const WCHAR *name,
                          struct dxil_function *out)
{
    for (uint32_t i = 0; i < reader->library.functions.count; i++)
        if (dxil_library_function(&reader->library, i, out) &&
            (is_named(name, out->unmangled) || is_named(name, out->name)))
            return true;
    return false;
}

/* ---- subobjects ---- */

static void add_hit_group(struct library_reader *reader, const WCHAR *name,
                          const struct dxil_subobject *subobject)
{
    const struct dxil_library *library = &reader->library;
    const WCHAR *any = widen(reader, dxil_library_string(library, subobject->values[1]));
    const WCHAR *closest = widen(reader, dxil_library_string(library, subobject->values[2]));
    const WCHAR *intersection = widen(reader, dxil_library_string(library, subobject->values[3]));
    if (FAILED(reader->hr))
        return;
    const WCHAR *const imports[STATE_HITS] = {intersection, any, closest};
    failed(reader, state_parts_add_hit_group(reader->parts, name, subobject->values[0], imports));
}

static void define_root(struct library_reader *reader, const WCHAR *name,
                        const struct dxil_subobject *subobject)
{
    struct bytes blob;
    if (!bytes_part(reader->library.raw, subobject->values[0], subobject->values[1], &blob)) {
        damaged(reader);
        return;
    }
    failed(reader,
           state_parts_define(reader->parts,
                              subobject->kind == D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE
                                  ? ASPECT_LOCAL_ROOT
                                  : ASPECT_GLOBAL_ROOT,
                              hash_bytes(HASH_BEGIN, blob.data, blob.size), NULL, name));
}

static void define(struct library_reader *reader, const WCHAR *name, enum state_aspect aspect,
                   HRESULT hr, const uint64_t *value)
{
    if (!failed(reader, hr))
        failed(reader, state_parts_define(reader->parts, aspect, *value, NULL, name));
}

static void add_subobject(struct library_reader *reader, const WCHAR *name,
                          const struct dxil_subobject *subobject)
{
    struct state_parts *parts = reader->parts;
    const uint32_t *values = subobject->values;
    uint64_t value = 0;
    switch (subobject->kind) {
    case D3D12_STATE_SUBOBJECT_TYPE_STATE_OBJECT_CONFIG:
        define(reader, name, ASPECT_CONFIG, state_value_of_flags(parts, values[0], &value), &value);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE:
    case D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE:
        define_root(reader, name, subobject);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG:
        define(reader, name, ASPECT_SHADER_CONFIG,
               state_value_of_shader_config(parts, values[0], values[1], &value), &value);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG:
        define(reader, name, ASPECT_PIPELINE_CONFIG,
               state_value_of_pipeline_config(parts, values[0], 0, &value), &value);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_PIPELINE_CONFIG1:
        define(reader, name, ASPECT_PIPELINE_CONFIG,
               state_value_of_pipeline_config(parts, values[0], values[1], &value), &value);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP:
        add_hit_group(reader, name, subobject);
        return;
    case D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION:
        return; /* see add_associations */
    default:
        damaged(reader);
    }
}

static void add_all_subobjects(struct library_reader *reader)
{
    struct dxil_subobject subobject;
    for (uint32_t i = 0; SUCCEEDED(reader->hr) && i < reader->library.subobjects.count; i++) {
        if (!dxil_library_subobject(&reader->library, i, &subobject)) {
            damaged(reader);
            return;
        }
        const WCHAR *name = widen(reader, subobject.name);
        if (name)
            add_subobject(reader, name, &subobject);
    }
}

static bool find_subobject(struct library_reader *reader, const WCHAR *name,
                           struct dxil_subobject *out)
{
    for (uint32_t i = 0; i < reader->library.subobjects.count; i++)
        if (dxil_library_subobject(&reader->library, i, out) && is_named(name, out->name))
            return true;
    return false;
}

/* ---- associations: of those subobjects that were taken ---- */

static bool is_defined(const struct library_reader *reader, const WCHAR *name)
{
    const struct state_definition *definition = reader->parts->definitions;
    for (; definition && definition->scope == reader->parts->scope; definition = definition->next)
        if (wide_same(definition->name, name))
            return true;
    return false;
}

static void add_association(struct library_reader *reader, const struct dxil_subobject *subobject)
{
    struct bytes exports;
    uint32_t at = 0;
    const WCHAR *name = widen(reader, dxil_library_string(&reader->library, subobject->values[0]));
    if (!name)
        return;
    if (!dxil_library_array(&reader->library, subobject->values[1], &exports)) {
        damaged(reader);
        return;
    }
    /* one that names a subobject of another library is of no use unless that is known by now */
    if (!is_defined(reader, name) && reader->desc->NumExports != 0)
        return;
    if (exports.size == 0)
        failed(reader, state_parts_associate(reader->parts, NULL, name, NULL));
    for (size_t i = 0; SUCCEEDED(reader->hr) && bytes_u32(exports, i * 4, &at); i++) {
        const WCHAR *export = widen(reader, dxil_library_string(&reader->library, at));
        if (export)
            failed(reader, state_parts_associate(reader->parts, NULL, name, export));
    }
}

static void add_associations(struct library_reader *reader)
{
    struct dxil_subobject subobject;
    for (uint32_t i = 0; SUCCEEDED(reader->hr) && i < reader->library.subobjects.count; i++)
        if (dxil_library_subobject(&reader->library, i, &subobject) &&
            subobject.kind == D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION)
            add_association(reader, &subobject);
}

/* ---- the library ---- */

static void add_listed(struct library_reader *reader, const D3D12_EXPORT_DESC *export)
{
    struct dxil_function function;
    struct dxil_subobject subobject;
    if (!export->Name || export->Flags != D3D12_EXPORT_FLAG_NONE) {
        failed(reader, state_parts_fail(reader->parts, "an export without a name, or with flags"));
        return;
    }
    const WCHAR *source = export->ExportToRename != NULL ? export->ExportToRename : export->Name;
    if (find_function(reader, source, &function))
        add_function(reader, export->Name, &function);
    else if (find_subobject(reader, source, &subobject))
        add_subobject(reader, export->Name, &subobject);
    else
        failed(reader, state_parts_fail(reader->parts, "an export that its DXIL library hasn't"));
}

static uint32_t find_kernel(struct bytes code)
{
    struct bytes content;
    uint32_t kernel;
    return dxbc_find(code, DXBC_TAG('E', 'M', 'U', 'K'), &content) == DXBC_OK &&
                   bytes_u32(content, 0, &kernel) && kernel <= EMU_KERNEL_TOUCH
               ? kernel
               : 0;
}

static void add_exports(struct library_reader *reader)
{
    const D3D12_DXIL_LIBRARY_DESC *desc = reader->desc;
    if (desc->NumExports == 0) {
        add_all_functions(reader);
        if (SUCCEEDED(reader->hr))
            add_all_subobjects(reader);
    }
    for (UINT i = 0; SUCCEEDED(reader->hr) && i < desc->NumExports; i++)
        add_listed(reader, &desc->pExports[i]);
    if (SUCCEEDED(reader->hr))
        add_associations(reader);
}

HRESULT state_parts_read_library(struct state_parts *parts, const D3D12_DXIL_LIBRARY_DESC *desc)
{
    struct library_reader reader = {.parts = parts, .desc = desc, .hr = S_OK};
    const struct bytes code = {desc->DXILLibrary.pShaderBytecode, desc->DXILLibrary.BytecodeLength};
    if (!dxil_library_open(code, &reader.library))
        return state_parts_fail(parts, "a DXIL library that is damaged or none");
    if (desc->NumExports != 0 && !desc->pExports)
        return state_parts_fail(parts, "a DXIL library with a number of exports and no exports");
    reader.kernel = find_kernel(code);
    parts->scope = ++parts->scopes;
    add_exports(&reader);
    parts->scope = 0;
    return reader.hr;
}
