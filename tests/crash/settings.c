/* Settings of crash layers [ANN-VK, ANN-D3D]: docs/D3D12_LAYER.md has the table. */
#include "asserts.h"

#include "settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const words[] = {"immediate", "fence"};
static const struct crash_evidence_words known = {words, 2};

static struct crash_settings defaults(void)
{
    struct crash_settings settings;
    crash_settings_init(&settings);
    return settings;
}

static struct crash_settings with(const char *key, const char *value)
{
    struct crash_settings settings = defaults();
    crash_settings_take(&settings, &known, "the test", key, value);
    return settings;
}

Test(settings, defaults_are_those_of_the_documentation)
{
    const struct crash_settings settings = defaults();
    cr_assert_eqs(settings.level, CRASH_LEVEL_LOW, settings.evidence, CRASH_EVIDENCE_AUTO);
    cr_assert_eq(settings.timeout, (uint64_t)8000 * 1000000);
    cr_assert_eq(settings.memory, (uint64_t)256 << 20);
    cr_assert_str_eq(settings.dump, "annot-%p.annotdmp");
    cr_assert(!settings.is_quiet && settings.recover == 0);
}

Test(settings, each_key_takes_its_values)
{
    cr_assert_eq(with("level", "labels").level, CRASH_LEVEL_LABELS);
    cr_assert_eq(with("level", "exact").level, CRASH_LEVEL_EXACT);
    cr_assert_eq(with("evidence", "fence").evidence, 1);
    cr_assert_eq(with("evidence", "auto").evidence, CRASH_EVIDENCE_AUTO);
    cr_assert_eq(with("timeout", "0").timeout, 0);
    cr_assert_eq(with("timeout", "1500").timeout, (uint64_t)1500 * 1000000);
    cr_assert_eqs(with("timeout", "500ms").timeout, 500000000, with("wait", "0.25s").wait,
                  250000000);
    cr_assert_eq(with("timeout", "86400s").timeout, (uint64_t)86400 * 1000000000);
    cr_assert_eq(with("memory", "1").memory, (uint64_t)1 << 20);
    cr_assert_eqs(with("wait", "3").wait, 3000000, with("recover", "256").recover, 256u << 20);
    cr_assert(with("quiet", "1").is_quiet);
    cr_assert_str_eq(with("dump", "a b").dump, "a b");
}

Test(settings, what_is_no_value_changes_nothing)
{
    static const char *const wrong[][2] = {
        {"level", ""},          {"level", "LOW"},        {"level", "low "},
        {"evidence", "fences"}, {"timeout", "-1"},       {"timeout", " 1"},
        {"timeout", "1m"},      {"timeout", "86400001"}, {"timeout", "99999999999999999999"},
        {"timeout", "s"},       {"timeout", "86401s"},   {"timeout", "1 s"},
        {"memory", "1048577"},  {"quiet", "2"},          {"quiet", "yes"},
        {"dump", ""},           {"surprise", "1"},       {"", ""},
        {"recover", "257"},     {"recover", "-1"},
    };
    const struct crash_settings expected = defaults();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct crash_settings settings = with(wrong[i][0], wrong[i][1]);
        cr_expect(settings.level == expected.level && settings.evidence == expected.evidence &&
                      settings.timeout == expected.timeout && settings.memory == expected.memory &&
                      settings.is_quiet == expected.is_quiet &&
                      strcmp(settings.dump, expected.dump) == 0,
                  "%s=%s", wrong[i][0], wrong[i][1]);
    }
}

Test(settings, a_path_that_is_too_long_is_not_cut)
{
    char path[1100];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    cr_assert_str_eq(with("dump", path).dump, "annot-%p.annotdmp");
    path[1023] = '\0';
    cr_assert_eq(strlen(with("dump", path).dump), 1023);
}

static const char *variable(const char *name)
{
    if (strcmp(name, "PREFIX_LEVEL") == 0)
        return "exact";
    if (strcmp(name, "PREFIX_TIMEOUT") == 0)
        return "7";
    return strcmp(name, "PREFIX_QUIET") == 0 ? "" : NULL;
}

Test(settings, variables_have_the_prefix_and_the_key_in_capitals)
{
    struct crash_settings settings = defaults();
    crash_settings_read(&settings, &known, "PREFIX_", variable);
    cr_assert_eqs(settings.level, CRASH_LEVEL_EXACT, settings.timeout, 7000000);
    cr_assert(!settings.is_quiet, "an empty one is none");
}
