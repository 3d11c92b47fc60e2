#!/usr/bin/env bash
# The models of concurrency, checked exhaustively by spin: each holds as the code is, and fails with every single ordering
# that it names removed. The lines of code that a model stands for must be in the sources as it quotes them; a line behind
# "then:" must come behind the line that the model quotes before it.
#   spin.sh ROOT CC
# Exit 77 without spin. The last line: states of all models, removals that were noticed.
set -u
root=$1 cc=$2
command -v spin >/dev/null 2>&1 || { echo "spin is not installed: the models are not checked"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
models=0 states=0 removals=0 failed=0

# check MODEL [DEFINITION]: prints "errors states".
check() {
  rm -rf "$work/run"
  mkdir "$work/run" && cd "$work/run" || exit 1
  spin ${2:+-D$2} -a "$1" >spin.log 2>&1 && "$cc" -O0 -w -DMEMLIM=2048 -DNOREDUCE -DSAFETY -o pan pan.c >cc.log 2>&1 || {
    cat spin.log cc.log 2>/dev/null >&2
    echo "-1 0"
    return
  }
  ./pan -m200000 >pan.log 2>&1
  awk '/errors:/ { for (i = 1; i < NF; i++) if ($i == "errors:") errors = $(i + 1) }
    /states, stored/ { states = $1 }
    /search depth too small|out of memory|Warning: Search not completed/ { if (!errors) errors = /not completed/ ? errors : -2 }
    END { printf "%d %d\n", errors, states }' pan.log
}

for model in "$root"/tests/models/*.pml; do
  name=$(basename "$model" .pml)
  at=0 before=
  while IFS= read -r line; do
    kind=${line%%: *} line=${line#*: }
    file=${line%%: *} text=${line#*: }
    [ "$kind" = then ] && [ "$file" = "$before" ] || at=0
    found=$(TEXT=$text awk -v at="$at" 'NR > at && index($0, ENVIRON["TEXT"]) { print NR; exit }' "$root/$file")
    [ -n "$found" ] || {
      echo "$name stands for a line that $file no longer has, or no longer at this place: $text"
      failed=$((failed + 1))
    }
    at=${found:-0} before=$file
  done < <(sed -n 's/^ \* \(code\|then\): /\1: /p' "$model")
  read -r errors found < <(check "$model")
  models=$((models + 1)) states=$((states + found))
  if [ "$errors" -eq 0 ] && [ "$found" -gt 0 ]; then
    echo "$name: holds in all of $found states"
  else
    echo "$name: does not hold ($errors errors, $found states)"
    failed=$((failed + 1))
  fi
  for removal in $(sed -n 's/^ \* removal: \([A-Z_]*\).*/\1/p' "$model"); do
    read -r errors found < <(check "$model" "$removal")
    if [ "$errors" -gt 0 ]; then
      removals=$((removals + 1))
      echo "  $removal: noticed after $found states"
    else
      echo "  $removal: NOT NOTICED ($errors errors, $found states)"
      failed=$((failed + 1))
    fi
  done
done
echo "$models models, $states states; $removals removed orderings noticed, $failed failures"
[ "$failed" -eq 0 ]
