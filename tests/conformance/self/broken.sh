#!/usr/bin/env bash
# The suite tells a broken runtime from a good one: one line an area, a non-zero exit, no crash of its own.
#   broken.sh FOLDER SUFFIX PROGRAM [arguments...]
set -u
folder=$1 suffix=$2
shift 2
failed=0
areas='work plain spec mode caps mark life name conf ddi crash stop dred join file tdr hist subm'
area_count=$(wc -w <<<"$areas")

fail() { echo "broken.sh: $*" && failed=1; }

# RUNTIME EXIT_CODE: runs the suite; its output is in $out and $err.
run() {
  out=$(NO_COLOR=1 timeout 300 "${program[@]}" --runtime "$folder/runtime-$1$suffix" --timeout 20 2>/tmp/broken.$$)
  local code=$?
  err=$(cat /tmp/broken.$$)
  rm -f /tmp/broken.$$
  [ "$code" -eq "$2" ] || fail "$1: exit code $code, not $2"
}

program=("$@")
for name in fails crashes exits; do
  run "$name" 1
  for area in $areas; do
    [ "$(grep -c "^not ok [0-9]* - $area/" <<<"$out")" -eq 1 ] || fail "$name: not one failure in area $area"
  done
  tail -n1 <<<"$out" | grep -q "^[0-9]* passed, $area_count failed, [0-9]* skipped" || fail "$name: $(tail -n1 <<<"$out")"
  tail -n1 <<<"$out" | grep -q '^0 passed' || fail "$name: something passed"
done
# The report for an author: areas that fail for one reason have one cause; no file is replaced.
report=$(mktemp -u)
for code in 1 2; do
  err=$(timeout 300 "${program[@]}" --runtime "$folder/runtime-fails$suffix" --timeout 20 --report "$report" 2>&1 >/dev/null)
  [ $? -eq "$code" ] || fail "report: not exit code $code: $err"
done
grep -q '^annot-conformance: --report replaces no file' <<<"$err" || fail "report: $err"
grep -qF '### 1. `work/can_be_tested_at_all`' "$report" && ! grep -q '^### 2' "$report" || fail "report: not one cause: $(cat "$report")"
grep -q "^- $area_count runs fail here:" "$report" || fail "report: not $area_count runs: $(cat "$report")"
rm -f "$report"
# JUnit: one element per case, waivers are skipped cases, and the numbers agree.
junit=$(NO_COLOR=1 timeout 300 "${program[@]}" --filter 'mode/*' --output junit 2>/tmp/broken.$$)
[ "$(grep -c '<testcase ' <<<"$junit")" -eq "$(sed -n 's/.*<testsuite [^>]* tests="\([0-9]*\)".*/\1/p' <<<"$junit")" ] ||
  fail "junit: another number of cases"
grep -q '<testsuite [^>]* failures="0"' <<<"$junit" || fail "junit: failures of a good runtime"
junit=$(timeout 300 "${program[@]}" --runtime "$folder/runtime-crashes$suffix" --timeout 20 --output junit 2>/dev/null)
[ "$(grep -c '<failure message="[^"]*[^" ]"' <<<"$junit")" -eq "$area_count" ] ||
  fail "junit: not $area_count failures: $junit"
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom as d; d.parseString(sys.stdin.buffer.read())' <<<"$junit" || fail "junit: no XML"
fi
rm -f /tmp/broken.$$
run nothing 2
[ "$(wc -l <<<"$err")" -eq 1 ] && grep -q D3D12CreateDevice <<<"$err" || fail "nothing: $err"
exit "$failed"
