/* Reads the text of a settings file into a model, and writes a changed model as text. */
#pragma once

#include "d3dconfig.h"

struct config_layer {
    bool has[EMU_SETTING_COUNT];
    uint32_t value[EMU_SETTING_COUNT];
    /* Number of the setting's last line, which decides the value. */
    unsigned line[EMU_SETTING_COUNT];
    bool touched[EMU_SETTING_COUNT]; /* whether the setting was edited; config_layer_rewrite then
                                        removes the setting's wrong lines */
    bool has_apps; /* whether the file has a section [apps], even an empty section */
    emu_app *apps;
    size_t app_count, app_capacity;
    unsigned skipped, unknown;     /* numbers of lines */
    char problem[EMU_CONFIG_TEXT]; /* message about the first line that was skipped; "": none */
};

enum config_layer_result { CONFIG_LAYER_OK, CONFIG_LAYER_DAMAGED, CONFIG_LAYER_OUT_OF_MEMORY };

/* Parses the text of a file. If the result is not CONFIG_LAYER_OK, the layer is empty, and
 * `problem` has the reason. Call config_layer_finish in any case. */
enum config_layer_result config_layer_parse(struct config_layer *layer, const char *text,
                                            size_t size);
void config_layer_finish(struct config_layer *layer);

bool config_layer_has_app(const struct config_layer *layer, const char *name);
/* Adds an entry at the end of the list; if `in_front` is true, at the start. Returns false if
 * memory runs out or the list already has EMU_CONFIG_MAX_APPS entries. */
bool config_layer_add_app(struct config_layer *layer, const char *name, size_t length,
                          unsigned line, bool in_front);
void config_layer_remove_app(struct config_layer *layer, const char *name);
void config_layer_clear_apps(struct config_layer *layer);

/* Returns a malloc'ed copy of `old`, in which the lines are changed to match `layer`. `old` must be
 * the text that the layer was parsed from. *size is the copy's length. NULL means out of memory. */
char *config_layer_rewrite(const struct config_layer *layer, const char *old, size_t old_size,
                           size_t *size);
