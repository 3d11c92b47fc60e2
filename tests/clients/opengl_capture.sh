#!/usr/bin/env bash
# The OpenGL program for some hundred frames under annot capture: it reads back what it does without, and its trace replays
# with equal read-backs [ANN-TRACE-01, -02].
#   opengl_capture.sh PROGRAM LIBRARY_DIR ANNOT FRAMES
set -eu
program=$1 libraries=$2 annot=$3 frames=$4
. "$(dirname "$0")/mesa.sh"
[ "$program" != no-headers ] || skip "no headers of EGL and OpenGL here (Debian: libegl-dev, libgl-dev)"

"$annot" capture -o "$dir/gl.annottrace" -- "$program" --frames "$frames" >"$dir/out" 2>&1 || { cat "$dir/out"; echo "fails under capture"; exit 1; }
grep -q "^$frames frames" "$dir/out" || { cat "$dir/out"; exit 1; }
no_errors
unset LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER
"$annot" replay "$dir/gl.annottrace" --output json >"$dir/replayed" 2>"$dir/differences" || { head -5 "$dir/differences"; cat "$dir/replayed"; exit 1; }
reads=$(sed -n 's/.*"reads": \([0-9]*\).*/\1/p' "$dir/replayed")
shared=$(sed -n 's/.*"shared_writes": \([0-9]*\).*/\1/p' "$dir/replayed")
calls=$("$annot" trace info --output text "$dir/gl.annottrace" | sed -n 's/^calls *//p')
echo "$frames frames, $calls calls, $(wc -c <"$dir/gl.annottrace") bytes; $reads read-backs, all equal"
[ "$shared" = 0 ] || { echo "$shared of them were not there in replay"; exit 1; }
[ "$reads" -ge "$frames" ] || { echo "fewer read-backs than frames"; exit 1; }
