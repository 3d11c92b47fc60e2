#!/usr/bin/env bash
# A D3D12 library of another binary interface is refused by name, in one line, and not called [ANN-D3D].
#   foreign.sh ANNOT PARTS LIBRARY...
set -u
annot=$1 parts=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
for library in "$@"; do
  for command in d3d12 capture; do
    "$annot" $command -o "$work/file" --runtime "$library" -- "$parts" devices >"$work/out" 2>"$work/errors"
    code=$?
    [ $code = 1 ] || fail "$command: $(basename "$library"): $code: $(cat "$work/out" "$work/errors")"
    [ "$(grep -c '^annot' "$work/errors")" = 1 ] && grep -q "^annot: $library: the library is a native build of vkd3d" "$work/errors" ||
      fail "$command: $(basename "$library"): $(cat "$work/errors")"
  done
done
echo "$# libraries refused"
