/*
 * Makes shaders.h out of shaders.hlsl, on Windows or Wine, with Microsoft's compiler:
 *
 *     x86_64-w64-mingw32-gcc compile.c -o compile.exe
 *     WINEDLLOVERRIDES=d3dcompiler_47=n wine compile.exe PATH\TO\d3dcompiler_47.dll shaders.hlsl
 * >shaders.h
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

static const struct {
    const char *name, *profile;
} shaders[] = {{"cs_fill", "cs_5_0"},
               {"cs_spin", "cs_5_0"},
               {"vs_all", "vs_5_0"},
               {"ps_fill", "ps_5_0"},
               {"ps_spin", "ps_5_0"}};

static void print(const char *name, ID3DBlob *code)
{
    const unsigned char *bytes = ID3D10Blob_GetBufferPointer(code);
    const size_t size = ID3D10Blob_GetBufferSize(code);
    printf("static const unsigned char %s[] = {", name);
    for (size_t i = 0; i < size; i++)
        printf("%s%u", i % 24 == 0 ? i > 0 ? ",\n    " : "\n    " : ",", bytes[i]);
    puts("};");
}

int main(int argc, char **argv)
{
    static char source[65536];
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    const size_t size = file ? fread(source, 1, sizeof source, file) : 0;
    const HMODULE library = argc == 3 ? LoadLibraryA(argv[1]) : NULL;
    const FARPROC found = library ? GetProcAddress(library, "D3DCompile") : NULL;
    compile make;
    memcpy(&make, &found, sizeof make);
    if (!make || size == 0)
        return 2;
    puts("/* Made by compile.c of shaders.hlsl. */\n/* clang-format off */");
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        ID3DBlob *code = NULL, *errors = NULL;
        const UINT optimised = 1u << 15; /* D3DCOMPILE_OPTIMIZATION_LEVEL3 */
        if (make(source, size, "shaders.hlsl", NULL, NULL, shaders[i].name, shaders[i].profile,
                 optimised, 0, &code, &errors) < 0) {
            fprintf(stderr, "%s\n",
                    errors ? (const char *)ID3D10Blob_GetBufferPointer(errors) : "no compiler");
            return 1;
        }
        print(shaders[i].name, code);
    }
    return 0;
}
