/* Prints the code that a trusted trace will load, and what it will write and set. */
#include "state.h"

#include "../trace/print.h"
#include "surroundings.h"

#include <stdlib.h>

#define NAMES_MAX 32

struct names { /* texts of a kind, each once; malloc'd */
    char *texts[NAMES_MAX];
    size_t count;
    bool is_more;
};

static void add(struct names *names, const char *text)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->texts[i], text) == 0)
            return;
    char *copy = names->count < NAMES_MAX ? malloc(strlen(text) + 1) : NULL;
    names->is_more |= !copy;
    if (copy)
        names->texts[names->count++] = strcpy(copy, text);
}

/* Prints the names, and frees them. */
static void print(FILE *to, const char *verb, const struct names *names)
{
    if (names->count)
        fputs(verb, to);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i ? ", " : " ", to);
        trace_print_text(to, names->texts[i], strlen(names->texts[i]));
        free(names->texts[i]);
    }
    fputs(names->is_more ? " and more" : "", to);
}

/* Adds a driver that the call names by its path. */
static void add_driver(struct names *loaded, const struct trace_item *item,
                       struct codec_arena *arena)
{
    const bool is_one = item->method == METHOD_NONE_emu_configure ||
                        item->method == METHOD_NONE_emu_adapter_create ||
                        item->method == METHOD_NONE_emu_driver_annotation;
    if (item->record.kind != RECORD_ENTER || !is_one || item->size < 8)
        return;
    uint64_t args[CODEC_ARGS] = {0};
    struct codec_in in = {.at = item->data + 8,
                          .end = item->data + item->size,
                          .arena = arena,
                          .wchar_size = CAPTURE_WCHAR_SIZE}; /* objects are numbers, not used */
    codec_arena_reset(arena);
    const bool ok = codec_decode(&in, &schema_methods[item->method], args, false);
    const char *driver = ok ? replay_driver_of(item->method, args) : NULL;
    if (driver && !surroundings_is_built_in(driver))
        add(loaded, driver);
}

static void add_variable(struct names *loaded, struct names *written, struct names *others,
                         const struct trace_item *item)
{
    char *name = item->record.kind == RECORD_VARIABLE ? surroundings_variable(item) : NULL;
    char *value = name ? strchr(name, '=') : NULL;
    if (value) {
        *value++ = '\0';
        if (strcmp(name, "EMU_DRIVER_PATH") == 0 || strcmp(name, "EMU_KERNEL_DRIVER_PATH") == 0 ||
            (strcmp(name, "EMU_DRIVER") == 0 && !surroundings_is_built_in(value)))
            add(loaded, value);
        else if (strcmp(name, "EMU_WARP_LOG") == 0)
            add(written, value);
        else if (strncmp(name, "EMU_", 4) == 0)
            add(others, name);
    }
    free(name);
}

void replay_tell_trust(struct trace *trace, const struct replay_options *options)
{
    struct names loaded = {0}, written = {0}, others = {0};
    struct trace_item item;
    if (!options->log)
        return;
    struct codec_arena *arena = codec_arena_create();
    add(&loaded, options->runtime ? options->runtime : trace_get_header(trace)->runtime);
    if (options->dump)
        add(&written, options->dump);
    while (arena && trace_next(trace, &item)) {
        add_driver(&loaded, &item, arena);
        add_variable(&loaded, &written, &others, &item);
    }
    trace_rewind(trace);
    fputs("annot replay: --trust:", options->log);
    print(options->log, " loads", &loaded);
    print(options->log, "; writes", &written);
    print(options->log, "; sets", &others);
    fputc('\n', options->log);
    fflush(options->log);
    codec_arena_destroy(arena);
}
