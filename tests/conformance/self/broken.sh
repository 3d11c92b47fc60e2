#!/usr/bin/env bash
# The suite tells a broken runtime from a good one: one line an area, a non-zero exit, no crash of its own.
#   broken.sh FOLDER SUFFIX PROGRAM [arguments...]
set -u
folder=$1 suffix=$2
shift 2
failed=0
areas='spec mode caps mark life name conf ddi crash'

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
for name in no_tools fails crashes exits; do
  run "$name" 1
  for area in $areas; do
    [ "$(grep -c "^not ok [0-9]* - $area/" <<<"$out")" -eq 1 ] || fail "$name: not one failure in area $area"
  done
  tail -n1 <<<"$out" | grep -q '^[0-9]* passed, 9 failed, [0-9]* skipped' || fail "$name: $(tail -n1 <<<"$out")"
  tail -n1 <<<"$out" | grep -q '^0 passed' || fail "$name: something passed"
done
run no_tools 1
grep -q ID3D12DeviceTools2 <<<"$out" || fail "no_tools: it isn't said what is missing"
run nothing 2
[ "$(wc -l <<<"$err")" -eq 1 ] && grep -q D3D12CreateDevice <<<"$err" || fail "nothing: $err"
exit "$failed"
