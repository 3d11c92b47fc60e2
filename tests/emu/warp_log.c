/* The log of the driver that behaves as WARP, where it can't be written whole [ANN-DDI-02]. */
#include "asserts.h"
#include "umd/driver.h"
#include "umd/types.h"

#include <annot/text.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

enum { LONGEST = 40 };

static char path[] = "/tmp/warp-log-XXXXXX";
static wchar_t name[LONGEST + 1];
static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation;

static void log_call(bool is_marker)
{
    if (is_marker)
        annotation->pfnCmdListBeginEvent((D3D12DDI_HCOMMANDLIST){&path}, UINT32_MAX, NULL,
                                         UINT32_MAX, UINT64_MAX);
    else
        annotation->pfnSetName((D3D12DDI_HANDLE_AND_TYPE){&path, D3D12DDI_HT_FENCE}, name);
}

/* Bytes that a call adds to an empty log while files may have so many; whoever writes more is ended
 * by SIGXFSZ. */
static off_t logged(int file, bool is_marker, rlim_t most)
{
    struct rlimit limit;
    struct stat status;
    cr_assert_eqs(ftruncate(file, 0), 0, getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = most;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    log_call(is_marker);
    limit.rlim_cur = before;
    cr_assert_eqs(setrlimit(RLIMIT_FSIZE, &limit), 0, fstat(file, &status), 0);
    return status.st_size;
}

static void check_limits(int file, bool is_marker, size_t room)
{
    const off_t whole = logged(file, is_marker, RLIM_INFINITY);
    cr_assert(whole > 0 && (size_t)whole <= room);
    for (rlim_t most = 0; most <= room + 4; most++) {
        const off_t size = logged(file, is_marker, most);
        cr_assert(size == 0 || size == whole, "%d of %d bytes", (int)size, (int)whole);
        cr_assert(size == whole || most < room, "there is room: %d", (int)most);
    }
}

/* docs/D3D12_LAYER.md: a file that would pass the process's limit is not written on. */
Test(umd_warp, a_line_is_written_whole_or_not_at_all)
{
    const int file = mkstemp(path), nothing = open("/dev/null", O_WRONLY);
    annotation = emu_driver_find("warp")->annot.annotation;
    setenv("EMU_WARP_LOG", path, 1);
    dup2(nothing, 2); /* once it is told that there is no room */
    check_limits(file, true, 160);
    for (size_t length = 0; length <= LONGEST; length += 13) {
        wmemset(name, 1, length);
        name[length] = 0;
        check_limits(file, false, 80 + length * ANNOT_ESCAPED_MAX);
    }
    unsetenv("EMU_WARP_LOG");
    unlink(path);
    close(file);
    close(nothing);
}
