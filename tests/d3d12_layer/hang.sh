#!/usr/bin/env bash
# A program whose driver takes no markers hangs at a place; the layer's dump names the scope, the list and the last marker
# that the reference driver names without the layer [ANN-D3D-01, -02]. With fences alone it names the submission, and says
# of nothing inside that it is finished, in progress or not started.
#   hang.sh ANNOT HANG
set -u
annot=$1 hang=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_PROBE=0 # the place counts lists: none of the layer's own
fail() {
  echo "$*"
  exit 1
}
# The hang: path, queue, list by name, and the last markers, without numbers that count the layer's own objects, lists and signals,
# without times, which are virtual in one of them, and without the operation, which only DRED knows.
where() {
  "$annot" show --output text "$1" | sed -n '/^WHAT HUNG/,/^FACTS/p' | sed 's/ *(EventID [^)]*)//; s/ ([0-9]* waiting)//; /^ *operation /d; /^ *done before /d; /^ *after it /d; s/submission [0-9]*, list [0-9]* of [0-9]*/submission/; s/submission [0-9]*/submission/; s/fence #[0-9]*/fence/; s/, asked [0-9.]* s ago//; s/, reached [0-9]* or more/, reached 6/'
}
paths() { # of all that is in progress, and on which queue; the kernel's word, which decides the order, is in one dump only
  where "$1" | grep -e '^  [^ ]' -e '^    on queue' | paste - - | sort
}
# The layer's dump beside that of the reference driver, of one run.
tried=0
for place in "" dispatch:40 dispatch:311 dispatch:500 list:3 list:10 submission:4 submission:9; do
  for order in "--seed 11" "--seed 5"; do
    rm -f "$work"/*
    # shellcheck disable=SC2086 # words
    EMU_HANG=$place "$annot" d3d12 --level labels -o "$work/layer" -- "$hang" $order --out "$work/expected" >"$work/out" 2>&1 ||
      fail "$place $order: the program fails under the layer: $(head -3 "$work/out")"
    [ -s "$work/layer" ] || fail "$place $order: no dump"
    case $place in
    list:* | submission:*) # a removed device's fences don't tell that the queue has come to it, and no word does
      queue=$(where "$work/expected" | grep 'has not started' | grep -o 'queue "[^"]*"' | head -1)
      "$annot" show --output text "$work/layer" >"$work/report"
      sed -n '/^WAITING, not the cause/,/^$/p' "$work/report" | grep -F "$queue" && fail "$place $order: $queue hangs, and is said to wait"
      grep "^$queue (" "$work/report" | grep -q -e ': unknown;' -e ': work in progress;' || fail "$place $order: $(grep "^$queue" "$work/report")"
      tried=$((tried + 1))
      continue
      ;;
    esac
    diff <(paths "$work/expected") <(paths "$work/layer") || fail "$place $order: another place"
    tried=$((tried + 1))
  done
done

# the same hang, on a driver that takes no markers
for order in "--seed 11" "--seed 5" "--seed 11 copy" "--seed 5 copy"; do
  rm -f "$work"/*
  [ "${order% copy}" = "$order" ] && evidence=auto || evidence=copy
  order=${order% copy}
  # shellcheck disable=SC2086 # words
  "$hang" $order --out "$work/expected" >/dev/null || fail "$order: hang fails without the layer"
  # shellcheck disable=SC2086 # words
  EMU_DRIVER=legacy "$annot" d3d12 --evidence $evidence --level labels -o "$work/layer" -- "$hang" $order --out "$work/own" >"$work/out" 2>&1 ||
    fail "$order: the program fails under the layer: $(head -3 "$work/out")"
  diff <(where "$work/expected") <(where "$work/layer") || fail "$order, $evidence: another place on the legacy driver"
done

# outermost markers only: the same one, from its beginning
EMU_DRIVER=legacy "$annot" d3d12 -o "$work/low" -- "$hang" --seed 5 --out "$work/own" >"$work/out" 2>&1
where "$work/low" | grep -q '^  Frame 7 / Shadow pass$' || fail "at level low: $(where "$work/low")"

# each call: what it is, and what it runs, beside DRED's breadcrumbs, too, which count other operations
for evidence in readback auto; do
  rm -f "$work/exact"
  EMU_DRIVER=legacy "$annot" d3d12 --evidence $evidence --level exact -o "$work/exact" -- "$hang" --seed 5 --out "$work/own" >"$work/out" 2>&1
  "$annot" show --output text "$work/exact" >"$work/report"
  for line in 'operation  *Dispatch(1, 1, 1)' 'pipeline  *"Cloth simulation"' 'shader  *cs [0-9a-f]*'; do
    grep -q "^    $line\$" "$work/report" || fail "exact, $evidence: no '$line': $(cat "$work/report")"
  done
  grep -q 'lists whose markers are not all' "$work/report" && fail "exact, $evidence: markers that are said to lack: $(cat "$work/report")"
  "$annot" show --operations --output text "$work/exact" | grep -q ' [0-9]\{6,\} Dispatch' && fail "exact, $evidence: numbers that nobody counts"
done
# the same hang has one signature and one shader, whoever wrote its dump
identity() { "$annot" show --output json "$1" | grep -oE -e '"id": ?"v2-[0-9a-f]*"' -e '"text": ?"Cloth simulation, cs [0-9a-f]+"'; }
[ "$(identity "$work/own" | wc -l)" = 2 ] && diff <(identity "$work/own") <(identity "$work/exact") || fail "exact: another signature"

# copies: the same scope at level "labels"; none between draws at level "low"
EMU_DRIVER=legacy "$annot" d3d12 --evidence copy -o "$work/copy" -- "$hang" --seed 5 --out "$work/own" >"$work/out" 2>&1
"$annot" show --output text "$work/copy" >"$work/report"
grep -q '^  evidence     CopyBufferRegion between barriers into memory that survives the device' "$work/report" ||
  fail "copy: another kind: $(cat "$work/report")"
grep -q '^ *\[>\] list .*-- in progress: ' "$work/report" || fail "copy: no list in progress: $(cat "$work/report")"
grep -q 'ExecuteBundle [0-9]*: #' "$work/report" && fail "copy: a bundle that the program has not: $(cat "$work/report")"
grep -q '\[?\] markers without marks of their own' "$work/report" || fail "copy: marked: $(cat "$work/report")"
grep -qi -e 'surplus' -e 'without their EndEvent' -e 'no EndEvent' "$work/report" && fail "copy: odd ends that are the layer's: $(cat "$work/report")"

# fences alone
EMU_DRIVER=legacy "$annot" d3d12 --evidence fence --level labels -o "$work/fence" -- "$hang" --out "$work/own" >"$work/out" 2>&1
"$annot" show --output text "$work/fence" >"$work/report"
grep -q '^  evidence     completed submissions only$' "$work/report" || fail "fences: another kind: $(cat "$work/report")"
grep -q 'direct): .*; submitted 14, completed 13$' "$work/report" || fail "fences: another submission: $(cat "$work/report")"
sed -n '/^MARKERS/,$p' "$work/report" | sed -n '/submission 14/,/^queue/p' | grep -e '\[X\]' -e '\[ \]' && fail "fences: a list in flight is not unknown"

# the program's own output is what it is without the layer
"$hang" --seed 5 --out "$work/a" | sed 's/ is .*//' >"$work/plain"
EMU_DRIVER=legacy "$annot" d3d12 -o "$work/x" -- "$hang" --seed 5 --out "$work/b" 2>/dev/null | sed 's/ is .*//' |
  diff - "$work/plain" || fail "the program prints something else"
echo "$tried hangs: the same place"
