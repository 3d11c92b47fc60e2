#!/usr/bin/env bash
# Threads that take values of one fence, places in one buffer and in one descriptor heap as they come take others in another
# run: `annot trace diff` finds no difference, but names a call that uses what another thread took, and other bytes
# [ANN-TRACE-06].
#   turns.sh ANNOT PROGRAM
set -u
annot=$1 program=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
record() { # trace, arguments of the program
  "$annot" capture -o "$work/$1" -- "$program" "${@:2}" >"$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
}

record a 01010101
for order in 01010101 00001111 11110000 10011001; do
  record "$order" "$order"
  "$annot" trace diff "$work/a" "$work/$order" >"$work/diff" || fail "in the order $order: $(cat "$work/diff")"
done

names() { # what thread 1 does wrong, the line that says so
  record "$1" 10011001 "$1"
  "$annot" trace diff "$work/a" "$work/$1" >"$work/diff" && fail "no difference with a wrong $1"
  [ "$(grep -c '^other\|^only' "$work/diff")" = 1 ] && grep -q "^$2" "$work/diff" || fail "a wrong $1: $(cat "$work/diff")"
}
names value 'other arguments, at call [0-9]*: ID3D12CommandQueue::Wait$'
names range 'other arguments, at call [0-9]*: ID3D12GraphicsCommandList::CopyBufferRegion$'
names view 'other arguments, at call [0-9]*: ID3D12Device::CopyDescriptorsSimple$'
names byte 'other memory written before: #[0-9]* from byte 0 on, at call [0-9]*: ID3D12Resource::Unmap$'

# a thread alone takes its places itself: another one is a difference
record alone 1111
record shifted 1111 value
"$annot" trace diff "$work/alone" "$work/shifted" >"$work/diff" && fail "no difference in a thread's own value"
grep -q 'ID3D12CommandQueue::Wait$' "$work/diff" || fail "a thread's own value: $(cat "$work/diff")"
echo "no difference in four orders; a wrong value, range, view and byte are named"
