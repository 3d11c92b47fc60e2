#!/usr/bin/env bash
# Mapped memory, by each way of finding what is written there: the program meets nothing of the recorder, and its trace
# replays with equal read-backs [ANN-TRACE-02].
#   memory.sh ANNOT PROGRAM
set -u
annot=$1 program=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

for watch in "" hashing; do
  rm -f "$work/a.annottrace"
  # without standard input: the recorder's files must not get its number
  ANNOT_CAPTURE_WATCH=$watch "$annot" capture -o "$work/a.annottrace" -- "$program" >"$work/out" 2>&1 <&- ||
    fail "under capture: $(cat "$work/out")"
  [ "$(grep -c 'a forked child is not recorded' "$work/out")" = 1 ] || fail "nothing about the forked child: $(cat "$work/out")"
  method=$("$annot" trace info --output text "$work/a.annottrace" | sed -n 's/.* found by //p')
  [ -z "$watch" ] && "$program" --watchable && watch=userfaultfd
  [ -z "$watch" ] || [ "$method" = "$watch" ] || fail "asked for $watch, got $method"
  "$annot" replay --output json "$work/a.annottrace" >"$work/replayed" 2>&1 || fail "$method: $(cat "$work/replayed")"
  "$annot" trace dump --output text "$work/a.annottrace" | grep ' + 0, XXH64 ' && fail "$method: a record of no memory"
  reads=$(sed -n 's/.*"reads":\([0-9]*\).*/\1/p' "$work/replayed")
  [ "${reads:-0}" -ge 20 ] || fail "$method: only ${reads:-0} read-backs"

  # in a loop memory begins with what the time before left there, which is no difference
  "$annot" trace show --output text "$work/a.annottrace" >"$work/show"
  first=$(sed -n 's/^\([0-9]*\) .*::CopyBufferRegion(.*/\1/p' "$work/show" | head -1)
  last=$(sed -n 's/^\([0-9]*\) .*ID3D12GraphicsCommandList::Reset(.*/\1/p' "$work/show" | sed -n 3p)
  "$annot" replay --output json "$work/a.annottrace" --loop "$first..$last" --times 3 >"$work/replayed" 2>&1 ||
    fail "$method, in a loop: $(cat "$work/replayed")"
  echo "$method: $reads read-backs, all equal; $(wc -c <"$work/a.annottrace") bytes"
done

# On a runtime that doesn't clear memory (D3D12_HEAP_FLAG_CREATE_NOT_ZEROED), replay tells a program that reads what nothing wrote
# from a replay that differs, and both from a program that reads the time.
verdict() { # value of EMU_FRESH_MEMORY, trace, expected verdict, unequal read-backs of each kind; null: replayed once
  local code=1
  [ "$3" != same ] || code=0
  EMU_FRESH_MEMORY=$1 "$annot" replay --output json "$work/$2" >"$work/replayed" 2>&1
  [ $? = $code ] && grep -q "\"garbage\":$4,\"unwritten\":$5,\"unstable\":$6,\"verdict\":\"$3\"" "$work/replayed" || fail "$2: not $3: $(cat "$work/replayed")"
}
for written in 0 4096 1048576; do
  EMU_FRESH_MEMORY=1 "$annot" capture -o "$work/written$written" -- "$program" --default "$written" || fail "$written bytes written"
  EMU_FRESH_MEMORY=1 "$annot" replay "$work/written$written" >"$work/replayed" 2>&1 || fail "the same memory differs: $(cat "$work/replayed")"
done
EMU_FRESH_MEMORY=1 "$annot" capture -o "$work/stamped" -- "$program" --default 4096 stamp || fail "not stamped"
for value in 0 2 18446744073709551615; do
  verdict $value written0 garbage 1 0 0
  verdict $value written4096 garbage 1 0 0
  verdict $value written1048576 same null null null
  verdict $value stamped different 0 0 1
done
for written in 4096 1048576; do
  call=$("$annot" trace show --output text "$work/written$written" | sed -n 's/^\([0-9]*\) .*::CopyBufferRegion(.*/\1/p' | head -1)
  "$(dirname "$annot")/capture-edit" "$work/written$written" "$work/edited$written" word "$call,4,1048576" || fail "not edited"
done
# the copy reads other bytes, which the program wrote
verdict 2 edited4096 different 0 1 0 # behind them is memory that nothing wrote
verdict 2 edited1048576 different 0 0 0
! grep -q "^call.*the unequal read-back is" "$work/replayed" || fail "another kind: $(cat "$work/replayed")"
"$annot" replay --output text --time-limit 0 "$work/stamped" >"$work/replayed" 2>&1 # which is never made twice
grep -q '^verdict: different' "$work/replayed" && ! grep -q 'garbage' "$work/replayed" || fail "once: $(cat "$work/replayed")"

# of objects that come and go for ever, the recorder keeps only the newest
grown=$("$annot" capture -o "$work/churn" -- "$program" --churn 70000 2>/dev/null)
[ "${grown:-9999}" -lt 1024 ] || fail "210,000 fences that were released take $grown KiB"

# what the CPU alone writes is hashed where it wrote; what calls let the GPU write, there and for each submission with such a call.
# A GPU that is the CPU has no page fault for each page that it writes.
faults() { # of the commands so far
  read -r stat </proc/$$/stat
  cut -d ' ' -f 9 <<<"${stat##*) }"
}
"$program" --watchable || { echo "no userfaultfd: all is hashed"; exit 0; }
for copied in 0 1048576; do
  rm -f "$work/a.annottrace"
  before=$(faults)
  "$annot" capture -o "$work/a.annottrace" -- "$program" --custom 100 $copied >"$work/out" 2>&1 || fail "custom memory: $(cat "$work/out")"
  cost=$(($(faults) - before))
  [ $((cost - ${usual:=$cost})) -lt $((25 * copied / 4096 + 1)) ] || fail "$cost page faults, without the GPU's writes $usual"
  hashed=$("$annot" trace info --output json "$work/a.annottrace" | sed -n 's/.*"memory_hashed":\([0-9]*\).*/\1/p')
  [ "$hashed" -ge $((49 * (4096 + copied))) ] && [ "$hashed" -le $((100 * 65536 + 60 * copied)) ] ||
    fail "of 64 MiB, $copied bytes of them written by the GPU in 50 submissions, $hashed bytes were hashed in 100"
  "$annot" replay --output json "$work/a.annottrace" >"$work/replayed" 2>&1 || fail "custom memory: $(cat "$work/replayed")"
  echo "custom memory: $(cat "$work/out" | grep ms), $hashed bytes hashed; replayed: $(cat "$work/replayed")"
done
