#!/bin/sh
# The macros of annot/pix.h give the same bytes in C and in C++17 [ANN-PIX-02]: one source, compiled as both.
# usage: pix_cpp.sh path/to/annot (not used: what is tested is the header with the library's sources)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
cc=${CC:-cc} cxx=${CXX:-c++}
command -v "$cc" >/dev/null && command -v "$cxx" >/dev/null || { echo "no C and C++ compiler: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

cat >"$work/events.c" <<'EOF'
#include <annot/pix3.h>
#include <stdio.h>

#define EVENT(color, ...)                                                                          \
    do {                                                                                           \
        ANNOT__PIX_BUILD(0, ANNOT_PIX_KIND_MARKER, color, __VA_ARGS__);                            \
        for (uint32_t i = 0; i < annot__size; i++)                                                 \
            printf("%02x", ((const unsigned char *)annot__blob)[i]);                               \
        printf("\n");                                                                              \
    } while (0)

static int target;

int main(void)
{
    const short s = -2;
    const signed char sc = -3;
    const unsigned char uc = 254;
    const unsigned short us = 65534;
    const long l = -4;
    const unsigned long ul = 5;
    const char c = 'Q';
    const bool b = true;
    char text[] = "array";
    char *pointer = text;
    const char *null_text = 0;
    EVENT(PIX_COLOR(1, 2, 3), "no arguments: %d");
    EVENT(PIX_COLOR_INDEX(7), "types", -1, s, sc, uc, l, ul, -5LL, 6ULL, 0.5f, -0.5, c, b, 7u);
    EVENT(PIX_COLOR_DEFAULT, "%s", text);
    EVENT(-1, pointer, pointer, null_text, "literal", us);
    EVENT(0x1122334455667788u, L"wide %s %s", ANNOT_PIX_WIDE(L"wide"), u"utf16");
    EVENT(PIX_COLOR(255, 255, 255), u"utf16 %d", 5);
    EVENT(PIX_COLOR(0, 0, 0), text, (void *)&target == 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return 0;
}
EOF

# bytes NAME COMPILER FLAGS...: compiles the events and runs them.
bytes() {
    name=$1
    shift
    "$@" -O2 -Wall -Wextra -Wpedantic -Werror -DANNOT_STATIC -I"$root/include" -c -o "$work/$name.o" \
        $language "$work/events.c" &&
        "$cxx" -o "$work/$name" "$work/$name.o" "$work"/lib_*.o && "$work/$name" >"$work/$name.txt"
}

for source in "$root"/lib/pix/*.c "$root/lib/base/utf.c"; do
    "$cc" -std=c11 -O2 -DANNOT_STATIC -I"$root/include" -I"$root/lib" -c -o "$work/lib_$(basename "$source" .c).o" "$source" || exit 1
done
for encoding in "" -DPIX_USE_GPU_MARKERS_V2; do
    language="-x c"
    bytes c "$cc" -std=c11 $encoding || exit 1
    language="-x c++"
    bytes cpp "$cxx" -std=c++17 $encoding || exit 1
    diff "$work/c.txt" "$work/cpp.txt" || { echo "C (<) and C++ (>) differ ${encoding:+under }$encoding"; exit 1; }
done
echo "$(wc -l <"$work/c.txt") events, twice"
