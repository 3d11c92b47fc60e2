/* Shaders' words about themselves [ANN-OP-01]: containers as their format is documented, and bytes
 * that only look like one. */
#include <annot/shader.h>

#include "unit_kit.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TAG ANNOT_CONTAINER_TAG

struct container {
    uint8_t bytes[512];
    size_t size;
    uint32_t parts;
};

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

enum { PARTS = 4, HEAD = 32 + 4 * PARTS };

/* A head with room for PARTS offsets; those that are not used point behind everything. */
static struct container begin(uint8_t digest)
{
    struct container c = {.size = HEAD};
    memcpy(c.bytes, "DXBC", 4);
    memset(c.bytes + 4, digest, 16);
    put_u32(c.bytes + 20, 1);
    return c;
}

static void part(struct container *c, uint32_t tag, const void *content, uint32_t size)
{
    put_u32(c->bytes + 32 + 4 * c->parts++, (uint32_t)c->size);
    put_u32(c->bytes + c->size, tag);
    put_u32(c->bytes + c->size + 4, size);
    memcpy(c->bytes + c->size + 8, content, size);
    c->size += 8 + size;
}

static void end(struct container *c)
{
    put_u32(c->bytes + 24, (uint32_t)c->size);
    put_u32(c->bytes + 28, c->parts);
}

/* As dxc writes them: a program header, a shader hash with its flags, a debug name. */
static struct container dxil(void)
{
    struct container c = begin(0x11);
    uint8_t program[8] = {0x60, 0, 5, 0, 2, 0, 0, 0}; /* cs_6_0 */
    uint8_t hash[20] = {1};
    uint8_t name[16] = {0, 0, 8, 0, 's', 'p', 'i', 'n', '.', 'p', 'd', 'b', 0};
    memset(hash + 4, 0x3f, 16);
    part(&c, TAG('D', 'X', 'I', 'L'), program, sizeof program);
    part(&c, TAG('H', 'A', 'S', 'H'), hash, sizeof hash);
    part(&c, TAG('I', 'L', 'D', 'N'), name, sizeof name);
    end(&c);
    return c;
}

/* In memory of exactly this size, where a sanitizer sees a read past the end. */
static annot_shader read_exactly(const void *data, size_t size)
{
    annot_shader shader;
    uint8_t *bytes = malloc(size);
    memcpy(bytes, data, size);
    annot_shader_read(bytes, size, &shader);
    if (shader.debug_name)
        shader.debug_name = (const char *)data + (shader.debug_name - (const char *)bytes);
    free(bytes);
    return shader;
}

static bool all(const uint8_t *bytes, uint8_t value)
{
    for (int i = 0; i < 16; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

Test(shader, dxil_says_stage_hash_and_debug_name)
{
    const struct container c = dxil();
    const annot_shader shader = read_exactly(c.bytes, c.size);
    cr_expect_eq(shader.form, ANNOT_SHADER_FORM_DXIL);
    cr_expect_eq(shader.stage, ANNOT_SHADER_STAGE_COMPUTE);
    cr_expect_eq(shader.flags,
                 ANNOT_SHADER_HAS_DIGEST | ANNOT_SHADER_HAS_HASH | ANNOT_SHADER_HASH_OF_SOURCE);
    cr_expect(all(shader.digest, 0x11) && all(shader.hash, 0x3f));
    cr_assert_eq(shader.debug_name_size, 8);
    cr_expect_eq(memcmp(shader.debug_name, "spin.pdb", 8), 0);
    cr_expect_str_eq(annot_shader_stage_text(shader.stage), "cs");
}

/* The same bytes in parts of each kind: a program, a hash or a name, and nothing else. */
Test(shader, each_kind_of_part_says_what_it_is_for)
{
    static const struct {
        uint32_t tag, form, flags;
        bool has_name;
    } rows[] = {
        {TAG('S', 'H', 'D', 'R'), ANNOT_SHADER_FORM_DXBC, 0, false},
        {TAG('S', 'H', 'E', 'X'), ANNOT_SHADER_FORM_DXBC, 0, false},
        {TAG('D', 'X', 'I', 'L'), ANNOT_SHADER_FORM_DXIL, 0, false},
        {TAG('H', 'A', 'S', 'H'), ANNOT_SHADER_FORM_OTHER, ANNOT_SHADER_HAS_HASH, false},
        {TAG('I', 'L', 'D', 'N'), ANNOT_SHADER_FORM_OTHER, 0, true},
        {TAG('S', 'T', 'A', 'T'), ANNOT_SHADER_FORM_OTHER, 0, false},
    };
    uint8_t content[64] = {0, 0, 3, 0};
    memset(content + 4, 'x', sizeof content - 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct container c = begin(0);
        part(&c, rows[i].tag, content, sizeof content);
        end(&c);
        const annot_shader shader = read_exactly(c.bytes, c.size);
        const bool is_program = rows[i].form != ANNOT_SHADER_FORM_OTHER;
        cr_expect_eq(shader.form, rows[i].form, "row %zu", i);
        cr_expect_eq(shader.stage, is_program ? 4u : 0u, "row %zu", i);
        cr_expect_eq(shader.flags, rows[i].flags, "row %zu", i);
        cr_expect(all(shader.hash, rows[i].flags ? 'x' : 0), "row %zu", i);
        cr_expect_eq(shader.debug_name_size, rows[i].has_name ? 3u : 0u, "row %zu", i);
    }
    annot_shader none;
    cr_expect_not(annot_shader_read(NULL, 100, &none));
    cr_expect_eq(none.form, ANNOT_SHADER_FORM_OTHER);
}

Test(shader, spirv_is_known_by_the_hash_of_its_words)
{
    uint8_t words[20] = {3, 2, 0x23, 7, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const annot_shader shader = read_exactly(words, sizeof words);
    cr_expect_eq(shader.form, ANNOT_SHADER_FORM_SPIRV);
    cr_expect_eq(shader.stage, ANNOT_SHADER_STAGE_UNKNOWN);
    cr_expect_eq(shader.xxh3, XXH3_64bits(words, sizeof words));
    words[19] = 1;
    cr_expect_neq(read_exactly(words, sizeof words).xxh3, shader.xxh3);
}

Test(shader, containers_that_end_early_are_read_up_to_there)
{
    const struct container whole = dxil();
    for (size_t size = 1; size < whole.size; size++) {
        struct container c = whole;
        cr_expect_eq(read_exactly(c.bytes, size).form, ANNOT_SHADER_FORM_OTHER,
                     "announces more than there is, %zu", size);
        put_u32(c.bytes + 24, (uint32_t)size); /* and one that says so */
        const annot_shader shader = read_exactly(c.bytes, size);
        const bool has_hash = size >= HEAD + 16 + 28u;
        cr_expect_eq((shader.flags & ANNOT_SHADER_HAS_HASH) != 0, has_hash, "%zu", size);
        cr_expect_null(shader.debug_name, "%zu", size);
    }
}

Test(shader, parts_that_reach_out_of_the_container_are_not_read)
{
    static const uint32_t offsets[] = {0xFFFFFFFF, 0xFFFFFFF8, 0x80000000, 250};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        struct container c = dxil();
        put_u32(c.bytes + 32, offsets[i]);
        cr_expect_eq(read_exactly(c.bytes, c.size).form, ANNOT_SHADER_FORM_OTHER);
    }
    struct container c = dxil();
    put_u32(c.bytes + HEAD + 4, 0xFFFFFFF0); /* the part's size */
    cr_expect_eq(read_exactly(c.bytes, c.size).form, ANNOT_SHADER_FORM_OTHER);
    c = dxil();
    put_u32(c.bytes + 28, 0xFFFFFFFF); /* the number of parts: the fourth offset is 0 */
    cr_expect_eq(read_exactly(c.bytes, c.size).form, ANNOT_SHADER_FORM_DXIL);
}

/* The length is the name's; a NUL ends it earlier, and one that is too long is no name. */
Test(shader, a_debug_name_stays_inside_its_part)
{
    static const struct {
        uint8_t content[8];
        size_t size;
    } cases[] = {{{0, 0, 4, 0, 'a', 'b', 'c', 'd'}, 4},
                 {{0, 0, 4, 0, 'a', 'b', 0, 'd'}, 2},
                 {{0, 0, 5, 0, 'a', 'b', 'c', 'd'}, 0},
                 {{0, 0, 0, 0, 'a', 'b', 'c', 'd'}, 0},
                 {{0, 0, 4, 0, 0, 'b', 'c', 'd'}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct container c = begin(1);
        part(&c, TAG('I', 'L', 'D', 'N'), cases[i].content, 8);
        end(&c);
        const annot_shader shader = read_exactly(c.bytes, c.size);
        cr_expect_eq(shader.debug_name_size, cases[i].size, "%zu", i);
        cr_expect_eq(shader.debug_name != NULL, cases[i].size > 0, "%zu", i);
    }
}

Test(shader, a_struct_of_an_older_caller_is_not_written_past)
{
    const struct container c = dxil();
    uint32_t old[4] = {0, 0, 0, 0x5a5a5a5a};
    cr_expect(annot_shader_read_sized(c.bytes, c.size, (annot_shader *)(void *)old, 12));
    cr_expect_eq(old[1], ANNOT_SHADER_STAGE_COMPUTE);
    cr_expect_eq(old[3], 0x5a5a5a5a);
}

/* ---- the container, byte by byte ---- */

/* Opening needs a head, its magic and version, and an announced size between the head's and what is
 * there. */
Test(shader, a_container_is_what_its_head_says)
{
    const struct container c = dxil();
    annot_container out;
    cr_expect_not(annot_container_open(NULL, c.size, &out));
    for (size_t size = 0; size <= c.size + 1; size++)
        for (uint32_t announced = 0; announced <= c.size + 1; announced++) {
            struct container other = c;
            AT_END(at_end_free) uint8_t *bytes = malloc(size ? size : 1);
            put_u32(other.bytes + 24, announced);
            memcpy(bytes, other.bytes, size);
            const bool is_open = size >= 32 && announced >= 32 && announced <= size;
            cr_assert_eq(annot_container_open(bytes, size, &out), is_open, "%u of %zu", announced,
                         size);
            if (is_open)
                cr_assert_eq3(out.data, bytes, out.size, announced, out.part_count, c.parts);
        }
    for (int i = 0; i < 24; i++) { /* magic, checksum, version: one bit wrong */
        struct container other = c;
        other.bytes[i] ^= 0x10;
        cr_expect_eq(annot_container_open(other.bytes, other.size, &out), i >= 4 && i < 20, "%d",
                     i);
    }
}

/* A part is there if its offset is among the parts', and its head and content are in the
 * container. */
Test(shader, parts_are_found_by_their_number)
{
    enum { SIZE = 32 + 8 + 24 };
    for (uint32_t count = 0; count <= 12; count++)
        for (uint32_t at = 0; at <= SIZE + 1; at++)
            for (uint32_t length = 0; length <= 24; length++) {
                uint8_t bytes[SIZE] = "DXBC";
                put_u32(bytes + 20, 1);
                put_u32(bytes + 24, SIZE);
                put_u32(bytes + 28, count);
                put_u32(bytes + 32, at);
                put_u32(bytes + 36, at);
                if (at >= 40 && at <= SIZE - 8) {
                    put_u32(bytes + at, 0x11223344);
                    put_u32(bytes + at + 4, length);
                } else {
                    length = 24; /* where it points to is no part of this test's making */
                }
                annot_container container;
                const uint8_t *content;
                uint32_t tag;
                size_t size;
                cr_assert(annot_container_open(bytes, SIZE, &container));
                cr_assert_not(annot_container_part(&container, count, &tag, &content, &size));
                cr_assert_not(annot_container_part(&container, 8, &tag, &content, &size));
                for (uint32_t i = 0; i < 2 && at >= 40; i++) {
                    const bool is_there = i < count && at + 8 + length <= SIZE;
                    cr_assert_eq(annot_container_part(&container, i, &tag, &content, &size),
                                 is_there, "%u of %u at %u of %u bytes", i, count, at, length);
                    if (is_there)
                        cr_assert_eq3(tag, 0x11223344, content, bytes + at + 8, size, length);
                }
            }
    /* the last offset that the container has room for leads to a part, the one behind to none */
    uint8_t bytes[32 + 4 * 3 + 3] = "DXBC"; /* room for three offsets */
    annot_container container;
    const uint8_t *content;
    uint32_t tag;
    size_t size;
    put_u32(bytes + 20, 1);
    put_u32(bytes + 24, sizeof bytes);
    put_u32(bytes + 28, 9);
    put_u32(bytes + 32 + 8, 32); /* a part of no bytes: tag 0, length 0 */
    cr_assert(annot_container_open(bytes, sizeof bytes, &container));
    cr_expect(annot_container_part(&container, 2, &tag, &content, &size) && size == 0);
    cr_expect_not(annot_container_part(&container, 3, &tag, &content, &size));
}

/* D3D10_SB_TOKENIZED_PROGRAM_TYPE and its followers, plus 1. */
Test(shader, every_type_of_program_has_its_stage_and_text)
{
    static const char *const texts[] = {"ps",           "vs",     "gs",         "hs",
                                        "ds",           "cs",     "lib",        "raygen",
                                        "intersection", "anyhit", "closesthit", "miss",
                                        "callable",     "ms",     "as",         "node"};
    for (uint32_t type = 0; type < 20; type++) {
        struct container c = begin(0);
        const uint8_t program[5] = {0x60, 0, (uint8_t)type, 0, 0};
        part(&c, TAG('D', 'X', 'I', 'L'), program, 4 + type % 2);
        end(&c);
        const annot_shader shader = read_exactly(c.bytes, c.size);
        cr_expect_eq(shader.form, ANNOT_SHADER_FORM_DXIL);
        cr_expect_eq(shader.stage, type < 16 ? type + 1 : 0);
        cr_expect_str_eq(annot_shader_stage_text(shader.stage), type < 16 ? texts[type] : "shader");
    }
    cr_expect_str_eq(annot_shader_stage_text(17), "shader");
    cr_expect_str_eq(annot_shader_stage_text(UINT32_MAX), "shader");
}

/* Each part is read from its first whole size on, and only the first of its kind. */
Test(shader, parts_that_are_too_short_say_nothing)
{
    static const uint8_t zeros[4];
    for (uint32_t size = 0; size <= 24; size++)
        for (uint8_t flags = 0; flags < 4; flags++) {
            uint8_t hash[24] = {flags}, name[24] = {0, 0, 1, 0, 'n'}, program[24] = {0, 0, 1};
            memset(hash + 4, 0x3f, 20);
            struct container c = begin(0x22);
            part(&c, TAG('H', 'A', 'S', 'H'), hash, size);
            part(&c, TAG('I', 'L', 'D', 'N'), name, size);
            part(&c, TAG('S', 'H', 'D', 'R'), program, size);
            hash[0] ^= 1;
            memset(hash + 4, 0x77, 20);
            part(&c, TAG('H', 'A', 'S', 'H'), hash, 20);
            end(&c);
            const annot_shader shader = read_exactly(c.bytes, c.size);
            const uint32_t of_source =
                ((flags ^ (size < 20)) & 1) ? ANNOT_SHADER_HASH_OF_SOURCE : 0;
            const uint32_t digest = size >= 4 ? ANNOT_SHADER_HAS_DIGEST : 0;
            cr_expect_eq(shader.flags, ANNOT_SHADER_HAS_HASH | of_source | digest, "%u", size);
            cr_expect(all(shader.hash, size < 20 ? 0x77 : 0x3f), "%u", size);
            cr_expect_eq(shader.debug_name_size, size >= 5, "%u", size);
            cr_expect_eq(shader.form, size >= 4 ? ANNOT_SHADER_FORM_DXBC : ANNOT_SHADER_FORM_OTHER);
            cr_expect(all(shader.digest, 0x22));
        }
    struct container c = begin(0);
    part(&c, TAG('S', 'H', 'D', 'R'), zeros, 4);
    end(&c);
    cr_expect_eq(read_exactly(c.bytes, c.size).flags, 0u, "a digest of zeros is none");
}

/* Whole words, a header's worth of them at least, and their magic. */
Test(shader, spirv_is_whole_words_behind_its_magic)
{
    uint8_t words[32] = {3, 2, 0x23, 7};
    for (size_t size = 1; size <= sizeof words; size++)
        for (size_t wrong = 0; wrong <= 4; wrong++) {
            uint8_t bytes[sizeof words];
            memcpy(bytes, words, sizeof bytes);
            if (wrong < 4)
                bytes[wrong] ^= 0x40;
            const bool is_spirv = size >= 20 && size % 4 == 0 && wrong == 4;
            const annot_shader shader = read_exactly(bytes, size);
            cr_expect_eq(shader.form, is_spirv ? ANNOT_SHADER_FORM_SPIRV : ANNOT_SHADER_FORM_OTHER,
                         "%zu bytes", size);
            cr_expect_eq(shader.xxh3, XXH3_64bits(bytes, size));
        }
}
