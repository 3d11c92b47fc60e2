#!/usr/bin/env bash
# Every test of a Criterion program, or case of annot-conformance, passes under capture as it does without, its trace
# replays with equal results and read-backs, and a trace of that replay is the same trace [ANN-TRACE-01, -02]. Those that
# cannot are listed by name in the file of exemptions, each with its reason; an exemption that is not needed any more fails
# too, and so do more than one in a hundred.
#   replayed.sh ANNOT EXEMPTIONS PROGRAM [I,N]      I,N: the I-th of N shares of the tests
#   replayed.sh ANNOT EXEMPTIONS PROGRAM TEST...    these tests
set -u
annot=$(realpath "$1") exempt=$2 program=$3
case ${4:-1,1} in
*/*) share=1,1 wanted=("${@:4}") ;;
*) share=${4:-1,1} wanted=() ;;
esac
proxy=$(dirname "$annot")/../lib/capture/libd3d12.so
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 passed=0 excused=0 number=0

names() {
  [ ${#wanted[@]} = 0 ] || { printf '%s\n' "${wanted[@]}" && return; }
  case $program in
  *annot-conformance) "$program" --list | cut -f1 ;;
  *)
    "$program" --list | while IFS= read -r line; do
      case $line in # in a UTF-8 locale, and in others
      "├── "* | "└── "* | "|-- "* | "\`-- "*) line=${line#* } && echo "$suite/${line%% *}" ;;
      *) suite=${line%%:*} ;;
      esac
    done
    ;;
  esac
}

run_captured() {
  local command=("$annot" capture -o "$work/%p.annottrace" -- "$program")
  case $program in
  *annot-conformance) "${command[@]}" --runtime "$proxy" --jobs 1 --filter "${1//\[/?}" ;;
  *) "${command[@]}" -j1 --filter "$1" ;;
  esac
}

# $1: test. Prints why it fails; silent when all is well.
try() {
  rm -f "$work"/*.annottrace
  run_captured "$1" >"$work/out" 2>&1 || grep -q 'no D3D12 call' "$work/out" ||
    { echo "fails under capture: $(grep -m1 -E 'Assert|CRASH|FAIL|not ok' "$work/out" | cut -c1-120)"; return; }
  grep -q 'Tested: 0 ' "$work/out" && { echo "no such test"; return; }
  for trace in "$work"/*.annottrace; do
    [ -e "$trace" ] || return
    replay=("$annot" replay --output json "$trace") # with a dump where the program's was
    ! trusted "$1" || replay+=(--trust)
    dump=$("$annot" trace dump --output text "$trace" | grep -o '^[0-9]* t[0-9]* emu_configure(.*dump_path="[^"]*"' | tail -1)
    dump=$(sed 's/.*dump_path="\(.*\)"$/\1/' <<<"$dump")
    case $dump in
    '') ;;
    /no/such/*) replay=(env EMU_DUMP="$dump" "${replay[@]}") ;; # --dump refuses it before the first call
    *)
      replay+=(--dump "$dump")
      [ "${dump%/*}" = "$dump" ] || (cd "$work" && mkdir -p "${dump%/*}")
      ;;
    esac
    # in a folder of its own: the program's next run must not find that dump
    (rm -f "$work"/*.annotdmp && cd "$work" && timeout 300 "${replay[@]}") >"$work/replay" 2>&1 || {
      code=$?
      races "$1" && grep -q 'wrote different values' "$work/replay" && continue
      echo "replay: exit $code, $(grep -m1 . "$work/replay" | cut -c1-150)"
      return
    }
    rm -f "$work/again"
    (rm -f "$work"/*.annotdmp && cd "$work" && timeout 300 "$annot" capture -o "$work/again" -- "${replay[@]}") >"$work/replay" 2>&1 ||
      grep -q 'no D3D12 call' "$work/replay" || {
        races "$1" && grep -q 'wrote different values' "$work/replay" && continue
        echo "replay under capture: $(grep -m1 . "$work/replay" | cut -c1-150)"
        return
      }
    [ -e "$work/again" ] || grep -q '"calls":0' "$work/replay" || { echo "recaptured: nothing"; return; }
    [ -e "$work/again" ] || continue
    races "$1" && continue
    timeout 300 "$annot" trace diff --output text "$trace" "$work/again" >"$work/diff" 2>&1 ||
      { echo "recaptured: exit $?, $(grep -m1 . "$work/diff" | cut -c1-150)"; return; }
  done
}

# Those of trusted.txt.
trusted() {
  local name
  while IFS=$'\t' read -r name _; do
    # shellcheck disable=SC2053 # a pattern
    [[ $1 == $name ]] && return
  done < <(grep -v '^#' "$(dirname "$0")/trusted.txt")
  return 1
}

# An answer that a thread asks for while another sets it is one or the other, and so are counts of references that both change; a
# replay, which has one thread, has what comes first there.
races() {
  case $1 in
  mode/a_*_never_has_half_a_mode* | mode/eight_threads_* | names/threads_that_name_one_*) true ;;
  remove_device/by_many_threads_* | singleton/creation_races_*) true ;;
  *) false ;;
  esac
}

while read -r name; do
  number=$((number + 1))
  [ $((number % ${share#*,})) = $((${share%,*} % ${share#*,})) ] || continue
  reason=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$exempt")
  [ -z "$reason" ] || excused=$((excused + 1))
  case $reason in *race*) continue ;; esac # it may end well, and may wait long for what raced
  why=$(try "$name")
  if [ -n "$reason" ]; then
    [ -n "$why" ] && continue
    echo "$name: listed as an exemption, but all is well"
    failed=$((failed + 1))
  elif [ -n "$why" ]; then
    echo "$name: $why"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
done < <(names)
echo "$passed replayed, $failed failed, $excused exempt"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
