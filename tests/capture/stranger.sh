#!/usr/bin/env bash
# A trace is a file that people send each other: without --trust it chooses no library to load, no driver but a built-in one,
# no file to write and no environment; with it, one line says what it will load and write [ANN-HOST-01, ANN-TRACE-02].
#   stranger.sh ANNOT EDIT PROGRAM LIBRARY     LIBRARY: tells that it was loaded
set -u
annot=$1 edit=$2 program=$3 library=$4
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
export LOADED=$work/loaded XDG_STATE_HOME=$work/state

replay() { # arguments; leaves the status in $status
  rm -f "$work/loaded" "$work/log"
  "$annot" replay --output json "$@" >"$work/out" 2>&1
  status=$?
}
edited() { # what, value, the trace
  rm -f "$work/edited"
  "$edit" "${3:-$work/t}" "$work/edited" "$1" "$2" || fail "$1 $2: not edited"
}
loads_nothing() { # what is said of it
  replay "$work/edited"
  [ ! -e "$work/loaded" ] || fail "$1: the trace had a library loaded"
  [ "$status" = 1 ] && grep -E -q "(refused: .*$1|$1, refused: ).*--trust" "$work/out" || fail "$1: exit $status, $(head -5 "$work/out")"
  grep -q '"refused":[1-9]' "$work/out" || fail "$1: not counted, $(tail -1 "$work/out")"
  replay "$work/edited" --trust
  [ -e "$work/loaded" ] || fail "$1: not loaded with --trust, $(head -5 "$work/out")"
  head -1 "$work/out" | grep -q "annot replay: --trust: loads .*\"$library\"" || fail "$1: not said before: $(head -3 "$work/out")"
}

"$annot" capture -o "$work/t" -- "$program" >"$work/out" 2>&1 || fail "under capture: $(cat "$work/out")"
"$annot" capture -o "$work/configured" -- "$program" --hang >"$work/out" 2>&1 || fail "under capture: $(cat "$work/out")"

# the library in the header: what is loaded is the emulator, so all is as it was
edited runtime "$library"
replay "$work/edited"
[ "$status" = 0 ] && [ ! -e "$work/loaded" ] || fail "the header's library: exit $status, loaded $(ls "$work/loaded"), $(head -5 "$work/out")"
replay "$work/edited" --trust
[ -e "$work/loaded" ] || fail "the header's library, with --trust: $(head -5 "$work/out")"
head -1 "$work/out" | grep -q "annot replay: --trust: loads \"$library\"" || fail "not said before: $(head -3 "$work/out")"

# variables of the emulator that name code
edited variable "EMU_DRIVER_PATH=$library"
loads_nothing EMU_DRIVER_PATH
edited variable "EMU_KERNEL_DRIVER_PATH=$library"
loads_nothing EMU_KERNEL_DRIVER_PATH
edited variable "EMU_DRIVER=$library"
loads_nothing EMU_DRIVER

# a driver in a call
edited driver "$library" "$work/configured"
loads_nothing emu_configure

# a file for output
edited variable "EMU_WARP_LOG=$work/log"
replay "$work/edited"
[ "$status" = 1 ] && [ ! -e "$work/log" ] && grep -q 'refused: .*EMU_WARP_LOG.*--trust' "$work/out" || fail "EMU_WARP_LOG: $(head -5 "$work/out")"
mv "$work/edited" "$work/log_named"
edited variable EMU_DRIVER=warp "$work/log_named"
replay "$work/edited"
[ ! -e "$work/log" ] || fail "the trace had a file written"
replay "$work/edited" --trust
[ -s "$work/log" ] || fail "the log of WARP is not written with --trust: $(head -5 "$work/out")"
head -1 "$work/out" | grep -q "writes \"$work/log\"" || fail "the log is not told of: $(head -3 "$work/out")"

# other variables, also one that moves a terminal's cursor
edited variable "LD_PRELOAD=$library"
replay "$work/edited"
[ "$status" = 1 ] && grep -q 'refused: .*LD_PRELOAD' "$work/out" || fail "LD_PRELOAD: $(head -5 "$work/out")"
edited variable "$(printf 'EMU_SEED=\033[2J')"
replay "$work/edited"
[ "$status" = 1 ] && ! grep -q "$(printf '\033')" "$work/out" || fail "an escape sequence reaches the terminal"

# what is harmless takes effect
edited variable "EMU_SEED=7"
replay "$work/edited"
[ "$status" = 0 ] || fail "a seed: $(head -5 "$work/out")"
edited driver reorder "$work/configured"
replay "$work/edited"
grep -q '"refused":0' "$work/out" || fail "a built-in driver: $(head -5 "$work/out")"

[ -z "$(find "$work/state" -type f 2>/dev/null)" ] || fail "a dump in the user's folder"
echo "a stranger's trace loads and writes nothing"
