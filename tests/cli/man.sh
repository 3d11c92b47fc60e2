#!/bin/sh
# Every command and option that annot's help names is in a man page and in the completions of three shells.
# usage: man.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: man.sh path/to/annot" >&2; exit 2; }
annot=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
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

commands=$("$annot" --help | grep -o 'annot [a-z][a-z0-9]*' | cut -d' ' -f2 | sort -u)
expect "commands are found" yes "$([ "$(echo "$commands" | wc -l)" -ge 14 ] && echo yes)"
for command in $commands; do
    page=$root/docs/man/annot-$command.1
    [ -e "$page" ] || page=$root/docs/man/annot.1
    expect "$command is in $(basename "$page")" yes "$(plain "$page" | grep -q "annot $command" && echo yes)"
    expect "$command is in annot.1" yes "$(plain "$root/docs/man/annot.1" | grep -qE "annot[ (-]$command" && echo yes)"
    for option in $("$annot" $command --help | grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u); do
        expect "$command $option is in $(basename "$page")" yes "$(plain "$page" | grep -qF -- "$option" && echo yes)"
    done
    for shell in annot.bash _annot annot.fish; do
        expect "$command is completed in $shell" yes "$(grep -qw "$command" "$root/tools/completions/$shell" && echo yes)"
    done
done
"$annot" frobnicate --help >/dev/null 2>&1
expect "what is no command has no help" 2 $?

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
