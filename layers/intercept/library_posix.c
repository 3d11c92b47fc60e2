#include "library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

void *library_load(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | CAPTURE_DEEPBIND);
}

void library_stay(void)
{
    static const char here;
    Dl_info own;
    if (dladdr(&here, &own))
        dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

bool library_find_system(char *path, size_t size)
{
    (void)path, (void)size;
    return false;
}

void *library_self(void)
{
    static const char here;
    Dl_info own;
    void *self = dladdr(&here, &own) ? dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (self)
        dlclose(self);
    return self;
}

/* vkd3d's libraries have WCHARs of two bytes and return structures in another way. So do programs
 * that link them. */
const char *library_foreign(void *library)
{
#ifndef EMU_D3D12_ABI_VKD3D
    const struct link_map *map = NULL;
    const char *strings = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return NULL;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB)
            strings = (const char *)entry->d_un.d_ptr;
    for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++)
        if ((entry->d_tag == DT_SONAME || entry->d_tag == DT_NEEDED) &&
            strncmp(strings + entry->d_un.d_val, "libvkd3d", 8) == 0)
            return "the library is a native build of vkd3d or vkd3d-proton, which has another "
                   "binary interface; use a library for DirectX-Headers, or build with "
                   "-DEMU_D3D12_ABI=vkd3d";
#else
    (void)library;
#endif
    return NULL;
}

/* Describes a library by its file's name: on Linux only the name has a version. */
void library_describe(void *library, char *text, size_t size)
{
    const struct link_map *map = NULL;
    char path[PATH_MAX];
    text[0] = '\0';
    if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map &&
        realpath(map->l_name, path))
        snprintf(text, size, "%s", path);
}

void library_describe_loaded(const char *name, char *text, size_t size)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    library_describe(library, text, size);
    if (library)
        dlclose(library);
}

FILE *library_open_file(const char *path)
{
    return fopen(path, "r+b");
}
