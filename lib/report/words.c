/*
 * The words of a dump's API. Sentences are written in D3D12's. Where the "driver" is a layer they
 * speak of that; a dump of a Vulkan program, where it always is one, gets them word by word in
 * Vulkan's. Names that the application gave never come here.
 */
#include "report/report.h"

#include <string.h>

struct pair {
    const char *of_d3d12, *instead;
};

/* Longer ones first where one begins with another. */
static const struct pair layer_pairs[] = {
    {"The driver returned no report, so nothing says how far unfinished work got.",
     "The layer has no words with this evidence, so nothing says how far unfinished work got: "
     "docs/D3D12_LAYER.md says what each kind of evidence can tell."},
    {"the driver returned no report", "the layer has no words"},
    {"driver", "layer"},
};

static const struct pair vulkan_pairs[] = {
    {"This driver may reorder markers", "Marks may come out of order"},
    {"the driver may reorder markers", "marks may come out of order"},
    {"The driver returned no report, so nothing says how far unfinished work got.",
     "The layer has no marks with this evidence, so nothing says how far unfinished work got: "
     "docs/VULKAN.md says what each kind of evidence can tell."},
    {"the driver returned no report", "the layer has no marks"},
    {"driver", "layer"},
    {"BeginEvent / EndEvent", "vkCmdBeginDebugUtilsLabelEXT / vkCmdEndDebugUtilsLabelEXT"},
    {"BeginEvents", "label begins"},
    {"BeginEvent", "label begin"},
    {"EndEvents", "label ends"},
    {"EndEvent", "label end"},
    {"ExecuteBundle", "vkCmdExecuteCommands"},
    {"bundles", "secondaries"},
    {"bundle", "secondary"},
    {"command lists", "command buffers"},
    {"command list", "command buffer"},
    {"lists", "command buffers"},
    {"list", "command buffer"},
    {"markers", "labels"},
    {"marker", "label"},
    {"allocators", "command pools"},
    {"allocator", "command pool"},
    {"direct", "graphics"},
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const struct voice {
    const struct pair *pairs;
    size_t count;
} voices[] = {
    [ANNOT__VOICE_D3D12] = {NULL, 0},
    [ANNOT__VOICE_D3D12_LAYER] = {layer_pairs, sizeof layer_pairs / sizeof *layer_pairs},
    [ANNOT__VOICE_VULKAN] = {vulkan_pairs, sizeof vulkan_pairs / sizeof *vulkan_pairs},
};

/* The pair whose first word begins here as a whole one; NULL: none does. */
static const struct pair *pair_at(const struct voice *voice, const char *words, const char *at)
{
    if (at > words && is_letter(at[-1]))
        return NULL;
    for (size_t i = 0; i < voice->count; i++) {
        const size_t size = strlen(voice->pairs[i].of_d3d12);
        if (strncmp(at, voice->pairs[i].of_d3d12, size) == 0 && !is_letter(at[size]))
            return &voice->pairs[i];
    }
    return NULL;
}

static size_t put(char *buffer, size_t capacity, size_t used, const char *text, size_t size)
{
    const size_t room = capacity - 1 - used;
    memcpy(buffer + used, text, size < room ? size : room);
    return used + (size < room ? size : room);
}

const char *annot__in_words(enum annot__voice voice, const char *words, char *buffer,
                            size_t capacity)
{
    size_t used = 0;
    if (voices[voice].count == 0)
        return words;
    for (const char *at = words; *at;) {
        const struct pair *pair = is_letter(*at) ? pair_at(&voices[voice], words, at) : NULL;
        if (!pair) {
            used = put(buffer, capacity, used, at++, 1);
            continue;
        }
        used = put(buffer, capacity, used, pair->instead, strlen(pair->instead));
        at += strlen(pair->of_d3d12);
    }
    buffer[used] = 0;
    return buffer;
}

size_t annot_reader_words(const annot_reader *reader, const char *words, char *buffer,
                          size_t capacity)
{
    if (capacity == 0)
        return 0;
    const char *said = annot__in_words(annot__voice_of(reader), words, buffer, capacity);
    if (said != buffer)
        buffer[put(buffer, capacity, 0, said, strlen(said))] = 0;
    return strlen(buffer);
}
