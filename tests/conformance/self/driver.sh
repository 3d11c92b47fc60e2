#!/usr/bin/env bash
# --driver with a file: the example passes all but what its waivers name, and as many cases as the page says; drivers that
# are wrong in one way each are noticed; what can't be tested is refused.
#   driver.sh EXAMPLE WAIVERS MODULES SUFFIX OTHER_RUNTIME DOC PROGRAM [arguments...]
# OTHER_RUNTIME: one that loads no drivers. DOC "-": only the cases of crash/.
set -u
example=$1 waivers=$2 modules=$3 suffix=$4 other=$5 doc=$6
shift 6
program=("$@")
failed=0
fail() { echo "driver.sh: $*"; failed=1; }
# EXIT_CODE ARGUMENTS...
run() {
  out=$(NO_COLOR=1 timeout 600 "${program[@]}" --jobs 2 --timeout 60 "${@:2}" 2>&1)
  local code=$?
  out=$(tr -d '\r' <<<"$out")
  [ "$code" -eq "$1" ] || fail "${*:2}: exit code $code, not $1: $(grep -A12 '^not ok' <<<"$out" | head -40) $(tail -n2 <<<"$out")"
}

only=()
[ "$doc" != - ] || only=(--filter 'crash/*' --together 32)
run 0 --driver "$example" --waivers "$waivers" ${only[@]+"${only[@]}"}
grep '^#   passes; its waiver can be removed' <<<"$out" && fail "a waiver of the example's is not needed"
counts=$(tail -n1 <<<"$out")
if [ "$doc" != - ]; then
  passed=${counts%% passed*}
  waived=$(grep -c '# SKIP waived: ' <<<"$out")
  grep -q "^    # $passed pass, $waived are waived\$" "$doc" || fail "$doc has another number than $passed, $waived"
  [ "$(grep -o '^# [0-9]* cases asked' <<<"$out")" = "# $passed cases asked" ] || fail "$(tail -n2 <<<"$out")"
fi
echo "$counts"

# CASE: passes with the reference driver, fails with the wrong one
while read -r wrong case; do
  run 0 --driver reference --filter "$case"
  run 1 --driver "$modules/driver-$wrong$suffix" --filter "$case"
  grep "^not ok" <<<"$out" | grep -qF -- "- ${case%\*}" || fail "$wrong: not noticed by $case: $out"
done <<'CASES'
swaps crash/a_nested_scope_that_hangs_is_found
forgets crash/a_nested_scope_that_hangs_is_found
late stop/a_surplus_end_closes_the_innermost_open_scope*
CASES

run 2 --driver "$modules/there_is_none$suffix"
[ "$(wc -l <<<"$out")" -eq 1 ] && grep -q "there_is_none$suffix can't be used" <<<"$out" || fail "no such file: $out"
run 2 --driver "$other"
[ "$(wc -l <<<"$out")" -eq 1 ] || fail "no driver: $out"
run 2 --driver there_is_none
grep -q -- '--driver must be a file, or reference' <<<"$out" || fail "no such name: $out"
run 2 --runtime "$other" --driver "$example"
grep -q 'this runtime loads no drivers' <<<"$out" || fail "a runtime without drivers: $out"
exit "$failed"
