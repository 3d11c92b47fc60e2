/* Shaders' words about themselves [ANN-OP-01]: containers as their format is documented, and bytes
 * that only look like one. */
#include <annot/shader.h>

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

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

Test(shader, dxbc_says_its_stage_and_an_unsigned_one_has_no_digest)
{
    static const uint32_t types[] = {0, 1, 2, 3, 4, 5};
    static const char *const stages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct container c = begin(0);
        const uint8_t program[4] = {0x50, 0, (uint8_t)types[i], 0};
        part(&c, i % 2 ? TAG('S', 'H', 'D', 'R') : TAG('S', 'H', 'E', 'X'), program, 4);
        end(&c);
        const annot_shader shader = read_exactly(c.bytes, c.size);
        cr_expect_eq(shader.form, ANNOT_SHADER_FORM_DXBC);
        cr_expect_str_eq(annot_shader_stage_text(shader.stage), stages[i]);
        cr_expect_eq(shader.flags, 0);
        cr_expect_null(shader.debug_name);
    }
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

Test(shader, other_bytes_have_a_hash_and_nothing_else)
{
    const annot_shader shader = read_exactly("not a shader", 12);
    cr_expect_eq(shader.form, ANNOT_SHADER_FORM_OTHER);
    cr_expect_eq(shader.flags, 0);
    cr_expect_neq(shader.xxh3, 0);
    annot_shader none;
    cr_expect_not(annot_shader_read(NULL, 8, &none));
    cr_expect_not(annot_shader_read("x", 0, &none));
    cr_expect_eq(none.xxh3, 0);
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

Test(shader, the_first_part_of_a_kind_counts)
{
    struct container c = begin(1);
    part(&c, TAG('S', 'H', 'E', 'X'), (uint8_t[4]){0x50, 0, 1, 0}, 4);
    part(&c, TAG('S', 'H', 'E', 'X'), (uint8_t[4]){0x50, 0, 5, 0}, 4);
    part(&c, TAG('I', 'L', 'D', 'N'), (uint8_t[5]){0, 0, 1, 0, 'a'}, 5);
    part(&c, TAG('I', 'L', 'D', 'N'), (uint8_t[5]){0, 0, 1, 0, 'b'}, 5);
    end(&c);
    const annot_shader shader = read_exactly(c.bytes, c.size);
    cr_expect_eq(shader.stage, ANNOT_SHADER_STAGE_VERTEX);
    cr_assert_eq(shader.debug_name_size, 1);
    cr_expect_eq(*shader.debug_name, 'a');
}

Test(shader, a_struct_of_an_older_caller_is_not_written_past)
{
    const struct container c = dxil();
    uint32_t old[4] = {0, 0, 0, 0x5a5a5a5a};
    cr_expect(annot_shader_read_sized(c.bytes, c.size, (annot_shader *)(void *)old, 12));
    cr_expect_eq(old[1], ANNOT_SHADER_STAGE_COMPUTE);
    cr_expect_eq(old[3], 0x5a5a5a5a);
}
