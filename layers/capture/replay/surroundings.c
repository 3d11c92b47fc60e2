#include "surroundings.h"

#include "../../intercept/d3d12.h"
#include "dxgi_adapter.h"
#include "environment.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <utlist.h>

#ifdef _WIN32
#include <direct.h>
#include <windows.h>
#define make_folder(path)   _mkdir(path)
#define remove_folder(path) _rmdir(path)
#define FOLDERS_MAX         100u /* most names that are tried for the folder */
#else
#include <sys/stat.h>
#include <unistd.h>
#define make_folder(path)   mkdir(path, 0700)
#define remove_folder(path) rmdir(path)
#endif

#define SETTINGS "ANNOT_CONFIG"
#define FILE_MAX ((uint64_t)2 << 20) /* most bytes of a settings file in a trace */

static char folder[1024], file_path[1300]; /* "" while there is no settings file */
static size_t then_length; /* length of the path of the recorded program's settings file */

static void place_file(void);

/* ---- variables ---- */

static void set(const char *name, const char *value)
{
#ifdef _WIN32
    SetEnvironmentVariableA(name, value);
    _putenv_s(name, value ? value : "");
#else
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
#endif
}

#define DUMP        "EMU_DUMP"
#define APPLICATION "EMU_APPLICATION"
#define MEMORY      "EMU_FRESH_MEMORY"

static uint64_t memory_then; /* MEMORY of the trace */

/* Whether the caller chooses the variable: a place of output, a dump's words, new memory. */
static bool is_output(const char *name)
{
    return strcmp(name, DUMP) == 0 || strcmp(name, "EMU_MESSAGES") == 0 ||
           strcmp(name, APPLICATION) == 0 || strcmp(name, MEMORY) == 0;
}

bool surroundings_is_built_in(const char *driver)
{
    return strpbrk(driver, "/\\") == NULL;
}

/* Whether the emulator may print the text: no character of the text moves a cursor. */
static bool is_printable(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
            return false;
    return true;
}

/* Whether a variable chooses no code, no file and no behaviour of another program. */
static bool is_harmless(const char *name, const char *value)
{
    static const char *const names[] = {"EMU_SEED", "EMU_ORDER",  "EMU_HANG", "EMU_FAULT",
                                        "EMU_LOSE", "EMU_DRIVER", SETTINGS};
    size_t i = 0;
    while (i < sizeof names / sizeof names[0] && strcmp(names[i], name) != 0)
        i++;
    return i < sizeof names / sizeof names[0] &&
           (!value || (is_printable(value) &&
                       (strcmp(name, "EMU_DRIVER") != 0 || surroundings_is_built_in(value))));
}

char *surroundings_variable(const struct trace_item *item)
{
    const uint64_t length = word_at(item, 0);
    if (item->size < sizeof length)
        return NULL;
    char *text = length <= item->size - sizeof length ? malloc((size_t)length + 1) : NULL;
    if (!text)
        return NULL;
    memcpy(text, item->data + sizeof length, (size_t)length);
    text[length] = '\0';
    return text;
}

bool surroundings_set_variable(const struct trace_item *item, bool trust, char *refused,
                               size_t capacity)
{
    char *name = surroundings_variable(item);
    char *value = name ? strchr(name, '=') : NULL;
    if (!name)
        return true;
    if (value)
        *value++ = '\0';
    const bool is_settings = strcmp(name, SETTINGS) == 0;
    const bool is_taken = trust ? strncmp(name, "EMU_", 4) == 0 || is_settings
                                : is_output(name) || is_harmless(name, value);
    if (value && strcmp(name, MEMORY) == 0)
        memory_then = strtoull(value, NULL, 0);
    if (is_taken && !is_output(name))
        set(name, value);
    if (is_taken && is_settings && value) {
        then_length = strlen(value);
        place_file();
    }
    snprintf(refused, capacity, "%s", is_printable(name) ? name : "whose name can't be printed");
    free(name);
    return is_taken || trust;
}

/* ---- the settings file ---- */

static bool make_place(void)
{
#ifdef _WIN32
    char temporary[MAX_PATH];
    if (!GetTempPathA(sizeof temporary, temporary))
        return false;
    static unsigned count;
    bool ok = false;
    errno = EEXIST; /* a replay that was killed left its folder, and the number is used again */
    for (unsigned i = 0; i < FOLDERS_MAX && !ok && errno == EEXIST; i++) {
        snprintf(folder, sizeof folder, "%sannot-%lu-%u", temporary, GetCurrentProcessId(),
                 count++);
        ok = _mkdir(folder) == 0;
    }
#else
    static const char usual[] = "/annot-XXXXXX", shortest[] = "/XXXXXX";
    const char *temporary = os_environment_borrow("TMPDIR");
    if (!temporary || !*temporary)
        temporary = "/tmp";
    const size_t length = strlen(temporary);
    /* place_file needs room for a name behind the folder */
    const bool is_short =
        then_length <= length + sizeof usual && then_length > length + sizeof shortest;
    snprintf(folder, sizeof folder, "%.900s%s", temporary, is_short ? shortest : usual);
    const bool ok = mkdtemp(folder) != NULL;
#endif
    if (!ok)
        folder[0] = '\0';
    return ok;
}

static void clear_place(void)
{
    if (file_path[0] && remove(file_path))
        remove_folder(file_path);
}

/* Gives the file a path that is as long as the program's if possible, because messages contain the
 * path. */
static void place_file(void)
{
    char path[sizeof file_path], name[256] = "settings";
    const size_t before = strlen(folder) + 1;
    if (!folder[0])
        return;
    if (then_length > before && then_length - before < sizeof name) {
        memset(name, '_', then_length - before);
        name[then_length - before] = '\0';
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (file_path[0])
        (void)rename(file_path, path);
    memcpy(file_path, path, sizeof path);
    set(SETTINGS, file_path);
}

/* Writes the file. False: errno has the reason. */
static bool write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool ok = fwrite(data, 1, size, file) == size;
    if (fclose(file) == 0 && ok)
        return true;
    const int error = errno;
    remove(path);
    errno = error;
    return false;
}

const char *surroundings_put_file(const struct trace_item *item)
{
    const uint64_t head = word_at(item, 0), size = head & UINT32_MAX;
    if (item->size < sizeof head || size > item->size - sizeof head || size > FILE_MAX)
        return NULL;
    if (!folder[0] && !make_place())
        return strerror(errno);
    place_file();
    clear_place();
    if (head >> 32 == TRACE_FILE_OTHER)
        (void)make_folder(file_path);
    if (head >> 32 != TRACE_FILE_PLAIN ||
        write_file(file_path, item->data + sizeof head, (size_t)size))
        return NULL;
    return strerror(errno);
}

/* ---- dumps ---- */

#ifdef _WIN32
#define STATE "LOCALAPPDATA"
static const char *const state_folders[] = {"/CrashDumps", ""};
#else
#define STATE "XDG_STATE_HOME"
static const char *const state_folders[] = {"/annot/dumps", "/annot", ""};
#endif

static char state[1024]; /* "" while dumps go to the user's own folder */

const char *surroundings_divert_dumps(void)
{
    static char why[160];
    char settings[sizeof folder];
    bool ok = true;
    memcpy(settings, folder, sizeof settings);
    if (!state[0] && (ok = make_place())) {
        memcpy(state, folder, sizeof state);
        set(STATE, state);
    }
    if (!ok)
        snprintf(why, sizeof why,
                 "no folder for the trace's files can be made in the temporary folder (TMPDIR): %s",
                 strerror(errno));
    memcpy(folder, settings, sizeof settings);
    return ok ? NULL : why;
}

void surroundings_name_dump(const char *dump, const char *program)
{
    const char *name = program + strlen(program);
    while (name > program && name[-1] != '/' && name[-1] != '\\')
        name--;
    if (dump)
        set(DUMP, dump);
    if (*name && is_printable(name))
        set(APPLICATION, name);
}

void surroundings_change_memory(bool is_first)
{
    static uint64_t first;
    char value[24];
    const char *now = os_environment_borrow(MEMORY);
    if (!is_first)
        first = now ? strtoull(now, NULL, 0) : 0;
    const uint64_t other = memory_then != first ? memory_then : first + 1;
    snprintf(value, sizeof value, "%llu", (unsigned long long)(is_first ? first : other));
    set(MEMORY, value);
}

static void remove_dumps(void)
{
    char path[sizeof state + 300];
    if (!state[0])
        return;
    snprintf(path, sizeof path, "%s%s", state, state_folders[0]);
    DIR *dumps = opendir(path);
    for (const struct dirent *entry; dumps && (entry = readdir(dumps)) != NULL;) {
        snprintf(path, sizeof path, "%s%s/%s", state, state_folders[0], entry->d_name);
        if (entry->d_name[0] != '.')
            (void)remove(path);
    }
    if (dumps)
        closedir(dumps);
    for (size_t i = 0; i < sizeof state_folders / sizeof state_folders[0]; i++) {
        snprintf(path, sizeof path, "%s%s", state, state_folders[i]);
        remove_folder(path);
    }
    state[0] = '\0';
}

void surroundings_remove_files(void)
{
    clear_place();
    if (folder[0])
        remove_folder(folder);
    folder[0] = file_path[0] = '\0';
    remove_dumps();
}

/* ---- adapters ---- */

/* One table for IDXGIAdapter and IDXCoreAdapter: GetDesc is the ninth method of IDXGIAdapter,
 * GetProperty the seventh of IDXCoreAdapter. */
struct adapter {
    const struct adapter_methods *methods;
    LUID luid;
    uint64_t which;
    struct adapter *next;
};

static struct adapter *adapters;

struct adapter_methods {
    HRESULT(STDMETHODCALLTYPE *query)(struct adapter *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *add_reference)(struct adapter *);
    ULONG(STDMETHODCALLTYPE *release)(struct adapter *);
    HRESULT(STDMETHODCALLTYPE *others[3])(void);
    HRESULT(STDMETHODCALLTYPE *get_property)(struct adapter *, UINT, size_t, void *);
    HRESULT(STDMETHODCALLTYPE *another)(void);
    HRESULT(STDMETHODCALLTYPE *get_desc)(struct adapter *, struct dxgi_adapter_desc *);
    HRESULT(STDMETHODCALLTYPE *more[8])(void);
};

static HRESULT STDMETHODCALLTYPE adapter_query(struct adapter *self, REFIID riid, void **out)
{
    static const IID dxcore_iid = {
        0xf0db4c7f, 0xfe5a, 0x42a2, {0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e}};
    const IID *iid = self->which == TRACE_ADAPTER_DXCORE ? &dxcore_iid : &dxgi_adapter_iid;
    if (!riid || !out)
        return E_POINTER;
    const bool is_ours = memcmp(riid, iid, sizeof *iid) == 0 ||
                         memcmp(riid, iid_of(TYPE_IUnknown), sizeof *riid) == 0;
    *out = is_ours ? self : NULL;
    return is_ours ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE adapter_count(struct adapter *self)
{
    (void)self;
    return 1;
}

static HRESULT STDMETHODCALLTYPE adapter_nothing(void)
{
    return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE adapter_property(struct adapter *self, UINT property, size_t size,
                                                  void *to)
{
    if (property != 0 || size < sizeof self->luid || !to)
        return E_INVALIDARG;
    memcpy(to, &self->luid, sizeof self->luid);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE adapter_desc(struct adapter *self, struct dxgi_adapter_desc *to)
{
    memset(to, 0, sizeof *to);
    to->luid = self->luid;
    return S_OK;
}

void *surroundings_adapter(uint64_t luid, uint64_t which)
{
    static const struct adapter_methods methods = {
        adapter_query,
        adapter_count,
        adapter_count,
        {adapter_nothing, adapter_nothing, adapter_nothing},
        adapter_property,
        adapter_nothing,
        adapter_desc,
        {adapter_nothing, adapter_nothing, adapter_nothing, adapter_nothing, adapter_nothing,
         adapter_nothing, adapter_nothing, adapter_nothing}};
    struct adapter *adapter = calloc(1, sizeof *adapter);
    if (!adapter)
        return NULL;
    adapter->methods = &methods;
    memcpy(&adapter->luid, &luid, sizeof adapter->luid);
    adapter->which = which == TRACE_ADAPTER_DXCORE ? which : TRACE_ADAPTER_DXGI;
    LL_PREPEND(adapters, adapter);
    return adapter;
}

void surroundings_free_adapters(void)
{
    struct adapter *each, *next;
    LL_FOREACH_SAFE(adapters, each, next)
    free(each);
    adapters = NULL;
}

/* The tables of IDXCoreAdapterFactory and of the objects that it makes. */
struct factory {
    const struct factory_methods *methods;
};
struct factory_methods {
    HRESULT(STDMETHODCALLTYPE *query)(struct factory *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *add_reference)(struct factory *);
    ULONG(STDMETHODCALLTYPE *release)(struct factory *);
    HRESULT(STDMETHODCALLTYPE *create_list)
    (struct factory *, UINT count, const GUID *, REFIID, void **);
};

void surroundings_list_adapters(void *found)
{
    static const IID factory_iid = {
        0x78ee5945, 0xc36e, 0x4b13, {0xa6, 0x69, 0x00, 0x5d, 0xd1, 0x1c, 0x0f, 0x06}};
    static const IID list_iid = {
        0x526c7776, 0x40e9, 0x459b, {0xb7, 0x11, 0xf3, 0x2a, 0xd7, 0x6d, 0xfc, 0x28}};
    static const GUID d3d12_graphics = {
        0x0c9ece4d, 0x2f6e, 0x4f01, {0x8c, 0x96, 0xe8, 0x9e, 0x33, 0x1b, 0x47, 0xb1}};
    int32_t (*open_factory)(const void *riid, void **out);
    struct factory *factory = NULL, *list = NULL;
    memcpy(&open_factory, &found, sizeof found);
    if (!found || open_factory(&factory_iid, (void **)&factory) < 0 || !factory)
        return;
    if (factory->methods->create_list(factory, 1, &d3d12_graphics, &list_iid, (void **)&list) >= 0)
        list->methods->release(list);
    factory->methods->release(factory);
}
