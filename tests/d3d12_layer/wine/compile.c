/* Makes a header of bytes out of shaders, each a name and its profile, on Windows or Wine, with
 * Microsoft's compiler:
 *
 *     x86_64-w64-mingw32-gcc compile.c -o compile.exe
 *     export WINEDLLOVERRIDES=d3dcompiler_47=n
 *     wine compile.exe PATH\TO\d3dcompiler_47.dll shaders.hlsl cs_fill cs_5_0 cs_spin cs_5_0
 *         vs_all vs_5_0 ps_fill ps_5_0 ps_spin ps_5_0 >shaders.h
 *
 * layers/d3d12/count.h is made in the same way, of count.hlsl, "cs_count cs_5_0"; and
 * tests/windows/list_state/shaders.h with Wine 10's own compiler, "vs_all vs_5_0 ps_one ps_5_0
 * ps_two ps_5_0".
 *
 * The compiler is in npm's package "webgpu", at dist/win32-x64/d3dcompiler_47.dll; what it makes of
 * our own source is ours. Only who changes the source needs it.
 */
#define COBJMACROS
#include <windows.h>

#include <d3dcommon.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef HRESULT(WINAPI *compile)(const void *, SIZE_T, const char *, const void *, void *,
                                 const char *, const char *, UINT, UINT, ID3DBlob **, ID3DBlob **);

static void print(const char *name, ID3DBlob *code)
{
    const unsigned char *bytes = ID3D10Blob_GetBufferPointer(code);
    const size_t size = ID3D10Blob_GetBufferSize(code);
    printf("static const unsigned char %s[] = {\n    ", name);
    for (size_t i = 0, column = 4; i < size; i++) {
        char text[8];
        const size_t length = (size_t)sprintf(text, i + 1 < size ? "%u," : "%u", bytes[i]);
        column += length;
        if (column > 100) {
            fputs("\n    ", stdout);
            column = 4 + length;
        }
        fputs(text, stdout);
    }
    puts("};");
}

int main(int argc, char **argv)
{
    static char source[65536];
    FILE *file = argc > 4 ? fopen(argv[2], "rb") : NULL;
    const size_t size = file ? fread(source, 1, sizeof source, file) : 0;
    const HMODULE library = argc > 4 ? LoadLibraryA(argv[1]) : NULL;
    const FARPROC found = library ? GetProcAddress(library, "D3DCompile") : NULL;
    compile make;
    memcpy(&make, &found, sizeof make);
    if (!make || size == 0)
        return 2;
    printf("/* Made by compile.c of %s. */\n/* clang-format off */\n", argv[2]);
    for (int i = 3; i + 1 < argc; i += 2) {
        ID3DBlob *code = NULL, *errors = NULL;
        const UINT optimised = 1u << 15; /* D3DCOMPILE_OPTIMIZATION_LEVEL3 */
        if (make(source, size, argv[2], NULL, NULL, argv[i], argv[i + 1], optimised, 0, &code,
                 &errors) < 0) {
            fprintf(stderr, "%s\n",
                    errors ? (const char *)ID3D10Blob_GetBufferPointer(errors) : "no compiler");
            return 1;
        }
        print(argv[i], code);
    }
    return 0;
}
