#include "dxdmp/dxdmp_report.h"

#include <stdio.h>

void dxdmp_names_init(struct dxdmp_names *names, const annot_dxdmp *dump)
{
    names->bytes_left = 4 * (uint64_t)dump->size + (1u << 20);
    names->left_out = 0;
}

bool dxdmp_names_take(struct dxdmp_names *names, size_t size)
{
    if (size > names->bytes_left) {
        names->left_out++;
        return false;
    }
    names->bytes_left -= size;
    return true;
}

void dxdmp_print_name(struct annot__out *out, struct dxdmp_names *names, const char *name,
                      size_t size)
{
    if (dxdmp_names_take(names, size))
        annot__out_printable(out, name, size, size);
    else
        annot__out_text(out, "...");
}

const char *dxdmp_removed_text(uint32_t hresult)
{
    switch (hresult) {
    case 0:
        return "S_OK";
    case 0x887A0005:
        return "DXGI_ERROR_DEVICE_REMOVED";
    case 0x887A0006:
        return "DXGI_ERROR_DEVICE_HUNG";
    case 0x887A0007:
        return "DXGI_ERROR_DEVICE_RESET";
    case 0x887A0020:
        return "DXGI_ERROR_DRIVER_INTERNAL_ERROR";
    default:
        return "unknown";
    }
}

/* D3D12_DRED_ALLOCATION_TYPE; 26, 31 and 33 are gaps. */
const char *dxdmp_allocation_text(uint32_t type)
{
    static const char *const names[] = {
        "command queue",
        "command allocator",
        "pipeline state",
        "command list",
        "fence",
        "descriptor heap",
        "heap",
        NULL,
        "query heap",
        "command signature",
        "pipeline library",
        "video decoder",
        NULL,
        "video processor",
        NULL,
        "resource",
        "pass",
        "crypto session",
        "crypto session policy",
        "protected resource session",
        "video decoder heap",
        "command pool",
        "command recorder",
        "state object",
        "meta command",
        "scheduling group",
        "video motion estimator",
        "video motion vector heap",
        "video extension command",
        "video encoder",
        "video encoder heap",
    };
    enum { FIRST = 19 };
    const uint32_t index = type - FIRST; /* those in front of it wrap round */
    return index < sizeof names / sizeof *names && names[index] ? names[index] : "allocation";
}

/* Byte by byte, as all other reports have it. */
void dxdmp_guid_text(const uint8_t guid[16], char text[40])
{
    for (size_t i = 0; i < 16; i++)
        snprintf(text + 2 * i, 40 - 2 * i, "%02x", guid[i]);
}

bool dxdmp_is_blob(uint32_t mem_type)
{
    return mem_type == ANNOT_DXDMP_FOURCC('A', 'p', 'B', 'l') ||
           mem_type == ANNOT_DXDMP_FOURCC('K', 'm', 'B', 'l') ||
           mem_type == ANNOT_DXDMP_FOURCC('U', 'm', 'B', 'l');
}
