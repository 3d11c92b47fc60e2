/* Names as version 2 of identities compares them: docs/SIGNATURE.md's rules, one after the other.
 */
#include <annot/fleet.h>

#include "unit_kit.h"

#include <ctype.h>

static const char *fold(const char *name)
{
    static char buffers[4][256];
    static int next;
    char *buffer = buffers[next++ % 4];
    cr_assert_eq(annot_fold_name(name, strlen(name), buffer, sizeof buffers[0]), strlen(buffer));
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
            const size_t size = annot_fold_name(text, strlen(text), out, sizeof out);
            cr_assert(size > 0 && size < sizeof out, "%d %d", first, second);
            cr_assert_eq(out[size], 0, "%d %d", first, second);
        }
    cr_assert_eq(annot_fold_name("", 0, out, sizeof out), 0);
    cr_assert_eq(annot_fold_name("abc", 3, out, 1), 0);
    cr_assert_eq(annot_fold_name("abcd\xF0\x9F\x98\x80", 8, out, sizeof out), 4,
                 "cut at a character");
}

/* ---- word for word ---- */

/* The name folds to this, whatever stands behind it in memory: it has no NUL. */
static void expect_folded(const char *name, size_t size, const char *folded)
{
    static const char *const behind[] = {"7", "f", "zz", ")]}", "'\"", "/b/c", " ", ".5", "-"};
    char text[512], buffer[256];
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++) {
        memcpy(text, name, size);
        strcpy(text + size, behind[i]);
        memset(buffer, 'w', sizeof buffer);
        const size_t kept = annot_fold_name(text, size, buffer, sizeof buffer);
        cr_expect_str_eq(buffer, folded, "%.*s: %s, not %s (in front of %s)", (int)size, name,
                         buffer, folded, behind[i]);
        cr_expect_eq(kept, strlen(folded), "%.*s", (int)size, name);
    }
    char *alone = malloc(size > 0 ? size : 1); /* sanitizers see what is read beyond it */
    memcpy(alone, name, size);
    annot_fold_name(alone, size, buffer, sizeof buffer);
    cr_expect_str_eq(buffer, folded);
    free(alone);
}

static void expect_rows(const char *const (*rows)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_folded(rows[i][0], strlen(rows[i][0]), rows[i][1]);
}

#define EXPECT_ROWS(...)                                                                           \
    do {                                                                                           \
        static const char *const rows_[][2] = {__VA_ARGS__};                                       \
        expect_rows(rows_, sizeof rows_ / sizeof rows_[0]);                                        \
    } while (0)

/* With each of the words, which blanks separate, in `format`, also in capitals. */
static void expect_words(const char *words, const char *format, const char *folded_format)
{
    char word[32], name[128], folded[128];
    for (int capitals = 0; capitals < 2; capitals++)
        for (const char *at = words; *at; at += strspn(at, " ")) {
            const size_t size = strcspn(at, " ");
            for (size_t i = 0; i < size; i++)
                word[i] = (char)(capitals ? toupper(at[i]) : at[i]);
            word[size] = 0;
            snprintf(name, sizeof name, format, word);
            snprintf(folded, sizeof folded, folded_format, word);
            expect_folded(name, strlen(name), folded);
            at += size;
        }
}

Test(fold_words, digits_with_decimals_or_a_sign_are_a_number)
{
    EXPECT_ROWS({"Pass 0", "Pass #"}, {"Pass 9", "Pass #"}, {"Pass 0123456789", "Pass #"},
                {"Pass /", "Pass"}, {"Pass :b", "Pass :#"}, {"1.5", "#"}, {"Aa 1,5 bb", "Aa # bb"},
                {"Aa 12'000", "Aa #"}, {"Aa 1.2,3'4", "Aa #"}, {"Aa 1. bb", "Aa #. bb"},
                {"Aa 1.x", "Aa #"}, {"Aa 3'4abc", "Aa #abc"}, {"Aa 1.zz", "Aa #.zz"},
                {"Aa 1;5", "Aa #;#"}, {"Aa 1.", "Aa #"}, {"Aa -3", "Aa #"}, {"Aa +3", "Aa #"},
                {"Aa-3", "Aa-#"}, {"Aa+3", "Aa+#"}, {"Aa *3", "Aa *#"}, {"Aa -bb", "Aa -bb"},
                {"-3", "#"}, {"Aa - bb", "Aa - bb"}, {"Aa (b)-3", "Aa -#"}, {"Aa [b]-3", "Aa -#"},
                {"Aa {b}-3", "Aa -#"}, {"Aa )-3", "Aa )-#"}, {"Aa (-3", "Aa (#"}, {"Aa -", "Aa"},
                {"Aa 5-3", "Aa #"});
    expect_folded("Aa 1\0005kb", 8, "Aa #"); /* a NUL is a blank */
    expect_folded("Aa\0-3", 5, "Aa #");
    expect_folded("Aa\0B", 4, "Aa #");
}

Test(fold_words, each_unit_behind_digits_belongs_to_the_number)
{
    static const char units[] =
        "k m g b kb mb gb kib mib gib s ms us ns min h hz khz mhz fps px p i "
        "x bit bits bpp deg st nd rd th d tris verts f";
    expect_words(units, "Aa 12%s", "Aa #");
    expect_words(units, "Aa 12 %s", "Aa #");
    expect_words(units, "Aa 1.5 %s bb", "Aa # bb");
    expect_words("kb mhz tris verts deg", "Aa %s", "Aa %s");
    expect_words("kb mhz", "Aa 12_%s", "Aa #_%s");
    expect_words("kbs quux", "Aa 12 %sy", "Aa # %sy");
    EXPECT_ROWS({"Aa 12quux", "Aa #quux"}, {"Aa 1920x1080", "Aa #"}, {"Aa 64x64x32", "Aa #"},
                {"Aa 3X4", "Aa #"}, {"Aa 64 x 64", "Aa #"}, {"Aa 5y6", "Aa #y#"},
                {"Aa 5kb6", "Aa #kb#"}, {"Aa 5x6kb", "Aa #"}, {"Aa 5x6qu", "Aa #qu"},
                {"Aa 7x", "Aa #"}, {"Aa x7", "Aa x#"});
}

Test(fold_words, a_guid_is_a_number_and_what_only_looks_like_one_is_not)
{
    static const char guid[] = "abcdefab-facd-dead-beef-CAFEABCDEFAB";
    char name[64];
    EXPECT_ROWS({"abcdefab-facd-dead-beef-CAFEABCDEFAB", "#"},
                {"Aa abcdefab-facd-dead-beef-CAFEABCDEFAB", "Aa #"},
                {"abcdefab-facd-dead-beef-cafeabcdefabzz", "#-facd-dead-beef-cafeabcdefabzz"},
                {"abcdefab-facd-dead-beef-CAFEABCDEFAB_zz", "#_zz"},
                {"abcdefab-facd-dead-beef-CAFEABCDEF", "#-facd-dead-beef-#"},
                {"abcdefab-facd-dead-beef-CAFEABCDEFA", "#-facd-dead-beef-#"},
                {"1.5abcdefab-facd-dead-beef-CAFEABCDEFAB", "#-facd-dead-beef-#"});
    for (size_t i = 0; i < strlen(guid); i++)
        for (int k = 0; k < 2; k++) { /* a letter that is no digit; a dash where none is */
            strcpy(name, guid);
            name[i] = k == 0 ? 'z' : guid[i] == '-' ? 'a' : '-';
            char buffer[64];
            annot_fold_name(name, strlen(name), buffer, sizeof buffer);
            cr_expect_str_neq(buffer, "#", "%s", name);
        }
}

Test(fold_words, hashes_are_numbers_from_their_lengths_on)
{
    EXPECT_ROWS({"Aa 0x1f", "Aa #"}, {"Aa 0X1F", "Aa #"}, {"Aa 0xdeadbeef", "Aa #"},
                {"Aa 0xg", "Aa #xg"}, {"Aa 0xabcdeg", "Aa #xabcdeg"}, {"Aa 0x", "Aa #"},
                {"Aa 1xab", "Aa #xab"}, {"Aa 0yab", "Aa #yab"}, {"Aa 0xa", "Aa #"},
                /* six and more hexadecimal digits */
                {"Aa abcde1", "Aa #"}, {"Aa abcd1", "Aa abcd#"}, {"Aa ABCDE1", "Aa #"},
                {"Aa abcdg1", "Aa abcdg#"}, {"Aa ABCDG1", "Aa ABCDG#"}, {"Aa fffff9", "Aa #"},
                {"Aa aaaa`1", "Aa aaaa`#"}, {"Aa FFFFF0", "Aa #"}, {"Aa AAAAA0", "Aa #"},
                /* four and more that begin with a decimal one */
                {"Aa 1abc", "Aa #"}, {"Aa 1ab", "Aa #ab"}, {"Aa a1bc", "Aa a#bc"},
                {"Aa 1abg", "Aa #abg"}, {"Aa 12ab", "Aa #"},
                /* hexadecimal letters */
                {"Cs_abcdefa", "Cs_#"}, {"Cs-abcdefa", "Cs-#"}, {"Cs:abcdefa", "Cs:#"},
                {"Cs.abcdefa", "Cs.abcdefa"}, {"Cs abcdefa", "Cs abcdefa"},
                {"Cs_abcdef", "Cs_abcdef"}, {"Cs abcdefab", "Cs #"}, {"Cs_abcdefab", "Cs_#"},
                {"Cs_abcdefg", "Cs_abcdefg"},
                /* letters and digits that change */
                {"Cs_g1h2", "Cs_#"}, {"Cs g1h2", "Cs g#h#"}, {"Cs g1h22", "Cs g#h#"},
                {"Cs g11h22", "Cs #"}, {"Cs_g1hh", "Cs_g#hh"}, {"Cs_1g2h", "Cs_#"},
                {"Cs_1g2", "Cs_#g#"}, {"Cs 1gggg2", "Cs #gggg#"}, {"Cs gggggg1", "Cs gggggg#"},
                {"Cs \xC3\xA9"
                 "1a2b3",
                 "Cs \xC3\xA9#a#b#"});
}

Test(fold_words, letters_and_counting_words_are_numbers_unless_they_are_the_first)
{
    static const char counting[] =
        "one two three four five six seven eight nine ten zero eleven twelve first second third "
        "fourth fifth sixth seventh eighth ninth tenth ii iii iv vi vii viii ix xi xii";
    expect_words(counting, "Pass %s", "Pass #");
    expect_words(counting, "Pass_%s bb", "Pass_# bb");
    expect_words(counting, "%s pass", "%s pass");
    expect_words(counting, "Pass/%s", "Pass/%s");
    expect_words(counting, "Pass %sy", "Pass %sy");
    EXPECT_ROWS({"Aa B", "Aa #"}, {"A b", "A #"}, {"A", "A"}, {"Aa's", "Aa's"}, {"Aa/b", "Aa/b"},
                {"Aa\\b", "Aa\\b"}, {"Aa.b", "Aa.#"}, {"Aa \xE9", "Aa \xE9"}, {"Aa Z", "Aa #"},
                {"Aa a", "Aa #"}, {"Aa z", "Aa #"}, {"Aa A", "Aa #"}, {"Aa [", "Aa ["},
                {"Aa {", "Aa {"}, {"Aa `", "Aa `"});
}

Test(fold_words, each_setting_is_left_out)
{
    static const char settings[] = "on off true false enabled disabled low lowest medium mid high "
                                   "highest ultra epic cinematic "
                                   "very half quarter full quality hq lq hd fhd qhd uhd sd "
                                   "balanced performance ultraperf fast "
                                   "default windowed fullscreen borderless sdr hdr hdr10 fp16 fp32";
    expect_words(settings, "Bloom %s", "Bloom");
    expect_words(settings, "%s Bloom", "Bloom");
    expect_words(settings, "Bloom %s bb", "Bloom bb");
    expect_words("on low half hq", "Bloom %szz", "Bloom %szz");
    EXPECT_ROWS({"HQ", "#"}, {"on off", "#"});
    char longest[] =
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"; /* letters beyond any setting's */
    for (size_t size = 44; size <= 52; size++) {
        char word[64] = "";
        memcpy(word, longest, size);
        expect_folded(word, size, word);
    }
}

Test(fold_words, brackets_and_quotes_are_left_out_with_what_is_in_them)
{
    EXPECT_ROWS({"Aa (bb)", "Aa"}, {"Aa [bb]", "Aa"}, {"Aa {bb}", "Aa"}, {"Aa (b(c)d) ee", "Aa ee"},
                {"Aa (bb", "Aa (bb"}, {"Aa bb)", "Aa bb)"}, {"Aa (bb]", "Aa (bb]"},
                {"Aa ([)]", "Aa ]"}, {"Aa ) bb [cc", "Aa ) bb [cc"}, {"Aa ] bb {cc", "Aa ] bb {cc"},
                {"(bb)", "(bb)"}, {"('bb')", "('bb')"}, {"()", "()"}, {"[bb](cc)", "[bb](cc)"},
                {"(5)", "(#)"}, {"Aa \"bb\"", "Aa #"}, {"Aa 'bb'", "Aa #"}, {"Aa \"\"", "Aa #"},
                {"Aa \"bb", "Aa \"bb"}, {"Aa \"", "Aa \""}, {"Aa 'bb\"", "Aa 'bb\""},
                {"Aa\"bb\"", "Aa\"bb\""}, {"Aa'bb'", "Aa'bb'"}, {"\"aa\" lights", "# lights"},
                {"Aa \"b\" c", "Aa #"}, {"Aa 'x' 5", "Aa #"}, {"Aa 5 \"x\"", "Aa #"});
}

Test(fold_words, the_plural_behind_a_number_is_left_out)
{
    EXPECT_ROWS({"1 lights", "# light"}, {"2 glass", "# glass"}, {"2 as", "# as"},
                {"2 gas", "# ga"}, {"lights 2", "lights #"}, {"2 lights lamps", "# light lamps"},
                {"2, lights", "#, light"}, {"12lights", "#lights"}, {"Aa lights", "Aa lights"});
}

Test(fold_words, of_a_path_the_last_part_stays)
{
    EXPECT_ROWS({"Aa /bb/cc/Dd.ee", "Aa Dd.ee"}, {"Aa bb/cc", "Aa bb/cc"}, {"Aa bb/cc/Dd", "Aa Dd"},
                {"Aa bb\\cc\\Dd", "Aa Dd"}, {"Aa ./bb", "Aa bb"}, {"Aa ../bb", "Aa bb"},
                {"Aa \\bb", "Aa bb"}, {"Aa /bb", "Aa bb"}, {"Aa C:\\bb", "Aa bb"},
                {"Aa C:/bb", "Aa bb"}, {"Aa C:bb", "Aa #:bb"}, {"Aa CC/bb", "Aa CC/bb"},
                {"Aa C:/", "Aa #"}, {"Aa /bb/", "Aa /bb"}, {"Aa /bb/(cc)", "Aa /bb"},
                {"Aa /bb/-c", "Aa /bb/-#"}, {"/bb/Cc", "Cc"}, {"bb/cc/Dd", "Dd"},
                {"Aa /bb/Cc /dd/Ee", "Aa Cc Ee"}, {"Aa /bb\t/Cc", "Aa bb Cc"},
                {"Aa _/bb/Cc", "Aa Cc"}, {"Aa .bb", "Aa .bb"}, {"Aa /bb/C", "Aa C"});
}

Test(fold_words, numbers_with_only_punctuation_between_are_one)
{
    char name[16];
    for (int c = 1; c < 256; c++) {
        if (c == '#' || isalnum(c) || c >= 0x80 || strchr("()[]{}'\"", c))
            continue;
        const bool is_blank = c <= ' ' || c == 0x7f;
        const bool is_between = is_blank || strchr(",:/\\-._*@+=|%", c);
        const int size = snprintf(name, sizeof name, "Aa 1%c2", c);
        const char folded[] = {'A', 'a', ' ', '#', (char)(is_between ? 0 : c), '#', 0};
        expect_folded(name, (size_t)size, folded);
    }
    EXPECT_ROWS({"Aa 1 x 2", "Aa #"}, {"Aa 1'2", "Aa #"}, {"Aa 1 X 2 bb", "Aa # bb"},
                {"Aa 1 zz 2", "Aa # zz #"}, {"Aa 1&2", "Aa #&#"}, {"Aa, 1", "Aa, #"});
}

Test(fold_words, blanks_are_one_and_punctuation_at_the_end_goes)
{
    char name[16];
    for (int c = 1; c < 128; c++) {
        if (isalnum(c) || strchr("()[]{}'\"", c))
            continue;
        const bool is_blank = c <= ' ' || c == 0x7f;
        const bool ends = is_blank || strchr(",;:_-./=@|", c);
        int size = snprintf(name, sizeof name, "Aa%c", c);
        expect_folded(name, (size_t)size, ends ? "Aa" : name);
        size = snprintf(name, sizeof name, "%c%cAa%c%cbb", c, c, c, c);
        const char plain[] = {(char)c, (char)c, 'A', 'a', (char)c, (char)c, 'b', 'b', 0};
        const bool is_path = c == '/' || c == '\\';
        expect_folded(name, (size_t)size, is_blank ? "Aa bb" : is_path ? "bb" : plain);
    }
    EXPECT_ROWS({"Aa (b), cc", "Aa, cc"}, {"Aa (b); cc", "Aa; cc"}, {"Aa (b): cc", "Aa : cc"},
                {"  Aa  ", "Aa"}, {" ", "#"}, {"", ""}, {"---", "#"}, {"Aa - (b)", "Aa"},
                {"(b) Aa", "Aa"}, {"(b), Aa", ", Aa"}, {"!Aa", "!Aa"}, {"~", "~"});
    expect_folded("Aa\0Bb", 5, "Aa Bb");
    expect_folded("\0", 1, "#");
}

/* Where the room ends the name ends, whatever numbers could still be one with its last; blanks and
 * numbers take the room of one. */
Test(fold_words, what_is_left_out_takes_no_room)
{
    static const struct {
        const char *name;
        size_t capacity;
        const char *folded;
    } rows[] = {{"Aa 1 2bb", 6, "Aa #b"},
                {"Aa                  Bb", 8, "Aa Bb"},
                {"Aa 1 ------------2bb", 8, "Aa #"},
                {"(abc)--------", 8, "(abc)"},
                {"(a) Aa (bbbbbbbbb) [c]", 8, "Aa"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char buffer[8];
        annot_fold_name(rows[i].name, strlen(rows[i].name), buffer, rows[i].capacity);
        cr_expect_str_eq(buffer, rows[i].folded, "%s: %s", rows[i].name, buffer);
    }
}

/* A name is cut behind a character, and loses punctuation as at every end. */
Test(fold_words, a_name_has_as_many_bytes_as_have_room)
{
    static const char *const names[] = {"Aa", "Aa Bb", "Gr\xC3\xBC\xC3\x9F Cc",
                                        "Aa\xF0\x9F\x98\x80"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t capacity = 1; capacity <= strlen(names[i]) + 2; capacity++) {
            char buffer[32], expected[32];
            size_t size = strlen(names[i]) < capacity ? strlen(names[i]) : capacity - 1;
            while (size > 0 && (names[i][size] & 0xC0) == 0x80)
                size--;
            memcpy(expected, names[i], size);
            expected[size] = 0;
            if (size > 0 && expected[size - 1] == ' ')
                expected[--size] = 0;
            memset(buffer, 'w', sizeof buffer);
            cr_expect_eq(annot_fold_name(names[i], strlen(names[i]), buffer, capacity), size);
            cr_expect_str_eq(buffer, expected, "%s in %zu bytes: %s", names[i], capacity, buffer);
            for (size_t k = capacity; k < sizeof buffer; k++)
                cr_expect_eq(buffer[k], 'w', "byte %zu", k);
        }
    char none = 'w';
    cr_expect_eq(annot_fold_name("Aa", 2, &none, 0), 0);
    cr_expect_eq(none, 'w', "no room, nothing written");
}
