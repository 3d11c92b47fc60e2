/* Shared by the text and the JSON report of a DirectX dump file. */
#pragma once

#include "dxdmp/dxdmp_model.h"
#include "report/report.h"

enum { DXDMP_NAME_MAX = 1025 }; /* bytes of a name in a report, with its NUL */

/* Names are cut one by one; all together they stay within a multiple of the file's size, since a
 * file may refer to one name very often [ANN-SEC-04]. */
struct dxdmp_names {
    uint64_t bytes_left;
    uint64_t left_out;
};

void dxdmp_names_init(struct dxdmp_names *names, const annot_dxdmp *dump);

/* Whether a name of `size` bytes may still be written; counts it. */
bool dxdmp_names_take(struct dxdmp_names *names, size_t size);

/* Writes the name so that it commands no terminal, or "..." when names have filled their share. */
void dxdmp_print_name(struct annot__out *out, struct dxdmp_names *names, const char *name,
                      size_t size);

const char *dxdmp_removed_text(uint32_t hresult); /* "DXGI_ERROR_DEVICE_HUNG"; never NULL */
const char *dxdmp_allocation_text(uint32_t type); /* "resource"; never NULL */
void dxdmp_guid_text(const uint8_t guid[16], char text[40]);
bool dxdmp_is_blob(uint32_t mem_type);
