#include "device/hang.h"

#include "glob_fits.h"

#include <annot/pix.h>

#include <stdlib.h>

static const struct {
    const char *prefix;
    emu_hang_place place;
} places[] = {{"dispatch:", EMU_HANG_AT_DISPATCH},
              {"draw:", EMU_HANG_AT_DRAW},
              {"list:", EMU_HANG_BEFORE_LIST},
              {"submission:", EMU_HANG_AT_SUBMISSION},
              {"marker:", EMU_HANG_AT_MARKER}};

static bool parse_count(const char *text, uint64_t *out)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *out = strtoull(text, &end, 10);
    return *end == '\0' && *out != 0;
}

bool hang_parse(const char *text, emu_hang_kind kind, emu_hang *out)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const size_t length = strlen(places[i].prefix);
        emu_hang hang = {.place = places[i].place, .count = 1, .kind = kind};
        if (strncmp(text, places[i].prefix, length) != 0)
            continue;
        if (hang.place == EMU_HANG_AT_MARKER)
            hang.marker = text + length;
        else if (!parse_count(text + length, &hang.count))
            return false;
        *out = hang;
        return true;
    }
    return false;
}

bool hang_fits(const char *glob, uint32_t metadata, const void *data, uint32_t size)
{
    char name[1024];
    annot_pix_event event;
    return annot_pix_decode(metadata, data, size, name, sizeof name, &event) == ANNOT_PIX_OK &&
           glob_fits(glob, name);
}
