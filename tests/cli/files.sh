#!/bin/sh
# FIFOs, folders, devices and huge files in place of each file that is read: refused at once, and said why.
# usage: files.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: files.sh path/to/annot" >&2; exit 2; }
annot=$1
golden=$(dirname "$0")/../golden
dump=$golden/dumps/hang_inside_a_nested_scope.annotdmp
trace=$golden/traces/linux.annottrace
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

mkfifo "$work/fifo" 2>/dev/null || { echo "files.sh: no FIFOs on this system: skipped"; exit 77; }
mkdir "$work/folder"
# as large as it says, and it begins like what is read
{ cat "$dump"; } >"$work/huge.annotdmp"
truncate -s 3G "$work/huge.annotdmp" 2>/dev/null || rm "$work/huge.annotdmp"
{ cat "$trace"; } >"$work/huge.annottrace"
truncate -s 3G "$work/huge.annottrace" 2>/dev/null || rm "$work/huge.annottrace"
ln -s "$work/nothing" "$work/dangling"

# refused TITLE CODES ARGUMENTS...: within seconds, with one of the codes, nothing on standard output
refused() {
    title=$1 codes=$2
    shift 2
    timeout 60 "$annot" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    case " $codes " in *" $code "*) code=ok ;; esac
    expect "$title: exit" ok "$code"
    expect "$title: a message" yes "$([ -s "$work/err" ] && echo yes)"
    expect "$title: no file" no "$([ -e "$work/new" ] || echo no)"
    [ "$codes" != 2 ] || expect "$title: nothing else" 0 "$(wc -c <"$work/out" | tr -d ' ')"
    rm -f "$work/new"
}

for what in fifo folder dangling huge.annotdmp /dev/zero /dev/null; do
    path=$work/$what
    [ "${what#/}" = "$what" ] || path=$what
    [ "$what" != huge.annotdmp ] || [ -e "$path" ] || continue
    refused "show $what" 2 show "$path"
    refused "show --blob $what" 2 show "$path" --blob 0 -o "$work/new"
    refused "html $what" 2 html "$path" -o "$work/new"
    refused "diff $what" 2 diff "$path" "$dump"
    refused "diff with $what" 2 diff "$dump" "$path"
    refused "timeline $what" 2 timeline "$path"
    refused "redact $what" 2 redact "$path" -o "$work/new"
    refused "convert $what" 2 convert "$path" -o "$work/new"
    refused "signature $what" 2 signature "$path"
    refused "trace where $what" 2 trace where "$trace" "$path"
done
for what in fifo folder dangling /dev/null; do
    path=$work/$what
    [ "${what#/}" = "$what" ] || path=$what
    refused "redact --key $what" 2 redact "$dump" -o "$work/new" --key "$path"
    for verb in show dump info; do
        refused "trace $verb $what" 2 trace $verb "$path"
    done
    refused "trace diff $what" 2 trace diff "$trace" "$path"
    refused "trace trim $what" 2 trace trim "$path" -o "$work/new"
    refused "trace where $what" 2 trace where "$path" "$dump"
done
refused "redact --key /dev/zero" 2 redact "$dump" -o "$work/new" --key /dev/zero
if [ -e "$work/huge.annottrace" ]; then # what is whole in it is shown
    refused "a huge trace" "0 1 2" trace info "$work/huge.annottrace"
fi

# those that read many dumps name what they could not read, and read the others
for what in fifo huge.annotdmp /dev/zero; do
    path=$work/$what
    [ "${what#/}" = "$what" ] || path=$what
    [ "$what" != huge.annotdmp ] || [ -e "$path" ] || continue
    timeout 60 "$annot" export "$path" "$dump" --output ndjson >"$work/out" 2>"$work/err" </dev/null
    expect "export $what" "1 1 1" "$? $(grep -c '"status":"unreadable"' "$work/out") $(grep -c '"status":"whole"' "$work/out")"
done

# a pipe is read, though; but not for a key, which a writer may never give
expect "a pipe with a writer" 0 "$(cat "$dump" | timeout 60 "$annot" show /dev/stdin --output text >/dev/null 2>&1; echo $?)"
exec 3<>"$work/fifo"
refused "redact --key of a pipe that has a writer" 2 redact "$dump" -o "$work/new" --key "$work/fifo"
exec 3>&-

# a disk that fails: what the kernel says of a process's memory at 0
if [ -r /proc/self/mem ]; then
    for command in "show" "html -o $work/new" "diff $dump" "timeline" "redact -o $work/new" "convert -o $work/new" "signature"; do
        # shellcheck disable=SC2086 # words
        refused "$command of a broken disk" 2 $command /proc/self/mem
        expect "$command names it" 1 "$(grep -c 'Input/output error' "$work/err")"
    done
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
