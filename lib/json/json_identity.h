/* Writes the identity of a hang as JSON members, for reports of dumps and for `annot signature`. */
#pragma once

#include "json_writer.h"

#include <annot/fleet.h>

static inline void annot__json_identity(struct annot__json *json, const annot_identity *of)
{
    annot__json_format(json, "version:%u id:%-s quality:%s", of->version, of->id,
                       annot_signature_quality_word(of->quality));
    if (annot_signature_is_weak(of->quality))
        annot__json_format(json, "weak_because:%s", annot_signature_quality_text(of->quality));
    annot__json_format(json, "title:%s path:%s parts:{", of->title, of->path);
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++) {
        annot__json_open(json, annot_part_word((annot_part)i), "{");
        annot__json_hash(json, "hash", of->parts[i].hash);
        annot__json_format(json, "text:%s}", of->parts[i].text);
    }
    annot__json_format(json, "}");
}
