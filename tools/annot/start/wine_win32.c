#include "wine.h"
#include "environment.h"

#include <windows.h>

#include <stdio.h>
#include <string.h>

#define DEFAULTS L"Software\\Wine\\AppDefaults\\"

static bool is_wine(void)
{
    const HMODULE ntdll = GetModuleHandleA("ntdll.dll");
    return ntdll && GetProcAddress(ntdll, "wine_get_version");
}

static bool is_told(const wchar_t *key)
{
    const char *variable = os_environment_borrow("WINEDLLOVERRIDES");
    HKEY open;
    if (variable && strstr(variable, "d3d12"))
        return true;
    if (RegOpenKeyExW(HKEY_CURRENT_USER, key, 0, KEY_READ, &open) != ERROR_SUCCESS)
        return false;
    const LSTATUS status = RegQueryValueExW(open, L"d3d12", NULL, NULL, NULL, NULL);
    RegCloseKey(open);
    return status == ERROR_SUCCESS;
}

void wine_override_begin(struct wine_override *override, const wchar_t *program)
{
    static const wchar_t order[] = L"native,builtin";
    wchar_t key[sizeof override->key / sizeof *override->key];
    const wchar_t *name = program;
    HKEY open;
    DWORD disposition;
    *override = (struct wine_override){L"", false};
    for (const wchar_t *at = program; *at; at++)
        if (*at == L'\\' || *at == L'/')
            name = at + 1;
    if (!is_wine() || wcslen(name) > 255)
        return;
    swprintf(key, sizeof key / sizeof *key, L"%ls%ls%ls\\DllOverrides", DEFAULTS, name,
             wcschr(name, L'.') ? L"" : L".exe");
    if (is_told(key) || RegCreateKeyExW(HKEY_CURRENT_USER, key, 0, NULL, 0, KEY_WRITE, NULL, &open,
                                        &disposition) != ERROR_SUCCESS)
        return;
    if (RegSetValueExW(open, L"d3d12", 0, REG_SZ, (const BYTE *)order, sizeof order) ==
        ERROR_SUCCESS) {
        wcscpy(override->key, key);
        override->is_new_key = disposition == REG_CREATED_NEW_KEY;
    }
    RegCloseKey(open);
}

void wine_override_end(const struct wine_override *override)
{
    wchar_t key[sizeof override->key / sizeof *override->key];
    HKEY open;
    if (!*override->key ||
        RegOpenKeyExW(HKEY_CURRENT_USER, override->key, 0, KEY_WRITE, &open) != ERROR_SUCCESS)
        return;
    RegDeleteValueW(open, L"d3d12");
    RegCloseKey(open);
    if (!override->is_new_key)
        return;
    RegDeleteKeyW(HKEY_CURRENT_USER, override->key); /* fails if somebody else added to the key */
    wcscpy(key, override->key);
    *wcsrchr(key, L'\\') = L'\0';
    RegDeleteKeyW(HKEY_CURRENT_USER, key);
}
