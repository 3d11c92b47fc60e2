#!/usr/bin/env bash
# The suite on a D3D12 that is not this project's and knows nothing of annotations: Wine's own. What needs D3D12 alone passes.
# Five cases fail: the feature is missing, SetName's names can't be read back, WriteBufferImmediate writes nothing, and predicates
# skip no copies. The rest is skipped, each with its reason. No case crashes and none hangs.
#   conformance.sh BUILD_DIR PROGRAM   BUILD_DIR: for Windows, with Wine's prefix in it; PROGRAM: annot-conformance.exe
set -u
build=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/display.sh"

# MALLOC_PERTURB_: new memory has old contents in every run, as a GPU's may.
MALLOC_PERTURB_=165 NO_COLOR=1 wine "$program" --runtime 'C:\windows\system32\d3d12.dll' --jobs 2 --together 32 >"$work/raw" 2>"$work/errors" </dev/null
code=$?
tr -d '\r' <"$work/raw" >"$work/tap"
[ "$code" = 1 ] || fail "exit code $code: $(tail -3 "$work/tap" "$work/errors")"

expected='mode/devices_have_their_tools plain/a_name_is_private_data work/a_predicate_skips_what_it_says[one-not-equal]
work/a_predicate_skips_what_it_says[zero-equal] work/the_gpu_does_what_a_list_recorded[write-immediate]'
failed=$(sed -n 's/^not ok [0-9]* - //p' "$work/tap" | sort | xargs)
[ "$failed" = "$(xargs <<<"$expected")" ] || fail "not what fails on Wine: $(grep -A4 '^not ok' "$work/tap")"
! grep -E 'crashed|did not end after|exited before the case ended' "$work/tap" || fail "a case came to no end of its own"
! grep '# SKIP *$' "$work/tap" || fail "skipped without a reason"
passed=$(grep -c '^ok [0-9]* - [^#]*$' "$work/tap")
[ "$passed" -ge 80 ] || fail "only $passed cases need D3D12 alone: $(grep '# SKIP' "$work/tap" | sed 's/.*# SKIP//' | sort | uniq -c)"
grep -q "^# loaded: .*d3d12.dll, which is Wine's own (Wine [0-9]" "$work/tap" || fail "whose d3d12.dll it is: $(head -4 "$work/tap")"
# the program's own counts: as many verdicts as cases
[ "$(sed -n 's/^1\.\.//p' "$work/tap")" = "$(grep -c -E '^(not )?ok ' "$work/tap")" ] || fail "not a verdict for each case"
echo "Wine's D3D12: $(tail -n 1 "$work/tap")"
