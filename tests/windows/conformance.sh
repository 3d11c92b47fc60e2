#!/usr/bin/env bash
# The suite on a D3D12 that is not this project's and knows nothing of annotations: Wine's own. What needs D3D12 alone passes;
# that the feature is not there is one failure; the rest is skipped, each with its reason. No case crashes and none hangs.
#   conformance.sh BUILD_DIR PROGRAM   BUILD_DIR: for Windows, with Wine's prefix in it; PROGRAM: annot-conformance.exe
set -u
build=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/display.sh"

NO_COLOR=1 wine "$program" --runtime 'C:\windows\system32\d3d12.dll' --jobs 2 --timeout 60 >"$work/raw" 2>"$work/errors" </dev/null
code=$?
tr -d '\r' <"$work/raw" >"$work/tap"
[ "$code" = 1 ] || fail "exit code $code: $(tail -3 "$work/tap" "$work/errors")"

grep '^not ok' "$work/tap" >"$work/failed"
grep -q '^not ok [0-9]* - mode/devices_have_their_tools' "$work/failed" || fail "that the feature is missing is not told"
[ "$(wc -l <"$work/failed")" = 1 ] || fail "more fails than the one case: $(grep -A4 '^not ok' "$work/tap")"
! grep -E 'crashed|no end after|left in the middle' "$work/tap" || fail "a case came to no end of its own"
! grep '# SKIP *$' "$work/tap" || fail "skipped without a reason"
passed=$(grep -c '^ok [0-9]* - [^#]*$' "$work/tap")
[ "$passed" -ge 150 ] || fail "only $passed cases need D3D12 alone: $(grep '# SKIP' "$work/tap" | sed 's/.*# SKIP//' | sort | uniq -c)"
tail -n 1 "$work/tap"
