#!/bin/sh
# The demo's promises: every order of events tells the same tree, text and JSON agree, and a demo that is killed leaves no
# dump, an incomplete one that says so, or a valid one.
# usage: demo.sh path/to/annot      DEMO_SEEDS (40) and DEMO_KILLS (25) bound it
set -u
[ $# -eq 1 ] || { echo "usage: demo.sh path/to/annot" >&2; exit 2; }
annot=$1
hang=$(dirname "$annot")/hang
[ -x "$hang" ] || { echo "demo.sh: no $hang: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
dump=$work/demo.annotdmp

fail() {
    echo "$*"
    exit 1
}

# The report without what a run may choose: times, its process, and where in memory markers lie.
tree() {
    "$annot" show --output text "$1" | sed -e '/^  time /d' -e '/^  process /d' -e 's/, asked [0-9.]* s ago//' -e 's/0x[0-9a-f]*/0x/g'
}

# ---- the right scope, and the two outputs agree ----
"$hang" --seed 0 --out "$dump" >"$work/out" || fail "hang: $(cat "$work/out")"
tree "$dump" >"$work/expected" || fail "annot show exits with $?"
path='Frame 7 / Shadow pass / Cascade 2'
grep -qxF "  $path" "$work/expected" || fail "the text names no '$path'"
"$annot" show --output json "$dump" >"$work/json" || fail "annot show --output json exits with $?"
grep -qF "\"text\":\"$path\"" "$work/json" || fail "the JSON names no '$path'"
grep -q '"in_progress_count":1' "$work/json" || fail "more than one place hangs"
markers=$(sed -n 's/^\([0-9]*\) markers were recorded.*/\1/p' "$work/out")
[ "${markers:-0}" -ge 200 ] || fail "only ${markers:-0} markers"

# ---- any order of events ----
seed=1
while [ "$seed" -le "${DEMO_SEEDS:-40}" ]; do
    rm -f "$dump"
    "$hang" --seed "$seed" --out "$dump" >/dev/null || fail "seed $seed: hang exits with $?"
    tree "$dump" >"$work/got"
    cmp -s "$work/expected" "$work/got" || {
        diff "$work/expected" "$work/got"
        fail "seed $seed tells another tree"
    }
    seed=$((seed + 1))
done

# ---- killed at any moment ----
whole=0 partial=0 none=0 kill=0
while [ "$kill" -lt "${DEMO_KILLS:-25}" ]; do
    rm -f "$dump" "$dump".*.part
    (timeout -s KILL "0.0$(printf %03d $((kill * 7 % 60)))" "$hang" --seed "$kill" --out "$dump" >/dev/null 2>&1 || :) 2>/dev/null
    for file in "$dump" "$dump".*.part; do
        [ -e "$file" ] || continue
        "$annot" show --output text "$file" >"$work/got" 2>"$work/errors"
        code=$?
        case $file:$code in
        *.part:[012]) partial=$((partial + 1)) ;;
        *.part:*) fail "kill $kill: annot show of a partial dump exits with $code" ;;
        *:0) whole=$((whole + 1)) ;;
        *) fail "kill $kill: a dump without .part is no whole one: exit $code, $(cat "$work/errors")" ;;
        esac
        [ "$code" -ne 1 ] || grep -qi 'incomplete' "$work/got" || fail "kill $kill: a partial dump that doesn't say so"
    done
    [ "$(echo "$dump"*)" != "$dump*" ] || none=$((none + 1))
    kill=$((kill + 1))
done
echo "killed $kill times: $none without a dump, $partial partial, $whole whole"
