#!/bin/sh
# Instructions an operation, counted by callgrind and held against bench/budget.txt: a regression on the marker path
# fails, however noisy the machine. The caller's loop and the empty driver call are in the count.
#   instructions.sh BUILD_DIR            compare, fail beyond TOLERANCE (2), or where breadcrumbs and time stamps add more
#                                        to a copy than their goals
#   instructions.sh BUILD_DIR --print    print budget lines for this compiler
# Skips, with a line that says why and exit 0, without valgrind or without a budget for the compiler.
set -eu

build=${1:?usage: instructions.sh BUILD_DIR [--print]}
mode=${2:-compare}
here=$(dirname "$0")
ops=$build/bin/annot-bench-ops
watched=$build/bin/annot-bench-watched-ops
tolerance=${TOLERANCE:-2}

if [ ! -x "$ops" ]; then
  echo "instructions: $ops is missing: build first" >&2
  exit 1
fi
for tool in valgrind callgrind_annotate; do
  if ! command -v $tool >/dev/null 2>&1; then
    echo "instructions: skipped: $tool is not installed"
    exit 0
  fi
done
compiler=$("$ops" --compiler)
if [ "$mode" != --print ] && ! grep -q "^$compiler " "$here/budget.txt"; then
  echo "instructions: skipped: bench/budget.txt has no lines for $compiler"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# counted PROGRAM: its operations, "begin_16 40.2", from lines like "8,031,000 ( 1.2%)  bench/ops.c:op_begin_16 [/path]".
counted() {
  count=$(valgrind --tool=callgrind --callgrind-out-file="$work/out" "$1" 2>"$work/log") || {
    tail -n 5 "$work/log" >&2
    exit 1
  }
  callgrind_annotate --inclusive=yes --threshold=100 "$work/out" >"$work/annotated"
  awk -v count="$count" '
    match($0, /:op_[a-z0-9_]+/) {
      name = substr($0, RSTART + 4, RLENGTH - 4)
      sub(/\047.*/, "", name)
      number = $1
      gsub(/,/, "", number)
      if (!(name in seen)) printf "%s %.1f\n", name, number / count
      seen[name] = 1
    }' "$work/annotated" | sort
}
counted "$ops" >"$work/measured"

if [ "$mode" = --print ]; then
  sed "s/^/$compiler /" "$work/measured"
  exit 0
fi

awk -v compiler="$compiler" -v tolerance="$tolerance" '
  FNR == NR { if ($1 == compiler) budget[$2] = $3; next }
  { measured[$1] = $2 }
  END {
    for (name in budget) {
      off = measured[name] - budget[name]
      bad = !(name in measured) || off > tolerance || off < -tolerance
      wrong += bad
      printf "%-16s budget %6.1f  counted %6.1f  %s\n", name, budget[name], measured[name], bad ? "OFF" : "ok"
      total++
    }
    printf "instructions: %d operations, %d off their budget by more than %s (%s)\n", total, wrong, tolerance, compiler
    if (wrong) print "instructions: if it is meant, store the new count: bench/instructions.sh BUILD_DIR --print"
    exit wrong > 0
  }' "$here/budget.txt" "$work/measured"

# The cost that watching adds to an operation of the emulator.
[ -x "$watched" ] || exit 0
counted "$watched" >"$work/measured"
awk '
  { measured[$1] = $2 }
  function against(name, goal) {
    more = measured["copy"] > 0 ? 100 * (measured[name] / measured["copy"] - 1) : 1e9
    is_off = int(more + 0.5) > goal
    wrong += is_off
    printf "%-16s copy %6.1f  counted %6.1f  +%.1f %%, goal +%d %%  %s\n", name, measured["copy"], measured[name], more, goal,
           is_off ? "OFF" : "ok"
  }
  END {
    against("copy_breadcrumbs", 40)
    against("copy_times", 27)
    exit wrong > 0
  }' "$work/measured"
