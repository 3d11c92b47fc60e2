/* The settings of a user, by three ways [docs/VULKAN.md]. */
#include "asserts.h"
#include "settings.h"
#include "vulkan_layer.h"

#include <stdio.h>
#include <unistd.h>

static struct crash_settings read_settings(const void *chain)
{
    struct crash_settings settings;
    vkl_settings_read(&settings, chain);
    return settings;
}

static char folder[64];

static void write_file(const char *text)
{
    char path[128];
    snprintf(folder, sizeof folder, "settings-%ld", (long)getpid());
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s && mkdir %s", folder, folder);
    cr_assert_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/vk_layer_settings.txt", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    setenv("VK_LAYER_SETTINGS_PATH", folder, 1);
}

static void remove_file(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

Test(vulkan_settings, have_defaults)
{
    struct crash_settings settings = read_settings(NULL);
    cr_expect_eqs(settings.level, CRASH_LEVEL_LOW, settings.evidence, CRASH_EVIDENCE_AUTO);
    cr_expect_eqs(settings.timeout, 8000000000u, settings.memory, 256u << 20);
    cr_expect_str_eq(settings.dump, "annot-%p.annotdmp");
    cr_expect_not(settings.is_quiet);
}

Test(vulkan_settings, from_the_environment_by_either_name)
{
    setenv("ANNOT_VK_LEVEL", "exact", 1);
    setenv("ANNOT_VK_EVIDENCE", "fill", 1);
    setenv("VK_ANNOT_CRASH_TIMEOUT", "1500", 1);
    setenv("VK_ANNOT_CRASH_MEMORY", "8", 1);
    setenv("ANNOT_VK_DUMP", "/tmp/x-%p.annotdmp", 1);
    setenv("ANNOT_VK_QUIET", "1", 1);
    struct crash_settings settings = read_settings(NULL);
    cr_expect_eqs(settings.level, CRASH_LEVEL_EXACT, settings.evidence, VKL_EVIDENCE_FILL);
    cr_expect_eqs(settings.timeout, 1500000000u, settings.memory, 8u << 20);
    cr_expect_str_eq(settings.dump, "/tmp/x-%p.annotdmp");
    cr_expect(settings.is_quiet);
}

Test(vulkan_settings, come_from_vk_layer_settings_txt)
{
    write_file("# annot_crash.level = exact\n"
               "khronos_validation.level = exact\n"
               "  annot_crash.level\t=  labels \r\n"
               "annot_crash.timeout=0\n"
               "annot_crash.dump = a b.annotdmp\n"
               "no equals sign\n"
               "annot_crash.evidence = timeline"); /* no newline at the end */
    struct crash_settings settings = read_settings(NULL);
    cr_expect_eqs(settings.level, CRASH_LEVEL_LABELS, settings.timeout, 0);
    cr_expect_str_eq(settings.dump, "a b.annotdmp");
    cr_expect_eq(settings.evidence, VKL_EVIDENCE_TIMELINE);
    remove_file();
}

Test(vulkan_settings, the_path_may_name_the_file_itself)
{
    write_file("annot_crash.level = exact\n");
    char path[128];
    snprintf(path, sizeof path, "%s/vk_layer_settings.txt", folder);
    setenv("VK_LAYER_SETTINGS_PATH", path, 1);
    cr_expect_eq(read_settings(NULL).level, CRASH_LEVEL_EXACT);
    remove_file();
}

/* VK_EXT_layer_settings, as its specification lays it out: headers of this age don't have it. */
struct layer_setting {
    const char *layer, *name;
    int type;
    uint32_t count;
    const void *values;
};

struct layer_settings {
    int sType;
    const void *next;
    uint32_t count;
    const struct layer_setting *settings;
};

/* An application must not wait for who writes a pipe, nor read a disk to its end. */
Test(vulkan_settings, what_is_no_file_is_not_read, .timeout = 10)
{
    char path[128], command[512];
    write_file("annot_crash.level = exact\n");
    snprintf(path, sizeof path, "%s/vk_layer_settings.txt", folder);
    setenv("VK_LAYER_SETTINGS_PATH", path, 1);
    const char *const instead[] = {"mkfifo %s", "mkdir %s", "ln -s /dev/zero %s",
                                   "ln -s /dev/tty %s"};
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++) {
        snprintf(command, sizeof command, "rm -rf %s; ", path);
        snprintf(command + strlen(command), sizeof command - strlen(command), instead[i], path);
        cr_assert_eq(system(command), 0);
        cr_expect_eq(read_settings(NULL).level, CRASH_LEVEL_LOW, "%s", instead[i]);
    }
    remove_file();
}

/* More than a MiB is no file of settings. */
Test(vulkan_settings, of_a_huge_file_are_ignored)
{
    static char text[(1 << 20) + 2];
    memset(text, 'x', sizeof text - 1);
    memcpy(text, "annot_crash.level = exact\n", 26);
    write_file(text);
    cr_expect_eq(read_settings(NULL).level, CRASH_LEVEL_LOW);
    remove_file();
}

Test(vulkan_settings, come_from_the_application_by_VK_EXT_layer_settings)
{
    const char *exact = "exact", *bad = "bad", *barrier = "barrier";
    const int32_t number = 5;
    const struct layer_setting list[] = {
        {"VK_LAYER_KHRONOS_validation", "level", 8, 1, &bad},
        {VKL_NAME, "level", 8, 1, &exact},
        {VKL_NAME, "evidence", 8, 1, &barrier},
        {VKL_NAME, "level", 1, 1, &number}, /* not a string */
        {VKL_NAME, "level", 8, 0, NULL},
    };
    const struct layer_settings chained = {1000496000, NULL, 5, list};
    const VkApplicationInfo other = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pNext = &chained};
    struct crash_settings settings = read_settings(&other);
    cr_expect_eqs(settings.level, CRASH_LEVEL_EXACT, settings.evidence, VKL_EVIDENCE_BARRIER);
}

Test(vulkan_settings, the_environment_is_over_the_file_which_is_over_the_application)
{
    const char *exact = "exact", *fill = "fill", *dump = "application";
    const struct layer_setting list[] = {{VKL_NAME, "level", 8, 1, &exact},
                                         {VKL_NAME, "evidence", 8, 1, &fill},
                                         {VKL_NAME, "dump", 8, 1, &dump}};
    const struct layer_settings chained = {1000496000, NULL, 3, list};
    write_file("annot_crash.level = labels\nannot_crash.evidence = barrier\n");
    setenv("ANNOT_VK_LEVEL", "low", 1);
    struct crash_settings settings = read_settings(&chained);
    cr_expect_eq(settings.level, CRASH_LEVEL_LOW, "the environment's");
    cr_expect_eq(settings.evidence, VKL_EVIDENCE_BARRIER, "the file's");
    cr_expect_str_eq(settings.dump, "application");
    remove_file();
}

Test(vulkan_settings, what_is_no_value_is_said_and_ignored)
{
    static const char *const pairs[][2] = {{"ANNOT_VK_LEVEL", "all"},
                                           {"ANNOT_VK_EVIDENCE", "best"},
                                           {"ANNOT_VK_TIMEOUT", "-1"},
                                           {"ANNOT_VK_TIMEOUT", "1m"},
                                           {"ANNOT_VK_TIMEOUT", "99999999999999999999"},
                                           {"ANNOT_VK_TIMEOUT", "86400001"},
                                           {"ANNOT_VK_MEMORY", "1048577"},
                                           {"ANNOT_VK_QUIET", "2"},
                                           {"ANNOT_VK_TIMEOUT", " 5"}};
    static char longest[2000];
    memset(longest, 'x', sizeof longest - 1);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        setenv(pairs[i][0], pairs[i][1], 1);
        struct crash_settings settings = read_settings(NULL), usual;
        unsetenv(pairs[i][0]);
        usual = read_settings(NULL);
        cr_expect_eqs(settings.level, usual.level, settings.evidence, usual.evidence);
        cr_expect_eq(settings.timeout, usual.timeout, "%s", pairs[i][1]);
        cr_expect_eqs(settings.memory, usual.memory, settings.is_quiet, usual.is_quiet);
    }
    setenv("ANNOT_VK_DUMP", longest, 1);
    cr_expect_str_eq(read_settings(NULL).dump, "annot-%p.annotdmp");
}
