#!/bin/sh
# Runs every fuzz target of a build folder for FUZZ_RUNS inputs or FUZZ_SECONDS seconds, whichever is over first
# (0: no limit), JOBS of them side by side, and says how many it ran. A finding's input stays in BUILD_DIR/findings.
# FUZZ_RUNS may be a file with a number for each target, "target: number".
# FUZZ_SEED, a number, gives the same inputs to the same code, from the seeds in the sources alone; without it, or as
# "clock", inputs are new ones, and those that found new code are kept for the next run.
#   fuzz.sh BUILD_DIR SOURCE_DIR [TARGET...]
set -u

build=$1 source=$2
shift 2
runs=${FUZZ_RUNS:-1000000}
seconds=${FUZZ_SECONDS:-120}
seed=${FUZZ_SEED:-clock}
[ "$seed" != clock ] || seed=$(date +%s)
if [ $# -eq 0 ]; then
  for program in "$build"/bin/fuzz-*; do
    [ -x "$program" ] && set -- "$@" "${program##*/fuzz-}"
  done
fi
case $runs in
  *[!0-9]*) [ -f "$runs" ] || { echo "fuzz: FUZZ_RUNS is no number and no file: $runs" >&2 && exit 1; } ;;
esac
if [ $# -eq 0 ]; then
  echo "fuzz: no target in $build/bin; are there sources in tests/fuzz/?" >&2
  exit 1
fi

# One allocation larger than any target needs fails, as it may anywhere, and is no finding.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:max_allocation_size_mb=1024 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
mkdir -p "$build/findings"
# Addresses are among the values that inputs are made of: they stay where they are, where that is allowed.
still=
[ "${FUZZ_SEED:-clock}" = clock ] || ! setarch -R true 2>/dev/null || still='setarch -R'

runs_of() { # TARGET
  number=$runs
  [ ! -f "$runs" ] || number=$(sed -n "s/^$1: *//p" "$runs")
  [ "${number:-0}" != 0 ] || number=-1
  echo "$number"
}

fuzz_one() { # TARGET
  target=$1
  log=$build/fuzz-$target.log
  corpus=$build/corpus/$target
  fixed=
  if [ "${FUZZ_SEED:-clock}" != clock ]; then
    corpus=$build/corpus-$seed/$target
    rm -rf "$corpus"
    fixed=-reload=0
  fi
  mkdir -p "$corpus"
  seeds=$source/tests/fuzz/corpus/$target
  [ -d "$seeds" ] || seeds=
  dict=$source/tests/fuzz/${target%%_*}.dict # one for all targets of a noun: pix.dict for pix_decode and pix_encode
  [ -e "$dict" ] && dict=-dict=$dict || dict=
  if ! $still "$build/bin/fuzz-$target" -seed="$seed" -runs="$(runs_of "$target")" -max_total_time="$seconds" -timeout=30 \
    -rss_limit_mb=2048 $fixed -artifact_prefix="$build/findings/$target-" $dict "$corpus" $seeds >"$log" 2>&1 </dev/null; then
    tail -n 60 "$log"
    echo "fuzz $target: FAILED, seed $seed; its input is in $build/findings"
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
