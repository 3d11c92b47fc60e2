#!/usr/bin/env bash
# Markers of a program with the published header, of one with the specification's letter, and of one process that holds both are
# in the dump: of the emulator, of the D3D12 layer, and of a captured run [ANN-MODE-02, -03, ANN-CAPS-01].
#   letters.sh ANNOT PROGRAM OLDER EMULATOR
set -u
annot=$1 program=$2 older=$3
export STAND_IN_REAL=$4
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1
failed=0
fail() { echo "letters.sh: $*"; failed=1; }
check() { # HOW LETTER: what ran left this dump
  grep -q 'Shadow of either letter' <("$annot" show --output text "$work/dump" 2>&1) || fail "$1, $2: no marker in the dump"
}
for letter in published specified both; do
  rm -rf "$work"/*
  EMU_DUMP=$work/dump "$program" $letter >"$work/out" 2>&1 || fail "emulator, $letter: $(cat "$work/out")"
  check emulator $letter
  rm -rf "$work"/*
  EMU_DUMP=$work/own "$annot" d3d12 -o "$work/dump" -- "$program" $letter >"$work/out" 2>&1 || fail "layer, $letter: $(cat "$work/out")"
  check layer $letter
  rm -rf "$work"/*
  EMU_DUMP=$work/dump "$annot" capture -o "$work/trace" -- "$program" $letter >"$work/out" 2>&1 || fail "capture, $letter: $(cat "$work/out")"
  check capture $letter
  EMU_DUMP=$work/replayed "$annot" replay --memory-limit 0 "$work/trace" >"$work/out" 2>&1 || fail "replay, $letter: $(cat "$work/out")"
  # a runtime that has no letter, and one that has the published one: the layer makes what lacks; the dump says whose mode it is
  for has in none published; do
    rm -rf "$work"/*
    whose="layer's ID3D12DeviceTools2"
    [ $has = none ] && unset OLDER_KEEPS || { export OLDER_KEEPS=1; whose="runtime's ID3D12DeviceTools2 as published"; }
    EMU_DUMP=$work/own "$annot" d3d12 --runtime "$older" -o "$work/dump" -- "$program" $letter >"$work/out" 2>&1 ||
      fail "layer over a runtime with $has, $letter: $(cat "$work/out")"
    check "layer over a runtime with $has" $letter
    grep -q "annotation mode *DRIVER_RETAIL, through the $whose\$" <("$annot" show --output text "$work/dump" | grep 'annotation mode') ||
      fail "layer over a runtime with $has, $letter: $("$annot" show --output text "$work/dump" | grep 'annotation mode')"
  done
done
# without a word of the program there are none
rm -rf "$work"/*
EMU_DUMP=$work/dump "$program" none >"$work/out" 2>&1 || fail "none: $(cat "$work/out")"
grep -q 'Shadow of either letter' <("$annot" show --output text "$work/dump") && fail "RUNTIME_ONLY has markers"
exit $failed
