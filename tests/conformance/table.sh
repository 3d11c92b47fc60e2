#!/usr/bin/env bash
# Two tables that come from `annot-conformance --list`: in docs/CONFORMANCE.md, how many cases each hook opens; in requirements.md
# of this folder, the requirements with their cases.
#   table.sh DOC --write PROGRAM...    writes both
#   table.sh DOC --check PROGRAM...    fails when one is stale, or when a requirement has no case
set -euo pipefail
doc=$1 action=$2 requirements=$(dirname "$0")/requirements.md
shift 2
begin='<!-- requirements and cases: made by make conformance-table -->'
begin_hooks='<!-- cases of each hook: made by make conformance-table -->'
end_hooks='<!-- end of the hooks -->'

# Cases that run where the runtime has no more than these needs; a case for several drivers is one. Pipelines need a shader.
count() {
  awk -F'\t' -v has="$*" '
    BEGIN { n = split(has, word, " "); for (i = 1; i <= n; i++) is_there[word[i]] = 1 }
    { sub(/@.*/, "", $1); if (seen[$1]++) next
      if ($1 ~ /\[kernel[^]]*\]$/) $4 = $4 " emulator dump kernels"
      if ($1 ~ /\[(compute|graphics)-pipeline\]$/) $4 = $4 " kernels"
      n = split($4, need, " "); lacks = 0
      for (i = 1; i <= n; i++) lacks += !(need[i] in is_there)
      cases += !lacks }
    END { print cases }' <<<"$list"
}

hooks() {
  local d3d12='messages dred preview names'
  echo "$begin_hooks"
  echo
  echo '| what the runtime exports | lines of code | cases | what the cases test |'
  echo '|---|---|---|---|'
  echo "| \`D3D12CreateDevice\`, \`D3D12SerializeRootSignature\` | 0 | $(count names) | markers of every encoding and size on every list and queue; results with and without markers; bundles; names by GetPrivateData |"
  echo "| also \`D3D12GetDebugInterface\`, if devices have \`ID3D12InfoQueue\`, DRED and \`ID3D12DevicePreview\` | 0 | $(count "$d3d12") | also messages of the debug layer, breadcrumbs with contexts, dump files |"
  echo "| the same, if devices also have \`ID3D12DeviceTools2\` in either version | 0 | $(count "$d3d12" tools published specified) | also modes, and how invalid modes are refused |"
  echo "| \`annot_conformance_set_driver\` | 7 | $(count "$d3d12" tools published specified spy) | also the arguments, mode and number of all calls of the driver's functions |"
  echo "| \`annot_conformance_device\` | 4 | $(count "$d3d12" tools published specified spy lookup) | also lookups of EventIDs and when they expire; only for runtimes that are built on libannot |"
  echo "| the emulator's functions (\`include/emu/emu.h\`) | | $(count "$d3d12" tools published specified spy lookup emulator dump hang kernels uncopied drivers) | also the emulator's drivers, orders, budgets, hangs and dumps; because cases run with several drivers, there are $(wc -l <<<"$list" | tr -d ' ') runs |"
  echo
  echo "$end_hooks"
}

# AREA NUMBERS: the requirements that the suite answers for. Of post-mortem data, those that a program can see through
# D3D12 and its dump: the others are in tests/postmortem.md, each with its test.
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
  ' <(requirements) - <<<"$list"
}

# The page with a new table of hooks.
page() {
  sed "/^$begin_hooks\$/,/^$end_hooks\$/{/^$end_hooks\$/!d}" "$doc" | while IFS= read -r line; do
    if [ "$line" = "$end_hooks" ]; then hooks; else printf '%s\n' "$line"; fi
  done
}
list_of_cases() { sed "/^$begin\$/,\$d" "$requirements" && table; }
list=$("$@" --list | tr -d '\r')

# A requirement without its sentence is none that a report can quote.
for id in $(cut -f2 <<<"$list" | tr ' ' '\n' | sort -u); do
  grep -q "^| $id | [^\`]" "$requirements" || { echo "$requirements: $id has no sentence" >&2 && exit 1; }
done

# Cases that stand for others without hooks are there, and need none.
sed -n '/^## What D3D12 alone shows$/,/^## Cases/s/^| `\(.*\)` | .*/\1/p' "$requirements" | sed 's/`, `/\n/g' | while read -r name; do
  awk -F'\t' -v name="$name" '{ sub(/[@[].*/, "", $1) } $1 == name { found = 1; bad += $4 ~ /spy|emulator|lookup|hang/ } END { exit !found || bad }' \
    <<<"$list" || { echo "$requirements: $name is no case without hooks" >&2 && exit 1; }
done

case $action in
--write)
  new=$(page) new_list=$(list_of_cases)
  printf '%s\n' "$new" >"$doc"
  printf '%s\n' "$new_list" >"$requirements"
  ;;
--check)
  current=$(list_of_cases)
  if grep -F '| none |' <<<"$current"; then
    echo "these requirements have no case" >&2
    exit 1
  fi
  { diff "$requirements" - <<<"$current" && diff "$doc" <(page); } ||
    { echo "a table is stale: make conformance-table" >&2 && exit 1; }
  ;;
*)
  echo "table.sh: --write or --check" >&2
  exit 2
  ;;
esac
