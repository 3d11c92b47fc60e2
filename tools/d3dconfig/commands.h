/* The commands of d3dconfig. Each gets the arguments after its name and returns the exit code: 0
 * for success; 2 for a refusal or failure, after a line on standard error that says what to do. */
#pragma once

#include "config/d3dconfig.h"

enum { EXIT_DONE = 0, EXIT_REFUSED = 2 };

int cmd_apps(int argc, char **argv);
int cmd_category(emu_category category, int argc, char **argv);
int cmd_why(int argc, char **argv);
int cmd_export(void);
int cmd_reset(void);

/* Prints on standard output. Escapes control characters and line ends that come from arguments or
 * files, as \n or \x1b. */
__attribute__((format(printf, 1, 2))) void print(const char *format, ...);
#define print_row(...) (print(__VA_ARGS__), putchar('\n'))

/* Prints "d3dconfig: ", the text (escaped as by print) and a newline. Returns EXIT_REFUSED. */
__attribute__((format(printf, 1, 2))) int complain(const char *format, ...);
__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/* Loads the settings from the paths of this process. If this fails, prints a message and returns
 * false. */
bool load_settings(emu_settings *settings);
/* Makes the edits in the settings file, and prints the changed category. Returns the exit code. */
int edit_and_show(const emu_edit *edits, size_t count, emu_category category);
int show_category(emu_category category);
/* Prints the category's settings. All commands print settings in this form. */
void print_category(const emu_settings *settings, emu_category category);
void print_values(const emu_settings *settings, emu_category category);
int finish_output(void);
