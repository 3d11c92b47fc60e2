/* Any bytes as a settings file [ANN-CONF-06]. The first byte chooses a change. Checks that a file
 * which is read stays within its limits, that a change is there when the changed text is read
 * again, and that it leaves all else as it was. */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void change(struct config_layer *layer, unsigned choice)
{
    const emu_setting setting = (emu_setting)(choice / 4 % EMU_SETTING_COUNT);
    switch (choice % 4) {
    case 0:
        layer->has[setting] = layer->touched[setting] = true;
        layer->value[setting] = 1;
        break;
    case 1:
        if (layer->app_count < EMU_CONFIG_MAX_APPS)
            expect(config_layer_add_app(layer, "/fuzz/", 6, 0, true));
        break;
    case 2:
        if (layer->app_count > 0)
            config_layer_remove_app(layer, layer->apps[choice / 4 % layer->app_count].name);
        break;
    default:
        break;
    }
}

static void expect_same(const struct config_layer *a, const struct config_layer *b)
{
    expect(a->unknown == b->unknown && a->app_count == b->app_count && a->has_apps == b->has_apps);
    for (int i = 0; i < EMU_SETTING_COUNT; i++)
        expect(a->has[i] == b->has[i] && (!a->has[i] || a->value[i] == b->value[i]));
    for (size_t i = 0; i < a->app_count; i++)
        expect(config_layer_has_app(b, a->apps[i].name)); /* the order is for people */
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct config_layer layer, again;
    if (size == 0)
        return 0;
    /* Exactly as large as the text, so that the sanitizer sees a read past it. */
    char *text = malloc(size);
    expect(text);
    memcpy(text, input + 1, size - 1);
    const enum config_layer_result result = config_layer_parse(&layer, text, size - 1);
    expect((result == CONFIG_LAYER_OK) || (layer.app_count == 0 && layer.problem[0] != '\0'));
    expect(layer.app_count <= EMU_CONFIG_MAX_APPS);
    if (result == CONFIG_LAYER_OK) {
        size_t new_size;
        change(&layer, input[0]);
        char *changed = config_layer_rewrite(&layer, text, size - 1, &new_size);
        expect(changed);
        if (config_layer_parse(&again, changed, new_size) == CONFIG_LAYER_OK)
            expect_same(&layer, &again);
        else
            expect(new_size > EMU_CONFIG_MAX_FILE_SIZE);
        config_layer_finish(&again);
        free(changed);
    }
    config_layer_finish(&layer);
    free(text);
    return 0;
}
