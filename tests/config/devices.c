/* Settings change devices, seen through D3D12 [ANN-CONF-02, -03, -04, -06]. */
#include "stage.h"

#include <sys/stat.h>
#include <unistd.h>

TestSuite(devices, .fini = stage_clear);

static void close_device(ID3D12Device *device)
{
    cr_assert_eq(ID3D12Device_Release(device), 0);
}

static D3D12_USER_DEFINED_ANNOTATION_MODE mode_of_new_device(void)
{
    ID3D12Device *device = stage_device();
    const D3D12_USER_DEFINED_ANNOTATION_MODE mode = kit_get_mode(device);
    close_device(device);
    return mode;
}

Test(devices, forced_ones_start_in_driver_retail_and_stay) /* ANN-CONF-02 */
{
    stage_write_text("a.ini", FORCE_ON);
    stage_use("a.ini");
    ID3D12Device *device = stage_device();
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL);
    kit_set_mode(device, MODE_RUNTIME);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL);
    kit_set_mode(device, MODE_RETAIL);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL);
    /* accepted: nothing is said about the call, which only a wrong value would be */
    cr_assert_eq(kit_count(device, 1465), 0);
    kit_set_mode(device, (D3D12_USER_DEFINED_ANNOTATION_MODE)7);
    cr_assert_eq(kit_count(device, 1465), 1);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL);
    close_device(device);
}

Test(devices, the_users_file_is_found_where_xdg_says) /* ANN-CONF-02 */
{
    stage_use("");
    cr_assert_eq(mkdir(stage_path("annot"), 0700), 0);
    cr_assert_eq(mode_of_new_device(), MODE_RUNTIME);
    stage_write_text("annot/d3dconfig.ini", FORCE_ON);
    cr_assert_eq(mode_of_new_device(), MODE_RETAIL);
}

Test(devices, that_exist_are_not_touched_by_a_change) /* ANN-CONF-02, -03 */
{
    stage_use("a.ini");
    ID3D12Device *before = stage_device();
    stage_write_text("a.ini", FORCE_ON);
    ID3D12Device *forced = stage_device();
    cr_assert_eq(kit_get_mode(before), MODE_RUNTIME);
    kit_set_mode(before, MODE_RETAIL);
    kit_set_mode(before, MODE_RUNTIME);
    cr_assert_eq(kit_get_mode(before), MODE_RUNTIME);

    stage_write_text("a.ini", "[device]\n" FORCE "=off\n");
    kit_set_mode(forced, MODE_RUNTIME);
    cr_assert_eq(kit_get_mode(forced), MODE_RETAIL);
    cr_assert_eq(mode_of_new_device(), MODE_RUNTIME);
    close_device(before);
    close_device(forced);
}

Test(devices, off_forces_nothing) /* ANN-CONF-03 */
{
    stage_write_text("a.ini", "[device]\n" FORCE "=off\n");
    stage_use("a.ini");
    ID3D12Device *device = stage_device();
    cr_assert_eq(kit_get_mode(device), MODE_RUNTIME);
    kit_set_mode(device, MODE_RETAIL);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL);
    kit_set_mode(device, MODE_RUNTIME);
    cr_assert_eq(kit_get_mode(device), MODE_RUNTIME);
    close_device(device);
}

/* This program's own path, as entries of the list see it. */
static const char *self(void)
{
    static char path[1024];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    cr_assert(size > 0);
    path[size] = '\0';
    return path;
}

static const char *self_folder(void)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s", self());
    strrchr(path, '/')[1] = '\0';
    return path;
}

static void check_list(const char *entry, bool is_forced)
{
    char text[2048];
    snprintf(text, sizeof text, FORCE_ON "[apps]\napp=%s\n", entry);
    stage_write_text("a.ini", text);
    stage_use("a.ini");
    cr_assert_eq(mode_of_new_device() == MODE_RETAIL, is_forced, "%s", entry);
}

Test(devices, a_list_scopes_the_force_to_its_applications) /* ANN-CONF-04 */
{
    check_list("no-such-game.exe", false);
    check_list(strrchr(self(), '/') + 1, true);
    check_list(self(), true);
    check_list(self_folder(), true);
    check_list("/", true);
    check_list("/no/such/folder/", false);
    check_list("/no/such/folder/test-config", false);
    /* only whole names count */
    check_list(strrchr(self(), '/') + 2, false);
    char longer[1100];
    snprintf(longer, sizeof longer, "%sx", self());
    check_list(longer, false);
    /* a folder without its separator is the name of an executable */
    snprintf(longer, sizeof longer, "%s", self_folder());
    longer[strlen(longer) - 1] = '\0';
    check_list(longer, false);
}

Test(devices, an_empty_list_forces_all) /* ANN-CONF-04 */
{
    stage_write_text("a.ini", FORCE_ON "[apps]\n");
    stage_use("a.ini");
    cr_assert_eq(mode_of_new_device(), MODE_RETAIL);
}

Test(devices, a_link_to_the_folder_is_the_folder) /* ANN-CONF-04 */
{
    char link[1024];
    snprintf(link, sizeof link, "%s/", stage_path("games"));
    cr_assert_eq(symlink(self_folder(), stage_path("games")), 0);
    check_list(link, true);
}

Test(devices, say_their_mode_and_whose_word_it_is_once) /* ANN-CONF-05 */
{
    char text[512];
    stage_write_text("a.ini", "# mine\n" FORCE_ON);
    stage_use("a.ini");
    ID3D12Device *device = stage_device();
    cr_assert_eq(kit_count_texts(device, EMU_MESSAGE_ANNOTATION_MODE, text), 1);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_SETTINGS_IGNORED), 0);
    cr_assert(strstr(text, "DRIVER_RETAIL") != NULL, "%s", text);
    cr_assert(strstr(text, stage_path("a.ini")) != NULL, "%s", text);
    cr_assert(strstr(text, "line 3") != NULL, "%s", text);
    close_device(device);

    stage_write_text("a.ini", FORCE_ON "[apps]\napp=moved.exe\n");
    device = stage_device();
    cr_assert_eq(kit_count_texts(device, EMU_MESSAGE_ANNOTATION_MODE, text), 1);
    cr_assert(strstr(text, "RUNTIME_ONLY") != NULL, "%s", text);
    cr_assert(strstr(text, "not in the list") != NULL, "%s", text);
    close_device(device);
}

Test(devices, say_nothing_where_nobody_set_anything) /* ANN-CONF-05 */
{
    stage_use("");
    ID3D12Device *device = stage_device();
    cr_assert_eq(kit_count(device, EMU_MESSAGE_ANNOTATION_MODE), 0);
    close_device(device);

    char text[512];
    stage_use("a.ini"); /* somebody did, and misspelled it */
    device = stage_device();
    cr_assert_eq(kit_count_texts(device, EMU_MESSAGE_ANNOTATION_MODE, text), 1);
    cr_assert(strstr(text, "does not exist") != NULL, "%s", text);
    close_device(device);
}

/* ---- files that are none [ANN-CONF-06] ---- */

static void check_harmless(const char *what, UINT64 problems)
{
    char text[512] = "";
    stage_use("bad");
    ID3D12Device *device = stage_device();
    cr_assert_eq(kit_get_mode(device), MODE_RUNTIME, "%s", what);
    cr_assert_eq(kit_count_texts(device, EMU_MESSAGE_SETTINGS_IGNORED, text), problems, "%s: %s",
                 what, text);
    cr_assert(problems == 0 || strstr(text, stage_path("bad")), "%s: %s", what, text);
    kit_set_mode(device, MODE_RETAIL);
    cr_assert_eq(kit_get_mode(device), MODE_RETAIL, "%s", what);
    close_device(device);
}

Test(devices, a_corrupt_file_gives_defaults_and_one_message) /* ANN-CONF-06 */
{
    static const struct {
        const char *what, *bytes;
        size_t size;
    } cases[] = {
#define CASE(what, bytes) {what, bytes, sizeof bytes - 1}
        CASE("a value that is none", "[device]\n" FORCE "=maybe\n"),
        CASE("no value", "[device]\n" FORCE "=\n"),
        CASE("a broken section", "[device\n" FORCE "=on\n"),
        CASE("the wrong section", "[dred]\n" FORCE "=on\n"),
        CASE("no key", "[device]\n=on\n"),
        CASE("not a pair", "once upon a time\n"),
        CASE("NUL behind the setting", FORCE_ON "\0"),
        CASE("UTF-16", "\xFF\xFE[\0d\0e\0v\0i\0c\0e\0]\0\n\0"),
        CASE("bytes", "\x01\x02\xff\xfe\x7f\x80\n\x1b[2J\r\r\r"),
        CASE("three bad lines are one message", "a\nb\nc\n"),
#undef CASE
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage_write("bad", cases[i].bytes, cases[i].size);
        check_harmless(cases[i].what, 1);
    }
    stage_write_text("bad", "");
    check_harmless("an empty file is not corrupt", 0);
    stage_write_text("bad", "[device]\nsetting-of-2031=on\n[category-of-2031]\nx\n");
    check_harmless("a later version's file is not corrupt", 0);
}

Test(devices, a_huge_file_gives_defaults_and_one_message) /* ANN-CONF-06 */
{
    FILE *file = fopen(stage_path("bad"), "wb");
    fputs(FORCE_ON, file);
    cr_assert(ftruncate(fileno(file), (off_t)1 << 40) == 0 ||
              ftruncate(fileno(file), (off_t)1 << 30) == 0);
    fclose(file);
    check_harmless("a terabyte", 1);

    const size_t size = EMU_CONFIG_MAX_FILE_SIZE;
    char *text = malloc(size);
    memset(text, 'x', size);
    memcpy(text, FORCE_ON, sizeof FORCE_ON - 1);
    stage_write("bad", text, size);
    check_harmless("a line of a megabyte", 1);
    free(text);

    file = fopen(stage_path("bad"), "wb");
    fputs(FORCE_ON "[apps]\n", file);
    for (int i = 0; i < 2000; i++)
        fprintf(file, "app=%d\n", i);
    fclose(file);
    check_harmless("too many applications", 1);
}

Test(devices, what_is_not_a_readable_file_gives_defaults_and_one_message) /* ANN-CONF-06 */
{
    cr_assert_eq(mkdir(stage_path("bad"), 0700), 0);
    check_harmless("a folder", 1);
    cr_assert_eq(rmdir(stage_path("bad")), 0);

    cr_assert_eq(symlink(stage_path("bad"), stage_path("bad")), 0);
    check_harmless("a link to itself", 1);
    cr_assert_eq(unlink(stage_path("bad")), 0);

    cr_assert_eq(mkfifo(stage_path("bad"), 0600), 0);
    check_harmless("a pipe that nobody writes to", 1);
    cr_assert_eq(unlink(stage_path("bad")), 0);

    cr_assert_eq(symlink("/dev/zero", stage_path("bad")), 0);
    check_harmless("an endless device", 1);
    cr_assert_eq(unlink(stage_path("bad")), 0);

    check_harmless("nothing", 0);
    if (geteuid() != 0) { /* root may read all */
        stage_write_text("bad", FORCE_ON);
        cr_assert_eq(chmod(stage_path("bad"), 0), 0);
        check_harmless("no permission", 1);
    }
}
