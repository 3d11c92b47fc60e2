/*
 * Reads D3D12's IDL and writes the committed table, d3d12_table.h. For developers only: the build
 * does not run it.
 *
 *     cc -std=c11 -o generate generate*.c
 *     D=/usr/include/directx
 *     ./generate $D/dxgiformat.idl $D/dxgicommon.idl $D/d3dcommon.idl supplement_types.idl \
 *         $D/d3d12.idl $D/d3d12sdklayers.idl $D/d3d12video.idl supplement.idl > d3d12_table.h
 *     clang-format -i d3d12_table.h
 *
 * The IDL has what the C headers lost: the SAL annotations, which say how many elements a pointer
 * has and who writes them. supplement.idl is IDL too, with two statements of its own for what the
 * annotations cannot say:
 *
 *     count STRUCT.pointer = FIELD;             a pointer that no annotation sizes;
 *                                               [*FIELD] is not needed by any
 *     select STRUCT.selector: member = LO..HI;  which member of a union is valid,
 *                                               by the value of another field
 *
 * A statement or a type that this program does not know ends it with the line. Offsets are those of
 * x86-64, where the three binary interfaces agree; the proxy and the replayer assert them against
 * the headers they are compiled with.
 */
#include "generate.h"

#include <stdlib.h>

struct structure *structs;
unsigned struct_count;
struct iface ifaces[200];
unsigned iface_count;
struct constant *constants;
unsigned constant_count;
char enums[400][NAME];
unsigned enum_count;
char aliases[64][2][NAME];
unsigned alias_count;
struct method functions[64];
unsigned function_count;

int main(int argc, char **argv)
{
    structs = calloc(700, sizeof *structs);
    constants = calloc(8000, sizeof *constants);
    struct iface *unknown = add_iface("IUnknown");
    set(unknown->uuid, "00000000-0000-0000-C000-000000000046");
    for (int i = 1; i < argc; i++)
        parse(argv[i]);
    put_table();
    return 0;
}
