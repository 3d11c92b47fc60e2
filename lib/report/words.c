/*
 * The words of a dump's API. Sentences are written in D3D12's; a dump of a Vulkan program, whose
 * "driver" is a layer, gets them word by word in Vulkan's. Names that the application gave never
 * come here.
 */
#include "report/report.h"

#include <annot/annot.h>

#include <string.h>

enum { VK_OBJECT_TYPE_OF_QUEUES = 4 };

/* By what the writer calls them; a redacted dump has VkObjectType's number alone. */
static bool is_vulkan_queue(const annot_reader *reader, const struct annot__object_entry *object)
{
    const uint32_t kind = annot__index_find(&reader->kind_index, object->fields.kind);
    const annot_text name = kind == ANNOT__NONE ? (annot_text){NULL, 0} : reader->kinds[kind];
    return name.size == 0 ? object->fields.kind == VK_OBJECT_TYPE_OF_QUEUES
                          : name.size > 2 && memcmp(name.data, "Vk", 2) == 0;
}

bool annot__is_vulkan(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->object_count; i++)
        if (reader->objects[i].fields.type == ANNOT_OBJECT_QUEUE)
            return is_vulkan_queue(reader, &reader->objects[i]);
    return false;
}

/* Longer ones first where one begins with another. */
static const struct {
    const char *of_d3d12, *of_vulkan;
} pairs[] = {
    {"This driver may reorder markers", "Marks may come out of order"},
    {"the driver may reorder markers", "marks may come out of order"},
    {"The driver returned no report, so nothing says how far unfinished work got. Update the "
     "driver or\n  use one that supports user-defined annotations.",
     "The layer has no marks with this evidence, so nothing says how far unfinished work got: "
     "docs/VULKAN.md\n  says what each kind of evidence can tell."},
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

/* The pair whose first word begins here as a whole one; NONE: none does. */
static size_t pair_at(const char *words, const char *at)
{
    if (at > words && is_letter(at[-1]))
        return SIZE_MAX;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const size_t size = strlen(pairs[i].of_d3d12);
        if (strncmp(at, pairs[i].of_d3d12, size) == 0 && !is_letter(at[size]))
            return i;
    }
    return SIZE_MAX;
}

static size_t put(char *buffer, size_t capacity, size_t used, const char *text, size_t size)
{
    const size_t room = capacity - 1 - used;
    memcpy(buffer + used, text, size < room ? size : room);
    return used + (size < room ? size : room);
}

const char *annot__in_words(bool is_vulkan, const char *words, char *buffer, size_t capacity)
{
    size_t used = 0;
    if (!is_vulkan)
        return words;
    for (const char *at = words; *at;) {
        const size_t pair = is_letter(*at) ? pair_at(words, at) : SIZE_MAX;
        if (pair == SIZE_MAX) {
            used = put(buffer, capacity, used, at++, 1);
            continue;
        }
        const char *instead = pairs[pair].of_vulkan;
        used = put(buffer, capacity, used, instead, strlen(instead));
        at += strlen(pairs[pair].of_d3d12);
    }
    buffer[used] = 0;
    return buffer;
}

size_t annot_reader_words(const annot_reader *reader, const char *words, char *buffer,
                          size_t capacity)
{
    if (capacity == 0)
        return 0;
    const char *said = annot__in_words(annot__is_vulkan(reader), words, buffer, capacity);
    if (said != buffer)
        buffer[put(buffer, capacity, 0, said, strlen(said))] = 0;
    return strlen(buffer);
}
