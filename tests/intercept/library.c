/* Libraries by their files. */
#include "fake.h"

#include <intercept/library.h>
#include <intercept/runtime.h>

#include "asserts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "libc.so.6";

/* A path without links, of the file of that name. */
static bool is_its_file(const char *text)
{
    char path[PATH_MAX];
    return text[0] == '/' && realpath(text, path) && strcmp(path, text) == 0 &&
           strncmp(strrchr(text, '/'), "/libc", 5) == 0;
}

Test(library, is_described_by_its_file)
{
    char text[PATH_MAX], other[PATH_MAX];
    char few[4] = "xxx";
    void *library = library_load(name);
    cr_assert(library);
    library_describe(library, text, sizeof text);
    cr_assert(is_its_file(text), "%s", text);
    library_describe_loaded(name, other, sizeof other);
    cr_assert(strcmp(text, other) == 0);
    library_describe(library, few, sizeof few);
    cr_assert(few[3] == '\0' && strncmp(few, text, 3) == 0);
    library_describe(NULL, text, sizeof text);
    cr_assert(text[0] == '\0');
    library_describe_loaded("libnone.so", other, sizeof other);
    cr_assert(other[0] == '\0');
}

Test(library, that_is_not_there_is_not_loaded)
{
    cr_assert(library_load("/nonexistent/libd3d12.so") == NULL);
    cr_assert(!library_find_system((char[8]){""}, 8)); /* a system has none */
}

Test(library, of_another_kind_is_neither_this_one_nor_refused)
{
    void *library = library_load(name);
    cr_assert(library != library_self());
    cr_assert(library_foreign(library) == NULL);
}

/* One that is there; it is not emptied. */
Test(library, opens_files_to_be_written)
{
    char path[] = "/tmp/annot-intercept-XXXXXX", text[8] = "";
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, "before", 6) == 6);
    close(file);
    FILE *opened = library_open_file(path);
    cr_assert(opened && fputs("af", opened) >= 0 && fclose(opened) == 0);
    opened = fopen(path, "rb");
    cr_assert(opened && fgets(text, sizeof text, opened) && fclose(opened) == 0);
    cr_assert(strcmp(text, "affore") == 0, "%s", text);
    unlink(path);
    cr_assert(library_open_file(path) == NULL && access(path, F_OK) != 0);
}

Test(library, that_is_the_runtime_has_its_functions)
{
    void *library = library_load(name);
    cr_assert(runtime_library() == NULL && runtime_function("getpid") == NULL);
    runtime_set(library);
    cr_assert(runtime_library() == library && runtime_function("getpid") != NULL);
    cr_assert(runtime_function("D3D12CreateDevice") == NULL);
}
