/* The API that a dump is of, and who wrote it. */
#include "reader/ask.h"

#include <annot/annot.h>

#include <string.h>

enum { VK_OBJECT_TYPE_OF_QUEUES = 4 };

/* The writer's name for the kind decides; a redacted dump has VkObjectType's number alone. */
static bool is_vulkan_queue(const annot_reader *reader, const struct annot__object_entry *object)
{
    const uint32_t kind = annot__index_find(&reader->kind_index, object->fields.kind);
    const annot_text name = kind == ANNOT__NONE ? (annot_text){NULL, 0} : reader->kinds[kind];
    return name.size == 0 ? object->fields.kind == VK_OBJECT_TYPE_OF_QUEUES
                          : name.size > 2 && memcmp(name.data, "Vk", 2) == 0;
}

static bool is_vulkan(const annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->object_count; i++)
        if (reader->objects[i].fields.type == ANNOT_OBJECT_QUEUE)
            return is_vulkan_queue(reader, &reader->objects[i]);
    return false;
}

/* The D3D12 layer's name for itself: layers/d3d12/list.c. */
static bool is_layer(const annot_reader *reader)
{
    static const char name[] = "annot d3d12";
    const annot_text driver = reader->texts[ANNOT__DUMP_TEXT_DRIVER];
    return driver.size == sizeof name - 1 && memcmp(driver.data, name, driver.size) == 0;
}

enum annot__voice annot__voice_of(const annot_reader *reader)
{
    if (is_vulkan(reader))
        return ANNOT__VOICE_VULKAN;
    return is_layer(reader) ? ANNOT__VOICE_D3D12_LAYER : ANNOT__VOICE_D3D12;
}

annot_text annot__fact_of(const annot_reader *reader, const char *key)
{
    const size_t size = strlen(key);
    for (uint32_t i = 0; i < reader->fact_count; i++)
        if (reader->facts[i].key.size == size && memcmp(reader->facts[i].key.data, key, size) == 0)
            return reader->facts[i].value;
    return (annot_text){NULL, 0};
}
