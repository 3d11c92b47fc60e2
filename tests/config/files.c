/* The settings file: what is read out of it, and what is left of it after it was changed
 * [ANN-CONF-01, -04, -06]. */
#include "stage.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(files, .fini = stage_clear);

static void must_edit(const emu_edit *edits, size_t count)
{
    const emu_config_paths paths = stage_two_files();
    char problem[EMU_CONFIG_TEXT] = "";
    cr_assert(emu_settings_edit(&paths, edits, count, problem, sizeof problem), "%s", problem);
}

static void must_refuse(const emu_edit *edits, size_t count)
{
    const emu_config_paths paths = stage_two_files();
    char problem[EMU_CONFIG_TEXT] = "";
    cr_assert(!emu_settings_edit(&paths, edits, count, problem, sizeof problem));
    cr_assert(problem[0] != '\0');
}

#define SET(id, number)                                                                            \
    (emu_edit)                                                                                     \
    {                                                                                              \
        .kind = EMU_EDIT_SET, .setting = EMU_SETTING_##id, .value = number                         \
    }
#define ADD(name)                                                                                  \
    (emu_edit)                                                                                     \
    {                                                                                              \
        .kind = EMU_EDIT_ADD_APP, .app = name                                                      \
    }
#define REMOVE(name)                                                                               \
    (emu_edit)                                                                                     \
    {                                                                                              \
        .kind = EMU_EDIT_REMOVE_APP, .app = name                                                   \
    }

static void check_value(emu_setting setting, uint32_t value, emu_layer layer, unsigned line)
{
    const emu_config_paths paths = stage_two_files();
    emu_settings settings = stage_load(&paths);
    const emu_setting_value is = settings.values[setting];
    cr_assert(is.value == value && is.layer == layer && is.line == line, "%u of %s, line %u",
              (unsigned)is.value, emu_layer_name(is.layer), is.line);
    emu_settings_finish(&settings);
}

Test(files, every_spelling_of_a_boolean_is_taken) /* ANN-CONF-01 */
{
    static const struct {
        const char *text;
        uint32_t value;
    } cases[] = {{"on", 1}, {"true", 1}, {"off", 0}, {"false", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "[device]\n" FORCE "=%s\nforce-warp = %s \r\n", cases[i].text,
                 cases[i].text);
        stage_write_text("user.ini", text);
        check_value(EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS, cases[i].value, EMU_LAYER_USER, 2);
        check_value(EMU_SETTING_FORCE_WARP, cases[i].value, EMU_LAYER_USER, 3);
    }
}

Test(files, lines_may_stand_without_a_section)
{
    stage_write_text("user.ini", "\xEF\xBB\xBF" FORCE "=on\napp=a.exe\n");
    check_value(EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS, 1, EMU_LAYER_USER, 1);
}

Test(files, the_users_setting_goes_before_the_systems)
{
    stage_write_text("system.ini", FORCE_ON "force-warp=true\n[apps]\napp=a.exe\n");
    check_value(EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS, 1, EMU_LAYER_SYSTEM, 2);
    stage_write_text("user.ini", "[device]\n" FORCE "=off\n");
    check_value(EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS, 0, EMU_LAYER_USER, 2);
    check_value(EMU_SETTING_FORCE_WARP, 1, EMU_LAYER_SYSTEM, 3);
    check_value(EMU_SETTING_RETAIN_DUMP_FILE, 0, EMU_LAYER_DEFAULT, 0);
}

Test(files, a_damaged_user_file_leaves_the_systems) /* ANN-CONF-06 */
{
    char text[EMU_CONFIG_TEXT];
    stage_write_text("system.ini", FORCE_ON);
    static const char damaged[] = "[device]\n" FORCE "=off\n\0\n";
    stage_write("user.ini", damaged, sizeof damaged - 1);
    const emu_config_paths paths = stage_two_files();
    emu_settings settings = stage_load(&paths);
    cr_assert_eq(settings.files[0].state, EMU_FILE_DAMAGED);
    cr_assert(emu_settings_problem(&settings, text, sizeof text));
    emu_settings_finish(&settings);
    check_value(EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS, 1, EMU_LAYER_SYSTEM, 2);
}

Test(files, the_systems_list_is_copied_when_it_is_changed) /* ANN-CONF-04 */
{
    const emu_config_paths paths = stage_two_files();
    stage_write_text("system.ini", "[apps]\napp=a.exe\napp=b.exe\n");
    must_edit(&REMOVE("a.exe"), 1);
    emu_settings settings = stage_load(&paths);
    cr_assert_eqs(settings.apps_layer, EMU_LAYER_USER, settings.app_count, 1);
    cr_assert_str_eq(settings.apps[0].name, "b.exe");
    emu_settings_finish(&settings);

    must_edit(&(emu_edit){.kind = EMU_EDIT_CLEAR_APPS}, 1);
    settings = stage_load(&paths);
    cr_assert_eqs(settings.apps_layer, EMU_LAYER_USER, settings.app_count, 0);
    cr_assert_eq(emu_settings_match(&settings, "/x/c.exe"), EMU_APP_ALL);
    emu_settings_finish(&settings);

    must_edit(&(emu_edit){.kind = EMU_EDIT_RESET}, 1);
    settings = stage_load(&paths);
    cr_assert_eqs(settings.apps_layer, EMU_LAYER_SYSTEM, settings.app_count, 2);
    emu_settings_finish(&settings);
}

/* Text that the writer doesn't understand, or isn't asked to change, stays byte for byte. */
Test(files, a_change_leaves_everything_else_alone)
{
    static const struct {
        const char *why, *before, *after;
    } cases[] = {
        {"comments, blanks, later versions' lines, lines that aren't settings",
         "# mine\n\n  ; too\n[device]\n  force-warp = off  "
         "\nof-2031=7\nnonsense\n\n[of-2031]\nz\n\n",
         "# mine\n\n  ; too\n[device]\nforce-warp=true\nof-2031=7\nnonsense\n\n[of-2031]\nz\n\n"},
        {"a new line goes behind its section's header, the first one if there are several",
         "[device]\nretain-dump-file=true\n\n# dred\n[dred]\npage-faults=forced-on\n[device]\n",
         "[device]\nforce-warp=true\nretain-dump-file=true\n\n# "
         "dred\n[dred]\npage-faults=forced-on\n[device]\n"},
        {"no section yet, no end of line", "[dred]\npage-faults=forced-on",
         "[dred]\npage-faults=forced-on\n\n[device]\nforce-warp=true\n"},
        {"the last one counted, and is changed", "[device]\nforce-warp=on\nforce-warp=off\n",
         "[device]\nforce-warp=on\nforce-warp=true\n"},
        {"a wrong value is put right", "[device]\nforce-warp=maybe\n",
         "[device]\nforce-warp=true\n"},
        {"Windows' ends of line", "[device]\r\n# x\r\n", "[device]\r\nforce-warp=true\r\n# x\r\n"},
        {"above all sections", "force-warp=off\n# x\n", "force-warp=true\n# x\n"},
        {"an empty file", "", "[device]\nforce-warp=true\n"},
        {"nothing to do", "[device]\n force-warp = on", "[device]\n force-warp = on"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage_write_text("user.ini", cases[i].before);
        must_edit(&SET(FORCE_WARP, 1), 1);
        const char *is = stage_read("user.ini");
        /* a file that says so already may get its missing end of line */
        const size_t length = strlen(cases[i].after);
        cr_assert(strncmp(is, cases[i].after, length) == 0 &&
                      (is[length] == '\0' || strcmp(is + length, "\n") == 0),
                  "%s:\n%s", cases[i].why, is);
    }
}

Test(files, applications_are_added_in_front_once) /* ANN-CONF-04 */
{
    stage_write_text("user.ini", "[apps]\n# games\napp=b.exe\n[device]\n");
    const emu_edit edits[] = {ADD("a.exe"), ADD("b.exe"), ADD("/c/")};
    must_edit(edits, 3);
    cr_assert_str_eq(stage_read("user.ini"),
                     "[apps]\napp=/c/\napp=a.exe\n# games\napp=b.exe\n[device]\n");
    must_edit(&REMOVE("a.exe"), 1);
    cr_assert_str_eq(stage_read("user.ini"), "[apps]\napp=/c/\n# games\napp=b.exe\n[device]\n");
}

Test(files, a_refused_edit_changes_nothing) /* ANN-CONF-01 */
{
    const char *const before = FORCE_ON "[apps]\napp=a.exe\n";
    stage_write_text("user.ini", before);
    const emu_edit edits[] = {SET(FORCE_WARP, 1), REMOVE("b.exe")};
    must_refuse(edits, 2);
    cr_assert_str_eq(stage_read("user.ini"), before);
}

Test(files, what_is_not_a_settings_file_is_never_written_over) /* ANN-CONF-06 */
{
    stage_write("user.ini", "PNG\0\n", 5);
    must_refuse(&SET(FORCE_WARP, 1), 1);
    must_refuse(&(emu_edit){.kind = EMU_EDIT_RESET}, 1);
    cr_assert_str_eq(stage_read("user.ini"), "PNG");
    cr_assert_eq(unlink(stage_path("user.ini")), 0);

    cr_assert_eq(mkdir(stage_path("user.ini"), 0700), 0);
    must_refuse(&SET(FORCE_WARP, 1), 1);
}

Test(files, a_link_and_permissions_survive)
{
    struct stat status;
    stage_write_text("real", "# mine\n");
    cr_assert_eq(chmod(stage_path("real"), 0640), 0);
    cr_assert_eq(symlink("real", stage_path("user.ini")), 0);
    must_edit(&SET(FORCE_WARP, 1), 1);
    cr_assert_eq(lstat(stage_path("user.ini"), &status), 0);
    cr_assert(S_ISLNK(status.st_mode));
    cr_assert_eqs(stat(stage_path("real"), &status), 0, status.st_mode & 0777, 0640);
    cr_assert(strstr(stage_read("real"), "force-warp=true"));
}

#define WRITERS 20
#define UPDATES 20

Test(files, concurrent_writers_lose_no_update, .timeout = 120) /* ANN-CONF-06 */
{
    const emu_config_paths paths = stage_two_files();
    pid_t children[WRITERS];
    stage_write_text("user.ini", "# mine\n");
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        cr_assert(children[i] >= 0);
        if (children[i] > 0)
            continue;
        for (int k = 0; k < UPDATES; k++) {
            char name[32], problem[EMU_CONFIG_TEXT];
            snprintf(name, sizeof name, "w%02d-%02d.exe", i, k);
            if (!emu_settings_edit(&paths, &ADD(name), 1, problem, sizeof problem))
                _exit(1);
        }
        _exit(0);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
        cr_assert(WIFEXITED(status));
        cr_assert_eq(WEXITSTATUS(status), 0);
    }
    emu_settings settings = stage_load(&paths);
    cr_assert_eq(settings.app_count, WRITERS * UPDATES);
    cr_assert_eq(settings.files[0].problem[0], '\0');
    emu_settings_finish(&settings);
    cr_assert(strncmp(stage_read("user.ini"), "# mine\n", 7) == 0);
}

/* Killed at any moment: the file is whole, only ever grows, and the next writer isn't held up. */
Test(files, a_killed_writer_leaves_the_old_file_or_the_new, .timeout = 120) /* ANN-CONF-06 */
{
    const emu_config_paths paths = stage_two_files();
    size_t last = 0;
    stage_write_text("user.ini", "[apps]\n");
    for (int round = 0; round < 40; round++) {
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0) {
            for (int k = 0;; k++) {
                char name[32], problem[EMU_CONFIG_TEXT];
                snprintf(name, sizeof name, "r%02d-%04d.exe", round, k % 20);
                emu_settings_edit(&paths, &ADD(name), 1, problem, sizeof problem);
                emu_settings_edit(&paths, &SET(FORCE_WARP, (uint32_t)k & 1), 1, problem,
                                  sizeof problem);
            }
        }
        usleep((useconds_t)(500 + 331 * round));
        kill(child, SIGKILL);
        cr_assert_eq(waitpid(child, NULL, 0), child);
        emu_settings settings = stage_load(&paths);
        cr_assert_eq(settings.files[0].state, EMU_FILE_READ);
        cr_assert_eq(settings.files[0].problem[0], '\0', "%s", settings.files[0].problem);
        cr_assert(settings.app_count >= last);
        last = settings.app_count;
        emu_settings_finish(&settings);
    }
    must_edit(&SET(FORCE_WARP, 1), 1);
}
