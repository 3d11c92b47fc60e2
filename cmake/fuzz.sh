#!/bin/sh
# Runs every fuzz target of a build folder for FUZZ_RUNS inputs or FUZZ_SECONDS seconds, whichever is over first
# (0: no limit), JOBS of them side by side, and says how many it ran. A finding's input stays in BUILD_DIR/findings.
#   fuzz.sh BUILD_DIR SOURCE_DIR [TARGET...]
set -u

build=$1 source=$2
shift 2
runs=${FUZZ_RUNS:-1000000}
seconds=${FUZZ_SECONDS:-120}
[ "$runs" != 0 ] || runs=-1
if [ $# -eq 0 ]; then
  for program in "$build"/bin/fuzz-*; do
    [ -x "$program" ] && set -- "$@" "${program##*/fuzz-}"
  done
fi
if [ $# -eq 0 ]; then
  echo "fuzz: no target in $build/bin; are there sources in tests/fuzz/?" >&2
  exit 1
fi

# One allocation larger than any target needs fails, as it may anywhere, and is no finding.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=1024 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
mkdir -p "$build/findings"
fuzz_one() { # TARGET
  target=$1
  log=$build/fuzz-$target.log
  corpus=$build/corpus/$target
  mkdir -p "$corpus"
  seeds=$source/tests/fuzz/corpus/$target
  [ -d "$seeds" ] || seeds=
  dict=$source/tests/fuzz/${target%%_*}.dict # one for all targets of a noun: pix.dict for pix_decode and pix_encode
  [ -e "$dict" ] && dict=-dict=$dict || dict=
  if ! "$build/bin/fuzz-$target" -runs="$runs" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$build/findings/$target-" $dict "$corpus" $seeds >"$log" 2>&1 </dev/null; then
    tail -n 60 "$log"
    echo "fuzz $target: FAILED; its input is in $build/findings"
    touch "$build/findings/failed"
    return
  fi
  echo "fuzz $target: $(grep '^Done ' "$log")"
}

# JOBS targets at a time; none is started after a finding.
rm -f "$build/findings/failed"
running=0
for target in "$@"; do
  [ ! -e "$build/findings/failed" ] || break
  fuzz_one "$target" &
  running=$((running + 1))
  if [ "$running" -ge "${JOBS:-1}" ]; then
    wait
    running=0
  fi
done
wait
[ ! -e "$build/findings/failed" ]
