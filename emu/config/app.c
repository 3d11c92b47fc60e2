/* An entry of the list means these applications:
 *
 *     meadow.exe           executables of this name, wherever they are
 *     /games/bin/meadow    this executable
 *     /games/              those in the folder and below it
 *
 * The system knows a process by its path without links. So an entry is compared as written and, if
 * it exists, also by its path without links. */
#include "os_path.h"

#include "d3dconfig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool emu_app_is_path(const char *name)
{
    return os_file_name(name) != name;
}

static bool is_folder_entry(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && os_is_separator(name[length - 1]);
}

static bool starts_with(const char *path, const char *start, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (path[i] == '\0' || !os_same_character(path[i], start[i]))
            return false;
    return true;
}

static bool is_same(const char *a, const char *b)
{
    const size_t length = strlen(a);
    return strlen(b) == length && starts_with(a, b, length);
}

static bool covers(const char *place, bool is_folder, const char *executable)
{
    const size_t length = strlen(place);
    if (!is_folder)
        return is_same(place, executable);
    const bool has_separator = length > 0 && os_is_separator(place[length - 1]);
    return starts_with(executable, place, length) &&
           (has_separator || os_is_separator(executable[length]));
}

static bool app_matches(const char *entry, const char *executable)
{
    if (!emu_app_is_path(entry))
        return is_same(entry, os_file_name(executable));
    if (!emu_app_is_path(executable))
        return false;
    const bool is_folder = is_folder_entry(entry);
    if (covers(entry, is_folder, executable))
        return true;
    char *place = os_full_path(entry);
    const bool matches = place != NULL && covers(place, is_folder, executable);
    free(place);
    return matches;
}

int emu_settings_match(const emu_settings *settings, const char *executable)
{
    if (settings->app_count == 0)
        return EMU_APP_ALL;
    for (size_t i = 0; executable && i < settings->app_count; i++)
        if (app_matches(settings->apps[i].name, executable))
            return (int)i;
    return EMU_APP_NONE;
}

bool emu_app_exists(const char *name)
{
    bool is_directory = false;
    if (!emu_app_is_path(name))
        return true;
    return os_exists(name, &is_directory) && is_directory == is_folder_entry(name);
}

static char *refuse(char *problem, size_t capacity, const char *name, const char *why)
{
    snprintf(problem, capacity, "'%.200s': %s", name, why);
    return NULL;
}

static char *make_absolute(const char *name, char *problem, size_t capacity)
{
    char *place = os_full_path(name);
    if (!place)
        return refuse(problem, capacity, name,
                      "the executable or folder does not exist; give a full path");
    const bool has_end = is_folder_entry(place) || !is_folder_entry(name);
    char *entry = os_path_join(place, has_end ? "" : &name[strlen(name) - 1]);
    free(place);
    return entry ? entry : refuse(problem, capacity, name, "out of memory");
}

char *emu_app_normalise(const char *name, char *problem, size_t capacity)
{
    const size_t length = strlen(name);
    bool is_directory;
    if (length == 0 || name[0] == ' ' || name[0] == '\t' || name[length - 1] == ' ' ||
        name[length - 1] == '\t')
        return refuse(
            problem, capacity, name,
            "give an executable's name, its full path, or a folder ending in a separator");
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F)
            return refuse(problem, capacity, "(name)",
                          "the name has control characters; add the executable's folder instead");
    if (length > EMU_CONFIG_MAX_LINE - 16)
        return refuse(problem, capacity, name, "the path is too long; add the executable's folder");
    if (emu_app_is_path(name) && !is_folder_entry(name) && os_exists(name, &is_directory) &&
        is_directory)
        return refuse(problem, capacity, name,
                      "this is a folder; a folder's path must end with a separator");
    if (emu_app_is_path(name) && !os_is_absolute(name))
        return make_absolute(name, problem, capacity);
    char *entry = os_path_join(name, "");
    return entry ? entry : refuse(problem, capacity, name, "out of memory");
}

char *emu_executable_resolve(const char *path)
{
    char *place = emu_app_is_path(path) ? os_full_path(path) : NULL;
    return place ? place : os_path_join(path, "");
}

char *emu_executable_self(void)
{
    char path[3 * 4096];
    os_program_path(path, sizeof path);
    return path[0] != '\0' ? strdup(path) : NULL;
}
