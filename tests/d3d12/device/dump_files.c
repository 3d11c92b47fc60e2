/* ID3D12DevicePreview: whether a removed device leaves a file, what the application adds to it, how
 * long it stays [ANN-FILE; DirectX dump files v0.02]. */
#include "kit.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    ID3D12DevicePreview *preview;
    UINT answer;
    HRESULT (*add)(void);
    int begun, ended;
    HRESULT added, reason;
    char path[256];
    bool was_there;
} told;

static ID3D12Device *told_device;

static UINT on_begin(UINT64 flags)
{
    told.begun++;
    (void)flags;
    told.reason = ID3D12Device_GetDeviceRemovedReason(told_device);
    if (told.add)
        told.added = told.add();
    return told.answer;
}

static void on_end(const WCHAR *path)
{
    size_t length = 0;
    told.ended++;
    for (; path[length] != 0 && length < sizeof told.path - 1; length++)
        told.path[length] = (char)path[length];
    told.path[length] = '\0';
    told.was_there = access(told.path, R_OK) == 0;
}

struct scene {
    ID3D12Device *device;
    ID3D12DevicePreview *preview;
    char path[64];
};

static void scene_open(struct scene *s)
{
    emu_config config = kit_config();
    snprintf(s->path, sizeof s->path, "file-%d.annotdmp", (int)getpid());
    remove(s->path);
    config.dump_path = s->path;
    s->device = kit_device_with(&config);
    s->preview = AS(ID3D12DevicePreview, s->device);
    memset(&told, 0, sizeof told);
    told.preview = s->preview;
    told.answer = 1;
    told_device = s->device;
}

static void scene_close(struct scene *s)
{
    ID3D12DevicePreview_Release(s->preview);
    kit_close(s->device);
    remove(s->path);
}

static size_t blobs_of(const struct scene *s, uint32_t kind, annot_reader_blob *last)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    size_t count = 0;
    cr_assert_eq(annot_reader_open_file(NULL, s->path, &reader), ANNOT_OK);
    annot_reader_blob blob;
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == kind) {
            *last = blob;
            count++;
        }
    return count;
}

static unsigned char big[2 << 20];

static HRESULT add_too_much(void)
{
    MUST(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, sizeof big - 8 - 11, 1));
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 4, 2), E_OUTOFMEMORY);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, UINT32_MAX, 2),
              E_OUTOFMEMORY);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, NULL, 4, 2), E_INVALIDARG);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 0, 2), E_INVALIDARG);
    return ID3D12DevicePreview_AddBlobToDumpFile(told.preview, big, 3, 3);
}

Test(dump_file, one_byte_more_fails_and_stores_nothing)
{
    AT_END(scene_close) struct scene s;
    annot_reader_blob blob;
    scene_open(&s);
    told.add = add_too_much;
    ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, on_begin, NULL);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(s.preview, big, 4, 2), DXGI_ERROR_INVALID_CALL);
    cr_assert_eq(kit_count(s.device, EMU_MESSAGE_INVALID_ARGUMENT), 1);
    kit_remove(s.device);
    cr_assert_eq(told.added, S_OK, "what fits still does");
    cr_assert_eq(told.reason, S_OK, "the device is removed behind the dump");
    cr_assert_eqs(blobs_of(&s, ANNOT_BLOB_APPLICATION, &blob), 2, blob.metadata, 3);
    /* their published numbers */
    cr_assert_eq3(kit_count(s.device, 1439), 1, kit_count(s.device, 1440), 1,
                  kit_count(s.device, 1441), 2);
    EXPECT_HR(ID3D12DevicePreview_AddBlobToDumpFile(s.preview, big, 4, 2), DXGI_ERROR_INVALID_CALL);
}

/* ---- what the driver is asked ---- */

/* Bytes of the driver's blob; whether the progress of executions is in it. */
static UINT64 driver_blob(UINT options, bool *has_rows)
{
    AT_END(scene_close) struct scene s;
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_blob blob;
    UINT64 size = 0;
    static char bytes[65536];
    scene_open(&s);
    MUST(ID3D12DevicePreview_ConfigureDumpFile(s.preview, options));
    kit_remove(s.device);
    *has_rows = false;
    cr_assert_eq(annot_reader_open_file(NULL, s.path, &reader), ANNOT_OK);
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++) {
        if (blob.kind != ANNOT_BLOB_DRIVER)
            continue;
        size = blob.size;
        const size_t got = annot_reader_blob_read(reader, i, 0, bytes, sizeof bytes);
        for (size_t k = 0; k + 8 <= got; k++)
            *has_rows |= memcmp(bytes + k, "EMUROWS1", 8) == 0;
    }
    return size;
}

Test(dump_file, options_say_what_the_driver_collects)
{
    bool has_rows;
    cr_assert_neq(driver_blob(D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD, &has_rows), 0);
    cr_assert(!has_rows);
    const UINT64 with = driver_blob(D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD |
                                        D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS,
                                    &has_rows);
    cr_assert(with != 0 && has_rows);
    cr_assert_eq(driver_blob(0xFF, &has_rows), 0, "NO_DATA: everything else is ignored");
}

/* ConfigureDumpFile succeeds, and the published message says what the driver doesn't know. */
Test(dump_file, an_option_that_the_driver_does_not_know_is_told)
{
    static const struct {
        const char *driver;
        UINT options;
        bool is_told;
    } rows[] = {{"reference", D3D12_DUMP_FILE_DRIVER_OPTION_EVENT_MARKERS, false},
                {"reference", D3D12_DUMP_FILE_DRIVER_OPTION_RESOURCES, true},
                {"reference", 0x80000001, true},
                {"reference", 0x80000000 | D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA, false},
                {"warp", D3D12_DUMP_FILE_DRIVER_OPTION_MEDIUM_OVERHEAD, false},
                {"warp", D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD, true},
                {"legacy", D3D12_DUMP_FILE_DRIVER_OPTION_NO_OVERHEAD, true},
                {"legacy", D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        emu_config config = EMU_CONFIG_INIT;
        config.driver = rows[i].driver;
        AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
        OWNED ID3D12DevicePreview *preview = AS(ID3D12DevicePreview, device);
        cr_expect_eq(kit_count(device, 1450), 0, "%zu: nobody asked", i);
        EXPECT_HR(ID3D12DevicePreview_ConfigureDumpFile(
                      preview, (D3D12_DUMP_FILE_DRIVER_OPTIONS)rows[i].options),
                  S_OK);
        cr_expect_eq(kit_count(device, 1450), rows[i].is_told, "%zu", i);
    }
}

/* ---- folders ---- */

static size_t count_in(const char *folder, char *last)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    cr_assert_not_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.') {
            if (strcmp(entry->d_name, last) > 0)
                strcpy(last, entry->d_name);
            count++;
        }
    closedir(directory);
    return count;
}

static void touch(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    fclose(file);
}

Test(dump_file, in_a_folder_the_newest_32_stay)
{
    char folder[64], name[256], last[256] = "";
    snprintf(folder, sizeof folder, "dumps-%d/", (int)getpid());
    cr_assert_eq(mkdir(folder, 0700), 0);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "Game-2020-01-01-00-00-%02d.annotdmp", i);
        touch(folder, name);
    }
    touch(folder, "mine.annotdmp");
    touch(folder, "Game-2019-01-01-00-00-00.annotdmp.txt");
    emu_config config = kit_config();
    config.dump_path = folder;
    ID3D12Device *device = kit_device_with(&config);
    cr_assert_eq(count_in(folder, last), 31 + 2);
    kit_remove(device);
    kit_close(device);
    cr_assert_eq(count_in(folder, last), 32 + 2);
    char command[128];
    cr_assert_eq(strncmp(last, "test-d3d12-20", 13), 0,
                 "the executable and the time of day, though the device's clock is virtual: %s",
                 last);
    snprintf(command, sizeof command, "%sGame-2020-01-01-00-00-08.annotdmp", folder);
    cr_assert_neq(access(command, R_OK), 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

/* ---- where nobody named a place: XDG_STATE_HOME/annot/dumps ---- */

struct home {
    char root[PATH_MAX], dumps[PATH_MAX + 32];
};

static void home_make(struct home *home, const char *below)
{
    char name[64];
    snprintf(name, sizeof name, "state-%d", (int)getpid());
    cr_assert_eq(mkdir(name, 0700), 0);
    cr_assert_not_null(realpath(name, home->root));
    snprintf(home->dumps, sizeof home->dumps, "%s%s/annot/dumps/", home->root, below);
    unsetenv("EMU_DUMP");
}

static void home_remove(const struct home *home)
{
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -r '%s'", home->root);
    cr_assert_eq(system(command), 0);
}

static size_t dumps_in(const struct home *home)
{
    char last[256] = "";
    return access(home->dumps, F_OK) == 0 ? count_in(home->dumps, last) : 0;
}

enum { CALLBACKS = 1, RETAIN = 2, GIVE_UP = 4 };

static void remove_device_that(unsigned asks)
{
    emu_config config = kit_config();
    struct scene s = {.device = kit_device_with(&config)};
    s.preview = AS(ID3D12DevicePreview, s.device);
    memset(&told, 0, sizeof told);
    told.preview = s.preview;
    told_device = s.device;
    if (asks & CALLBACKS)
        ID3D12DevicePreview_SetDumpFileCallbacks(s.preview, NULL, on_end);
    if (asks & (RETAIN | GIVE_UP))
        ID3D12DevicePreview_RetainDumpFile(s.preview, TRUE);
    if (asks & GIVE_UP)
        ID3D12DevicePreview_RetainDumpFile(s.preview, FALSE);
    kit_remove(s.device);
    ID3D12DevicePreview_Release(s.preview);
    kit_close(s.device);
}

/* "The dump is always created"; not retained unless somebody asks: what nobody could see is left
 * out. */
Test(dump_file, without_a_path_it_is_in_the_folder_of_the_system_if_somebody_asks)
{
    struct home home;
    struct stat info;
    home_make(&home, "");
    setenv("XDG_STATE_HOME", home.root, 1);
    remove_device_that(0);
    remove_device_that(GIVE_UP);
    cr_assert_neq(access(home.dumps, F_OK), 0, "nobody asked: not even a folder");
    remove_device_that(CALLBACKS);
    cr_assert_eq(told.ended, 1, "%s", told.path);
    cr_assert(told.was_there, "%s", told.path);
    cr_assert_eq(strncmp(told.path, home.dumps, strlen(home.dumps)), 0, "%s", told.path);
    cr_assert_eq(dumps_in(&home), 0, "not retained");
    remove_device_that(RETAIN);
    remove_device_that(RETAIN | CALLBACKS);
    cr_assert_eq(dumps_in(&home), 2);
    cr_assert_eqs(stat(home.dumps, &info), 0, info.st_mode & 0777, 0700, "the user's own");
    home_remove(&home);
}

Test(dump_file, the_folder_of_the_system_keeps_32_and_makes_room_when_asked)
{
    struct home home;
    char name[64];
    home_make(&home, "/.local/state");
    setenv("HOME", home.root, 1);
    setenv("XDG_STATE_HOME", "relative", 1); /* is to be ignored, says XDG */
    remove_device_that(RETAIN);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "Game-2020-01-01-00-00-%02d.annotdmp", i);
        touch(home.dumps, name);
    }
    remove_device_that(0);
    cr_assert_eq(dumps_in(&home), 41, "none goes for a device that leaves none");
    remove_device_that(CALLBACKS);
    cr_assert_eq(dumps_in(&home), 31);
    touch(home.dumps, "Game-2021-01-01-00-00-00.annotdmp");
    remove_device_that(RETAIN);
    cr_assert_eq(dumps_in(&home), 32);
    home_remove(&home);
}

Test(dump_file, without_a_home_there_is_no_file)
{
    unsetenv("EMU_DUMP");
    unsetenv("HOME");
    unsetenv("XDG_STATE_HOME");
    remove_device_that(RETAIN | CALLBACKS);
    cr_assert_eq(told.ended, 0);
}
