/* A root signature's description. Descriptions of every version are stored as version 1.1, but with
 * the static samplers of version 1.2. Descriptors and data of version 1.0 count as volatile, as
 * D3D12's documentation says. */
#pragma once

#include "base/com.h"

#include <stdio.h>

/* Equals D3D12_MAX_ROOT_COST, because each parameter costs at least 1. */
#define ROOT_PARAMETERS_MAX 64
/* A local root signature's limit is higher: its arguments are in records of up to 4096 bytes. */
#define ROOT_LOCAL_PARAMETERS_MAX 1024
#define ROOT_RANGES_MAX           4096 /* limit of a table's ranges; a blob with more is damaged */
#define ROOT_SAMPLERS_MAX         2032 /* D3D12's limit of static samplers that exist at the same time */

/* Version 1.2, which the headers lack. This version only adds D3D12_STATIC_SAMPLER_DESC1. */
#define ROOT_VERSION_1_2   ((D3D_ROOT_SIGNATURE_VERSION)3)
#define ROOT_SAMPLER_FLAGS 3u /* UINT_BORDER_COLOR and NON_NORMALIZED_COORDINATES */

struct root_sampler {
    D3D12_STATIC_SAMPLER_DESC desc;
    UINT flags;
};

_Static_assert(sizeof(struct root_sampler) == 56, "D3D12_STATIC_SAMPLER_DESC1 has 14 numbers");

struct root_desc {
    D3D_ROOT_SIGNATURE_VERSION version; /* version of the original description */
    D3D12_ROOT_SIGNATURE_DESC1 desc;
    const struct root_sampler *samplers; /* the samplers, from the description or from a blob */
    void *memory; /* memory of parameters, ranges and samplers; NULL: nothing is copied */
};

/* Returns the limit of parameters for a root signature with these flags. */
static inline UINT root_parameters_max(D3D12_ROOT_SIGNATURE_FLAGS flags)
{
    return (flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0 ? ROOT_LOCAL_PARAMETERS_MAX
                                                                         : ROOT_PARAMETERS_MAX;
}

/* A text that says why a description is not permitted. */
struct root_error_text {
    char text[160];
};

#define ROOT_REFUSE(error, ...)                                                                    \
    (snprintf((error)->text, sizeof(error)->text, __VA_ARGS__), E_INVALIDARG)

#define ROOT_REFUSE_IF(condition, error, ...)                                                      \
    do {                                                                                           \
        if (condition)                                                                             \
            return ROOT_REFUSE(error, __VA_ARGS__);                                                \
    } while (0)

/* Takes the application's description. A description of version 1.1 is not copied; parameters of
 * version 1.0 and samplers of version 1.2 are converted. Returns E_INVALIDARG for wrong pointers
 * and counts, with the reason in `error`, or E_OUTOFMEMORY. */
HRESULT root_desc_init(struct root_desc *root, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC *desc,
                       struct root_error_text *error);

/* Allocates zeroed memory for these parameters, ranges and samplers. False: out of memory. */
bool root_desc_allocate(struct root_desc *root, UINT parameters, size_t ranges, UINT samplers);
void root_desc_finish(struct root_desc *root);

/* Returns how many ranges the tables have together. */
size_t root_ranges_count(const D3D12_ROOT_SIGNATURE_DESC1 *desc);

/* Returns the flags that version 1.0 gives to a range of this type. ROOT_DESCRIPTOR_FLAGS_1_0 is
 * for root descriptors. */
D3D12_DESCRIPTOR_RANGE_FLAGS root_range_flags_1_0(D3D12_DESCRIPTOR_RANGE_TYPE type);
#define ROOT_DESCRIPTOR_FLAGS_1_0 D3D12_ROOT_DESCRIPTOR_FLAG_DATA_VOLATILE

/* A range of registers that a root signature binds. It has registers of one kind: t, u, b or s. */
struct root_binding {
    D3D12_DESCRIPTOR_RANGE_TYPE kind;
    D3D12_SHADER_VISIBILITY visibility;
    UINT space;
    uint64_t first, last;
};

struct root_registers {
    struct root_binding *all;
    size_t count;
};

/* Finds the registers that a checked description binds. The caller frees `all`. False means out of
 * memory. Defined in check.c. */
bool root_registers_find(const D3D12_ROOT_SIGNATURE_DESC1 *desc, struct root_registers *out);

/* Whether the stage sees one range that has all these registers. Of an unbounded array (`last` is
 * UINT32_MAX), only the first register counts, because the program decides the rest. */
bool root_registers_cover(const struct root_registers *registers, D3D12_DESCRIPTOR_RANGE_TYPE kind,
                          D3D12_SHADER_VISIBILITY visibility, UINT space, UINT first, UINT last);

/* Checks a description against D3D12's documentation. Returns S_OK, E_INVALIDARG with the first
 * broken rule in `error`, or E_OUTOFMEMORY. Defined in check.c. */
HRESULT root_desc_check(const struct root_desc *root, struct root_error_text *error);
