/* A program first looks for d3d12.dll in its own folder, and all imports of the name get the
 * d3d12.dll that was loaded first. So annot's library becomes the first import of the program, in
 * the program's memory, before the program runs. */
#include "child.h"
#include "cli.h"
#include "front.h"
#include "wine.h"
#include "environment.h"
#include "os_path.h"
#include "wide.h"

#ifdef ANNOT_HAVE_REPLAY

#include <windows.h>
#include <winternl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMPORTS_MAX = 4096 };

/* ---- the program's memory ---- */

/* The new data: the table of imports with one more entry, and the names of this entry. */
struct import {
    ULONGLONG names[2], addresses[2]; /* both arrays end with 0 */
    struct {
        WORD hint;
        char text[22];
    } function;
    char file[MAX_PATH];
};

static bool read_memory(HANDLE process, ULONGLONG at, void *to, size_t size)
{
    SIZE_T n = 0;
    return ReadProcessMemory(process, (void *)(uintptr_t)at, to, size, &n) && n == size;
}

static bool write_memory(HANDLE process, ULONGLONG at, const void *from, size_t size)
{
    DWORD old;
    SIZE_T n = 0;
    void *place = (void *)(uintptr_t)at;
    if (!VirtualProtectEx(process, place, size, PAGE_READWRITE, &old))
        return false;
    const bool ok = WriteProcessMemory(process, place, from, size, &n) && n == size;
    VirtualProtectEx(process, place, size, old, &old);
    return ok;
}

static ULONGLONG image_of(HANDLE process)
{
    typedef NTSTATUS(NTAPI * query)(HANDLE, PROCESSINFOCLASS, void *, ULONG, ULONG *);
    PROCESS_BASIC_INFORMATION basic = {0};
    ULONGLONG image = 0;
    query ask;
    const FARPROC found =
        GetProcAddress(GetModuleHandleA("ntdll.dll"), "NtQueryInformationProcess");
    memcpy(&ask, &found, sizeof ask);
    if (!ask || ask(process, ProcessBasicInformation, &basic, sizeof basic, NULL) < 0 ||
        !read_memory(process, (uintptr_t)basic.PebBaseAddress + 0x10, &image, sizeof image))
        return 0;
    return image;
}

/* Takes memory behind the image. Offsets to imports have 32 bits. */
static ULONGLONG take_behind(HANDLE process, ULONGLONG end, size_t size)
{
    for (ULONGLONG at = (end + 0xffff) & ~0xffffull; at < end + 0x70000000; at += 0x10000)
        if (VirtualAllocEx(process, (void *)(uintptr_t)at, size, MEM_RESERVE | MEM_COMMIT,
                           PAGE_READWRITE))
            return at;
    return 0;
}

static size_t read_imports(HANDLE process, ULONGLONG image, const IMAGE_DATA_DIRECTORY *where,
                           IMAGE_IMPORT_DESCRIPTOR *imports)
{
    size_t count = 0;
    while (where->VirtualAddress && count < IMPORTS_MAX &&
           read_memory(process, image + where->VirtualAddress + count * sizeof *imports,
                       &imports[count], sizeof *imports) &&
           imports[count].Name)
        count++;
    return count;
}

/* Makes a name in the ANSI code page for the table of imports, if necessary a short name. */
static bool import_name(const char *library, char *name, size_t size)
{
    wchar_t wide[WIDE_PATH], other[WIDE_PATH];
    BOOL is_lost = FALSE;
    if (!wide_path(library, wide))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (WideCharToMultiByte(CP_ACP, WC_NO_BEST_FIT_CHARS, wide, -1, name, (int)size, NULL,
                                &is_lost) > 0 &&
            !is_lost)
            return true;
        const DWORD length = GetShortPathNameW(wide, other, WIDE_PATH);
        if (!length || length >= WIDE_PATH)
            return false;
        memcpy(wide, other, sizeof wide);
    }
    return false;
}

static bool put_first(HANDLE process, ULONGLONG image, ULONGLONG directories,
                      IMAGE_DATA_DIRECTORY *where, ULONGLONG end, const char *library)
{
    IMAGE_IMPORT_DESCRIPTOR *imports = calloc(IMPORTS_MAX + 2, sizeof *imports);
    const size_t count = imports ? read_imports(process, image, where, imports + 1) : 0;
    const size_t table = (count + 2) * sizeof *imports, head = (table + 15) & ~(size_t)15;
    const ULONGLONG block = imports ? take_behind(process, end, head + sizeof(struct import)) : 0;
    const DWORD at = (DWORD)(block + head - image);
    struct import ours = {.function.text = "D3D12CreateDevice"};
    if (!import_name(library, ours.file, sizeof ours.file)) {
        free(imports);
        return false;
    }
    ours.names[0] = ours.addresses[0] = at + offsetof(struct import, function);
    bool ok = block != 0;
    if (ok) {
        imports[0] = (IMAGE_IMPORT_DESCRIPTOR){
            .OriginalFirstThunk = at + (DWORD)offsetof(struct import, names),
            .Name = at + (DWORD)offsetof(struct import, file),
            .FirstThunk = at + (DWORD)offsetof(struct import, addresses)};
        memset(&imports[count + 1], 0, sizeof *imports);
        *where = (IMAGE_DATA_DIRECTORY){(DWORD)(block - image), (DWORD)table};
        const IMAGE_DATA_DIRECTORY none = {0, 0};
        ok = write_memory(process, block, imports, table) &&
             write_memory(process, block + head, &ours, sizeof ours) &&
             write_memory(process, directories + IMAGE_DIRECTORY_ENTRY_IMPORT * sizeof *where,
                          where, sizeof *where) &&
             write_memory(process, directories + IMAGE_DIRECTORY_ENTRY_BOUND_IMPORT * sizeof *where,
                          &none, sizeof none);
    }
    free(imports);
    return ok;
}

static bool import_first(HANDLE process, const char *library)
{
    const ULONGLONG image = image_of(process);
    IMAGE_DOS_HEADER dos;
    IMAGE_NT_HEADERS64 nt;
    if (!image || !read_memory(process, image, &dos, sizeof dos) ||
        dos.e_magic != IMAGE_DOS_SIGNATURE || dos.e_lfanew < 0 ||
        !read_memory(process, image + (ULONGLONG)dos.e_lfanew, &nt, sizeof nt) ||
        nt.OptionalHeader.Magic != IMAGE_NT_OPTIONAL_HDR64_MAGIC)
        return false;
    return put_first(process, image,
                     image + (ULONGLONG)dos.e_lfanew +
                         offsetof(IMAGE_NT_HEADERS64, OptionalHeader.DataDirectory),
                     &nt.OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT],
                     image + nt.OptionalHeader.SizeOfImage, library);
}

/* ---- starting ---- */

/* Puts one word of a command line, in the form that C programs parse. */
static char *put_word(char *to, const char *word)
{
    size_t slashes = 0;
    *to++ = '"';
    for (; *word; word++) {
        if (*word == '"')
            for (slashes++; slashes; slashes--)
                *to++ = '\\';
        slashes = *word == '\\' ? slashes + 1 : 0;
        *to++ = *word;
    }
    for (; slashes; slashes--)
        *to++ = '\\';
    *to++ = '"';
    *to++ = ' ';
    *to = '\0';
    return to;
}

static wchar_t *command_line(char **words)
{
    size_t size = 1;
    for (char **word = words; *word; word++)
        size += 2 * strlen(*word) + 4;
    char *line = malloc(size), *to = line;
    wchar_t *wide = calloc(size, sizeof *wide);
    for (char **word = words; line && *word; word++)
        to = put_word(to, *word);
    if (line && wide)
        MultiByteToWideChar(CP_UTF8, 0, line, -1, wide, (int)size);
    free(line);
    return wide;
}

/* Finds a file's whole path. False: there is no such file. */
static bool find_file(const wchar_t *name, char *path)
{
    wchar_t whole[WIDE_PATH];
    const DWORD length = GetFullPathNameW(name, WIDE_PATH, whole, NULL);
    return length && length < WIDE_PATH && GetFileAttributesW(whole) != INVALID_FILE_ATTRIBUTES &&
           narrow_path(whole, path, FRONT_PATH);
}

static bool is_in_folder_of(const char *file, const char *name, char *path)
{
    wchar_t candidate[WIDE_PATH], wide_name[64];
    wchar_t *slash = wide_path(file, candidate) ? wcsrchr(candidate, L'\\') : NULL;
    if (!slash || (size_t)(slash - candidate) + 64 >= WIDE_PATH ||
        !MultiByteToWideChar(CP_UTF8, 0, name, -1, wide_name, 64))
        return false;
    wcscpy(slash + 1, wide_name);
    return find_file(candidate, path);
}

static bool find_beside(const char *name, char *path)
{
    char own[FRONT_PATH];
    os_program_path(own, sizeof own);
    return *own && is_in_folder_of(own, name, path);
}

bool child_set_variable(const char *name, const char *value)
{
    wchar_t wide_name[64], wide[WIDE_PATH];
    return MultiByteToWideChar(CP_UTF8, 0, name, -1, wide_name, 64) && wide_path(value, wide) &&
           SetEnvironmentVariableW(wide_name, wide);
}

void *child_library_function(const char *name)
{
    const HMODULE library = LoadLibraryA("d3d12.dll");
    const FARPROC found = library ? GetProcAddress(library, name) : NULL;
    void *function;
    memcpy(&function, &found, sizeof function);
    return function;
}

static int run(const struct front *front, char **program)
{
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    DWORD code = EXIT_UNUSABLE;
    wchar_t *line = command_line(program);
    if (!line || !CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL,
                                 &startup, &process)) {
        fprintf(stderr, "annot %s: %.200s: error %lu\n", front->command, program[0],
                GetLastError());
        free(line);
        return EXIT_UNUSABLE;
    }
    if (import_first(process.hProcess, front->library)) {
        ResumeThread(process.hThread);
        WaitForSingleObject(process.hProcess, INFINITE);
        GetExitCodeProcess(process.hProcess, &code);
    } else {
        fprintf(stderr, "annot %s: %.200s was not run: only 64-bit programs can be followed\n",
                front->command, program[0]);
        TerminateProcess(process.hProcess, EXIT_UNUSABLE);
    }
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    free(line);
    return (int)code;
}

bool front_find_emulator(char path[FRONT_PATH])
{
    return find_beside("..\\emulator\\d3d12.dll", path) || find_beside("d3d12.dll", path);
}

static bool find_given(const char *given, char *path)
{
    wchar_t wide[WIDE_PATH];
    return wide_path(given, wide) && find_file(wide, path);
}

/* Finds the program where CreateProcess looks. */
static bool find_program(const char *program, wchar_t file[WIDE_PATH])
{
    wchar_t wide[WIDE_PATH];
    const DWORD length =
        wide_path(program, wide) ? SearchPathW(NULL, wide, L".exe", WIDE_PATH, file, NULL) : 0;
    return length && length < WIDE_PATH;
}

/* Finds the library that the program would load; the program's own folder comes first. */
static bool find_of_program(const char *program, char *path)
{
    wchar_t wide[WIDE_PATH];
    char whole[FRONT_PATH];
    if (program && find_program(program, wide) && narrow_path(wide, whole, sizeof whole) &&
        is_in_folder_of(whole, "d3d12.dll", path))
        return true;
    const UINT length = GetSystemDirectoryW(wide, MAX_PATH);
    if (!length || length >= MAX_PATH)
        return false;
    wcscat(wide, L"\\d3d12.dll");
    return find_file(wide, path);
}

int front_find(struct front *front, const char *given, const char *program)
{
    char *runtime = front->runtime;
    if (!find_beside("..\\capture\\d3d12.dll", front->library) &&
        !find_beside("capture\\d3d12.dll", front->library))
        return cli_complain(front->command, "annot's D3D12 library is not installed; missing:",
                            "..\\capture\\d3d12.dll");
    if (given ? !find_given(given, runtime) : !find_of_program(program, runtime))
        return cli_complain(front->command,
                            "--runtime must be the path of a D3D12 library; unusable:",
                            given ? given : "d3d12.dll");
    if (_stricmp(front->library, runtime) == 0)
        return cli_complain(front->command,
                            "--runtime must not be annot's own D3D12 library:", runtime);
    return EXIT_FINE;
}

/* Makes a file to which this project's library writes at the program's first call. */
static bool make_witness(wchar_t path[MAX_PATH])
{
    wchar_t folder[MAX_PATH];
    const DWORD length = GetTempPathW(MAX_PATH, folder);
    return length && length < MAX_PATH && GetTempFileNameW(folder, L"ant", 0, path) &&
           SetEnvironmentVariableW(L"ANNOT_FRONT_WITNESS", path);
}

int front_run(const struct front *front, char **program)
{
    wchar_t witness[MAX_PATH];
    wchar_t file[WIDE_PATH];
    struct wine_override override = {L"", false};
    if (find_program(program[0], file))
        wine_override_begin(&override, file);
    /* an outer command has its own file, and reports missing calls */
    const bool is_watched = !os_environment_borrow("ANNOT_FRONT_WITNESS") && make_witness(witness);
    int code = run(front, program);
    wine_override_end(&override);
    WIN32_FILE_ATTRIBUTE_DATA data;
    if (is_watched && code == 0 && !GetFileAttributesExW(witness, GetFileExInfoStandard, &data)) {
        fprintf(stderr, "annot %s: " CHILD_LACKS_CALLS ": %.200s\n", front->command, program[0]);
        code = EXIT_DAMAGED;
    } else if (is_watched && code == 0 && !data.nFileSizeLow) {
        fprintf(stderr,
                "annot %s: no D3D12 call of %.200s was seen: the program makes no calls, loads "
                "d3d12.dll by its own path, works in a child process, or WINEDLLOVERRIDES says "
                "d3d12=b\n",
                front->command, program[0]);
        code = EXIT_DAMAGED;
    }
    if (is_watched)
        DeleteFileW(witness);
    return code;
}

#endif
