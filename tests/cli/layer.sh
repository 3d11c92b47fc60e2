#!/bin/sh
# examples/layer: what a layer's dump says for words of 32 and 64 bits, with and without marker extensions, and of a command
# buffer that is in flight twice; and the glue that it takes is short.
# usage: layer.sh path/to/annot
set -u
annot=$1
layer=$(dirname "$annot")/layer
[ -x "$layer" ] || { echo "layer.sh: no $layer: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# run HOW: its report in $work/HOW
run() {
    "$layer" "$work/$1.annotdmp" "$1" >"$work/out" || { echo "$1: failed"; cat "$work/out"; failed=1; }
    "$annot" show --output text "$work/$1.annotdmp" >"$work/$1" || { echo "$1: not shown"; failed=1; }
}

# says HOW PATTERN: a whole line of the report
says() {
    grep -qxE -e "$2" "$work/$1" || { echo "$1: no line '$2' in:"; cat "$work/$1"; failed=1; }
}

for how in markers32 markers64 fill32; do
    run "$how"
    says "$how" '  \[X\] submissions 1 to 7 finished'
    says "$how" '  frame / lighting'
    says "$how" '    on queue "universal", submission 8, command buffer 1 of 1 "odd frames"'
    says "$how" '    last completed lights  \(EventID 0x[0-9a-f]+\)'
    says "$how" '        \[X\] shadows  0x[0-9a-f]+'
    says "$how" '        \[X\] - lights  0x[0-9a-f]+'
    says "$how" '        \[>\] lighting  0x[0-9a-f]+'
done
# The front end ran ahead of the hang, where no barrier kept it: the range is what is said.
for how in markers32 markers64; do
    says "$how" '  or the later work, up to'
    says "$how" '    last started   post  \(EventID 0x[0-9a-f]+\)'
done
says fill32 '    last started   lighting  \(EventID 0x[0-9a-f]+\)'
says fill32 '        \[ \] post  0x[0-9a-f]+'

run twice
says twice '  Nothing says how far the work got. The oldest submission not known to be complete:'
for submission in 8 9; do says twice "  \\[\\?\\] submission $submission, 1 command buffer"; done
says twice '    \[\?\] command buffer 1 of 1 "odd frames"  5 labels  -- unknown: the layer could not tell'
! grep -q '\[X\] shadows' "$work/twice" || { echo "twice: claims what nobody knows"; failed=1; }

glue=$(dirname "$0")/../../examples/layer/glue.c
[ "$(wc -l <"$glue")" -le 250 ] || { echo "the glue has $(wc -l <"$glue") lines"; failed=1; }
[ "$failed" -ne 0 ] || echo "a layer's four kinds of evidence are in its dumps"
exit "$failed"
