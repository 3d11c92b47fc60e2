#!/bin/sh
# The table of annot's options is what its man pages and completions follow: their synopses are those of --help, every option
# is explained in a page, and three shells offer what `annot --complete` says.
# usage: man.sh path/to/annot [--write]        --write renews the pages' synopses
set -u
[ $# -ge 1 ] || { echo "usage: man.sh path/to/annot [--write]" >&2; exit 2; }
annot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") mode=${2-}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
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

# A page without its markup: fonts, and the backslash of dashes.
plain() { sed -e 's/\\f[BIRP]//g' -e 's/\\-/-/g' -e 's/\\&//g' -e 's/^\.[A-Z]* //' "$@"; }

# The synopses of --help as a page has them: words as they are typed in bold, others in italics.
synopses() { # COMMAND...
    for of in "$@"; do "$annot" "$of" --help | sed '/^$/,$d; s/^usage: //; s/^       //'; done | awk '{
        text = $0; out = ""
        while (match(text, /[A-Za-z0-9_-]+/)) {
            word = substr(text, RSTART, RLENGTH)
            font = word ~ /^[A-Z]/ ? "I" : "B"
            gsub(/-/, "\\-", word)
            out = out substr(text, 1, RSTART - 1) "\\f" font word "\\fR"
            text = substr(text, RSTART + RLENGTH)
        }
        print out text
    }'
}
# The lines between .nf and .fi of a page's SYNOPSIS; with a file, the page with that in its place.
page_synopses() { # PAGE [FILE]
    awk -v with="${2-}" '
        /^\.SH/ { is_synopsis = $2 == "SYNOPSIS" }
        is_synopsis && $0 == ".fi" { inside = 0 }
        with == "" && inside { print }
        with != "" && !inside { print }
        is_synopsis && $0 == ".nf" { inside = 1; while (with != "" && (getline line < with) > 0) print line }' "$1"
}

commands=$("$annot" --help | sed -n 's/^  annot \([a-z][a-z0-9]*\) .*/\1/p')
expect "commands are found" yes "$([ "$(echo "$commands" | wc -l)" -ge 14 ] && echo yes)"
for page in "$root"/docs/man/annot.1 "$root"/docs/man/annot-*.1; do
    name=$(basename "$page" .1)
    of=${name#annot-}
    [ "$name" != annot ] || of=$commands
    [ "$name" != annot-conformance ] || continue
    # shellcheck disable=SC2086 # words
    { synopses $of; [ "$name" != annot ] || printf '%s\n' '\fBannot \-\-version\fR | \fB\-\-help\fR'; } >"$work/synopses"
    if [ "$mode" = --write ]; then
        page_synopses "$page" "$work/synopses" >"$work/page" && cp "$work/page" "$page"
    fi
    page_synopses "$page" >"$work/got"
    expect "$name.1 has the synopses of --help (make man-synopses)" "" "$(diff "$work/got" "$work/synopses" | head -n 6)"
done
for command in $commands; do
    page=$root/docs/man/annot-$command.1
    expect "$command has a page" yes "$([ -e "$page" ] && echo yes)"
    for option in $("$annot" "$command" --help | grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u); do
        expect "$command $option is in $(basename "$page")" yes "$(plain "$page" | grep -qF -- "$option" && echo yes)"
        [ "$option" = --trust ] || [ "$option" = --help ] || # named in texts of other commands
            "$annot" "$command" --help | grep -q "^  $option" || continue
        expect "$command $option is completed" yes "$("$annot" --complete "$command" -- 2>&1 | cut -f1 | grep -qx -e "$option" && echo yes)"
    done
    expect "$command is completed" "$command" "$("$annot" --complete "$command" | cut -f1 | grep -x "$command")"
done
expect "a value's words are completed" "text json html files" "$("$annot" --complete triage --output '' | cut -f1 | xargs)"
expect "verbs are completed" "decode" "$("$annot" --complete pix d | cut -f1)"
expect "a dump is completed as a file" ":file" "$("$annot" --complete show '')"
expect "a program is completed" ":program" "$("$annot" --complete d3d12 -- '')"
for shell in annot.bash _annot annot.fish; do
    expect "$shell asks annot" yes "$(grep -q -e '--complete' "$root/tools/completions/$shell" && echo yes)"
done
if command -v bash >/dev/null; then
    expect "bash offers what annot says" "trace triage" "$(cd "$work" && bash -c '
        . "$1"; compopt() { :; }
        COMP_WORDS=("$2" tr) COMP_CWORD=1; _annot; printf "%s\n" "${COMPREPLY[@]}"' - "$root/tools/completions/annot.bash" "$annot" | grep '^tr' | sort | xargs)"
fi
"$annot" frobnicate --help >/dev/null 2>&1
expect "what is no command has no help" 2 $?

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
