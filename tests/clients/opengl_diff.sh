#!/usr/bin/env bash
# Two runs of a program that knows nothing of the emulator: `annot trace diff` finds no difference where there is none, names a
# wrong draw, and goes on behind calls that one run alone has [ANN-TRACE-06]. A trace of a replay is the same trace, with one
# thread and with four [ANN-TRACE-02].
#   opengl_diff.sh PROGRAM LIBRARY_DIR ANNOT
set -u
program=$1 libraries=$2 annot=$3
. "$(dirname "$0")/mesa.sh"
[ "$program" != no-headers ] || skip "no headers of EGL and OpenGL here (Debian: libegl-dev, libgl-dev)"
fail() {
  echo "$*"
  exit 1
}

record() { # trace, arguments of the program
  "$annot" capture -o "$dir/$1" -- "$program" "${@:2}" >"$dir/out" 2>&1 || fail "$*: $(cat "$dir/out")"
}
same() { # two traces
  "$annot" trace diff "$dir/$1" "$dir/$2" >"$dir/diff" || fail "$1 and $2: $(cut -c1-200 "$dir/diff")"
  cat "$dir/diff"
}
# The calls that differ, without those that Mesa 22.3 gives four bytes that it did not set: they differ by chance.
differences() { # two traces
  "$annot" trace diff "$dir/$1" "$dir/$2" >"$dir/diff"
  grep '^other\|^only' "$dir/diff" | grep -v '::SetGraphicsRoot32BitConstants$'
}

record good --draws 20
record good2 --draws 20
record wrong --draws 20 17
differences good good2 && fail "two runs differ: $(cut -c1-200 "$dir/diff")"
differences good wrong >"$dir/calls" || fail "a wrong draw is no difference: $(cat "$dir/diff")"
[ "$(wc -l <"$dir/calls")" = 1 ] || fail "more than the wrong draw: $(cut -c1-200 "$dir/diff")"
grep -q '^other arguments, at call [0-9]*: ID3D12GraphicsCommandList::DrawInstanced$' "$dir/calls" &&
  grep -q '  > .*VertexCountPerInstance=6,' "$dir/diff" || fail "another call: $(cut -c1-200 "$dir/diff")"

# five frames more, with fence values of their own: what lies behind them is found to be alike
number() {
  sed -n "s/.*\"$1\":\([0-9]*\),.*/\1/p" "$dir/diff"
}
record short --frames 10
record long --frames 15
"$annot" trace diff --output json "$dir/short" "$dir/long" >"$dir/diff"
[ $? = 1 ] || fail "frames that one run alone has are no difference"
total=$(sed -n 's/.*"calls":\[\([0-9]*\),.*/\1/p' "$dir/diff")
[ "$(number only_second)" -ge 50 ] && [ "$(number alike)" -ge $((total - 15)) ] || fail "what they share is not alike: $(cut -c1-300 "$dir/diff")"

again() { # trace
  rm -f "$dir/again-$1"
  LD_LIBRARY_PATH="" "$annot" capture -o "$dir/again-$1" -- "$annot" replay "$dir/$1" >"$dir/out" 2>&1 &&
    "$annot" trace diff "$dir/$1" "$dir/again-$1" >"$dir/diff" && cat "$dir/diff"
}
record threads reference
(unset LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER && again good) || fail "one thread: $(cat "$dir/out" "$dir/diff")"
(unset LIBGL_ALWAYS_SOFTWARE GALLIUM_DRIVER && again threads) || fail "four threads: $(cat "$dir/out" "$dir/diff")"
