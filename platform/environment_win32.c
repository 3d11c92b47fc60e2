#include "environment.h"
#include "wide.h"

#include <string.h>

char *os_environment(const char *name, bool *out_of_memory)
{
    wchar_t wide_name[64];
    if (MultiByteToWideChar(CP_UTF8, 0, name, -1, wide_name, 64) == 0)
        return NULL;
    const DWORD size = GetEnvironmentVariableW(wide_name, NULL, 0);
    if (size <= 1)
        return NULL;
    wchar_t *value = malloc(size * sizeof *value);
    const DWORD length = value != NULL ? GetEnvironmentVariableW(wide_name, value, size) : 0;
    char *text = length > 0 && length < size ? narrow_text(value) : NULL;
    if (!value || (length > 0 && length < size && !text))
        *out_of_memory = true;
    free(value);
    return text;
}

/* Values that callers borrowed. They stay for ever, because callers may still use them. */
struct lent {
    struct lent *next;
    char *value;
};
static SRWLOCK lock = SRWLOCK_INIT;
static struct lent *lent;

static const char *keep(char *value)
{
    struct lent *known;
    AcquireSRWLockExclusive(&lock);
    for (known = lent; known && strcmp(known->value, value) != 0;)
        known = known->next;
    struct lent *kept = known ? known : malloc(sizeof *kept);
    if (kept && !known) {
        *kept = (struct lent){lent, value};
        lent = kept;
    }
    ReleaseSRWLockExclusive(&lock);
    if (known || !kept)
        free(value);
    return kept ? kept->value : NULL;
}

const char *os_environment_borrow(const char *name)
{
    bool out_of_memory = false;
    char *value = os_environment(name, &out_of_memory);
    if (value)
        return keep(value);
    SetLastError(ERROR_SUCCESS);
    return GetEnvironmentVariableA(name, NULL, 0) == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND
               ? NULL
               : "";
}

char **os_environment_all(void)
{
    static char *none[] = {NULL};
    return environ ? environ : none;
}

bool os_environment_is_trusted(void)
{
    return true;
}
