#!/usr/bin/env bash
# Every test of a Criterion program passes under capture as it does without, and its trace replays with equal results and
# read-backs [ANN-TRACE-01, -02]. Those that cannot are listed by name in the file of exemptions, each with its reason; an
# exemption that is not needed any more fails too.
#   replayed.sh ANNOT EXEMPTIONS PROGRAM [GLOB]
set -u
shopt -s extglob
annot=$1 exempt=$2 program=$3 glob=${4:-}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 passed=0 excused=0

# $1: test. Prints why it fails; silent when all is well.
try() {
  rm -f "$work"/*.annottrace
  "$annot" capture -o "$work/%p.annottrace" -- "$program" -j1 --filter "$1" >"$work/out" 2>&1 ||
    { echo "fails under capture: $(grep -m1 -E 'Assert|CRASH|FAIL' "$work/out" | cut -c1-120)"; return; }
  for trace in "$work"/*.annottrace; do
    [ -e "$trace" ] || return
    timeout 60 "$annot" replay "$trace" >"$work/replay" 2>&1 ||
      { echo "replay: $(grep -m1 . "$work/replay" | cut -c1-150)"; return; }
  done
}

suite=
while read -r line; do
  case $line in
  "├── "* | "└── "*) name=$suite/${line#*── } ;;
  *) suite=${line%%:*} && continue ;;
  esac
  name=${name%% *}
  case $name in ${glob:-*}) ;; *) continue ;; esac
  why=$(try "$name")
  if grep -q "^$name[[:space:]]" "$exempt"; then
    excused=$((excused + 1))
    if [ -z "$why" ] && ! grep -q "^$name[[:space:]].*race" "$exempt"; then # a race may end well
      echo "$name: listed as an exemption, but all is well"
      failed=$((failed + 1))
    fi
  elif [ -n "$why" ]; then
    echo "$name: $why"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
done < <("$program" --list)
echo "$passed replayed, $failed failed, $excused exempt"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
