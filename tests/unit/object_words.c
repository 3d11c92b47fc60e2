/* Programs' words about their objects, at the limits of what is kept: shaders and their names,
 * resources, kinds [annot/annot.h, annot/shader.h]. */
#include "device_dump.h"
#include "spy.h"

#include <annot/shader.h>

static annot_object *make(annot_device *device, uint32_t kind, const char *kind_name)
{
    const annot_object_desc desc = {
        .kind = kind, .type = ANNOT_OBJECT_PIPELINE, .kind_name = kind_name};
    annot_object *object;
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    return object;
}

Test(object_words, shaders_are_kept_up_to_their_number_in_order)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = make(device, 77, "VkPipeline");
    for (uint32_t i = 0; i <= ANNOT_SHADERS_MAX; i++) {
        annot_shader shader = {.form = i % 4, .stage = i % 17, .flags = i % 8, .xxh3 = i + 1};
        memset(shader.digest, (int)i + 1, sizeof shader.digest);
        memset(shader.hash, (int)i + 101, sizeof shader.hash);
        for (unsigned k = 0; k < 8; k++) /* the halves are no two alike */
            shader.digest[k] = shader.hash[k] = (uint8_t)(k * 3 + i);
        cr_assert_eq(annot_object_add_shader(object, &shader),
                     i < ANNOT_SHADERS_MAX ? ANNOT_OK : ANNOT_ERROR_TOO_LARGE, "%u", i);
    }
    cr_expect_eq(annot_object_add_shader(object, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_object_add_shader(NULL, NULL), ANNOT_OK);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    cr_assert_eq(annot_reader_shader_count(dump.reader), (size_t)ANNOT_SHADERS_MAX);
    for (uint32_t i = 0; i < ANNOT_SHADERS_MAX; i++) {
        annot_reader_shader shader;
        cr_assert(annot_reader_shader_of(dump.reader, annot_object_id(object), i, &shader));
        cr_expect_eq(shader.form, i % 4);
        cr_expect_eq(shader.stage, i % 17);
        cr_expect_eq(shader.flags, i % 8);
        cr_expect_eq(shader.xxh3, i + 1);
        cr_expect_eq(shader.debug_name.size, 0);
        for (unsigned k = 0; k < 16; k++) {
            cr_expect_eq(shader.digest[k], k < 8 ? (uint8_t)(k * 3 + i) : i + 1);
            cr_expect_eq(shader.hash[k], k < 8 ? (uint8_t)(k * 3 + i) : i + 101);
        }
    }
}

/* A name is copied up to its limit, of which no character is cut, and need not end with a NUL. */
Test(object_words, debug_names_of_shaders_are_cut_at_a_characters_border)
{
    static const size_t sizes[] = {0, 1, 2, 200, 253, 254, 255, 256, 257, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t wide_at = 250; wide_at <= 256; wide_at++) { /* a character of three bytes */
            AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
            AT_END(spy_object_ended) annot_object *object = make(device, 77, NULL);
            AT_END(at_end_free) char *name = malloc(sizes[i] ? sizes[i] : 1);
            annot_reader_shader shader;
            memset(name, 'n', sizes[i] ? sizes[i] : 1);
            if (wide_at + 3 <= sizes[i])
                memcpy(name + wide_at, "\xe4\xb8\xad", 3);
            const annot_shader said = {.form = 1, .debug_name = name, .debug_name_size = sizes[i]};
            cr_assert_eq(annot_object_add_shader(object, &said), ANNOT_OK);
            char expected[300];
            memcpy(expected, name, sizes[i]);
            memset(name, 'x', sizes[i]); /* it is the caller's again */
            AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
            const bool is_cut = sizes[i] > ANNOT_SHADER_NAME_MAX;
            size_t kept = is_cut ? ANNOT_SHADER_NAME_MAX : sizes[i];
            if (is_cut && wide_at + 3 <= sizes[i] && wide_at < kept && wide_at + 3 > kept)
                kept = wide_at;
            cr_assert(annot_reader_shader_at(dump.reader, 0, &shader));
            cr_expect_eq(shader.debug_name.size, kept, "%zu bytes, %zu: %zu", sizes[i], wide_at,
                         shader.debug_name.size);
            cr_expect_eq(memcmp(shader.debug_name.data, expected, kept), 0);
            cr_expect_eq(shader.is_name_cut, is_cut, "%zu bytes", sizes[i]);
        }
}

Test(object_words, the_last_description_of_a_resource_counts)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended)
    annot_object *object = make(device, 77, NULL), *other = make(device, 77, NULL);
    annot_resource said = {.width = 0x123456789a,
                           .dimension = 3,
                           .format = 41,
                           .height = 42,
                           .depth = 43,
                           .mips = 44,
                           .samples = 45,
                           .state = 46};
    annot_resource first = {.width = 1, .dimension = 1}, found;
    cr_expect_eq(annot_object_set_resource(object, &first), ANNOT_OK);
    cr_expect_eq(annot_object_set_resource(object, &said), ANNOT_OK);
    cr_expect_eq(annot_object_set_resource(object, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(annot_object_set_resource(NULL, &said), ANNOT_OK);
    struct device_dump dump = device_dump_take(device, NULL);
    cr_assert(annot_reader_resource_of(dump.reader, annot_object_id(object), &found));
    cr_expect_eq(memcmp(&found, &said, sizeof found), 0);
    cr_expect_not(annot_reader_resource_of(dump.reader, annot_object_id(other), &found));
    device_dump_done(&dump);
    /* an older caller's has fewer members; the rest is not said. A newer one's that the library
     * does not know is refused */
    struct {
        annot_resource known;
        uint64_t newer;
    } newer = {said, 0};
    cr_expect_eq(annot_object_set_resource_sized(object, &said, offsetof(annot_resource, height)),
                 ANNOT_OK);
    dump = device_dump_take(device, NULL);
    cr_assert(annot_reader_resource_of(dump.reader, annot_object_id(object), &found));
    cr_expect(found.width == said.width && found.format == 41 && found.height == 0 &&
              found.state == 0);
    device_dump_done(&dump);
    cr_expect_eq(annot_object_set_resource_sized(object, &newer.known, sizeof newer), ANNOT_OK);
    newer.newer = 1;
    cr_expect_eq(annot_object_set_resource_sized(object, &newer.known, sizeof newer),
                 ANNOT_ERROR_INVALID_ARGUMENT);
}

/* Kinds are named once each, by the first object that says it. */
Test(object_words, every_kind_has_its_first_name)
{
    enum { KINDS = 20 };
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    static char names[3 * KINDS][16]; /* they outlive the device */
    annot_object *objects[3 * KINDS];
    for (uint32_t i = 0; i < 3 * KINDS; i++) {
        snprintf(names[i], sizeof names[i], "Kind%u", i);
        objects[i] = make(device, 1000 + i % KINDS, i < KINDS && i % 3 == 0 ? NULL : names[i]);
    }
    struct device_dump dump = device_dump_take(device, NULL);
    for (uint32_t i = 0; i < 3 * KINDS; i++) {
        annot_reader_object object;
        char expected[32];
        const uint32_t kind = i % KINDS;
        snprintf(expected, sizeof expected, "Kind%u", kind % 3 == 0 ? kind + KINDS : kind);
        cr_assert(annot_reader_object_find(dump.reader, annot_object_id(objects[i]), &object));
        cr_expect_eq(object.kind, 1000 + kind);
        cr_expect(object.kind_name.size == strlen(expected) &&
                      memcmp(object.kind_name.data, expected, strlen(expected)) == 0,
                  "%.*s for %s", (int)object.kind_name.size, object.kind_name.data, expected);
    }
    device_dump_done(&dump);
    for (uint32_t i = 0; i < 3 * KINDS; i++)
        annot_object_destroy(objects[i]);
}

/* Any copy of a name is as long as there is room for, and tells how long the whole one is. */
Test(object_words, names_are_read_into_whatever_room_there_is)
{
    static const char whole[] = "n\xc3\xa9\xe4\xb8\xad\xf0\x9f\x8e\xae!";
    static const size_t borders[] = {0, 1, 3, 6, 10, 11};
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_object_ended) annot_object *object = make(device, 77, NULL);
    cr_assert_eq(annot_object_set_name(object, whole, ANNOT_TEXT_UTF8), ANNOT_OK);
    for (size_t capacity = 0; capacity <= sizeof whole + 2; capacity++) {
        char room[32];
        size_t kept = 0;
        memset(room, '#', sizeof room);
        cr_expect_eq(annot_object_get_name(object, room, capacity), sizeof whole - 1);
        for (size_t i = 0; i < sizeof borders / sizeof *borders; i++)
            kept = borders[i] < capacity ? borders[i] : kept;
        if (capacity > 0) {
            cr_expect_eq(memcmp(room, whole, kept), 0, "%zu", capacity);
            cr_expect_eq(room[kept], 0, "%zu", capacity);
        }
        for (size_t i = capacity > 0 ? kept + 1 : 0; i < sizeof room; i++)
            cr_expect_eq(room[i], '#', "%zu", capacity);
        cr_expect_eq(annot_object_get_name(object, NULL, capacity), sizeof whole - 1);
    }
    /* counted names end at their count or at a NUL that comes earlier */
    for (size_t count = 0; count <= 6; count++) {
        static const uint16_t text[] = {'a', 'b', 'c', 'd', 0, 'e'};
        char room[16];
        cr_assert_eq(annot_object_set_name_counted(object, text, count, ANNOT_TEXT_UTF16),
                     ANNOT_OK);
        cr_expect_eq(annot_object_get_name(object, room, sizeof room), count < 4 ? count : 4);
        cr_expect_eq(strncmp(room, "abcd", count < 4 ? count : 4), 0);
    }
    cr_expect_eq(annot_object_set_name_counted(object, "x", SIZE_MAX, ANNOT_TEXT_UTF16),
                 ANNOT_ERROR_OUT_OF_MEMORY, "no memory has so many");
    cr_expect_eq(annot_object_get_name(object, NULL, 0), 0);
    cr_expect_eq(annot_object_set_name_counted(object, "x", 1, (annot_text_unit)3),
                 ANNOT_ERROR_INVALID_ARGUMENT);
    cr_assert_eq(annot_object_set_name(object, "y", ANNOT_TEXT_UTF8), ANNOT_OK);
    cr_expect_eq(annot_object_set_name_counted(object, NULL, 7, ANNOT_TEXT_UTF16), ANNOT_OK);
    cr_expect_eq(annot_object_get_name(object, NULL, 0), 0, "NULL clears it");
}
