#!/usr/bin/env bash
# The table of requirements and their cases in docs/CONFORMANCE.md, which `annot-conformance --list` is the source of.
#   table.sh DOC --write PROGRAM...    puts it there
#   table.sh DOC --check PROGRAM...    fails when it is stale, or when a requirement has no case
set -euo pipefail
doc=$1 action=$2
shift 2
begin='<!-- requirements and cases: made by make conformance-table -->'

# AREA NUMBERS: the requirements that the suite answers for. Of post-mortem data, those that a program can see through
# D3D12 and its dump: the others are in docs/POSTMORTEM.md, each with its test.
requirements() {
  while read -r area numbers; do
    for range in $numbers; do
      for ((i = ${range%-*}; i <= ${range#*-}; i++)); do printf 'ANN-%s-%02d\n' "$area" "$i"; done
    done
  done <<<'MODE 1-9
CAPS 1-4
MARK 1-14
LIFE 1-8
NAME 1-7
CONF 1-6
DDI 1-3
CRASH 1-7
DRED 1-16
JOIN 1-3
FILE 1-11 14
TDR 11-13
HIST 1-3 5 9-10
SUBM 1'
}

# One line per requirement: the cases that cite it, without rows and drivers, in the order of the list.
table() {
  echo "$begin"
  echo
  echo '| requirement | cases |'
  echo '|---|---|'
  awk -F'\t' '
    NR == FNR { order[++count] = $1; next }
    {
      sub(/@.*/, "", $1); sub(/\[.*/, "", $1)
      ids = split($2, id, " ")
      for (i = 1; i <= ids; i++)
        if (!seen[id[i], $1]++) cases[id[i]] = cases[id[i]] (cases[id[i]] ? ", " : "") "`" $1 "`"
    }
    END { for (i = 1; i <= count; i++) print "| " order[i] " | " (cases[order[i]] ? cases[order[i]] : "none") " |" }
  ' <(requirements) <("$@" --list | tr -d '\r')
}

before() { sed "/^$begin\$/,\$d" "$doc"; }

case $action in
--write)
  new=$(before && table "$@")
  printf '%s\n' "$new" >"$doc"
  ;;
--check)
  current=$(table "$@")
  if grep -F '| none |' <<<"$current"; then
    echo "these requirements have no case" >&2
    exit 1
  fi
  diff <(sed -n "/^$begin\$/,\$p" "$doc") <(printf '%s\n' "$current") ||
    { echo "docs/CONFORMANCE.md is stale: make conformance-table" >&2 && exit 1; }
  ;;
*)
  echo "table.sh: --write or --check" >&2
  exit 2
  ;;
esac
