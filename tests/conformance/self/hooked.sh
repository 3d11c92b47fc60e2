#!/usr/bin/env bash
# A runtime with the hooks and without the emulator's settings passes as many cases as docs/CONFORMANCE.md says that they open,
# and fails in none.
#   hooked.sh RUNTIME EMULATOR PROGRAM DOC
set -u
dumps=$(mktemp -d) || exit 2
trap 'rm -rf "$dumps"' EXIT
out=$(STAND_IN_REAL=$2 HOOKED_DUMPS=$dumps NO_COLOR=1 timeout 800 "$3" --runtime "$1" --together 32 --jobs 2 --timeout 60 2>/dev/null)
code=$?
failed=0
fail() { echo "hooked.sh: $*"; failed=1; }
[ "$code" -eq 0 ] || fail "exit code $code: $(grep -A5 '^not ok' <<<"$out" | head -40)"
wanted=$(sed -n 's/^| `annot_conformance_device` |[^|]*| \([0-9]*\) |.*/\1/p' "$4")
passed=$(grep -c '^ok [^#]*$' <<<"$out")
[ "$passed" = "$wanted" ] || fail "$passed cases pass, not $wanted"
tail -n1 <<<"$out"
exit "$failed"
