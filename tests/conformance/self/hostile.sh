#!/usr/bin/env bash
# A runtime that prints, leaves, hangs or crashes at any moment decides no verdict, and the runner ends [ANN-SEC-05].
#   hostile.sh RUNTIME EMULATOR PROGRAM [arguments...]
# RUNTIME is made of hostile_runtime.c and stands before EMULATOR. The rows that wait for a time limit run at once, the
# others beside them, a few at a time.
set -u
runtime=$1 emulator=$2
shift 2
program=("$@")
folder=$(mktemp -d "${TMPDIR:-/tmp}/hostile.XXXXXX")
trap 'rm -rf "$folder"' EXIT
good=mode/devices_have_their_tools
# The limit of rows that never end, and of all others. Wine takes its time to start processes.
seconds=6 patience=60
[ "${runtime##*.}" != dll ] || seconds=20

# ROW LIMIT VARIABLES: the suite's answer is in $folder/ROW.out, .err and .code.
run() {
  local row=$1 limit=$2
  shift 2
  env HOSTILE_REAL="$emulator" HOSTILE_PID="$folder/$row.pid" NO_COLOR=1 "$@" \
    timeout 300 "${program[@]}" --runtime "$runtime" --filter "$good" --timeout "$limit" >"$folder/$row.out" 2>"$folder/$row.err"
  echo "$?" >"$folder/$row.code"
}

# A defect, and what must come of it: "pass", "refused" for a runtime that can't be loaded, or a part of the reason.
# `probe` rows fail the area, `case` rows the case.
#   where  load         device      unload        outcome
table='
  probe  -            -           -             pass
  probe  exit         -           -             exited before the case ended while it loaded
  probe  leave        -           -             exited before the case ended while it loaded
  probe  abort        -           -             while it loaded
  probe  hang         -           -             did not end after N seconds while it loaded
  probe  forge_and_leave -        -             exited before the case ended while it loaded
  probe  flood_for_ever  -        -             did not end after N seconds while it loaded
  probe  -            exit        -             exited before the case ended
  probe  -            hang        -             did not end after N seconds
  probe  -            -           hang          did not end after N seconds while it unloaded
  probe  -            -           abort         while it unloaded
  probe  -            -           leave_with_3  ended while it unloaded the runtime with exit code 3
  case   exit         -           -             exited before the case ended while it loaded
  case   abort        -           -             while it loaded
  case   hang         -           -             did not end after N seconds while it loaded
  case   -            exit        -             exited before the case ended with exit code 0
  case   -            leave       -             exited before the case ended with exit code 0
  case   -            abort       -             the process
  case   -            fault       -             the process crashed
  case   -            hang        -             did not end after N seconds
  case   -            flood_for_ever -          did not end after N seconds
  case   -            forge_and_leave -         exited before the case ended with exit code 0
  case   -            fail        leave         kit_device_try
  case   -            fail        forge_and_leave kit_device_try
  case   forge        fail        forge         kit_device_try
  case   escapes      fail        escapes       \\u202e reversed
  case   -            -           hang          did not end after N seconds while it unloaded
  case   -            -           leave_with_3  ended while it unloaded the runtime with exit code 3
  probe  -            -           exit          pass
  probe  -            -           leave         pass
  probe  no_newline   no_newline  no_newline    pass
  probe  flood        flood       flood         pass
  probe  forge        forge       forge         pass
  probe  escapes      escapes     escapes       pass
'
# Windows' loader catches what a library does wrong in its start, and says so, and in its end, and says nothing.
if [ "${runtime##*.}" = dll ]; then
  table+='
  probe  fault        -           -             refused
  case   fault        -           -             exited before the case ended while it loaded the runtime with exit code 2
  case   -            -           fault         pass
'
else # signals, stops, groups and forks
  table+='
  probe  fault        -           -             crashed while it loaded
  case   fault        -           -             crashed while it loaded
  case   -            -           fault         crashed while it unloaded
  probe  kill_group   -           -             crashed while it loaded
  probe  stop         -           -             did not end after N seconds while it loaded
  case   -            kill_group  -             signal 9
  case   -            stop        -             did not end after N seconds
  case   -            close       -             exited before the case ended
  case   -            twin        -             signal 6
  probe  child        -           -             pass
  case   -            child       -             pass
  case   -            child       hang          did not end after N seconds while it unloaded
'
fi

# A process that has ended and that nobody waits for is a zombie: gone, though a signal still finds it.
lives() { kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"; }

failed=0 passed=0
fail() { echo "hostile.sh: $1: $2"; cat "$folder/$3.out" "$folder/$3.err" | head -n 20; failed=$((failed + 1)); }

rows=()
while read -r where load device unload outcome; do
  [ -n "$where" ] || continue
  number=${#rows[@]} limit=$patience
  [ "${outcome/after N/}" = "$outcome" ] || limit=$seconds
  outcome=${outcome/after N/after $seconds}
  rows+=("$where|$outcome|$load $device $unload")
  while [ "$(jobs -rp | wc -l)" -ge 24 ]; do wait -n; done
  run "$number" "$limit" HOSTILE_IN="$where" HOSTILE_LOAD="$load" HOSTILE_DEVICE="$device" HOSTILE_UNLOAD="$unload" &
done < <(grep 'after N' <<<"$table"; grep -v 'after N' <<<"$table")
wait

for number in "${!rows[@]}"; do
  IFS='|' read -r where outcome what <<<"${rows[number]}"
  name="$where: $what" out=$folder/$number.out code=$(cat "$folder/$number.code")
  before=$failed
  subject=$good
  [ "$where" = case ] || subject=mode/can_be_tested_at_all
  if [ "$outcome" = refused ]; then
    [ "$code" -eq 2 ] && [ ! -s "$out" ] || fail "$name" "exit code $code, and not refused" "$number"
    grep -q "can't load the runtime.*: error 998" "$folder/$number.err" || fail "$name" "not the loader's reason" "$number"
  elif [ "$outcome" = pass ]; then
    [ "$code" -eq 0 ] && grep -q "^ok 1 - $good" "$out" || fail "$name" "exit code $code, and no pass" "$number"
    tail -n 1 "$out" | grep -q '^1 passed, 0 failed, 0 skipped' || fail "$name" "wrong counts" "$number"
  else
    [ "$code" -eq 1 ] && grep -q "^not ok 1 - $subject" "$out" || fail "$name" "exit code $code, and no failure" "$number"
    grep -q "$outcome" "$out" || fail "$name" "the reason is not '$outcome'" "$number"
    tail -n 1 "$out" | grep -q '^0 passed, 1 failed, 0 skipped' || fail "$name" "wrong counts" "$number"
  fi
  if LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' <(tr -d '\r' <"$out"); then
    fail "$name" "control characters came through" "$number"
  fi
  if [ -s "$folder/$number.pid" ] && lives "$(cat "$folder/$number.pid")"; then
    fail "$name" "the process that it started is still there" "$number"
  fi
  [ "$failed" -ne "$before" ] || passed=$((passed + 1))
done
# A runner that is interrupted leaves nothing behind.
interrupted() {
  local pid=$folder/interrupted.pid runner i
  env HOSTILE_REAL="$emulator" HOSTILE_PID="$pid" HOSTILE_LOAD=child HOSTILE_DEVICE=hang \
    "${program[@]}" --runtime "$runtime" --filter "$good" --timeout 300 >"$folder/interrupted.out" 2>"$folder/interrupted.err" &
  runner=$!
  for ((i = 0; i < 1200; i++)); do [ ! -s "$pid" ] || break; sleep 0.05; done
  [ -s "$pid" ] || fail "interrupted" "nothing was started" interrupted
  kill -TERM "$runner"
  wait "$runner"
  for ((i = 0; i < 600; i++)); do lives "$(cat "$pid")" || return 0; sleep 0.05; done
  fail "interrupted" "the process that it started is still there" interrupted
}
[ "${runtime##*.}" = dll ] || interrupted

# Cases that share a process have the verdicts that they have alone: none is lost or passes for another that crashes.
company() {
  local some='plain/s*' count
  NO_COLOR=1 "${program[@]}" --runtime "$emulator" --filter "$some" >"$folder/alone.out" 2>"$folder/alone.err"
  NO_COLOR=1 "${program[@]}" --runtime "$emulator" --filter "$some" --together 8 >"$folder/company.out" 2>"$folder/company.err"
  diff "$folder/alone.out" "$folder/company.out" || fail "company" "other verdicts than alone" company
  count=$(grep -c '^ok .*plain/s' "$folder/company.out")
  [ "$count" -gt 8 ] || fail "company" "only $count cases" company
  env HOSTILE_REAL="$emulator" HOSTILE_IN=case HOSTILE_DEVICE=fault NO_COLOR=1 "${program[@]}" --runtime "$runtime" \
    --filter "$some" --together 8 >"$folder/company.out" 2>"$folder/company.err"
  [ "$(grep -c 'the process crashed' "$folder/company.out")" = "$count" ] &&
    tail -n 1 "$folder/company.out" | grep -q "^0 passed, $count failed, 0 skipped" || fail "company" "not each crash" company
}
company

echo "$passed of ${#rows[@]} rows are as they should be"
[ "$failed" -eq 0 ]
