#!/bin/sh
# What the dumps of one folder do to groups of others: three honest groups of 30 dumps, and 1 to 600 hostile dumps of the same application
# in one folder. Prints for each attack and number of hostile dumps how many of the 90, of which 9 are damaged, are surely in a group with
# another fault: with shaders, and by names alone.
# usage: steering.sh BIN_DIR [NUMBERS [FOLDERS]]       NUMBERS of hostile dumps, FOLDERS of honest dumps (default: 90)
set -u
[ $# -ge 1 ] || { echo "usage: steering.sh BIN_DIR [NUMBERS [FOLDERS]]" >&2; exit 2; }
bin=$1 numbers=${2:-"1 10 60 600"} folders=${3:-90}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# scene NAME: a program with the frame of standard input
scene() {
    { printf 'program game\nqueue gfx direct "gfx"\n\nlist gfx "frame"\n  scope "Frame {frame}"\n'; sed 's/^/    /'; } >"$work/$1.scene"
}
# play NAME RUNS: its dumps are in $work/NAME
play() {
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    "$bin/fleet-measure" --scene "$work/$1.scene" --runs "$2" --keep "$work/$1" >/dev/null 2>&1
}

# beside: three passes in every frame. rare: one pass of 15; three of them have a word in common.
passes='Shadow pass,Water pass,Smoke pass'
all() { echo "$1" | tr ',' '\n'; }
all "$passes" | sed 's/.*/scope "&"\n  draw "uber" hang=&/; s/\(hang=[A-Za-z]*\) pass/\1/' | scene beside
{ echo 'one level'; all "$passes,Harbour,Desert,Glacier,Forest,Canyon,Swamp,Tundra,Volcano,Reef,Savanna,Tower,Mine" |
    sed 's/.*/  scope "&"\n    draw "uber" hang=&/; s/\(hang=[A-Za-z]*\) pass/\1/'; } | scene rare
# The attacks: passes in any order, names of one template, contents that are the same, and frames without the passes.
{ echo shuffle; all "$passes" | sed 's/.*/  scope "&"\n    draw "uber" hang=x/'; } | scene order
printf 'repeat 20-30\n  scope "{word} pass"\n    draw "uber" hang=x\n' | scene template
{ echo any; all "$passes" | while read -r pass; do
    printf '  scope "%s"\n    draw "uber" hang=x\n' "$pass"
    for letter in a b c d e f g h i j k l m n o p q r s t; do printf '    scope "same %s"\n      draw "uber"\n' $letter; done
done; } | scene contents
printf 'scope "Menu"\n  draw "uber" hang=x\n' | scene without

# judge RULES: of the dumps in $work/truth, those that are surely in a group with another fault
judge() {
    echo "$1" >"$work/rules"
    rm -f "$work"/db*
    "$bin/annot" triage "$work/honest" "$work/one" --db "$work/db" --output files >/dev/null 2>&1
    "$bin/annot" triage regroup --db "$work/db" --rules "$work/rules" >/dev/null 2>&1
    "$bin/annot" triage --db "$work/db" --output files >"$work/groups" 2>/dev/null
    "$bin/fleet-measure" --truth "$work/truth" --groups "$work/groups" |
        awk '/dumps with a signature/ { n = $3 } /^in the largest/ { print int(n * $16 / 100 + 0.5) }'
}

echo "| game | attack |$(for n in $numbers; do printf ' %s |' "$n"; done)"
echo "|---|---|$(for n in $numbers; do printf -- '---|'; done)"
for game in beside rare; do
    play $game 30
    rm -rf "$work/honest"
    n=0
    cut -f 2 "$work/$game/truth.tsv" | while read -r dump; do
        mkdir -p "$work/honest/player$((n % folders))"
        mv "$dump" "$work/honest/player$((n % folders))"
        n=$((n + 1))
    done
    find "$work/honest" -name 'S*w-*.annotdmp' -o -name 'Water-*' -o -name 'Smoke-*' | sed 's#.*/\(.*\)-[0-9]*.annotdmp$#\1\t&#' >"$work/truth"
    for attack in none order template contents without; do
        printf '| %s | %s |' $game $attack
        for n in $numbers; do
            rm -rf "$work/one"
            mkdir "$work/one"
            if [ $attack = none ]; then
                cp "$(head -n 1 "$work/truth" | cut -f 2)" "$work/one"
            else
                play $attack "$n"
                mv "$work/$attack"/*.annotdmp "$work/one"
            fi
            printf ' %s, %s |' "$(judge '')" "$(judge 'ignore shader')"
        done
        echo
    done
done
