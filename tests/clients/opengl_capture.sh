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
reads=$(sed -n 's/.*"reads":\([0-9]*\).*/\1/p' "$dir/replayed")
shared=$(sed -n 's/.*"shared_writes":\([0-9]*\).*/\1/p' "$dir/replayed")
calls=$("$annot" trace info --output text "$dir/gl.annottrace" | sed -n 's/^calls *//p')
echo "$frames frames, $calls calls, $(wc -c <"$dir/gl.annottrace") bytes; $reads read-backs, all equal"
[ "$shared" = 0 ] || { echo "$shared of them were not there in replay"; exit 1; }
[ "$reads" -ge "$frames" ] || { echo "fewer read-backs than frames"; exit 1; }

# A hang that was recorded hangs again; the dump goes where it is wanted, and names the program and who made its calls.
fail() {
  echo "$1"
  cat "$dir/out" 2>/dev/null
  exit 1
}
export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=d3d12 ANNOT_CONFIG=$dir/d3dconfig.ini
"$(dirname "$annot")/d3dconfig" device force-driver-retail-annotations=on >"$dir/out" || fail "d3dconfig"
EMU_DUMP=$dir/first.annotdmp EMU_HANG=dispatch:3 "$annot" capture -o "$dir/hang" -- "$program" --until-reset >"$dir/out" 2>&1 || fail "fails when it hangs"
unset LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER ANNOT_CONFIG
"$annot" replay "$dir/hang" --dump "$dir/second.annotdmp" >"$dir/out" 2>&1 || true
[ -s "$dir/second.annotdmp" ] || fail "replay leaves no dump"
"$annot" show --output text "$dir/second.annotdmp" >"$dir/out" || fail "the dump can't be read"
grep -q "^  application  *$(basename "$program")\$" "$dir/out" || fail "another application than $(basename "$program")"
grep -q '^    recorded  *from call [0-9]* on; .* annot trace where ' "$dir/out" || fail "no call in the report"
grep -q "^  replayed by  *annot replay $dir/hang\$" "$dir/out" || fail "nobody replayed it"
"$annot" replay "$dir/hang" --dump "$dir/nowhere/a.annotdmp" >"$dir/out" 2>&1 && fail "a folder that is not there"
grep -q 'No such file or directory' "$dir/out" && ! grep -q 'calls made' "$dir/out" || fail "no word of the folder before the first call"
for dump in first second; do
  "$annot" trace where "$dir/hang" "$dir/$dump.annotdmp" >"$dir/where-$dump" 2>"$dir/out" || fail "$dump: no call"
done
diff "$dir/where-first" "$dir/where-second"
grep 'stopped .*::Dispatch' "$dir/where-second" || fail "stopped elsewhere: $(cat "$dir/where-second")"
