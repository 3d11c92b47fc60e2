/* D3D12's calls as data, from the table in table/d3d12_table.h. The table is expanded only here. No
 * D3D12 header is needed. Sizes and offsets are those of x86-64, on which all binary interfaces
 * agree (docs/TRACE_FORMAT.md). */
#pragma once

#include "../table/d3d12_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Numbers of all types: structures come first, then enumerations, then interfaces. */
enum schema_type {
#define TYPE(name, ...) TYPE_##name,
    D3D12_STRUCTS(TYPE) SCHEMA_ENUM_FIRST,
    SCHEMA_ENUM_BEFORE = SCHEMA_ENUM_FIRST - 1,
    D3D12_ENUMS(TYPE) SCHEMA_INTERFACE_FIRST,
    SCHEMA_INTERFACE_BEFORE = SCHEMA_INTERFACE_FIRST - 1,
    D3D12_INTERFACES(TYPE) TYPE_NONE
#undef TYPE
};

enum schema_method {
#define METHOD(iface, name, ...) METHOD_##iface##_##name,
    D3D12_METHODS(METHOD) SCHEMA_EXPORT_FIRST,
    SCHEMA_EXPORT_BEFORE = SCHEMA_EXPORT_FIRST - 1,
    D3D12_EXPORTS(METHOD) SCHEMA_METHODS
#undef METHOD
};

/* The kind of a value. A value of a kind above KIND_SCALARS is followed, replaced or mapped. */
enum schema_kind {
    KIND_U,       /* unsigned integer */
    KIND_I,       /* signed integer */
    KIND_R,       /* HRESULT */
    KIND_B,       /* boolean with 1 or 4 bytes (BOOL, bool) */
    KIND_F,       /* floating point */
    KIND_E,       /* enumeration */
    KIND_G,       /* GUID */
    KIND_SCALARS, /* ---- */
    KIND_S,       /* structure in place */
    KIND_O,       /* interface pointer */
    KIND_P,       /* pointer to elements */
    KIND_Z,       /* text of bytes */
    KIND_W,       /* text of WCHAR */
    KIND_A,       /* GPU virtual address */
    KIND_C,       /* CPU descriptor handle */
    KIND_H,       /* GPU descriptor handle */
    KIND_K,       /* a handle of the operating system */
    KIND_X,       /* a pointer whose target is not recorded */
    KIND_Y,       /* callback */
    KIND_STREAM,  /* a pipeline state stream; the member before it is the size */
    KIND_DESC,    /* a subobject's description; the member before it is the type */
    KIND_SIBLING  /* the address of another subobject in the state object */
};

enum schema_dir { DIR_READ = 1, DIR_WRITE = 2, DIR_BOTH = 3 }; /* what the callee does */

/* Says how many elements a pointer has. COUNT_BOX: the bytes of a resource's box, which only the
 * runtime knows. COUNT_PRODUCT: the product of the members `count_of` and `multiplier`. */
enum schema_count {
    COUNT_NONE,
    COUNT_ONE,
    COUNT_FIXED,
    COUNT_MEMBER,
    COUNT_DEREF,
    COUNT_BOX,
    COUNT_PRODUCT
};

/* A parameter of a call, or a member of a structure. */
struct schema_value {
    const char *name;
    uint16_t type; /* enum schema_type: the value's type, or the type of a pointer's target */
    uint8_t kind, elem;
    uint8_t dir;
    uint8_t count; /* enum schema_count: how to find the number of elements */
    int16_t count_of;
    uint32_t size, elem_size, multiplier;
    uint32_t offset; /* offset of a member; with COUNT_DEREF, offset of the number in a struct */
    /* The members from here on are set only for a structure's members. */
    uint32_t array;
    int16_t in_union, selector;
    int32_t low, high;
};

/* The place of an interface pointer in a structure or its inner structure. The pointer exists if
 * the number at `selector` is from `low` to `high`, or always with SCHEMA_ALWAYS. */
#define SCHEMA_ALWAYS UINT32_MAX
struct schema_place {
    uint32_t offset, selector;
    int32_t low, high;
};

struct schema_struct {
    const char *name;
    uint32_t size, first, count;
    uint32_t first_place, place_count; /* interface pointers in the struct itself: first, count */
    bool plain;                        /* whether all members can be copied unchanged */
    bool has_objects;        /* whether the structure has, or leads to, interface pointers */
    bool has_objects_behind; /* whether pointers in the structure lead to interface pointers */
    bool has_answers; /* whether the structure has members that a call only writes (DIR_WRITE) */
};

struct schema_enum {
    const char *name;
    uint32_t first, count;
};

struct schema_enumerator {
    const char *name;
    int64_t value;
};

struct schema_interface {
    const char *name;
    uint16_t base; /* enum schema_type of the base; TYPE_NONE for IUnknown */
    uint32_t slots;
    bool is_leaf; /* no interface derives from this one; its table also serves its bases */
    _Alignas(8) uint8_t iid[16];
};

struct schema_method_row {
    const char *iface, *name;
    uint16_t owner;  /* the type of `iface`; TYPE_NONE for exports */
    uint32_t digest; /* number that stands for the method in traces */
    bool has_result;
    struct schema_value result;
    uint32_t first, count; /* its parameters */
    bool flat; /* whether each value fits into 64 bits, and no result comes through a pointer */
    /* true: `flat` is true, the method has no result, and its arguments are numbers or objects */
    bool is_plain;
    bool leaves_record; /* whether the call has a result, or writes to a parameter's memory */
    /* Sets of parameters, one bit for each parameter: interface pointers; pointers to data with
     * interface pointers; memory where the call writes interface pointers. */
    uint32_t objects, behind, written;
};

extern struct schema_struct schema_structs[];
extern struct schema_value schema_fields[];
extern struct schema_place schema_places[];
extern const struct schema_enum schema_enums[];
extern const struct schema_enumerator schema_enumerators[];
extern struct schema_interface schema_interfaces[];
extern struct schema_value schema_params[];
extern struct schema_method_row schema_methods[];

/* Whether a call of the method failed, if its result is `result`. */
static inline bool schema_has_failed(const struct schema_method_row *m, uint64_t result)
{
    return m->result.kind == KIND_R && (int32_t)result < 0;
}

/* Whether the method's name is `name`; false for -1, which means no method. */
static inline bool schema_is_named(int method, const char *name)
{
    return method >= 0 && strcmp(schema_methods[method].name, name) == 0;
}
static inline bool schema_begins(int method, const char *prefix)
{
    return method >= 0 && strncmp(schema_methods[method].name, prefix, strlen(prefix)) == 0;
}

/* Computes some members of schema_methods from other members. Call schema_init once, before all
 * other functions, on one thread. */
void schema_init(void);

/* Returns the method or export whose digest this is, or -1 if the table has no such digest. */
int schema_find(uint32_t digest);

/* Returns the type of the interface with this IID, or TYPE_NONE. */
uint16_t schema_interface_of(const uint8_t iid[16]);

/* Whether the interface `type` is `base` or derives from it. */
bool schema_derives(uint16_t type, uint16_t base);

/* Whether the selector in the structure at `memory` selects this member of the union. */
bool schema_is_active(const struct schema_struct *s, const struct schema_value *member,
                      const void *memory);

/* Returns the type of a feature's structure if `method` is a CheckFeatureSupport. TYPE_NONE:
 * another method, or an unknown feature. */
uint16_t schema_feature(unsigned method, uint32_t feature, uint64_t size);

/* The type of the value that a subobject has, in a pipeline state stream or a state object. The
 * functions return false if the subobject's own type is unknown. */
struct schema_subobject {
    uint8_t kind; /* the value's kind: KIND_S, KIND_O or a scalar */
    uint16_t type;
    uint32_t size;
};
bool schema_pipeline_subobject(uint32_t type, struct schema_subobject *out);
bool schema_state_subobject(uint32_t type, struct schema_subobject *out);
