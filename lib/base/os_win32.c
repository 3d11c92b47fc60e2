#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <sys/stat.h>
#include <windows.h>

/* The size of a path. The buffer is on the stack, because crash handlers use it. Paths are
 * UTF-8. */
enum { PATH_CAPACITY = 4096 };

static bool widen(const char *path, wchar_t wide[PATH_CAPACITY])
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_CAPACITY) > 0;
}

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "struct annot__mutex has room for it");

static SRWLOCK *native_of(struct annot__mutex *mutex)
{
    return (SRWLOCK *)(void *)&mutex->native;
}

void annot__mutex_init(struct annot__mutex *mutex)
{
    InitializeSRWLock(native_of(mutex));
}

void annot__mutex_finish(struct annot__mutex *mutex)
{
    (void)mutex; /* such a lock needs no release */
}

void annot__mutex_lock(struct annot__mutex *mutex)
{
    AcquireSRWLockExclusive(native_of(mutex));
}

void annot__mutex_unlock(struct annot__mutex *mutex)
{
    ReleaseSRWLockExclusive(native_of(mutex));
}

bool annot__mutex_try(struct annot__mutex *mutex)
{
    return TryAcquireSRWLockExclusive(native_of(mutex)) != 0;
}

uint64_t annot__clock_ns(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    uint64_t ticks = (uint64_t)now.QuadPart, second = (uint64_t)frequency.QuadPart;
    return ticks / second * 1000000000u + ticks % second * 1000000000u / second;
}

void annot__pause(void)
{
    Sleep(1);
}

/* Rights for the process's user only. The whole struct is on the stack. */
struct owner_only {
    char user[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    char list[sizeof(ACL) + sizeof(ACCESS_ALLOWED_ACE) + SECURITY_MAX_SID_SIZE];
    SECURITY_DESCRIPTOR descriptor;
    SECURITY_ATTRIBUTES attributes;
};

static SECURITY_ATTRIBUTES *owner_only_init(struct owner_only *it)
{
    HANDLE token;
    DWORD size;
    ACL *list = (ACL *)(void *)it->list;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return NULL;
    bool ok = GetTokenInformation(token, TokenUser, it->user, sizeof it->user, &size);
    CloseHandle(token);
    ok = ok && InitializeAcl(list, sizeof it->list, ACL_REVISION) &&
         AddAccessAllowedAce(list, ACL_REVISION, FILE_ALL_ACCESS,
                             ((TOKEN_USER *)(void *)it->user)->User.Sid) &&
         InitializeSecurityDescriptor(&it->descriptor, SECURITY_DESCRIPTOR_REVISION) &&
         SetSecurityDescriptorDacl(&it->descriptor, TRUE, list, FALSE) &&
         SetSecurityDescriptorControl(&it->descriptor, SE_DACL_PROTECTED, SE_DACL_PROTECTED);
    it->attributes = (SECURITY_ATTRIBUTES){.nLength = sizeof it->attributes,
                                           .lpSecurityDescriptor = &it->descriptor};
    return ok ? &it->attributes : NULL;
}

static enum annot__file_outcome outcome_of(DWORD error)
{
    return error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS ? ANNOT__FILE_EXISTS
                                                                       : ANNOT__FILE_FAILED;
}

static enum annot__file_outcome fail(int error)
{
    errno = error;
    return ANNOT__FILE_FAILED;
}

static int errno_of(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
        return EACCES;
    case ERROR_DISK_FULL:
        return ENOSPC;
    default:
        return EIO;
    }
}

enum annot__file_outcome annot__file_create(struct annot__file *file, const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    struct owner_only owner;
    file->descriptor = -1;
    if (!widen(path, wide))
        return fail(EINVAL);
    HANDLE handle = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ, owner_only_init(&owner),
                                CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        enum annot__file_outcome outcome = outcome_of(GetLastError());
        return outcome == ANNOT__FILE_EXISTS ? outcome : fail(errno_of(GetLastError()));
    }
    file->descriptor = _open_osfhandle((intptr_t)handle, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
    if (file->descriptor >= 0)
        return ANNOT__FILE_DONE;
    CloseHandle(handle);
    DeleteFileW(wide);
    return fail(EMFILE);
}

bool annot__file_append(struct annot__file *file, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0) {
        unsigned part = size > INT_MAX ? (unsigned)INT_MAX : (unsigned)size;
        int written = _write(file->descriptor, from, part);
        if (written <= 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool annot__file_write_at(struct annot__file *file, uint64_t at, const void *data, size_t size)
{
    return _lseeki64(file->descriptor, (int64_t)at, SEEK_SET) == (int64_t)at &&
           annot__file_append(file, data, size);
}

bool annot__file_open_again(struct annot__file *file, const char *path, uint64_t size)
{
    wchar_t wide[PATH_CAPACITY];
    LARGE_INTEGER now;
    file->descriptor = -1;
    HANDLE handle = widen(path, wide)
                        ? CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL,
                                      OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL)
                        : INVALID_HANDLE_VALUE;
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    if (GetFileSizeEx(handle, &now) && (uint64_t)now.QuadPart == size)
        file->descriptor = _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY | _O_NOINHERIT);
    if (file->descriptor < 0)
        CloseHandle(handle);
    return file->descriptor >= 0;
}

bool annot__file_sync(struct annot__file *file)
{
    return _commit(file->descriptor) == 0;
}

void annot__file_close(struct annot__file *file)
{
    _close(file->descriptor);
    file->descriptor = -1;
}

enum annot__file_outcome annot__file_publish(const char *from, const char *to)
{
    wchar_t wide_from[PATH_CAPACITY], wide_to[PATH_CAPACITY];
    if (!widen(from, wide_from) || !widen(to, wide_to))
        return fail(EINVAL);
    if (MoveFileExW(wide_from, wide_to, MOVEFILE_WRITE_THROUGH))
        return ANNOT__FILE_DONE;
    enum annot__file_outcome outcome = outcome_of(GetLastError());
    return outcome == ANNOT__FILE_EXISTS ? outcome : fail(errno_of(GetLastError()));
}

void annot__file_remove(const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    if (widen(path, wide))
        DeleteFileW(wide);
}

// ReadProcessMemory as Wine has it reads pages that the process itself may not.
static bool is_readable(const void *from, size_t size)
{
    const DWORD readable = PAGE_READONLY | PAGE_READWRITE | PAGE_WRITECOPY | PAGE_EXECUTE_READ |
                           PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;
    const uintptr_t start = (uintptr_t)from;
    if (size > UINTPTR_MAX - start)
        return false;
    for (uintptr_t at = start; at < start + size;) {
        MEMORY_BASIC_INFORMATION region;
        if (VirtualQuery((const void *)at, &region, sizeof region) == 0 ||
            region.State != MEM_COMMIT || (region.Protect & PAGE_GUARD) != 0 ||
            (region.Protect & readable) == 0)
            return false;
        at = (uintptr_t)region.BaseAddress + region.RegionSize;
    }
    return true;
}

bool annot__memory_read(void *to, const void *from, size_t size)
{
    SIZE_T got = 0;
    return is_readable(from, size) &&
           ReadProcessMemory(GetCurrentProcess(), from, to, size, &got) && got == size;
}

void annot__memory_expect(void *memory, size_t size)
{
    (void)memory, (void)size; /* large pages need a privilege on Windows */
}

FILE *annot__file_open_to_read(const char *path)
{
    wchar_t wide[PATH_CAPACITY];
    return widen(path, wide) ? _wfopen(wide, L"rb") : NULL;
}
