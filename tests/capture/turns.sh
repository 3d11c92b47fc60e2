#!/usr/bin/env bash
# Threads that take values of one fence, places in one buffer and in one descriptor heap as they come take others in another
# run: `annot trace diff` finds no difference. What one thread takes alone is compared.
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

# a thread alone takes its places itself: another one is a difference, and so is another order
record alone 1111
for wrong in value order; do
  record "$wrong" 1111 "$wrong"
  "$annot" trace diff "$work/alone" "$work/$wrong" >"$work/$wrong.diff" && fail "no difference with another $wrong"
  [ "$(grep -c '^other\|^only' "$work/$wrong.diff")" = 1 ] || fail "more than another $wrong: $(cat "$work/$wrong.diff")"
done
grep -q '^other arguments, at call [0-9]*: ID3D12CommandQueue::Wait$' "$work/value.diff" || fail "a thread's own value: $(cat "$work/value.diff")"
grep -q '^other order, at call [0-9]*: ID3D12Device::CreateShaderResourceView$' "$work/order.diff" || fail "another order: $(cat "$work/order.diff")"
echo "no difference in four orders; a thread's own wrong value and order are named"
