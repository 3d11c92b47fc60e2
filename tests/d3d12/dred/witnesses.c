/* One hang, in a dispatch behind three markers, with each source of evidence left out in turn
 * [ANN-JOIN]: the other sources are reported as before, and nothing replaces the missing one. */
#include "dred_kit.h"

enum witness { NOBODY, MARKERS, DRIVER, CRUMBS, TIMES, KERNEL_DRIVER };

/* Collects nothing, resets nothing, and compares no clocks. */
static const emu_kernel_driver mute = {
    .size = sizeof(emu_kernel_driver), .version = EMU_KERNEL_DRIVER_VERSION, .name = "mute"};

static void mark(struct scene *s, const char *name)
{
    ID3D12GraphicsCommandList_BeginEvent(s->list, 1, name, (UINT)strlen(name) + 1);
}

static struct text report_without(enum witness witness)
{
    struct scene s;
    struct text text = {.size = 0};
    annot_reader *reader = NULL;
    emu_config config = kit_config();
    config.dump_path = dred_dump();
    config.force_driver_retail = witness != MARKERS;
    config.driver = witness == DRIVER ? "warp" : NULL;
    config.marker_type =
        witness == TIMES ? D3DWDDM1_3DDI_MARKER_TYPE_NONE : D3DWDDM1_3DDI_MARKER_TYPE_PROFILE;
    config.kernel_driver = witness == KERNEL_DRIVER ? &mute : NULL;
    unlink(dred_dump());
    dred_set(witness == CRUMBS ? DRED_OFF : DRED_ON, DRED_OFF, DRED_ON, FALSE);
    scene_open_with(&s, &config);
    mark(&s, "Frame");
    mark(&s, "Lighting");
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.buffer, 0, s.other, 0, 256);
    mark(&s, "Tile");
    scene_hang_here(&s, s.list);
    for (int i = 0; i < 3; i++)
        ID3D12GraphicsCommandList_EndEvent(s.list);
    scene_run(&s);
    scene_close(&s);
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    const annot_report_sink sink = {&text, text_append};
    cr_assert_eq(annot_report_text(reader, NULL, &sink), ANNOT_OK);
    annot_reader_close(reader);
    unlink(dred_dump());
    return text;
}

/* Each witness's part of the first screen. */
static const struct {
    enum witness of;
    const char *line;
} lines[] = {
    {MARKERS, "Frame / Lighting / Tile"},
    {DRIVER, "last started   Tile"},
    {CRUMBS, "operation      5 of 8 is not done: Dispatch(1, 1, 1); 4 is done: BeginEvent"},
    {TIMES, "last call done CopyBufferRegion, operation 3, 2.0"},
    {TIMES, "call not done  Dispatch, operation 5, for 2.0"},
    {KERNEL_DRIVER,
     "TDR          ENGINE_TIMEOUT (type 6), reason 0x141, node 0, fences 0 completed, 1 submitted"},
    {KERNEL_DRIVER, "guilty: "},
};

static void check_without(enum witness witness, const char *also_gone, const char *instead)
{
    const struct text text = report_without(witness);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const bool is_expected =
            lines[i].of != witness && (!also_gone || strcmp(lines[i].line, also_gone) != 0);
        cr_assert_eq(strstr(text.bytes, lines[i].line) != NULL, is_expected, "without %d: %s\n%s",
                     (int)witness, lines[i].line, text.bytes);
    }
    if (instead)
        cr_assert_not_null(strstr(text.bytes, instead), "without %d: %s\n%s", (int)witness, instead,
                           text.bytes);
}

Test(witnesses, all_of_them_agree)
{
    check_without(NOBODY, NULL, NULL);
}

Test(witnesses, the_others_suffice_without_breadcrumbs)
{
    check_without(CRUMBS, NULL, NULL);
}

Test(witnesses, the_others_suffice_without_times)
{
    check_without(TIMES, NULL, NULL);
}

Test(witnesses, operations_are_named_without_markers)
{
    const struct text text = report_without(MARKERS);
    cr_assert_null(strstr(text.bytes, "Frame"));
    cr_assert_not_null(strstr(text.bytes, "operation      5 of 8 is not done: Dispatch"), "%s",
                       text.bytes);
    cr_assert_not_null(strstr(text.bytes, "TDR          ENGINE_TIMEOUT"));
    cr_assert_not_null(strstr(text.bytes, "No markers were kept"));
}

/* Breadcrumbs take the place of the driver's rows in the tree. */
Test(witnesses, breadcrumbs_stand_in_for_the_drivers_report)
{
    const struct text text = report_without(DRIVER);
    cr_assert_not_null(strstr(text.bytes, "Frame / Lighting / Tile"), "%s", text.bytes);
    cr_assert_not_null(strstr(text.bytes, "operation      5 of 8 is not done: Dispatch(1, 1, 1)"));
    cr_assert_not_null(strstr(text.bytes, "the runtime's breadcrumbs"));
    cr_assert_null(strstr(text.bytes, "the driver's report\n"));
}

Test(witnesses, the_others_suffice_without_the_kernels_answers)
{
    const struct text text = report_without(KERNEL_DRIVER);
    cr_assert_not_null(strstr(text.bytes, "TDR          PREEMPT_TIMEOUT (type 2), reason 0x117"),
                       "%s", text.bytes);
    cr_assert_not_null(strstr(text.bytes, "the kernel-mode driver collects no debug information"));
    cr_assert_null(strstr(text.bytes, "call not done"), "nothing compares the clocks");
    cr_assert_not_null(strstr(text.bytes, "Frame / Lighting / Tile"));
    cr_assert_not_null(strstr(text.bytes, "operation      5 of 8 is not done: Dispatch(1, 1, 1)"));
}

/* ---- the same as a table, for people: witness missing, what the report says ---- */

/* The text behind `key` in its line; "-": there is no such line. */
static const char *value_of(const struct text *text, const char *key, char value[128])
{
    const char *at = strstr(text->bytes, key);
    size_t length = 0;
    if (!at)
        return "-";
    for (at += strlen(key); *at == ' ' || *at == '\n'; at++)
        continue;
    while (at[length] != '\n' && at[length] != '\0' && length < 127)
        length++;
    memcpy(value, at, length);
    value[length] = '\0';
    return value;
}

static const char *const keys[] = {"WHAT HUNG\n",     "last started   ", "operation      ",
                                   "last call done ", "call not done  ", "TDR          "};
enum { KEYS = sizeof keys / sizeof keys[0] };

/* x: the line is there. */
static const struct {
    const char *name, *lines;
} rows[] = {[NOBODY] = {"nobody", "xxxxxx"},
            [MARKERS] = {"markers", "x-x--x"}, /* its path says that there are none */
            [DRIVER] = {"the driver's report", "xxxxxx"},
            [CRUMBS] = {"breadcrumbs", "xx-xxx"},
            [TIMES] = {"time stamps", "xxx--x"},
            [KERNEL_DRIVER] = {"the kernel-mode driver", "xxx--x"}};

Test(witnesses, a_table_shows_what_is_left)
{
    printf("| missing | path | last started | operation | last call done | not done | TDR |\n");
    for (int witness = NOBODY; witness <= KERNEL_DRIVER; witness++) {
        const struct text text = report_without((enum witness)witness);
        printf("| %s ", rows[witness].name);
        for (size_t i = 0; i < KEYS; i++) {
            char value[128];
            const char *shown = value_of(&text, keys[i], value);
            printf("| %s ", shown);
            cr_expect_eq(strcmp(shown, "-") != 0, rows[witness].lines[i] == 'x', "%s, %s: %s",
                         rows[witness].name, keys[i], shown);
        }
        printf("|\n");
    }
    fflush(stdout);
}
