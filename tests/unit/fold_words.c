/* Names as version 2 of identities compares them: docs/FLEET.md's rules, one after the other. */
#include <annot/fleet.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

static const char *fold(const char *name)
{
    static char buffers[4][256];
    static int next;
    char *buffer = buffers[next++ % 4];
    cr_assert(annot_fold_name_2(name, strlen(name), buffer, sizeof buffers[0]) == strlen(buffer));
    return buffer;
}

/* Rows of names that are one template; NULL ends a row. */
static void expect_one_template(const char *const (*rows)[6], size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 1; k < 6 && rows[i][k]; k++)
            cr_expect_str_eq(fold(rows[i][k]), fold(rows[i][0]), "%s and %s: %s and %s", rows[i][0],
                             rows[i][k], fold(rows[i][0]), fold(rows[i][k]));
}

#define EXPECT_ONE_TEMPLATE(rows) expect_one_template(rows, sizeof(rows) / sizeof *(rows))

Test(fold_words, numbers_units_and_sizes_are_one_sign)
{
    static const char *const rows[][6] = {
        {"Cascade 2", "Cascade 12", "Cascade 0x1f", "Cascade 1.5", "Cascade -3"},
        {"Upload 12 KB", "Upload 3MB", "Upload 1,5 K", "Upload 4096", "Upload 2 GiB"},
        {"Shadow map 1024x1024", "Shadow map 4K", "Shadow map 2048", "Shadow map 64 x 64"},
        {"wait 3ms", "wait 3 ms", "wait 0.25 us", "wait 2s"},
        {"scaled to 1080p", "scaled to 720p", "scaled to 2160 p"},
    };
    EXPECT_ONE_TEMPLATE(rows);
}

Test(fold_words, counting_letters_and_words_are_numbers)
{
    static const char *const rows[][6] = {
        {"Player A", "Player B", "Player 3", "Player II", "Player four"},
        {"Particle list_A", "Particle list_B"},
        {"Pass first", "Pass second", "Pass 3rd"},
    };
    EXPECT_ONE_TEMPLATE(rows);
    cr_expect_str_neq(fold("X"), fold("Y"), "a name of one letter is a name");
}

Test(fold_words, hashes_of_any_length_are_numbers)
{
    static const char *const rows[][6] = {
        {"cs_3fa91c2", "cs_1234567", "cs_fadedcbe", "cs_0f", "cs_9"},
        {"mesh:{0c8a1b2d-12ab-4cd3-a0f1-0123456789ab}",
         "mesh:{1c8a1b2d-12ab-4cd3-a0f1-0123456789ab}"},
        {"BP_Lamp_UAID_04A1B2C3D4E5F60718_2", "BP_Lamp_UAID_93B1B2C3D4E5F60718_7"},
        {"job 7GK2Q9X1", "job 1AB9Z2K4"},
    };
    EXPECT_ONE_TEMPLATE(rows);
}

Test(fold_words, settings_brackets_and_quotes_are_left_out)
{
    static const char *const rows[][6] = {
        {"Bloom", "Bloom (half res)", "Bloom HQ", "Bloom [4 taps]", "Bloom {x}"},
        {"SSAO: off", "SSAO: on", "SSAO: Ultra"},
        {"Chat with 'Anna'", "Chat with 'Bo the \"Great\"'", "Chat with \"C\""},
        {"light(s) 1", "light 3"},
    };
    EXPECT_ONE_TEMPLATE(rows);
    cr_expect_str_eq(fold("Player's HUD"), "Player's HUD", "an apostrophe is no quote");
    cr_expect_str_eq(fold("(opaque)"), "(opaque)", "unless nothing else is there");
    cr_expect_str_neq(fold("(opaque)"), fold("(sky)"));
}

Test(fold_words, plural_is_a_number)
{
    static const char *const rows[][6] = {{"1 light", "2 lights", "12 lights"},
                                          {"Draw 1 mesh", "Draw 30 mesh"}};
    EXPECT_ONE_TEMPLATE(rows);
    cr_expect_str_neq(fold("Lights"), fold("Light"), "where no number stands in front");
    cr_expect_str_eq(fold("3 glass"), "# glass");
}

Test(fold_words, of_a_file_the_last_part_counts)
{
    static const char *const rows[][6] = {
        {"load /Game/Maps/Harbour.umap", "load C:\\Game\\Harbour.umap", "load a/b/Harbour.umap"},
    };
    EXPECT_ONE_TEMPLATE(rows);
    cr_expect_str_neq(fold("gi/relight"), fold("vfx/relight"), "two words are no path");
    cr_expect_str_neq(fold("load /a/Harbour"), fold("load /a/Cathedral"));
}

Test(fold_words, words_stay)
{
    static const char *const same[] = {
        "Shadow pass", "facade", "Bloom - blur", "Gr\xC3\xBC\xC3\x9F", "SceneRender - ViewFamilies",
        "zpass+ids"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        cr_expect_str_eq(fold(same[i]), same[i]);
}

Test(fold_words, every_input_gives_a_name)
{
    char out[8];
    char text[64];
    for (int first = 1; first < 256; first++)
        for (int second = 1; second < 256; second++) {
            snprintf(text, sizeof text, "%c%c'(%c", first, second, first);
            const size_t size = annot_fold_name_2(text, strlen(text), out, sizeof out);
            cr_assert(size > 0 && size < sizeof out && out[size] == 0, "%d %d", first, second);
        }
    cr_assert_eq(annot_fold_name_2("", 0, out, sizeof out), 0);
    cr_assert_eq(annot_fold_name_2("abc", 3, out, 1), 0);
    cr_assert_eq(annot_fold_name_2("abcd\xF0\x9F\x98\x80", 8, out, sizeof out), 4,
                 "cut at a character");
}
