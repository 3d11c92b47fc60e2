/* Functions for the settings that d3dconfig stores and that a device reads when it is created. They
 * list all settings, find the files, and tell each setting's value for an executable, and where the
 * value comes from. The emulator and the command d3dconfig share these functions [ANN-CONF].
 *
 * The user has one INI file with settings, and the system has one; ANNOT_CONFIG names a file that
 * replaces both. If both files have a setting, the user's file decides. The list of applications
 * counts as one setting. If the list has entries, settings apply only to the listed applications.
 *
 * Programs link these functions from the archive emu_config; libd3d12 doesn't export them. Strings
 * are UTF-8 on Windows and bytes elsewhere. Functions may be called on any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the settings ---- */

typedef enum emu_category {
    EMU_CATEGORY_APPS,
    EMU_CATEGORY_DEBUG_LAYER,
    EMU_CATEGORY_DEVICE,
    EMU_CATEGORY_DRED,
    EMU_CATEGORY_MESSAGE_BREAK,
    EMU_CATEGORY_MESSAGE_MUTE,
    EMU_CATEGORY_COUNT
} emu_category;

typedef enum emu_setting {
    EMU_SETTING_DEBUG_LAYER_MODE,
    EMU_SETTING_FORCE_WARP,
    EMU_SETTING_RETAIN_DUMP_FILE,
    EMU_SETTING_DUMP_FILE_DRIVER_OPTIONS,
    EMU_SETTING_AUTO_DEBUG_NAME,
    EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS,
    EMU_SETTING_AUTO_BREADCRUMBS,
    EMU_SETTING_BREADCRUMB_CONTEXTS,
    EMU_SETTING_PAGE_FAULTS,
    EMU_SETTING_WATSON_DUMPS,
    EMU_SETTING_ALLOW_DEBUG_BREAKS,
    EMU_SETTING_BREAK_ON_CORRUPTION,
    EMU_SETTING_BREAK_ON_ERROR,
    EMU_SETTING_BREAK_ON_WARNING,
    EMU_SETTING_BREAK_ON_INFO,
    EMU_SETTING_MUTE_CORRUPTION,
    EMU_SETTING_MUTE_ERROR,
    EMU_SETTING_MUTE_WARNING,
    EMU_SETTING_MUTE_INFO,
    EMU_SETTING_COUNT
} emu_setting;

/* EMU_SETTING_DEBUG_LAYER_MODE's values. */
typedef enum emu_debug_layer_mode {
    EMU_DEBUG_LAYER_APP_CONTROLLED = 0,
    EMU_DEBUG_LAYER_FORCE_ON = 1,
    EMU_DEBUG_LAYER_OFF = 2
} emu_debug_layer_mode;

typedef struct emu_setting_info {
    emu_category category;
    const char *key; /* the setting's key, unique over all categories */
    /* words[n] is the word for value n; the last element is NULL. If `words` itself is NULL, the
     * setting's value is a number of 32 bits. */
    const char *const *words;
    bool is_boolean; /* whether the setting also accepts true, false, on and off; output still uses
                        the setting's own `words` */
    bool has_effect; /* false: the emulator ignores the setting; d3dconfig stores and shows it */
    uint32_t fallback;
} emu_setting_info;

const char *emu_category_name(emu_category category);
/* emu_category_find and emu_setting_find return false if nothing has this name or key. */
bool emu_category_find(const char *name, size_t length, emu_category *out);
bool emu_setting_find(const char *key, size_t length, emu_setting *out);
const emu_setting_info *emu_setting_describe(emu_setting setting); /* the result is static */

/* Parses the text of a value. False means that the setting has no such value. */
bool emu_setting_parse(emu_setting setting, const char *text, size_t length, uint32_t *value);
/* Writes a value as text, such as "on" or "4", cut to `capacity` bytes with its NUL. */
void emu_setting_format(emu_setting setting, uint32_t value, char *buffer, size_t capacity);
/* Writes a text that lists the allowed values: "true or false", "a number from 0 to 4294967295". */
void emu_setting_values(emu_setting setting, char *buffer, size_t capacity);

/* ---- the files ---- */

typedef enum emu_layer {
    EMU_LAYER_DEFAULT, /* no file has a value for the setting */
    EMU_LAYER_SYSTEM,
    EMU_LAYER_USER,
    EMU_LAYER_ENVIRONMENT /* the file that ANNOT_CONFIG names */
} emu_layer;

const char *emu_layer_name(emu_layer layer); /* "default", "system", "user", "ANNOT_CONFIG" */

#define EMU_CONFIG_FILES 2
#define EMU_CONFIG_TEXT  512 /* bytes of a message, with its NUL */
/* Limits of a settings file: its bytes, a line's bytes, and the applications in the list. A file
 * above a limit counts as damaged. */
#define EMU_CONFIG_MAX_FILE_SIZE (1u << 20)
#define EMU_CONFIG_MAX_LINE      8192u
#define EMU_CONFIG_MAX_APPS      1024u

typedef struct emu_config_path {
    emu_layer layer;
    char *path;
} emu_config_path;

/* The paths of this process's settings files. The first file decides, and d3dconfig writes it. */
typedef struct emu_config_paths {
    emu_config_path files[EMU_CONFIG_FILES];
    size_t count;
} emu_config_paths;

/* Finds the paths, using environment variables. A process with more rights than its user ignores
 * the variables and uses only the system's file. Returns false if memory runs out; then don't call
 * emu_config_paths_finish. */
bool emu_config_paths_init(emu_config_paths *paths);
void emu_config_paths_finish(emu_config_paths *paths);

typedef enum emu_file_state {
    EMU_FILE_ABSENT,
    EMU_FILE_READ,       /* the file was read; `problem` names skipped lines */
    EMU_FILE_UNREADABLE, /* the path has no readable file, or is a circle of links: the emulator
                            ignores the path, and `problem` has the reason */
    EMU_FILE_DAMAGED /* the file has NUL bytes or exceeds a limit: the emulator ignores the file */
} emu_file_state;

typedef struct emu_config_file {
    emu_layer layer;
    char *path;
    emu_file_state state;
    char problem[EMU_CONFIG_TEXT]; /* the problem and its remedy, without the path; "": none */
    unsigned unknown;              /* number of unknown settings and categories in the file */
} emu_config_file;

/* ---- what the settings files contain ---- */

typedef struct emu_setting_value {
    uint32_t value;
    emu_layer layer; /* the kind of file that sets the value */
    unsigned line;   /* the value's line in the file, from 1; 0 for EMU_LAYER_DEFAULT */
} emu_setting_value;

typedef struct emu_app {
    char *name; /* the program's name, its full path, or a directory that ends in a separator */
    unsigned line;
} emu_app;

typedef struct emu_settings {
    emu_config_file files[EMU_CONFIG_FILES]; /* strongest first */
    size_t file_count;
    /* each setting's value for an application in the list, and the value's file and line */
    emu_setting_value values[EMU_SETTING_COUNT];
    emu_app *apps;
    size_t app_count;
    emu_layer apps_layer;
} emu_settings;

/* Loads the settings; always succeeds. If a file can't be read, the function ignores the file and
 * stores the reason in emu_config_file [ANN-CONF-06]. The limits above bound memory and time. */
void emu_settings_load(emu_settings *settings, const emu_config_paths *paths);
void emu_settings_finish(emu_settings *settings);

/* Returns the file of a layer, or NULL if the layer has no file. */
const emu_config_file *emu_settings_file(const emu_settings *settings, emu_layer layer);
/* Writes the path and the problem of the first file with a problem, and how many further files have
 * a problem. Returns false if no file has a problem. */
bool emu_settings_problem(const emu_settings *settings, char *buffer, size_t capacity);

/* The results of emu_settings_match: the index of the executable's entry, or one of these: */
/* The list of applications is empty, so the settings apply to every executable. */
#define EMU_APP_ALL (-1)
/* The list has entries, but not for the executable, so no setting applies. */
#define EMU_APP_NONE (-2)

/* Finds the entry of `executable`, a full path. If `executable` has no folder, only entries without
 * a folder match. */
int emu_settings_match(const emu_settings *settings, const char *executable);
/* Returns a setting's value for an application; `match` is a result of emu_settings_match. */
emu_setting_value emu_settings_get(const emu_settings *settings, int match, emu_setting setting);
/* Writes one line: the mode that a new device starts with, and the mode's source [ANN-CONF-05]. */
void emu_settings_explain_mode(const emu_settings *settings, int match, const char *executable,
                               char *buffer, size_t capacity);

/* Returns whether `name`, an entry of the list of applications, is a path (has a separator). */
bool emu_app_is_path(const char *name);
/* Returns whether the entry's file or directory exists. Names without a folder count as existing.
 */
bool emu_app_exists(const char *name);
/* Returns `name` in the form that the list stores: a relative path becomes absolute. The caller
 * frees the result. NULL means that `name` can't be an entry; then `problem` says what to do. */
char *emu_app_normalise(const char *name, char *problem, size_t capacity);
/* Returns the file's absolute path without links, or a copy of `path` if the file doesn't exist.
 * The caller frees the result. NULL means out of memory. */
char *emu_executable_resolve(const char *path);
/* Returns the path of the running program, without links, or NULL. The caller frees the path. */
char *emu_executable_self(void);

/* ---- changes of the files ---- */

typedef enum emu_edit_kind {
    EMU_EDIT_SET,        /* `setting` becomes `value` */
    EMU_EDIT_ADD_APP,    /* `app` becomes the first entry of the list, unless the list has `app` */
    EMU_EDIT_REMOVE_APP, /* removes `app` from the list; an error if the list lacks `app` */
    EMU_EDIT_CLEAR_APPS,
    EMU_EDIT_RESET /* removes all settings and the list of applications from the file */
} emu_edit_kind;

typedef struct emu_edit {
    emu_edit_kind kind;
    emu_setting setting;
    uint32_t value;
    const char *app;
} emu_edit;

/* Makes all edits in one step in the first file of `paths`. False means that no edit was made; then
 * `problem` says what to do. Writers wait for each other. A reader sees the whole old file or the
 * whole new file, even if a writer was killed. Comments and lines of other versions stay. If only
 * the system's file has a list of applications, the function changes a copy of this list. */
bool emu_settings_edit(const emu_config_paths *paths, const emu_edit *edits, size_t count,
                       char *problem, size_t capacity);

#ifdef __cplusplus
}
#endif
