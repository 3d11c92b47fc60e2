#!/bin/sh
# Runs the golden PIX events through `annot pix` in both directions [ANN-PIX-01, -02].
# usage: pix_golden.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: pix_golden.sh path/to/annot" >&2; exit 2; }
annot=$1
golden=$(cd "$(dirname "$0")/../golden" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# One value of a line whose members are written without spaces, as "name":value; empty when absent.
fields='
function field(line, name,    at, rest) {
    at = index(line, "\"" name "\":")
    if (!at) return ""
    rest = substr(line, at + length(name) + 3)
    if (substr(rest, 1, 1) == "\"") match(rest, /^"([^"\\]|\\.)*"/)
    else match(rest, /^[^,}]*/)
    return substr(rest, 1, RLENGTH)
}'

# compare TITLE EXPECTED ACTUAL: line by line; an expected line of "-" is not compared.
compare() {
    LC_ALL=C awk -v title="$1" -v actual="$3" '
    {
        if ((getline line < actual) <= 0) { line = "(no answer)" }
        sub(/\r$/, "", line)
        if ($0 == "-") { skipped++; next }
        if ($0 == line) { passed++; next }
        failed++
        printf "%s, row %d:\n  expected %s\n  got      %s\n", title, NR, $0, line
    }
    END {
        if ((getline line < actual) > 0) { failed++; print title ": more answers than requests" }
        printf "%s: %d passed, %d failed, %d skipped\n", title, passed, failed, skipped
        exit failed > 0 || passed == 0
    }' "$2"
}

"$annot" pix decode --jsonl <"$golden/pix_golden.jsonl" >"$work/decoded" || exit 1
LC_ALL=C awk "$fields"'
index($0, "\"crt-dependent\"") { print "-"; next }
{
    name = field($0, "untrimmed")
    if (name == "") name = field($0, "name")
    printf "{\"name\":%s,\"color\":%s,\"truncated\":%s}\n", name, field($0, "color"),
           index($0, "\"truncated\"") ? "true" : "false"
}' "$golden/pix_golden.jsonl" >"$work/names"

"$annot" pix encode --jsonl <"$golden/pix_descriptions.jsonl" >"$work/encoded" || exit 1
LC_ALL=C awk "$fields"'
index($0, "\"mode\":\"hand\"") { next }
{
    hex = field($0, "hex")
    if (index(field($0, "id"), "fill")) gsub(/cc/, "00", hex)
    printf "{\"metadata\":%s,\"hex\":%s}\n", field($0, "metadata"), hex
}' "$golden/pix_golden.jsonl" >"$work/blobs"

status=0
compare decode "$work/names" "$work/decoded" || status=1
compare encode "$work/blobs" "$work/encoded" || status=1
exit $status
