#!/bin/sh
# Runs ctest in a build folder, shows what each suite's runner said last, and ends with one line for all of it:
# 'N passed, N failed, N skipped'. Criterion suites count by test, from their TAP files, everything else by program.
# Fails when anything failed or nothing ran.
#   run-tests.sh BUILD_DIR [ctest arguments...]
set -u

build=$1
shift
log=$build/Testing/Temporary/LastTest.log
out=$build/Testing/ctest.out
mkdir -p "$build/Testing" "$build/tap"
rm -f "$build"/tap/*.tap "$log"

{
  # One more than processors: tests wait for programs that they end, for disks and for time limits.
  CTEST_OUTPUT_ON_FAILURE=1 ctest --test-dir "$build" --no-tests=error -j "$((${JOBS:-2} + 1))" "$@" </dev/null 2>&1
  echo "ctest exit code: $?"
} | tee "$out" | grep -v '^ctest exit code'
code=$(sed -n 's/^ctest exit code: //p' "$out")

if [ -e "$log" ]; then
  awk '/^[0-9]+\/[0-9]+ Testing: / { name = $3 } /^\[====\] Synthesis:/ { print name ": " $0 }' "$log"
fi

# A line of ctest: "  3/10 Test  #3: cli-show .......   Passed    0.02 sec"
awk -v tap="$build/tap" -v code="$code" '
  $1 ~ /^[0-9]+\/[0-9]+$/ && $2 == "Test" {
    name = $4
    ok = / Passed +[0-9.]+ sec/
    skip = /\*\*\*Skipped/
    file = tap "/" name ".tap"
    bad = seen = 0
    while ((getline line < file) > 0) {
      if (line ~ /^ok .*# SKIP/) skipped++
      else if (line ~ /^ok/) passed++
      else if (line ~ /^not ok/) bad++
      else continue
      seen++
    }
    close(file)
    failed += bad
    if (skip && !seen) skipped++
    else if (!ok && !skip && !bad) failed++ # the program itself failed: a crash, a time-out, no results
    else if (ok && !seen) passed++
  }
  END {
    if (code != 0 && !failed) failed = 1
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
  }' "$out"
