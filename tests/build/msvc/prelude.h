/* Microsoft's compiler without Microsoft's headers: mingw-w64's, which take __GNUC__ for granted
 * here and there, are included first; from then on what only GNU's compilers know is an error. */
#include <_mingw.h>
#undef __attribute__ /* defined away by it, which clang's own headers don't bear */
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
#include <x86intrin.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <io.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>
#include <windows.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define max_align_t max_align_t_is_not_in_microsofts_stddef_h
#define __attribute__ only_gnu_has_attribute
#define __extension__ only_gnu_has_extension
#define __typeof__ only_gnu_has_typeof
#define __builtin_expect   only_gnu_has_builtin_expect
#define __builtin_prefetch only_gnu_has_builtin_prefetch
#define __builtin_bswap64  only_gnu_has_builtin_bswap64
