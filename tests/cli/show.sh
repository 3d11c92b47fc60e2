#!/bin/sh
# `annot show` as a command: outputs, exit codes, colour, streams.
# usage: show.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: show.sh path/to/annot" >&2; exit 2; }
annot=$1
hang=$(dirname "$annot")/hang
[ -x "$hang" ] || { echo "show.sh: no $hang: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
dump=$work/crash.annotdmp
failed=0 passed=0
unset NO_COLOR COLORTERM

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

lines() { wc -l <"$1" | tr -d ' '; }
escapes() { grep -c "$(printf '\033')" "$work/out"; }

"$hang" --seed 1 --out "$dump" >/dev/null || { echo "hang failed"; exit 1; }

# ---- outputs ----
run show --output text "$dump"
expect "a whole dump" 0 "$code"
expect "text says what hung" 1 "$(grep -cxF '  Frame 7 / Shadow pass / Cascade 2' "$work/out")"
expect "no colour when redirected" 0 "$(escapes)"
expect "nothing on stderr" 0 "$(lines "$work/err")"
run show "$dump"
expect "text, wherever it goes" "gpu hang" "$(head -c 8 "$work/out" | tr A-Z a-z)"
run show --output json "$dump"
expect "JSON for programs" '{' "$(head -c 1 "$work/out")"
run show --output markdown "$dump"
expect "Markdown has our headings, and all else is code" "0 1 0" \
    "$code $(grep -cx '## FACTS' "$work/out") $(grep -cvE '^($|    |## [A-Z])' "$work/out")"
run show --max-lines 3 "$dump"
expect "as many lines as are wanted, and one that says so" "0 4 1" \
    "$code $(lines "$work/out") $(grep -cx '\.\.\. more lines are cut' "$work/out")"
run show --max-lines 3 --output json "$dump"
expect "JSON is not cut" "2 0" "$code $(lines "$work/out")"
run show --limit 1 --full --output json "$dump"
expect "a limit of markers" "0 1" "$code $(grep -c '"cut":true' "$work/out")"
run show --out "$work/report" "$dump"
expect "a report in a file" "0 0 gpu hang" "$code $(lines "$work/out") $(head -c 8 "$work/report" | tr A-Z a-z)"
run show --out "$work/report" "$dump"
expect "a file is not replaced" "2" "$code"
run show --output text --all "$dump"
expect "--all folds nothing" 0 "$(grep -c 'more finished' "$work/out")"

# ---- a dump without a command, and unknown words ----
"$annot" "$dump" >"$work/out"
expect "annot FILE is annot show FILE" "0 gpu hang" "$? $(head -c 8 "$work/out" | tr A-Z a-z)"
"$annot" "$work/none.annotdmp" 2>"$work/err"
expect "a file that isn't there" "2 1" "$? $(grep -c 'none.annotdmp: No such file' "$work/err")"
"$annot" - <"$dump" >"$work/out"
expect "annot - is annot show -" "0 gpu hang" "$? $(head -c 8 "$work/out" | tr A-Z a-z)"
unknown() {
    title=$1
    shift
    "$annot" "$@" >"$work/out" 2>"$work/err" </dev/null
    expect "$title" "2 1" "$? $(grep -c "unknown .*try: annot .*--help" "$work/err")"
}
unknown "an unknown command" frobnicate "$dump"
unknown "a hostile word" "$(printf '\033[2J%0100d' 1)"
unknown "an unknown option" show --ouput text "$dump"
unknown "with its value" show --oputput=text "$dump"

# ---- from a pipe ----
"$annot" show --output json - <"$dump" >"$work/piped"
"$annot" show --output json "$dump" >"$work/named"
expect "- reads standard input" same "$(cmp -s "$work/piped" "$work/named" && echo same)"
echo nothing | "$annot" show - >"$work/out" 2>"$work/err"
expect "what is no dump is refused on a pipe, too" 2 $?

# ---- blobs ----
golden=$(dirname "$0")/../golden/dumps/page_fault_with_everything.annotdmp
run show "$golden" --blob 0 -o "$work/blob"
expect "a blob is written" "0 driver bytes" "$code $(cat "$work/blob")"
run show "$golden" --blob 1 -o "$work/blob"
expect "an existing file is not replaced" "2 driver bytes" "$code $(cat "$work/blob")"
run show "$golden" --blob 2 -o "$work/application"
expect "by its index" app "$(cat "$work/application")"
run show "$golden" --blob 3 -o "$work/none"
expect "no such blob" "2 1" "$code $(lines "$work/err")"
expect "and no file" no "$([ -e "$work/none" ] || echo no)"
run show "$golden" --blob 0
expect "--blob wants -o" 2 "$code"

# ---- colour ----
run show --output text --color always "$dump"
expect "colour on demand" yes "$([ "$(escapes)" -gt 0 ] && echo yes)"
export COLORTERM=truecolor
run show --output text --color always "$dump"
expect "markers in the application's colours" yes "$(grep -q '48;2;\|38;2;' "$work/out" && echo yes)"
export NO_COLOR=1
run show --output text --color auto "$dump"
expect "NO_COLOR" 0 "$(escapes)"
unset NO_COLOR COLORTERM

# ---- a terminal ----
# terminal COLUMNS ENVIRONMENT... -- ARGUMENTS...: on a terminal of that width, by util-linux's script.
terminal() {
    local columns=$1 environment=
    shift
    while [ "$1" != -- ]; do environment="$environment $1" && shift; done
    shift
    script -qec "stty cols $columns; env $environment '$annot' $*" /dev/null </dev/null | tr -d '\r' >"$work/out"
}
widest() { sed 's/'"$(printf '\033')"'\[[0-9;]*m//g' "$1" | LC_ALL=C.UTF-8 wc -L; }
if script -qec true /dev/null </dev/null >/dev/null 2>&1 && command -v stty >/dev/null; then
    terminal 72 TERM=xterm LC_ALL=C.UTF-8 -- show "'$dump'"
    expect "text on a terminal" 1 "$(grep -c 'WHAT HUNG' "$work/out")"
    expect "lines fit" yes "$([ "$(widest "$work/out")" -le 72 ] && echo yes)"
    expect "coloured" yes "$([ "$(escapes)" -gt 0 ] && echo yes)"
    expect "the tree is drawn" yes "$(grep -q '│ ' "$work/out" && echo yes)"
    expect "EventIDs of where it stopped only" 2 "$(grep -c 'EventID 0x' "$work/out")"
    terminal 120 TERM=xterm LC_ALL=C.UTF-8 -- show --ids "'$dump'"
    expect "wider on a wider one" yes "$([ "$(widest "$work/out")" -gt 72 ] && echo yes)"
    expect "--ids shows all" yes "$([ "$(grep -c '0x[0-9a-f]' "$work/out")" -gt 4 ] && echo yes)"
    terminal 80 TERM=dumb LC_ALL=C.UTF-8 -- show "'$dump'"
    expect "TERM=dumb: no colour, nothing drawn" "0 0" "$(escapes) $(grep -c '│' "$work/out")"
    terminal 80 TERM=xterm LC_ALL=C -- show "'$dump'"
    expect "no UTF-8: nothing drawn" "0" "$(grep -c '│' "$work/out")"
    terminal 80 TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1 -- show "'$dump'"
    expect "NO_COLOR on a terminal" "0" "$(escapes)"
else
    echo "no terminal to be had: what annot show does on one is not checked"
fi
run show --output text --width 60 --branches always "$dump"
expect "--width and --branches in a pipe" "yes yes" \
    "$([ "$(widest "$work/out")" -le 60 ] && echo yes) $(grep -q '│ ' "$work/out" && echo yes)"
expect "as wide as it says" yes "$([ "$(widest "$work/out")" -gt 54 ] && echo yes)"
run show --width x "$dump"
expect "--width wants a number" 2 "$code"
run show --branches maybe "$dump"
expect "--branches wants one of three" 2 "$code"

# ---- a writer that was stopped [ANN-SEC-02] ----
stopped=$work/stopped.annotdmp.00c0ffee.part
{ head -c 8 /dev/zero; tail -c +9 "$dump" | head -c 4000; } >"$stopped"
run show --output text "$stopped"
expect "an unfinished file is shown" 1 "$code"
expect "an unfinished file says so" yes "$(grep -q 'incomplete' "$work/out" && echo yes)"
run show "$work/stopped.annotdmp"
expect "no dump of that name" 2 "$code"
expect "the unfinished one is mentioned" yes "$(grep -q 'stopped.annotdmp.00c0ffee.part in the same folder' "$work/err" && echo yes)"
run show "$work/other.annotdmp"
expect "none is mentioned for another name" 1 "$(lines "$work/err")"
rm "$stopped"

# ---- damage: shown, and exit 1 ----
head -c 4000 "$dump" >"$work/cut"
run show --output text "$work/cut"
expect "a cut dump is shown" 1 "$code"
expect "with what is wrong" yes "$(grep -q 'damage' "$work/out" && echo yes)"
{ head -c 8 /dev/zero; tail -c +9 "$dump"; } >"$work/unfinished"
run show --output text "$work/unfinished"
expect "an incomplete dump is shown" 1 "$code"
expect "and says so" 1 "$(grep -c 'is incomplete' "$work/out")"
expect "with the path all the same" 1 "$(grep -cxF '  Frame 7 / Shadow pass / Cascade 2' "$work/out")"

# ---- unusable: one line on stderr, exit 2 ----
unusable() { # TITLE ARGUMENTS...
    title=$1
    shift
    run "$@"
    expect "$title: exit" 2 "$code"
    expect "$title: one line" 1 "$(lines "$work/err")"
    expect "$title: nothing else" 0 "$(lines "$work/out")"
}
echo "no dump at all" >"$work/text"
unusable "as a dump" show "$work/text"
: >"$work/empty"
unusable "an empty file" show "$work/empty"
unusable "a missing file" show "$work/missing"
unusable "a directory" show "$work"
unusable "no file named" show
unusable "an unknown option" show --frobnicate "$dump"
unusable "an unknown output" show --output yaml "$dump"
for option in --output --color --branches --width; do
    unusable "$option without a value" show "$dump" $option
    expect "which is said" yes "$(grep -q -e "$option takes" "$work/err" && echo yes)"
done
unusable "an unknown command" frobnicate
[ ! -e /dev/full ] || {
    "$annot" show --output text "$dump" >/dev/full 2>"$work/err"
    expect "a full disk: exit" 2 "$?"
    expect "a full disk: one line" 1 "$(lines "$work/err")"
}

# ---- help, version, pipes ----
for command in "show --help" "pix --help" "--help"; do
    run $command
    expect "$command" 0 "$code"
    expect "$command on stdout" yes "$([ "$(lines "$work/out")" -gt 1 ] && echo yes)"
done
run --version
expect "--version" 0 "$code"
"$annot" show --output text --all "$dump" 2>"$work/err" | head -n 1 >/dev/null
expect "a closed pipe is no error to complain of" 0 "$(lines "$work/err")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
