#!/bin/sh
# Groups of annot triage: what is learned, rules and edits, filters, and files that are not to be trusted [ANN-GRP].
# usage: groups.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: groups.sh path/to/annot" >&2; exit 2; }
annot=$1 program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
measure=$(dirname "$1")/fleet-measure
[ -x "$measure" ] || { echo "groups: skipped: no fleet-measure beside annot"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 passed=0

# expect TITLE EXPECTED ACTUAL
expect() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n  expected %s\n  got      %s\n' "$1" "$2" "$3"
    fi
}

# run ARGUMENTS...: exit code in $code, streams in $work/out and $work/err.
run() {
    "$annot" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

# refused TITLE WORDS ARGUMENTS...: one line on standard error with these words, exit 2
refused() {
    title=$1 words=$2
    shift 2
    run "$@"
    expect "$title: exit" 2 "$code"
    expect "$title: says so" "1 1" "$(wc -l <"$work/err" | tr -d ' ') $(grep -cF -- "$words" "$work/err")"
}

run triage "$here/../golden/dumps/live_device.annotdmp" --db "$work/empty.db"
if [ $code -ne 0 ]; then
    echo "groups: skipped: $(cat "$work/err")"
    exit 77
fi

# groups FILE: how many faults are one group of their own, and how many groups there are
groups() {
    "$annot" triage --db "$db" --output files >"$work/groups"
    echo "$(cut -f 1 "$work/groups" | sort -u | wc -l | tr -d ' ')"
}
is_truth() {
    "$measure" --truth "$dumps/truth.tsv" --groups "$work/groups" --max-buckets 1 --max-shared 0 >/dev/null && echo yes
}

# ---- rules bring a bad corpus to order ----
dumps=$work/dumps db=$work/groups.db
mkdir "$dumps"
"$measure" --scene "$here/../fleet/scattered.scene" --runs 12 --keep "$dumps" >/dev/null 2>&1
run triage "$dumps" --db "$db" --output text
before=$(groups)
expect "a corpus that scatters" "yes no" "$([ "$before" -gt 3 ] && echo yes) $(is_truth || echo no)"
# the documented example
sed -n '/^    application scattered$/,/^$/s/^    //p' "$here/../../docs/TRIAGE.md" >"$work/rules"
expect "the example of docs/TRIAGE.md" 5 "$(wc -l <"$work/rules" | tr -d ' ')"
echo 'title Post = Post-processing' >>"$work/rules"
run triage regroup --db "$db" --rules "$work/rules"
expect "rules make groups" "0 1" "$code $(grep -c "signatures in 3 groups ($before before); [0-9]* dumps moved:$" "$work/out")"
# [ANN-GRP-02]
expect "each rule says how many dumps it matched" "5 0 0" "$(grep -cE '^ +[1-9][0-9]* dumps?: (fold|same|title) ' "$work/out") $(grep -c '  0 dumps: ' "$work/out") $(wc -l <"$work/err" | tr -d ' ')"
"$annot" triage --db "$db" --output files >"$work/groups"
post=$(sed -n 's/^ *\([0-9]*\) dumps*: title Post = Post-processing$/\1/p' "$work/out")
expect "and say what moved" "yes" "$([ "$(grep -c '^  v2-[0-9a-f]* -> v2-[0-9a-f]* ([0-9]*)' "$work/out")" -ge $((before - 3)) ] || [ "$(grep -c ' -> ' "$work/out")" -eq 20 ] && echo yes)"
run triage regroup --db "$db" --output json
expect "nothing, the second time" 1 "$(grep -c '"groups_before":3,"dumps_moved":0,"move_count":0,"moves":\[\],"rules":\[{"rule":"fold ~\*~","application":"scattered","dumps":[1-9]' "$work/out")"
expect "one for each fault" "3 yes" "$(groups) $(is_truth)"
run triage --db "$db" --output json
expect "with a title of the user's, which as many dumps have as the rule says" 1 "$(grep -c '"title":"Post-processing","dumps":'"$post," "$work/out")"
expect "or without what differs from dump to dump" 2 "$(grep -c '"title":"GPU HANG: Frame # / Level \* DrawInstanced"' "$work/out")"
cp "$work/groups" "$work/kept"
run triage "$dumps" --db "$db" --output text
groups >/dev/null
expect "which stay" same "$(cmp -s "$work/kept" "$work/groups" && echo same)"
run triage undo --db "$db"
expect "until they are undone, which is said" "1 $before" "$(grep -cx 'undone: rules; the earlier rules apply, if there are any' "$work/out") $(groups)"
printf 'same Nonesuch* = Post\napplication nosuch\nignore shader\nnever merge\n' >"$work/idle"
run triage regroup --db "$db" --rules "$work/idle"
expect "rules without a dump" "0 3 3" "$code $(grep -cE '^ +0 dumps: (same Nonesuch\* = Post|ignore shader|never merge \*)$' "$work/out") $(grep -cE "^annot triage: no dump matches the rule '(same Nonesuch\* = Post|ignore shader|never merge \*)'$" "$work/err")"
run triage undo --db "$db"
run triage regroup --db "$db" --rules "$work/idle" --output json
expect "and in JSON, with and without an application" "0 1 2" "$code $(grep -o '"application":null' "$work/out" | wc -l | tr -d ' ') $(grep -o '"application":"nosuch"' "$work/out" | wc -l | tr -d ' ')"
run triage undo --db "$db" --output json
expect "which is undone" 0 "$code"
run triage --db "$db" --new-in 99.9
expect "a version that no dump has" 1 "$(grep -c "no dump has the version that --new-in names: '99.9'" "$work/err")"
run triage --db "$db" --application nosuch
expect "an application that no dump has" 1 "$(grep -c 'no dump of the database matches the options' "$work/err")"
run triage regroup --db "$db" --rules "$work/rules"

# ---- by hand ----
one=$(sed -n 1p "$work/kept" | cut -f 1)
file=$(sed -n 1p "$work/kept" | cut -f 3)
other=$(cut -f 1 "$work/kept" | grep -v "$one" | head -n 1)
run triage why "$one" "$other" --db "$db"
expect "two hangs are apart" "1 1 1" "$code $(head -n 1 "$work/out" | grep -c 'are apart$') $(grep -c '^  shader  *differs$' "$work/out")"
expect "by what differs first" 1 "$(grep -c '^  because  *shader differs: only an edit can merge the two signatures$' "$work/out")"
all_of_other=$(grep -c "^$other" "$work/kept") all_of_one=$(grep -c "^$one" "$work/kept")
run triage merge "$one" "$other" --db "$db"
expect "what moved is one whole group" 1 "$(grep -cE "; ($all_of_other|$all_of_one) dumps moved:$" "$work/out")"
expect "merged" "0 2" "$code $(groups)"
expect "under the name that came first" "$(printf '%s\n%s\n' "$one" "$other" | sort | head -n 1)" \
    "$(grep -F "$file" "$work/groups" | cut -f 1)"
run triage why "$one" "$other" --db "$db"
expect "and why" "0 1 1" "$code $(head -n 1 "$work/out" | grep -c 'are together$') $(grep -c 'merged by hand (confidence 100 of 100)' "$work/out")"
expect "the merge that decides" 1 "$(grep -c "^  because  *merged by hand: v2-[0-9a-f]* and v2-[0-9a-f]*, confidence 100 of 100" "$work/out")"
run triage why "$one" "$other" --db "$db" --output json
expect "for programs" "0 1" "$code $(grep -c '^{"version":1,"together":true,"rule":"merged","because":"[^"]*","merge":{"a":"v2-[0-9a-f]*","b":"v2-[0-9a-f]*","reason":"merged by hand","confidence":100},"a":{"signature":"v2-' "$work/out")"
run triage why "$file" --db "$db"
expect "a dump alone, with the one that its group is called after" "0" "$code"
run triage why "$other" "$file" --db "$db"
expect "an old name finds the group, and so does a dump" "0" "$code"
ln -s "$dumps" "$work/elsewhere"
code=$(cd "$work/elsewhere" && "$program" triage why "$other" "./$(basename "$file")" --db "$db" >"$work/out" 2>"$work/err" || echo $?)
expect "by any path that is this file" "" "$code"
run triage name "$other" 'Nights in <b>white</b>' --db "$db"
run triage --db "$db" --output html
expect "a name, which is text" "0 1" "$(grep -c '<b>' "$work/out") $(grep -c 'Nights in \\u003cb>white' "$work/out")"
run triage undo --db "$db"
run triage undo --db "$db"
expect "undone" "3 yes" "$(groups) $(is_truth)"
# never merge beats merge, whichever comes first
echo 'never merge' >"$work/never"
cat "$work/rules" >>"$work/never"
for order in "never merge" "merge never"; do
    for edit in $order; do
        if [ $edit = never ]; then
            run triage regroup --db "$db" --rules "$work/never"
        else
            run triage merge "$one" "$other" --db "$db"
        fi
    done
    expect "$order" "$([ $edit = merge ] && echo 1 || echo 0) 3" "$code $(groups)"
    [ $edit = merge ] && expect "which has no effect, and isn't kept" 1 "$(grep -c "isn't kept: a rule says never merge" "$work/err")" || run triage undo --db "$db"
    run triage undo --db "$db"
done
first=$(cut -f 1 "$work/kept" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
run triage split "$first" --db "$db"
expect "split" "0 4" "$code $(groups)"
run triage split "$first" --db "$db"
expect "only once" "1 1" "$code $(grep -c "nothing moved, and the edit isn't kept: the group of A has only one signature" "$work/err")"
run triage merge "$first" "$one" --db "$db" --output json
expect "a later merge joins it, and a split takes this merge back" "0 3 4" "$code $(groups) $(run triage split "$first" --db "$db"; groups)"
run triage undo --db "$db"
run triage merge "$one" "$first" --db "$db" --output json
expect "what is one group isn't merged" "1 1 1" "$code $(grep -c '"dumps_moved":0,' "$work/out") $(grep -c "isn't kept: A and B are already in one group" "$work/err")"
run triage undo --db "$db"
expect "no edit without an effect is left" 4 "$(groups)"
run triage undo --db "$db"
expect "which is said" "1 3" "$(grep -c "^undone: split $first" "$work/out") $(groups)"
for signature in v2-0000000000000000 "$work/nothing" "'; drop table dump; --"; do
    refused "no such group: $signature" "no such signature, group or dump" triage merge "$one" "$signature" --db "$db"
done
refused "nothing to undo" "nothing to undo" triage undo --db "$work/empty.db"

# ---- few dumps teach nothing: the golden dumps are unlike each other ----
golden=$here/../golden/dumps
run triage "$golden" --db "$work/golden.db" --output json
expect "unlike dumps are groups of their own" 1 "$(grep -c '"with_signature":14,.*"group_count":14,' "$work/out")"
why() {
    run triage why "$golden/$1.annotdmp" "$golden/$2.annotdmp" --db "$work/golden.db"
    expect "$1 and $2 are apart" "1 1" "$code $(grep -c "^  because  *$3" "$work/out")"
}
why hang_between_two_lists_of_one_submission hang_without_any_marker "the places differ"
why demo_frame hang_inside_a_nested_scope "the applications differ"
why hang_inside_a_nested_scope page_fault_inside_a_scope "error differs"
why hang_without_any_marker damaged_section "B has no signature"
expect "which is damaged" 1 "$(grep -c 'this dump is damaged' "$work/out")"
run triage why "$golden/damaged_section.annotdmp" --db "$work/golden.db"
expect "a damaged dump alone" "1 1" "$code $(head -n 1 "$work/out" | grep -c 'is in no group$')"
run triage why "$golden/demo_frame.annotdmp" "$golden/damaged_section.annotdmp" --db "$work/golden.db" --output json
expect "for programs" 1 "$(grep -c '"together":false,"rule":"no signature",.*"b":{"signature":null,"group":null,.*"status":"damaged"' "$work/out")"
refused "nothing to merge" "has no signature" triage merge "$golden/demo_frame.annotdmp" "$golden/damaged_section.annotdmp" --db "$work/golden.db"

# ---- learned merges are the same in every order, and never against a shader ----
mkdir "$work/engines"
"$measure" --scene "$here/../fleet/engines.scene" --runs 6 --keep "$work/engines" >/dev/null 2>&1
run triage "$work/engines" --db "$work/a.db" --output files
cut -f 2- "$work/out" | sort >"$work/sure"
cut -f 1,3 "$work/out" | sort >"$work/first"
find "$work/engines" -name '*.annotdmp' | sort -r | xargs "$annot" triage --db "$work/b.db" --jobs 3 --output files | cut -f 1,3 | sort >"$work/second"
expect "one partition" same "$(cmp -s "$work/first" "$work/second" && echo same)"
find "$work/engines" -name '*.annotdmp' | sort >"$work/paths"
for order in 2 3 4 5 6 7 8 9 10; do # with the one above ten
    awk -v seed=$order 'BEGIN { srand(seed) } { print rand() "\t" $0 }' "$work/paths" | sort -g | cut -f 2 | xargs "$annot" triage --output files |
        cut -f 1,3 | sort >"$work/second"
    expect "one partition in order $order" same "$(cmp -s "$work/first" "$work/second" && echo same)"
done
half=$(find "$work/engines" -name '*[02468].annotdmp' | wc -l | tr -d ' ')
find "$work/engines" -name '*[02468].annotdmp' | xargs "$annot" triage --db "$work/c.db" --output text >/dev/null
run triage "$work/engines" --db "$work/c.db" --output files
cut -f 1 "$work/out" | sort | uniq -c | awk '{ print $1 }' | sort >"$work/sizes-c"
cut -f 1 "$work/first" | sort | uniq -c | awk '{ print $1 }' | sort >"$work/sizes-a"
expect "in two steps as well ($half first)" same "$(cmp -s "$work/sizes-a" "$work/sizes-c" && echo same)"
"$annot" triage --db "$work/a.db" --output files >"$work/groups"
dumps=$work/engines
"$measure" --truth "$dumps/truth.tsv" --groups "$work/groups" --max-shared 0 --max-buckets 1.35 >"$work/table"
expect "shaders known: one group for nearly each fault, no strangers" 0 $?
if command -v sqlite3 >/dev/null; then
    expect "every merge has a reason" 0 "$(sqlite3 "$work/a.db" "select count(*) from edge where reason is null or confidence is null")"
    expect "and joins what is one group" 0 "$(sqlite3 "$work/a.db" "select count(*) from edge e join member x on x.signature=e.a join member y on y.signature=e.b where x.hang<>y.hang")"
fi

# ---- faults next to each other are never one group, with shaders and by names alone [ANN-GRP-01, ANN-GRP-04] ----
mkdir "$work/neighbours"
"$measure" --scene "$here/../fleet/neighbours.scene" --runs 20 --keep "$work/neighbours" >/dev/null 2>&1
run triage "$work/neighbours" --db "$work/n.db" --output text
echo 'ignore shader' >"$work/names"
echo '# none' >"$work/none-at-all"
for rules in names none-at-all; do
    run triage regroup --db "$work/n.db" --rules "$work/$rules"
    "$annot" triage --db "$work/n.db" --output files >"$work/groups"
    "$measure" --truth "$work/neighbours/truth.tsv" --groups "$work/groups" --max-shared 0 >"$work/table"
    expect "faults next to each other, rules $rules" 0 $?
done

# ---- one shader for all passes tells nothing [ANN-GRP-01] ----
mkdir "$work/oneshader"
"$measure" --scene "$here/../fleet/oneshader.scene" --runs 30 --keep "$work/oneshader" >/dev/null 2>&1
"$annot" triage "$work/oneshader" --output files >"$work/groups"
"$measure" --truth "$work/oneshader/truth.tsv" --groups "$work/groups" --max-shared 0 >"$work/table"
expect "one shader for many passes" 0 $?

# ---- a place that two settings name: dumps of one folder don't separate what dumps of many folders join ----
cat >"$work/settings.scene" <<'SCENE'
program settings
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "{player:Bloom|Glow}"
      scope "Blur"
        dispatch "blur" hang=blur
SCENE
sed 's/{player:Bloom|Glow}/Bloom/; s/ hang=blur//' "$work/settings.scene" >"$work/both.scene"
sed '1,/Frame/d; s/{player:Bloom|Glow}/Glow/; s/=blur/=glow/' "$work/settings.scene" >>"$work/both.scene"
for set in settings both; do
    mkdir "$work/$set"
    "$measure" --scene "$work/$set.scene" --runs 9 --keep "$work/$set" >/dev/null 2>&1
done
# of FOLDER: how many groups its dumps are
of() { "$annot" triage "$1" --output files | cut -f 1 | sort -u | wc -l | tr -d ' '; }
for i in 0 1 2 3 4 5 6 7 8; do
    mkdir -p "$work/many/player$i" "$work/one/settings"
    cp "$work/settings/blur-0000$i.annotdmp" "$work/many/player$i"
done
cp "$work"/settings/*.annotdmp "$work/one/settings"
expect "a place with two names is one" "1 1" "$(of "$work/many") $(of "$work/one")"
mkdir "$work/many/hostile"
cp "$work"/both/*.annotdmp "$work/many/hostile"
cp "$work"/both/*.annotdmp "$work/one/settings"
expect "until a dump has both, and its folder is not alone to say so" "1 2" "$(of "$work/many") $(of "$work/one")"

# ---- what a signature can't tell apart is weak [ANN-GRP-01] ----
# sort_scene NAME TITLE EXPECTED [RUNS]: the scene is read from standard input; EXPECTED is the certainties of its dumps, and how many groups
sort_scene() {
    cat >"$work/$1.scene"
    mkdir "$work/$1"
    "$measure" --scene "$work/$1.scene" --runs "${4:-12}" --keep "$work/$1" >/dev/null 2>&1
    "$annot" triage "$work/$1" --output files >"$work/groups"
    expect "$2" "$3" "$(cut -f 2 "$work/groups" | sort -u | tr '\n' ' ')$(cut -f 1 "$work/groups" | sort -u | wc -l | tr -d ' ')"
}
sort_scene letters "two letters are two places, as far as nothing says otherwise" "weak 1" <<'SCENE'
program letters
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Blur X"
      dispatch "blur" hang=x
    scope "Blur Y"
      dispatch "blur" hang=y
SCENE
sort_scene told "shaders tell two letters apart" "sure 2" <<'SCENE'
program told
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Blur X"
      dispatch "blurx" hang=x
    scope "Blur Y"
      dispatch "blury" hang=y
SCENE
sort_scene loop "a loop that runs 1 to 6 times is one place" "sure 1" <<'SCENE'
program loop
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    repeat 1-6
      scope "Light {i}"
        dispatch "light" hang=light
SCENE
sort_scene marks "two markers in one scope are two places" "weak 1" <<'SCENE'
program marks
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Post"
      marker "down"
      dispatch "bloom" hang=down
      marker "up"
      dispatch "bloom" hang=up
SCENE
sort_scene operations "two operations of a scope are two places, whatever scopes are between them" "weak 1" <<'SCENE'
program operations
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Fog"
      dispatch "fog" hang=first
      repeat 0-3
        scope "Part {i}"
          dispatch "fog"
      dispatch "fog" hang=second
SCENE
sed 's/ hang=first//' "$work/operations.scene" >"$work/text"
sort_scene single "one operation of two is one place" "sure 1" 24 <"$work/text"
sed 's/dispatch "fog" hang=.*/draw "fog" hang=fog/; s/0-3/1-6/; s/scope "Part.*/draw "fog" hang=fog/; /dispatch/d' "$work/operations.scene" >"$work/text"
sort_scene draws "a loop that draws 3 to 8 times is one place" "sure 1" <"$work/text"
sort_scene passes "what is in two numbered passes is two places" "weak 1" <<'SCENE'
program passes
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Pass 1"
      scope "Ground"
        draw "uber"
      scope "Unit"
        scope "Mesh"
          draw "uber" hang=first
    scope "Pass 2"
      scope "Unit"
        scope "Mesh"
          draw "uber" hang=second
      scope "Bars"
        draw "uber"
    maybe 50
      scope "Pass 3"
        scope "Ground"
          draw "uber"
SCENE
sed 's/Bars/Ground/' "$work/passes.scene" >"$work/text"
sort_scene alike "unless the passes are alike, as in a loop" "sure 1" <"$work/text"
sort_scene shuffled "two passes that come together, in either order, are no loop" "sure 3" <<'SCENE'
program shuffled
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "Sky"
      dispatch "sky" hang=sky
    maybe 50
      scope "Fog"
        copy
    maybe 50
      scope "Rain"
        copy
    maybe 50
      scope "Snow"
        copy
    maybe 20
      shuffle
        scope "pass refl"
          dispatch "classify" hang=refl
        scope "pass gi"
          dispatch "classify" hang=gi
SCENE
# ---- why names the rule without which the answer is another one ----
# ruled SCENE A B RULES ANSWER: the exit code, the rule in JSON, and the reason
ruled() {
    printf "$4" >"$work/deciding"
    run triage "$work/$1" --db "$work/$1.db" --output text
    run triage regroup --db "$work/$1.db" --rules "$work/deciding"
    run triage why "$work/$1/$2.annotdmp" "$work/$1/$3.annotdmp" --db "$work/$1.db" --output json
    expect "$1: why under $4" "$5" "$code $(sed 's/^{"version":1,"together":[a-z]*,"rule":"\([^"]*\)","because":"\([^"]*\)".*/\1, \2/; s/:[^:]* and v2.*//' "$work/out")"
}
grep -l Glow "$work"/settings/*.annotdmp >"$work/glow"
glow=$(basename "$(head -n 1 "$work/glow")" .annotdmp) bloom=$(basename "$(grep -L Glow "$work"/settings/*.annotdmp | head -n 1)" .annotdmp)
ruled settings "$glow" "$bloom" '# none\n' "0 merged, the same shader and innermost scope"
ruled settings "$glow" "$bloom" 'title * = x\nsame None = N\n' "0 merged, the same shader and innermost scope"
ruled settings "$glow" "$bloom" 'application sett*\n never merge *lur\r\ntitle x = y' "1 rule, this rule separates A and B: never merge *lur"
ruled settings "$glow" "$bloom" 'never merge Sky\nsame Glow = Bloom\n' "0 rule, this rule joins A and B: same Glow = Bloom"
ruled settings "$glow" "$bloom" 'split by place' "1 rule, this rule separates A and B: split by place"
ruled told x-00000 y-00000 'fold ~*~\nnever merge\n' "1 shader, shader differs: only an edit can merge the two signatures"
ruled told x-00000 y-00000 '# a\n\napplication told\nignore shader\napplication x\nsame A = B' "0 rule, this rule joins A and B: ignore shader"
run triage "$work/letters" --db "$work/letters.db" --output text
signature=$("$annot" triage --db "$work/letters.db" --output files | cut -f 1 | head -n 1)
run triage why "$signature" --db "$work/letters.db"
expect "and why says it" 1 "$(grep -c "$signature may have different hangs: the scope stands for several places" "$work/out")"

run triage "$work/operations" --db "$work/operations.db" --output text
signature=$("$annot" triage --db "$work/operations.db" --output files | cut -f 1 | head -n 1)
run triage why "$signature" --db "$work/operations.db"
expect "and of operations" 1 "$(grep -c "$signature may have different hangs: the hangs are at different operations of the scope" "$work/out")"

# ---- one merge has one confidence, also if the group may have different hangs ----
cat >"$work/merged.scene" <<'SCENE'
program merged
queue graphics direct "gfx"

list graphics "frame"
  scope "Frame {frame}"
    scope "{player:Bloom|Glow}"
      scope "Post"
        marker "down"
        dispatch "bloom" hang=down
        marker "up"
        dispatch "bloom" hang=up
SCENE
mkdir "$work/merged"
"$measure" --scene "$work/merged.scene" --runs 12 --keep "$work/merged" >/dev/null 2>&1
run triage "$work/merged" --db "$work/merged.db" --output json
expect "members have the confidence of the merge" 2 "$(grep -o '"quality":"weak","dumps":[0-9]*,"dump":"[^"]*","reason":"the same place[^"]*","confidence":90,"probably' "$work/out" | wc -l | tr -d ' ')"
run export --db "$work/merged.db" --output ndjson
expect "and so do exported dumps" 22 "$(grep -c '"certainty":"weak","confidence":90,' "$work/out")"
run triage why "$work/merged/down-00000.annotdmp" "$work/merged/down-00001.annotdmp" --db "$work/merged.db"
expect "as why says" 1 "$(grep -c '^  v2-.*(confidence 90 of 100)$' "$work/out")"

# ---- the dumps of one folder don't join names that many folders send: passes in any order, or names of one template ----
{
    printf 'program game\nqueue gfx direct "gfx"\n\nlist gfx "frame"\n  scope "Frame {frame}"\n    one level\n'
    printf 'Shadow pass,Water pass,Smoke pass,Harbour,Desert,Glacier,Forest,Canyon,Swamp,Tundra,Reef,Savanna,Tower,Mine,Volcano' | tr ',' '\n' |
        awk '{ print "      scope \"" $0 "\"\n        draw \"uber\" hang=f" NR }'
} >"$work/rare.scene"
sed 's/one level/repeat 20-30/; s/hang=.*/hang=x/; s/Shadow/{word}/; /Water/,$d' "$work/rare.scene" >"$work/template.scene"
sed 's/one level/shuffle/; s/hang=f[23]//; s/hang=.*/hang=x/; /Harbour/,$d' "$work/rare.scene" >"$work/order.scene"
mkdir "$work/rare" "$work/players"
"$measure" --scene "$work/rare.scene" --runs 3 --keep "$work/rare" >/dev/null 2>&1
for dump in "$work"/rare/*.annotdmp; do
    folder=$work/players/$(basename "$dump" .annotdmp)
    mkdir "$folder"
    cp "$dump" "$folder"
done
for attack in template order; do
    mkdir "$work/$attack"
    "$measure" --scene "$work/$attack.scene" --runs 9 --keep "$work/$attack" >/dev/null 2>&1
    run triage "$work/players" "$work/$attack" --db "$work/$attack.db" --output text
    run triage regroup --db "$work/$attack.db" --rules "$work/names"
    "$annot" triage --db "$work/$attack.db" --output files >"$work/groups"
    sed -n 's#.*\t\(.*/players/\(f[123]\)-.*\)#\2\t\1#p' "$work/groups" >"$work/truth"
    "$measure" --truth "$work/truth" --groups "$work/groups" --max-shared 0 >"$work/table"
    expect "three passes of many folders, beside one folder's $attack" "0 9" "$? $(wc -l <"$work/truth" | tr -d ' ')"
done

# ---- programs that share a name are no alternatives of each other ----
if command -v sqlite3 >/dev/null; then
    cp "$work/a.db" "$work/one-name.db"
    sqlite3 "$work/one-name.db" "update identity set application='game.exe'; update dump set application='game.exe';
        create temp table kept as select sender, hash, nodes from shape; delete from shape;
        insert or ignore into shape select 'game.exe', sender, hash, nodes from kept"
    echo 'ignore shader' >"$work/names"
    run triage regroup --db "$work/one-name.db" --rules "$work/names"
    "$annot" triage --db "$work/one-name.db" --output files >"$work/groups"
    "$measure" --truth "$dumps/truth.tsv" --groups "$work/groups" --max-shared 10 >"$work/table"
    expect "names alone keep programs of one name apart" 0 $?
fi

# ---- one place in all outputs ----
for dump in $(find "$work/engines" -name '*-0000[05].annotdmp' | sort | awk 'NR % 4 == 1'); do
    place=$("$annot" export "$dump" --output ndjson | grep -oE '"path":"([^"\\]|\\.)*"' | cut -d : -f 2-)
    [ -n "$place" ] || continue # nothing was in progress
    "$annot" show --output json "$dump" >"$work/out"
    expect "the place of $(basename "$dump")" yes "$(grep -qF "\"in_progress\":[" "$work/out" && grep -qF "\"text\":$place,\"path\":[" "$work/out" && echo yes)"
done

# ---- two shaders in one scope have one title, and their rows tell them apart ----
run triage --db "$work/a.db" --output text --top 1000
expect "every group names its shader, versions, drivers and GPUs" "$(sed -n '1s/.* in \([0-9]*\) groups.*/\1/p' "$work/out")" "$(grep -cE '^ {10}.*with [^|]*(cs|vs|ps) [0-9a-f]{16}.* \| version 1\.[^|]* \| driver [^|]* \| GPU ' "$work/out")"

# ---- filters ----
count() { grep -o '"with_signature":[0-9]*' "$work/out" | cut -d: -f2; }
run triage --db "$work/a.db" --output json
all=$(count)
run triage --db "$work/a.db" --output json --application godot --driver 'ref*'
some=$(count)
expect "by application and driver" yes "$([ "$some" -gt 0 ] && [ "$some" -lt "$all" ] && echo yes)"
run export "$work/engines" --output ndjson --application godot --driver 'ref*'
expect "as export" "$some" "$(grep -c '"signature":"' "$work/out")"
run export --db "$work/a.db" --output ndjson # [ANN-GRP-05]
sed -n 's/.*"file":"\([^"]*\)".*"group":"\([^"]*\)".*/\2\t\1/p' "$work/out" | sort >"$work/exported"
"$annot" triage --db "$work/a.db" --output files | cut -f 1,3 | sort >"$work/groups"
expect "exports have the groups of triage" same "$(cmp -s "$work/groups" "$work/exported" && echo same)"
run triage name "$work/engines/opaque_lit-00000.annotdmp" 'Lit things' --db "$work/a.db"
run export --db "$work/a.db" --output ndjson
expect "and their names" "$(grep -c "^$(grep 'opaque_lit-00000' "$work/groups" | cut -f 1)" "$work/groups")" "$(grep -c '"group_title":"Lit things","certainty":"sure","confidence":[0-9]*,"app":{' "$work/out")"
expect "facts end before the line does" "yes 0" "$(grep -q '"app":{"[^}]*"' "$work/out" && echo yes) $(grep -c '"app":{[^}]*\\n' "$work/out")"
run triage undo --db "$work/a.db"
run export --db "$work/none.db" --output ndjson
expect "no database" "2 1" "$code $(grep -c 'annot export: .*the database does not exist' "$work/err")"
run triage --db "$work/a.db" --output json --fact 'version=1.0.*'
expect "by a fact" "yes" "$([ "$(count)" -gt 0 ] && [ "$(count)" -lt "$all" ] && echo yes)"
run triage --db "$work/a.db" --output json --fact 'nosuch=*'
expect "by a fact that no dump has" 0 "$(count)"
run triage --db "$work/a.db" --output json --version 1.0.3
old=$(count)
run triage --db "$work/a.db" --output json --version '1.1.?'
expect "by version" "$all" "$((old + $(count)))"
run triage --db "$work/a.db" --output json --version nothing
expect "by what nothing is" 0 "$(count)"
refused "a fact without a value" "needs KEY=GLOB" triage --db "$work/a.db" --fact version
refused "a time that is none" "YYYY-MM-DD" triage --db "$work/a.db" --since yesterday
refused "a day that is none" "YYYY-MM-DD" triage --db "$work/a.db" --until 2026-13-01
maker=$(dirname "$annot")/fleet-dump
if [ -x "$maker" ]; then
    mkdir "$work/days"
    for day in 0 1 9; do # 2023-11-14, -15, -23
        "$maker" renamed shadows "$work/days/s$day.annotdmp" $day
    done
    for day in 8 9; do
        "$maker" renamed lighting "$work/days/l$day.annotdmp" $day
    done
    run triage "$work/days" --db "$work/days.db" --output json --since 2023-11-15
    expect "since" 4 "$(count)"
    run triage --db "$work/days.db" --output json --since 2023-11-15 --until '2023-11-23 00:00'
    expect "until" 2 "$(count)"
    run triage --db "$work/days.db" --output json --new-in 1.2
    expect "new in a version" 5 "$(count)"
    run triage --db "$work/days.db" --output json --new-in 9
    expect "new in one that nobody saw" 0 "$(count)"
    if command -v sqlite3 >/dev/null; then
        sqlite3 "$work/days.db" "update dump set app_version='1.1', time=0 where file like '%/s0.annotdmp'"
        run triage --db "$work/days.db" --output json --new-in 1.2
        expect "not new where another version has no date" 0 "$(count)"
    fi
fi

# ---- Windows' own dump files: by their content, whatever they are called ----
mkdir "$work/windows" "$work/windows/empty"
base=$(find "$work/engines" -name 'deferred_light_freed-00000.annotdmp')
"$annot" convert "$base" -o "$work/whole.dxdmp"
LC_ALL=C sed 's/ANNOTDMP/NOTADUMP/' "$work/whole.dxdmp" >"$work/windows/crash.bin" # without the annotation dump inside
run signature --output json "$work/windows/crash.bin"
expect "an error, an operation, a place and memory" "0 1 1 1 1" "$code $(grep -c '"error":{"hash":"[0-9a-f]*","text":"page fault"}' "$work/out"
    ) $(grep -c '"operation":{"hash":"[0-9a-f]*","text":"DrawInstanced"}' "$work/out"
    ) $(grep -c '"text":"[^"]*StandardDeferredLighting"' "$work/out") $(grep -c '"text":"freed: ShadowMaskTexture"' "$work/out")"
expect "the one inside is the dump" "$("$annot" signature "$base" | cut -c 1-19)" "$("$annot" signature "$work/whole.dxdmp" | cut -c 1-19)"
expect "from standard input" "$("$annot" signature "$work/windows/crash.bin" | cut -c 1-19)" "$("$annot" signature - <"$work/windows/crash.bin" | cut -c 1-19)"
cp "$base" "$work/windows/other"
run triage "$work/windows" --output json
expect "triage" "0 2" "$code $(count)"
run export "$work/windows" --output ndjson
expect "export" "0 2" "$code $(wc -l <"$work/out" | tr -d ' ')"
run html "$work/windows/crash.bin" -o "$work/windows.html"
expect "html" "0 yes" "$code $(grep -q StandardDeferredLighting "$work/windows.html" || [ -s "$work/windows.html" ] && echo yes)"
run diff "$base" "$work/windows/crash.bin"
expect "diff" 1 "$code"
run redact "$work/windows/crash.bin" -o "$work/redacted"
expect "redact" "0 0" "$code $("$annot" show --all "$work/redacted" | grep -c StandardDeferredLighting)"
run timeline "$work/windows/crash.bin"
expect "timeline" 0 "$code"
refused "a folder without a dump" "no dumps" triage "$work/windows/empty"
head -c 3000 "$work/windows/crash.bin" >"$work/cut.dxdmp"
run triage "$work/cut.dxdmp" --output text
expect "a cut one" "1 1" "$code $(grep -c 'Damaged: 1\.' "$work/out")"

# ---- rules and databases that are not to be trusted ----
bad_rules() {
    printf '%b' "$2" >"$work/bad"
    refused "$1" "$3" triage regroup --db "$db" --rules "$work/bad"
}
bad_rules "no such rule" 'same A = B\nfrobnicate\n' 'bad:2: frobnicate: unknown rule; the forms are: application GLOB, fold A*B, same GLOB = NAME,'
bad_rules "no such part" '\357\273\277same A = B\nsplit by colour\n' 'bad:2: split by colour: unknown rule'
bad_rules "half a rule" 'same A=B\n' 'bad:1: same A=B: unknown rule'
bad_rules "an escape" 'x\033[31m\n' 'unknown rule'
expect "which is not printed" 0 "$(grep -c "$(printf '\033')" "$work/err")"
bad_rules "bytes that are no text" 'a\0b' 'text'
head -c 70000 /dev/zero | tr '\0' '#' >"$work/long"
refused "too long" "at most" triage regroup --db "$db" --rules "$work/long"
mkfifo "$work/fifo"
refused "a pipe that nobody writes to" "at most" triage regroup --db "$db" --rules "$work/fifo"
refused "no such file" "none" triage regroup --db "$db" --rules "$work/none"
bad_rules "a fold without an end" 'fold ~*\n' 'bad:1: fold ~*: unknown rule'
bad_rules "a fold without a star" 'fold ~~\n' 'bad:1: fold ~~: unknown rule'
expect "rules that were refused change nothing" "3 yes" "$(groups) $(dumps=$work/dumps; is_truth)"
if command -v sqlite3 >/dev/null; then
    for change in "create trigger t after insert on edit begin delete from dump; end" "create view v as select 1" \
        "alter table member add column more text" "drop table edge" "create index more on dump(time)"; do
        cp "$db" "$work/changed.db"
        sqlite3 "$work/changed.db" "$change"
        refused "a database with: $change" "not a database of this version" triage regroup --db "$work/changed.db"
    done
    cp "$db" "$work/odd.db"
    sqlite3 "$work/odd.db" "update shape set nodes=randomblob(length(nodes)); insert into shape values('scattered', 1, 1, randomblob(77777));
        update name set text=char(27)||'[2J'||text; update identity set title=char(27)||'[2J', names=replace(hex(zeroblob(9000)),'0','x');
        update dump set title='<script>alert(1)</script>'||char(27); insert into founder values(99, char(27));
        insert into edit(kind, a, b, words) values('merge', char(27), '', ''), ('name', '$one', null, char(27)||'[2J'), ('what', null, null, null)"
    for form in text json html files; do
        run triage --db "$work/odd.db" --output $form
        expect "an odd database as $form" "0 0" "$(grep -c "$(printf '\033')" "$work/out" "$work/err" | grep -vc ':0$') $(grep -c '<script>alert' "$work/out" | head -n 1)"
    done
    sqlite3 "$work/odd.db" "insert into edit(kind, words) values('rules', 'frobnicate'||char(27))"
    refused "a database's rules" "unknown rule" triage --db "$work/odd.db"
fi

# bytes that somebody changed, in heads of pages and anywhere
size=$(wc -c <"$work/a.db" | tr -d ' ')
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    cp "$work/a.db" "$work/mutated.db"
    for at in $(awk -v seed=$seed -v size="$size" 'BEGIN { srand(seed); for (i = 0; i < 4; i++) print i % 2 ? int(rand() * size) : 4096 * int(rand() * size / 4096) + int(rand() * 16) }'); do
        printf '\377' | dd of="$work/mutated.db" bs=1 seek="$at" conv=notrunc 2>/dev/null
    done
    run triage --db "$work/mutated.db" --output text
    expect "changed bytes $seed: refused or shown" "yes 0" "$([ $code -le 2 ] && echo yes) $(grep -c "$(printf '\033')" "$work/err")"
done

for form in regroup merge split name why undo; do
    run triage $form --help
    expect "triage $form --help" "0 1" "$code $(grep -c "annot triage $form" "$work/out")"
    refused "triage $form of nothing" "is missing; usage: annot triage $form" triage $form
    arguments=
    case $form in merge | why) arguments="$one $other" ;; split) arguments=$one ;; name) arguments="$one x" ;; esac
    # shellcheck disable=SC2086 # words
    refused "triage $form of a database that is not there" "the database does not exist" triage $form $arguments --db "$work/typo.db"
    refused "triage $form: one too many" "unexpected argument" triage $form $arguments more --db "$db"
done
refused "a report of a database that is not there" "the database does not exist" triage --db "$work/typo.db"
expect "none is made" no "$([ -e "$work/typo.db" ] || echo no)"
refused "rules are of regroup" "--rules" triage undo --db "$db" --rules "$work/rules"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
