/* The output of the commands: the state of a category on standard output, errors and warnings on
 * standard error. */
#include "commands.h"

#include <annot/text.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Prints an escaped text, because paths and names come from files and arguments [ANN-SEC-06]. */
static void print_formatted(FILE *to, const char *format, va_list args)
{
    char text[8192], piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    vsnprintf(text, sizeof text, format, args);
    for (size_t at = 0, size = strlen(text); at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        fwrite(piece, 1, piece_size, to);
    }
}

void print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_formatted(stdout, format, args);
    va_end(args);
}

static void print_line(const char *prefix, const char *format, va_list args)
{
    fputs(prefix, stderr);
    print_formatted(stderr, format, args);
    fputc('\n', stderr);
}

int complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("d3dconfig: ", format, args);
    va_end(args);
    return EXIT_REFUSED;
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_line("d3dconfig: warning: ", format, args);
    va_end(args);
}

int finish_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    return complain("standard output: %s; the settings have not changed",
                    errno ? strerror(errno) : "can't be written");
}

void print_values(const emu_settings *settings, emu_category category)
{
    for (int i = 0; i < EMU_SETTING_COUNT; i++) {
        const emu_setting_info *info = emu_setting_describe((emu_setting)i);
        char value[32];
        if (info->category != category)
            continue;
        emu_setting_format((emu_setting)i, settings->values[i].value, value, sizeof value);
        printf("%s=%s\n", info->key, value);
    }
}

void print_category(const emu_settings *settings, emu_category category)
{
    const bool is_list = category == EMU_CATEGORY_APPS;
    printf("%s\n%s\n", emu_category_name(category),
           is_list ? "--------------------------------" : "----------------");
    if (is_list && settings->app_count == 0)
        puts("<no apps>");
    for (size_t i = 0; is_list && i < settings->app_count; i++)
        print_row("%s", settings->apps[i].name);
    print_values(settings, category);
}

bool load_settings(emu_settings *settings)
{
    emu_config_paths paths;
    char problem[EMU_CONFIG_TEXT];
    if (!emu_config_paths_init(&paths)) {
        complain("out of memory; close something and try again");
        return false;
    }
    emu_settings_load(settings, &paths);
    emu_config_paths_finish(&paths);
    if (emu_settings_problem(settings, problem, sizeof problem))
        warn("%s", problem);
    return true;
}

int show_category(emu_category category)
{
    emu_settings settings;
    if (!load_settings(&settings))
        return EXIT_REFUSED;
    print_category(&settings, category);
    emu_settings_finish(&settings);
    return finish_output();
}
