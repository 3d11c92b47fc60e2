#!/usr/bin/env bash
# The OpenGL program under the D3D12 crash layer, at each level: the results of its scenes and every pixel of its frames are what
# they are without, nothing is written, and a hang that comes from outside leaves a dump with Mesa's own lists [ANN-D3D].
#   opengl_layer.sh PROGRAM LIBRARY_DIR ANNOT FRAMES
set -eu
program=$1 libraries=$2 annot=$3 frames=$4
. "$(dirname "$0")/mesa.sh"
[ "$program" != no-headers ] || skip "no headers of EGL and OpenGL here (Debian: libegl-dev, libgl-dev)"

export EMU_DRIVER=legacy # takes no markers
under() { # LEVEL ARGUMENT...
  "$annot" d3d12 --level "$1" -o "$dir/$1.annotdmp" -- "$program" "${@:2}" >"$dir/out" 2>"$dir/errors" ||
    { cat "$dir/out" "$dir/errors"; echo "fails under the layer at level $1"; exit 1; }
  [ ! -s "$dir/errors" ] && [ ! -e "$dir/$1.annotdmp" ] || { cat "$dir/errors"; echo "nothing hung"; exit 1; }
}
"$program" legacy >"$dir/plain"
for level in low labels exact; do
  under $level legacy
  diff "$dir/plain" "$dir/out" || { echo "other results at level $level"; exit 1; }
  under $level --frames "$frames"
  grep -qx "$frames frames" "$dir/out" || { cat "$dir/out"; exit 1; }
  no_errors
done

EMU_HANG=dispatch:3 "$annot" d3d12 --level exact -o "$dir/hang.annotdmp" -- "$program" --until-reset >"$dir/out" 2>"$dir/errors" || true
[ -s "$dir/hang.annotdmp" ] || { cat "$dir/out" "$dir/errors"; echo "no dump of the hang"; exit 1; }
"$annot" show --output text "$dir/hang.annotdmp" >"$dir/report"
sed -n '/^WHAT HUNG/,/^$/p' "$dir/report" | grep -q '^  Dispatch' || { cat "$dir/report"; echo "not the dispatch"; exit 1; }
echo "$(grep -c '^ok' "$dir/plain") results, 3 levels of $frames frames: as without the layer"
