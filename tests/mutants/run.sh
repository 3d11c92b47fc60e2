#!/usr/bin/env bash
# Does the conformance suite notice? Applies the wrong changes of list.txt to copies of the sources, one at a time, and
# runs annot-conformance on each: a mutant that no case fails on survives. The last line counts, with "passed" for
# killed or expected to survive.
#
#   run.sh BUILD_DIR [NAME-GLOB...]      JOBS: copies worked on at once; BUILD_DIR-mutants-named keeps what they said
#   run.sh --check                       only whether every mutant still fits the sources
set -uo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${1:?usage: run.sh BUILD_DIR [NAME-GLOB...], run.sh --check}
globs=("${@:2}")
jobs=${JOBS:-2}
work=$build-mutants-named
list=$here/list.txt

die() { echo "mutants: $*" >&2 && exit 2; }

# ---- the list ----

names=() files=() olds=() news=() ids=() excuses=()

read_list() {
  local line number=0 at=-1
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in
    '' | '#'*) ;;
    'mutant '*)
      at=$((at + 1))
      read -r _ names[at] ids[at] <<<"$line"
      files[at]='' olds[at]='' news[at]='' excuses[at]=''
      ;;
    'file '*) files[at]=${line#file } ;;
    'survives '*) excuses[at]=${line#survives } ;;
    '- '*) olds[at]+=${olds[at]:+$'\n'}${line#- } ;;
    '+ '*) news[at]+=${news[at]:+$'\n'}${line#+ } ;;
    '+') ;;
    *) die "list.txt:$number: not a line of a mutant: $line" ;;
    esac
  done <"$list"
}

# ---- one tree ----

copy_tree() {
  mkdir -p "$1"
  tar -C "$root" -cf - --exclude='./build*' --exclude=./.git . | tar -C "$1" -xf -
}

configure() {
  cmake -S "$1/source" -B "$1/build" -DCMAKE_BUILD_TYPE=Debug -DANNOT_TESTS=OFF \
    -DANNOT_INSTALL=OFF >"$1/configure.log" 2>&1
}

compile() { cmake --build "$1/build" --target d3d12 annot-conformance -j 1 >"$1/compile.log" 2>&1; }

# 0: passes, 1: fails; what failed first goes to stdout, and the cases behind it are not waited for.
suite() {
  local log=$1/suite.log first
  first=$("$1/build/bin/annot-conformance" --timeout 20 --jobs 1 2>&1 | tee "$log" | grep -m1 '^not ok')
  [ -z "$first" ] && tail -n1 "$log" | grep -q '^[1-9][0-9]* passed, 0 failed,' && return 0
  echo "${first:-$(tail -n1 "$log")}"
  return 1
}

# Prints the file with the mutant's text in place of the original's, which must be there exactly once.
mutated() {
  local file=$1 old=$2 new=$3 text without
  text=$(cat "$file" && echo .) || return 1
  text=${text%.}
  without=${text//"$old"/}
  [ -n "$old" ] && [ $((${#text} - ${#without})) -eq ${#old} ] || return 1
  printf '%s' "${text/"$old"/"$new"}"
}

# ---- verdicts: one file each in $work/verdicts ----

verdict() { echo "$2" >"$work/verdicts/$1" && printf '%-44s %s\n' "$1" "$2"; }

try() {
  local tree=$1 at=$2 name=${names[$2]} file=$1/source/${files[$2]} killer
  cp -p "$file" "$tree/original" || { verdict "$name" "error: no file ${files[at]}"; return; }
  if ! mutated "$tree/original" "${olds[at]}" "${news[at]}" >"$file"; then
    verdict "$name" "error: its text is not exactly once in ${files[at]}"
  elif ! compile "$tree"; then
    verdict "$name" "error: does not compile: $(grep -m1 'error' "$tree/compile.log")"
  elif killer=$(suite "$tree"); then
    verdict "$name" "survived${excuses[at]:+, as expected: ${excuses[at]}}"
  else
    verdict "$name" "killed by ${killer#not ok }"
  fi
  cat "$tree/original" >"$file"
}

is_wanted() {
  local glob
  [ ${#globs[@]} -gt 0 ] || return 0
  for glob in "${globs[@]}"; do
    # shellcheck disable=SC2053
    [[ $1 == $glob ]] && return 0
  done
  return 1
}

worker() {
  local tree=$work/$1 at
  copy_tree "$tree/source"
  configure "$tree" || die "$tree/configure.log: could not be configured"
  for ((at = $1; at < ${#names[@]}; at += jobs)); do
    is_wanted "${names[at]}" && try "$tree" "$at"
  done
}

baseline() {
  copy_tree "$work/0/source"
  configure "$work/0" || die "$work/0/configure.log: could not be configured"
  compile "$work/0" || die "$work/0/compile.log: does not compile"
  suite "$work/0" || die "the suite fails without any mutant: $work/0/suite.log"
}

# Sources move on; a mutant whose text is gone would be found out only after hours.
check() {
  local at misfits=0
  for at in "${!names[@]}"; do
    mutated "$root/${files[at]}" "${olds[at]}" "${news[at]}" >/dev/null && continue
    echo "mutants: ${names[at]}: its text is not exactly once in ${files[at]}; correct tests/mutants/list.txt" >&2
    misfits=$((misfits + 1))
  done
  [ ${#names[@]} -gt 0 ] && [ "$misfits" -eq 0 ]
}

count() { grep -l "$1" "$work"/verdicts/* 2>/dev/null | wc -l; }

read_list
if [ "$build" = --check ]; then
  check
  exit
fi
rm -rf "$work" && mkdir -p "$work/verdicts" || die "$work: can't be made"
baseline
for ((job = 0; job < jobs; job++)); do worker "$job" & done
wait
killed=$(count '^killed') excused=$(count '^survived, as') survived=$(count '^survived$') errors=$(count '^error')
echo "$((killed + excused + survived)) mutants: $killed killed, $((excused + survived)) survived ($excused with a reason), $errors could not be tried"
grep -H -v '^killed' "$work"/verdicts/* | sed "s|$work/verdicts/||"
echo "$((killed + excused)) passed, $((survived + errors)) failed, 0 skipped"
[ $((survived + errors)) -eq 0 ] && [ "$killed" -gt 0 ]
