/* Writes the identity of a hang as members, for reports of dumps and for `annot signature`. */
#pragma once

#include "json_writer.h"

#include <annot/fleet.h>

static inline void annot__json_identity(struct annot__json *json, const annot_identity *of)
{
    char digits[17];
    annot__json_number(json, "version", of->version);
    annot__json_word(json, "id", of->id);
    annot__json_string(json, "quality", annot_signature_quality_word(of->quality));
    if (annot_signature_is_weak(of->quality))
        annot__json_string(json, "weak_because", annot_signature_quality_text(of->quality));
    annot__json_string(json, "title", of->title);
    annot__json_string(json, "path", of->path);
    annot__json_open(json, "parts", "{");
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
        snprintf(digits, sizeof digits, "%016" PRIx64, of->parts[i].hash);
        annot__json_open(json, annot_part_word((annot_part)i), "{");
        annot__json_string(json, "hash", of->parts[i].hash ? digits : NULL);
        annot__json_string(json, "text", of->parts[i].text);
        annot__json_close(json, "}");
    }
    annot__json_close(json, "}");
}
