#!/usr/bin/env bash
# A program under the layer waits for ever, and a person asks it for dumps: each is written where the program's settings say, says
# what waits and blames nobody. Whoever can't be asked is named [ANN-LEAVE-04].
#   ask.sh ANNOT PARTS
set -u
annot=$1 parts=$2 runner='' pid='' other=''
work=$(mktemp -d) || exit 2
trap 'kill -CONT $pid 2>/dev/null; kill $pid $other 2>/dev/null; wait $runner 2>/dev/null; rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work ANNOT_D3D12_QUIET=1 ANNOT_D3D12_TIMEOUT=400
fail() {
  echo "$*"
  exit 1
}
refused() { # TITLE TEXT ARGUMENT...
  "$annot" ask "${@:3}" >"$work/said" 2>&1
  [ $? = 2 ] && grep -q "$2" "$work/said" || fail "$1: $(cat "$work/said")"
}
mkfifo "$work/out"
begin() { # ARGUMENT...
  EMU_DRIVER=legacy "$annot" d3d12 -o "$work/dump.x" -- "$parts" stuck "$@" >"$work/out" 2>"$work/errors" &
  runner=$!
  read -r pid <"$work/out" || fail "the program fails: $(cat "$work/errors")"
}
begin

# it answers nothing while it is stopped, which is said at once, as that it has no layer: this script waits 30 s for neither
kill -STOP "$pid"
for ((i = 0; i < 500; i++)); do grep -q '^State:.T' "/proc/$pid/status" && break; sleep 0.01; done
SECONDS=0
refused "stopped" "it is stopped, so it can't answer" "$pid"
kill -CONT "$pid"
refused "without a layer" "it has loaded no crash layer of annot" $$
[ $SECONDS -lt 15 ] || fail "not at once: $SECONDS s"

[ "$("$annot" ask "$pid" 2>"$work/waits")" = "$work/dump.x" ] || fail "one asker: another answer, or none: $("$annot" ask "$pid" 2>&1)"
[ "$(cat "$work/waits")" = "annot ask: process $pid: waiting for its answer, at most 30 s" ] || fail "not said that it waits: $(cat "$work/waits")"
"$annot" show --output text "$work/dump.x" >"$work/report"
grep -q 'queue "Waiting queue" is waiting for fence "gate" = 1, reached 0.*; no queue was ever told to signal the fence' "$work/report" ||
  fail "not what waits: $(cat "$work/report")"
grep -i -e 'hung' -e 'GPU HANG' -e 'Nothing to do' "$work/report" && fail "blames: $(cat "$work/report")"

"$annot" ask "$pid" >"$work/first" &
first=$!
"$annot" ask "$pid" >"$work/second" || fail "the second of two askers has no dump"
wait $first || fail "the first of two askers has no dump"
[ "$(cat "$work/first" "$work/second" | sort)" = "$work/dump-2.x
$work/dump-3.x" ] && [ -s "$work/dump-2.x" ] && [ -s "$work/dump-3.x" ] || fail "two askers: $(cat "$work/first" "$work/second")"
[ -z "$(ls "$work/annot")" ] || fail "a request is left: $(ls "$work/annot")"

refused "no number" "unusable" x
refused "no process" "a process is missing"
refused "two processes" "only one process" 1 2
if [ "$(id -u)" = 0 ]; then
  setpriv --reuid 12345 --clear-groups sleep 600 &
  other=$!
  until [ "$(stat -c %u "/proc/$other")" = 12345 ] || ! kill -0 "$other"; do sleep 0.01; done
fi
refused "another user's" "another user's" "${other:-1}"
kill "$pid"
wait $runner
refused "ended" "no such process" "$pid"

begin two
said=$("$annot" ask "$pid" 2>"$work/waits")
[ "$(sort <<<"$said")" = "$work/dump-4.x
$work/dump-5.x" ] && [ -s "$work/dump-4.x" ] && [ -s "$work/dump-5.x" ] || fail "two devices: $said"
kill "$pid"
wait $runner
pid=''
echo "five dumps, seven refusals"
