/* Finds the API of a dump, and who wrote the dump. */
#include "reader/ask.h"

#include <annot/annot.h>

#include <string.h>

enum { VK_OBJECT_TYPE_OF_QUEUES = 4 };

/* Returns true for a Vulkan queue, by the kind's name, or in a redacted dump by VkObjectType's
 * number. */
static bool is_vulkan_queue(const annot_reader *reader, const struct annot__object_entry *object)
{
    const uint32_t kind = annot__index_find(&reader->kind_index, object->fields.kind);
    const annot_text name = kind == ANNOT__NONE ? (annot_text){NULL, 0} : reader->kinds[kind];
    return name.size == 0 ? object->fields.kind == VK_OBJECT_TYPE_OF_QUEUES
                          : name.size > 2 && annot__text_begins(name, "Vk");
}

static bool is_vulkan(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->object_count; i++)
        if (reader->objects[i].fields.type == ANNOT_OBJECT_QUEUE)
            return is_vulkan_queue(reader, &reader->objects[i]);
    return false;
}

bool annot__text_begins(annot_text text, const char *words)
{
    return text.size >= strlen(words) && memcmp(text.data, words, strlen(words)) == 0;
}

bool annot__text_is(annot_text text, const char *words)
{
    return text.size == strlen(words) && annot__text_begins(text, words);
}

annot_voice annot_reader_voice(const annot_reader *reader)
{
    return reader->voice;
}

/* The D3D12 layer's name for itself is in layers/d3d12/list.c. */
void annot__find_voice(annot_reader *reader)
{
    reader->voice = is_vulkan(reader) ? ANNOT_VOICE_VULKAN
                    : annot__text_is(reader->texts[ANNOT__DUMP_TEXT_DRIVER], "annot d3d12")
                        ? ANNOT_VOICE_LAYER
                    : annot__text_is(reader->texts[ANNOT__DUMP_TEXT_WRITER], "DirectX dump file")
                        ? ANNOT_VOICE_FILE
                        : ANNOT_VOICE_D3D12;
}

annot_text annot__fact_of(const annot_reader *reader, const char *key)
{
    for (uint32_t i = 0; i < reader->fact_count; i++)
        if (annot__text_is(reader->facts[i].key, key))
            return reader->facts[i].value;
    return (annot_text){NULL, 0};
}
