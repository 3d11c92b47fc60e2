#!/usr/bin/env bash
# Programs with known waits run under the layer, and a person asks each for a dump. The report says of each wait what is true, or
# that the layer doesn't know; it blames nobody, and only queues that wait for each other leave a dump by themselves [ANN-LEAVE-03].
#   waits.sh ANNOT PARTS
set -u
annot=$1 parts=$2 runner='' pid='' left='' dark='' tried=0 unseen=0
work=$(mktemp -d) || exit 2
trap 'kill $runner $pid 2>/dev/null; wait $runner 2>/dev/null; rm -rf "$work"' EXIT
export XDG_RUNTIME_DIR=$work ANNOT_D3D12_QUIET=1 ANNOT_D3D12_TIMEOUT=400 EMU_DRIVER=legacy
fail() {
  echo "$*"
  exit 1
}
says() { # WHO: the line of one that waits
  if [ "$1" = c ]; then grep "^  the program's CPU: " "$work/report"; else grep "^  queue \"Q$1\"[:,] .*: " "$work/report"; fi
}
declare -A words=([o]='; these queues wait for each other$|; the Signal of this queue comes after this wait$' [e]='; that queue waits for ever$'
  [q]="waiting (in list 1 )?for \"Q" [h]='; the highest value that a queue was ever told to signal is ' [n]='; no queue was ever told to signal the fence$'
  [p]="; the program's CPU signals this fence$" [s]='; the fence is shared: ' [w]="; the fence's only Signal comes later, on this waiting queue$")
# Whether the report of row $n is true. $left: what it doesn't say yet, for the GPU may be busy; $dark: who waits
# unseen, for the layer can't know whether a Signal behind another wait has come.
judge() { # TRUTH
  local who kind said
  left='' dark=''
  for who in 0 1 2 3 c; do
    kind=${1#*"$who"}
    [ "$kind" = "$1" ] && kind='' || kind=${kind:0:1}
    said=$(says "$who")
    case $said in
    *'each other'* | *'Signal of this queue comes after this wait'*) [ "$kind" = o ] || fail "row $n: no circle: $said" ;;
    *'for ever'*) [ "$kind" = e ] || fail "row $n: not for ever: $said" ;;
    esac
    if [ -z "$kind" ]; then
      left+=${said:+"; $who waits"}
    elif [[ -z $said || $said == *'it waits for a fence, another queue or its turn' ]] && [[ $kind == [qw] ]]; then
      dark+=$who
    else
      grep -Eq "${words[$kind]}" <<<"$said" || left+="; $who is not '$kind': $said"
    fi
  done
}
for ((n = 0; ; n++)); do
  rm -f "$work"/dump* "$work/out" && mkfifo "$work/out"
  "$annot" d3d12 -o "$work/dump.x" -- "$parts" wait $n >"$work/out" 2>"$work/errors" &
  runner=$!
  read -r pid truth <"$work/out" || fail "row $n: the program fails: $(cat "$work/errors")"
  case $pid in
  skip) continue ;;
  end) break ;;
  esac
  if [[ $truth == *o* ]]; then # a dump that nobody asks for
    for ((i = 0; i < 500; i++)); do
      [ -s "$work/dump.x" ] && break
      read -rt 0.02 <>"$work/out"
    done
    "$annot" show "$work/dump.x" >"$work/report" 2>&1 && grep -q '^  alarm' "$work/report" &&
      grep -q '^  kind  *deadlock: .* (certain)' "$work/report" || fail "row $n: no dump of a circle: $(cat "$work/report")"
  fi
  left=''
  for ((i = 0; i < 50 && (i < 5 || ${#left}); i++)); do
    "$annot" ask "$pid" >"$work/path" 2>"$work/asked" || fail "row $n: $(cat "$work/asked")"
    "$annot" show --output text "$(cat "$work/path")" >"$work/report" || fail "row $n: its dump can't be read"
    judge "$truth"
    [ -z "$left$dark" ] && break
  done
  [ -z "$left" ] || fail "row $n ($truth)$left: $(cat "$work/report")"
  if [[ $truth != *o* ]] && grep -i -e 'hung' -e 'GPU HANG' -e '^  alarm' "$work/report"; then fail "row $n blames: $(cat "$work/report")"; fi
  kill "$pid"
  wait $runner
  pid='' tried=$((tried + 1)) unseen=$((unseen + ${#dark}))
done
echo "$tried programs: told as they are; $unseen waits unseen"
