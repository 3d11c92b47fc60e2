/* ANN-CONF: the D3DConfig override. */
#include "kit.h"

#include "os.h"

CASES(conf_cases, "conf");

#define FORCE     "force-driver-retail-annotations"
#define FORCE_ON  "[device]\n" FORCE "=on\n"
#define FORCE_OFF "[device]\n" FORCE "=off\n"

/* The settings of this process's devices and commands are what this file says; it needn't exist. */
static const char *use_settings(void)
{
    const char *path = case_file("ini");
    os_set_environment("ANNOT_CONFIG", path);
    return path;
}

static void write_settings(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    REQUIRE_EQ(fwrite(bytes, 1, size, file), size);
    REQUIRE_EQ(fclose(file), 0);
}

static void write_text(const char *path, const char *text)
{
    write_settings(path, text, strlen(text));
}

/* A device of an adapter of its own, with the spy: several may live. No mode is set. */
static ID3D12Device *new_device(void)
{
    emu_config config = kit_config();
    OWNED void *adapter = NULL;
    ID3D12Device *device = NULL;
    config.annotation = spy_driver(NULL);
    if (!the_runtime.adapter_create)
        SKIP("needs several adapters: the runtime exports no emu_adapter_create");
    REQUIRE_EQ(the_runtime.configure(&config), ANNOT_OK);
    REQUIRE_EQ(the_runtime.adapter_create(NULL, &adapter), ANNOT_OK);
    REQUIRE_OK(the_runtime.create_device(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                         (void **)&device));
    REQUIRE_EQ(the_runtime.configure(NULL), ANNOT_OK);
    return device;
}

static kit_mode mode_of_new_device(void)
{
    AT_END(kit_device_end) ID3D12Device *device = new_device();
    const kit_mode mode = kit_get_mode(device);
    return mode;
}

/* How many calls the driver gets for a marker and a name on a new list of the device. */
static size_t heard_of(ID3D12Device *device)
{
    static const WCHAR name[] = {'l', 'i', 's', 't', 0};
    const size_t before = spy_count();
    OWNED_LIST list = kit_list(device, DIRECT);
    kit_set(&list, 1, "heard", 6);
    EXPECT_OK(ID3D12Object_SetName((ID3D12Object *)list.list, name));
    return spy_count() - before;
}

/* ---- what the override does to devices ---- */

CASE(force_starts_in_driver_retail_and_stays, "ANN-CONF-02",
     "A tool turns the override on and an application turns the markers off again.",
     .needs = EMULATOR)
{
    emu_config config = kit_config();
    config.force_driver_retail = true;
    AT_END(kit_device_end) ID3D12Device *device = kit_device_with(&config, 0);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

CASE(stored_settings_force_new_devices, "ANN-CONF-02",
     "The override is on and the driver gets no marker of an application that didn't ask for it.",
     .needs = EMULATOR | SPY)
{
    write_text(use_settings(), FORCE_ON);
    AT_END(kit_device_end) ID3D12Device *device = new_device();
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    EXPECT_EQ(heard_of(device), 2);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    EXPECT_EQ(heard_of(device), 2);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

CASE(a_forced_device_takes_set_without_a_word, "ANN-CONF-02 ANN-MODE-03",
     "An application that is forced is told of an error in its own right calls.",
     .needs = EMULATOR | MESSAGES, .rows = kit_letter_rows)
{
    kit_use_letter((enum kit_letter)case_row());
    write_text(use_settings(), FORCE_ON);
    AT_END(kit_device_end) ID3D12Device *device = new_device();
    kit_set_mode(device, RUNTIME);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_count(device, kit_letter(device)->refused), 0);
    kit_try_mode(device, 7);
    EXPECT_EQ(kit_count(device, kit_letter(device)->refused), 1);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

CASE(off_forces_nothing, "ANN-CONF-03",
     "An application that asks for driver markers doesn't get them because of a setting.",
     .needs = EMULATOR | SPY)
{
    write_text(use_settings(), FORCE_OFF);
    AT_END(kit_device_end) ID3D12Device *device = new_device();
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
    EXPECT_EQ(heard_of(device), 0);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
    EXPECT_EQ(heard_of(device), 2);
    kit_set_mode(device, RUNTIME);
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
    EXPECT_EQ(heard_of(device), 0);
}

CASE(a_change_leaves_living_devices_alone, "ANN-CONF-03 ANN-CONF-02",
     "Settings that are changed while an application runs switch its markers under its hands.",
     .needs = EMULATOR | SPY)
{
    const char *path = use_settings();
    AT_END(kit_device_end) ID3D12Device *untouched = new_device();
    write_text(path, FORCE_ON);
    AT_END(kit_device_end) ID3D12Device *forced = new_device();
    EXPECT_EQ(kit_get_mode(untouched), RUNTIME);
    EXPECT_EQ(heard_of(untouched), 0);
    kit_set_mode(untouched, RETAIL);
    kit_set_mode(untouched, RUNTIME);
    EXPECT_EQ(kit_get_mode(untouched), RUNTIME);
    write_text(path, FORCE_OFF);
    EXPECT_EQ(kit_get_mode(forced), RETAIL);
    kit_set_mode(forced, RUNTIME);
    EXPECT_EQ(kit_get_mode(forced), RETAIL);
    EXPECT_EQ(heard_of(forced), 2);
    EXPECT_EQ(mode_of_new_device(), RUNTIME);
}

/* ---- applications ---- */

static const char *own_path(void)
{
    static char path[OS_PATH_MAX];
    REQUIRE(os_own_path(path));
    return path;
}

/* Behind the last separator. */
static const char *own_name(void)
{
    const char *path = own_path(), *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    return name;
}

static void own_folder(char *folder, size_t size, bool with_separator)
{
    const char *path = own_path();
    snprintf(folder, size, "%.*s", (int)(own_name() - path - !with_separator), path);
}

enum entry {
    OWN_NAME,
    OWN_PATH,
    OWN_FOLDER,
    OTHER_NAME,
    OTHER_FOLDER,
    PART_OF_THE_NAME,
    MORE_THAN_THE_PATH,
    FOLDER_WITHOUT_SEPARATOR
};
static const char *const entry_rows[] = {"own-name",
                                         "own-path",
                                         "own-folder",
                                         "other-name",
                                         "other-folder",
                                         "part-of-the-name",
                                         "more-than-the-path",
                                         "folder-without-separator",
                                         NULL};

static void entry_of_row(char *entry, size_t size)
{
    switch ((enum entry)case_row()) {
    case OWN_NAME:
        snprintf(entry, size, "%s", own_name());
        break;
    case OWN_PATH:
        snprintf(entry, size, "%s", own_path());
        break;
    case OWN_FOLDER:
        own_folder(entry, size, true);
        break;
    case OTHER_NAME:
        snprintf(entry, size, "no-such-game.exe");
        break;
    case OTHER_FOLDER:
        snprintf(entry, size, "/no/such/folder/");
        break;
    case PART_OF_THE_NAME:
        snprintf(entry, size, "%s", own_name() + 1);
        break;
    case MORE_THAN_THE_PATH:
        snprintf(entry, size, "%sx", own_path());
        break;
    case FOLDER_WITHOUT_SEPARATOR:
        own_folder(entry, size, false);
        break;
    }
}

CASE(a_list_scopes_the_override, "ANN-CONF-04",
     "The override for one application changes every other, or leaves out its own.",
     .needs = EMULATOR, .rows = entry_rows)
{
    static char entry[OS_PATH_MAX + 8], text[2 * OS_PATH_MAX];
    const bool is_listed = case_row() <= OWN_FOLDER;
    entry_of_row(entry, sizeof entry);
    snprintf(text, sizeof text, FORCE_ON "[apps]\napp=%s\n", entry);
    write_text(use_settings(), text);
    EXPECT_EQ(mode_of_new_device(), is_listed ? RETAIL : RUNTIME);
}

CASE(an_empty_list_forces_every_application, "ANN-CONF-04",
     "The override is on for the whole system and does nothing: a decision of this project.",
     .needs = EMULATOR)
{
    write_text(use_settings(), FORCE_ON "[apps]\n");
    EXPECT_EQ(mode_of_new_device(), RETAIL);
}

/* ---- files that are none ---- */

#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
static const struct bytes {
    const char *at;
    size_t size;
} corrupt[] = {
    BYTES("[device]\n" FORCE "=maybe\n"),
    BYTES("[device]\n" FORCE "=\n"),
    BYTES("[device\n" FORCE "=on\n"),
    BYTES("[dred]\n" FORCE "=on\n"),
    BYTES("once upon a time\n"),
    BYTES("a\nb\nc\n"),
    BYTES(FORCE_ON "\0"),
    BYTES("\xFF\xFE[\0d\0e\0v\0i\0c\0e\0]\0\n\0"),
    BYTES("\x01\x02\xff\xfe\x7f\x80\n\x1b[2J\r\r\r"),
};
static const char *const corrupt_rows[] = {
    "no-value-of-the-setting", "empty-value",     "broken-section", "wrong-section", "no-pair",
    "three-bad-lines",         "nul-behind-them", "utf-16",         "bytes",         NULL};
_Static_assert(sizeof corrupt_rows / sizeof *corrupt_rows == sizeof corrupt / sizeof *corrupt + 1,
               "a row for every file");

static void expect_defaults_and_a_message(void)
{
    AT_END(kit_device_end) ID3D12Device *device = new_device();
    EXPECT_EQ(kit_get_mode(device), RUNTIME);
    EXPECT_EQ(kit_count(device, EMU_MESSAGE_SETTINGS_IGNORED), 1);
    kit_set_mode(device, RETAIL);
    EXPECT_EQ(kit_get_mode(device), RETAIL);
}

CASE(a_corrupt_file_gives_defaults_and_one_message, "ANN-CONF-06",
     "An application doesn't start because of a settings file that it doesn't know of.",
     .needs = EMULATOR | MESSAGES, .rows = corrupt_rows)
{
    write_settings(use_settings(), corrupt[case_row()].at, corrupt[case_row()].size);
    expect_defaults_and_a_message();
}

CASE(a_huge_file_gives_defaults_and_one_message, "ANN-CONF-06",
     "A settings file of a megabyte takes an application's time and memory.",
     .needs = EMULATOR | MESSAGES)
{
    const size_t size = 4u << 20;
    char *text = malloc(size);
    REQUIRE(text);
    memset(text, 'x', size);
    memcpy(text, FORCE_ON, sizeof FORCE_ON - 1);
    write_settings(use_settings(), text, size);
    free(text);
    expect_defaults_and_a_message();
}

CASE(what_is_no_file_gives_defaults_and_one_message, "ANN-CONF-06",
     "A folder in the place of the settings file stops an application.",
     .needs = EMULATOR | MESSAGES)
{
    static char folder[OS_PATH_MAX];
    own_folder(folder, sizeof folder, false);
    os_set_environment("ANNOT_CONFIG", folder);
    expect_defaults_and_a_message();
}

CASE(a_good_file_is_not_complained_about, "ANN-CONF-06",
     "Every application gets a warning about settings that are as they should be.",
     .needs = EMULATOR | MESSAGES)
{
    static const char *const good[] = {"", "# a comment\n\n" FORCE_OFF, FORCE_ON,
                                       "[device]\r\n" FORCE "=true\r\n"};
    const char *path = use_settings();
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        write_text(path, good[i]);
        AT_END(kit_device_end) ID3D12Device *device = new_device();
        EXPECT_EQ(kit_count(device, EMU_MESSAGE_SETTINGS_IGNORED), 0);
        EXPECT_EQ(kit_get_mode(device), i < 2 ? RUNTIME : RETAIL);
    }
}

/* ---- the command ---- */

static struct os_process *start_d3dconfig(const char *a, const char *b, const char *c)
{
    static char program[OS_PATH_MAX + 16];
    own_folder(program, OS_PATH_MAX, true);
    strcat(program, "d3dconfig");
    if (!os_file_exists(program))
        strcat(program, ".exe");
    if (!os_file_exists(program))
        SKIP("needs the d3dconfig command beside this program");
    char *const argv[] = {program, (char *)(uintptr_t)a, (char *)(uintptr_t)b, (char *)(uintptr_t)c,
                          NULL};
    struct os_process *process = os_process_start(argv, NULL);
    REQUIRE(process);
    return process;
}

/* Its exit code; `said` gets what it wrote. */
static int end_d3dconfig(struct os_process *process, char *said, size_t size)
{
    char how[64];
    int code = -1;
    for (size_t i = 0; i < 600 && !os_process_ended(process); i++)
        os_process_wait(&process, 1, 100);
    REQUIRE(os_process_ended(process));
    REQUIRE(!os_process_crashed(process, &code, how, sizeof how));
    if (said)
        snprintf(said, size, "%s", os_process_output(process));
    os_process_done(process);
    return code;
}

static char output[1 << 15];

static int d3dconfig(const char *a, const char *b, const char *c)
{
    return end_d3dconfig(start_d3dconfig(a, b, c), output, sizeof output);
}

static bool says(const char *text)
{
    if (strstr(output, text))
        return true;
    case_note("d3dconfig says: %.800s", output);
    return false;
}

static const char *const word_rows[] = {"on", "true", "off", "false", NULL};

CASE(the_command_stores_and_shows_the_override, "ANN-CONF-01 ANN-CONF-02 ANN-CONF-03",
     "Someone turns the override on, and at the next look it is off.", .needs = EMULATOR,
     .rows = word_rows)
{
    const bool is_on = case_row() < 2;
    char setting[64];
    use_settings();
    REQUIRE_EQ(d3dconfig("device", is_on ? FORCE "=off" : FORCE "=on", NULL), 0);
    EXPECT_EQ(mode_of_new_device(), is_on ? RUNTIME : RETAIL);
    snprintf(setting, sizeof setting, FORCE "=%s", word_rows[case_row()]);
    EXPECT_EQ(d3dconfig("device", setting, NULL), 0);
    EXPECT(says(is_on ? FORCE "=on" : FORCE "=off"));
    EXPECT_EQ(d3dconfig("device", NULL, NULL), 0);
    EXPECT(says(is_on ? FORCE "=on" : FORCE "=off"));
    EXPECT_EQ(mode_of_new_device(), is_on ? RETAIL : RUNTIME);
}

CASE(the_command_refuses_what_is_no_value, "ANN-CONF-01",
     "A slip of the pen turns the override on or off.", .needs = EMULATOR)
{
    use_settings();
    REQUIRE_EQ(d3dconfig("device", FORCE "=on", NULL), 0);
    EXPECT(d3dconfig("device", FORCE "=maybe", NULL) != 0);
    EXPECT(d3dconfig("device", FORCE "=", NULL) != 0);
    EXPECT(d3dconfig("device", "no-such-setting=on", NULL) != 0);
    EXPECT(d3dconfig("device", FORCE "=off", FORCE "=maybe") != 0); /* all or nothing */
    EXPECT_EQ(d3dconfig("device", NULL, NULL), 0);
    EXPECT(says(FORCE "=on"));
    EXPECT_EQ(mode_of_new_device(), RETAIL);
}

CASE(the_command_keeps_the_list, "ANN-CONF-04",
     "An application that was added to the list, or removed from it, is treated as before.",
     .needs = EMULATOR)
{
    use_settings();
    REQUIRE_EQ(d3dconfig("device", FORCE "=on", NULL), 0);
    EXPECT_EQ(mode_of_new_device(), RETAIL);
    EXPECT_EQ(d3dconfig("apps", "--add", "no-such-game.exe"), 0);
    EXPECT_EQ(mode_of_new_device(), RUNTIME);
    EXPECT_EQ(d3dconfig("apps", "--add", own_name()), 0);
    EXPECT(says("no-such-game.exe") && says(own_name()));
    EXPECT_EQ(mode_of_new_device(), RETAIL);
    EXPECT_EQ(d3dconfig("apps", "--remove", own_name()), 0);
    EXPECT_EQ(mode_of_new_device(), RUNTIME);
    EXPECT(d3dconfig("apps", "--remove", own_name()) != 0);
    EXPECT_EQ(d3dconfig("apps", "--clear", NULL), 0);
    EXPECT(!strstr(output, "no-such-game.exe"));
    EXPECT_EQ(mode_of_new_device(), RETAIL);
}

CASE(the_command_says_why, "ANN-CONF-05",
     "Nobody finds out why an application has, or hasn't, driver markers.", .needs = EMULATOR)
{
    const char *path = use_settings();
    char full[OS_PATH_MAX];
    write_text(path, "# mine\n" FORCE_ON "[apps]\napp=/no/such/folder/game\n");
    EXPECT_EQ(d3dconfig("why", "/no/such/folder/game", NULL), 0);
    EXPECT(says("DRIVER_RETAIL") && says(path) && says("line 3") && says("no longer exists"));
    EXPECT_EQ(d3dconfig("why", own_path(), NULL), 0);
    EXPECT(says("RUNTIME_ONLY") && says("no longer exists"));
    snprintf(full, sizeof full, FORCE_ON "[apps]\napp=%.4000s\n", own_name());
    write_text(path, full);
    EXPECT_EQ(d3dconfig("why", own_path(), NULL), 0);
    EXPECT(says("DRIVER_RETAIL") && says(path) && says("line 2"));
    EXPECT(!strstr(output, "no longer exists"));
}

CASE(concurrent_writers_lose_nothing, "ANN-CONF-06",
     "Of two installers that run at once one has its setting lost.", .needs = EMULATOR)
{
    enum { WRITERS = 16, ROUNDS = 3 };
    struct os_process *writers[WRITERS];
    char app[64];
    use_settings();
    REQUIRE_EQ(d3dconfig("device", FORCE "=on", NULL), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < WRITERS; i++) {
            snprintf(app, sizeof app, "game-%u-%u.exe", round, i);
            writers[i] = start_d3dconfig("apps", "--add", app);
        }
        for (unsigned i = 0; i < WRITERS; i++)
            EXPECT_EQ_AT(i, end_d3dconfig(writers[i], NULL, 0), 0);
    }
    REQUIRE_EQ(d3dconfig("apps", NULL, NULL), 0);
    for (unsigned i = 0; i < WRITERS * ROUNDS; i++) {
        snprintf(app, sizeof app, "game-%u-%u.exe\n", i / WRITERS, i % WRITERS);
        EXPECT(says(app));
    }
    EXPECT_EQ(d3dconfig("device", NULL, NULL), 0);
    EXPECT(says(FORCE "=on"));
}
