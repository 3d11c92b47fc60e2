#!/bin/sh
# `annot pix` as a command: answers line by line, exact numbers, hostile lines, exit codes.
# usage: pix_tool.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: pix_tool.sh path/to/annot" >&2; exit 2; }
annot=$1
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

# One request, its answer.
decode() { printf '%s\n' "$1" | "$annot" pix decode --jsonl | tr -d '\r'; }
encode() { printf '%s\n' "$1" | "$annot" pix encode --jsonl | tr -d '\r'; }

# encode_words REQUEST: the answer's hex without header and colour.
encode_words() { encode "$1" | sed 's/.*"hex":"................................//; s/"}$//'; }

# The arguments of an event with format "x": info word, characters, then these.
args() { encode_words "{\"version\":\"v1\",\"api\":\"BeginEvent\",\"format\":\"x\",\"args\":[$1]}" | cut -c33-; }

# refused TITLE VERB REQUEST: the answer is an error and nothing else.
refused() {
    answer=$("$2" "$3")
    case $answer in
    '{"error":"'*'"}') passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && printf '%s: not refused: %s\n' "$1" "$answer" ;;
    esac
}

# ---- exit codes and streams ----

"$annot" pix --help >"$work/out" 2>"$work/err"
expect "help exits 0" 0 $?
expect "help is on standard output" "" "$(cat "$work/err")"
grep -q 'decode|encode \[--jsonl\]' "$work/out" || expect "help names --jsonl" yes no

for line in "" "bogus" "bogus --jsonl" "decode" "decode --bogus" "encode" "decode --jsonl 00"; do
    # shellcheck disable=SC2086 # words are meant to be split
    "$annot" pix $line >"$work/out" 2>"$work/err" </dev/null
    expect "pix $line: exit code" 2 $?
    expect "pix $line: nothing on standard output" "" "$(cat "$work/out")"
    expect "pix $line: one line on standard error" 1 "$(grep -c . "$work/err")"
done

# ---- lines ----

expect "one answer per line, in order, blank lines aside" \
    '{"name":"a","color":0,"truncated":false}
{"error":"expected a JSON value"}
{"name":"b","color":0,"truncated":false}' \
    "$(printf '{"metadata":1,"hex":"61"}\n\n \t\r\nnonsense\n{"metadata":1,"hex":"62"}' |
        "$annot" pix decode --jsonl | tr -d '\r')"
expect "error lines leave the exit code alone" 0 "$(decode nonsense >/dev/null && echo 0)"
expect "no input, no answer" "" "$("$annot" pix decode --jsonl </dev/null)"

hex=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "6162636465" }')
name=$(decode "{\"metadata\":1,\"hex\":\"$hex\"}" | sed 's/^{"name":"//; s/","color":0,"truncated":false}$//')
expect "a line of a megabyte" 500000 ${#name}

# ---- decode ----

expect "capital digits" '{"name":"é","color":0,"truncated":false}' "$(decode '{"hex":"C3A9","metadata":1}')"
expect "escapes in answers" '{"name":"\"\\\b\f\n\r\t\u0001","color":0,"truncated":false}' \
    "$(decode '{"metadata":1,"hex":"225c080c0a0d0901"}')"
expect "unknown members are ignored" '{"name":"a","color":0,"truncated":false}' \
    "$(decode '{"x":{"metadata":3,"y":[1,{"hex":"00"}]},"metadata":1,"hex":"61"}')"
expect "empty payload" '{"name":"","color":0,"truncated":false}' "$(decode '{"metadata":0,"hex":""}')"
for request in '{}' '[]' '{"metadata":1}' '{"hex":"61"}' '{"metadata":"one","hex":"61"}' '{"metadata":-1,"hex":"61"}' \
    '{"metadata":1.5,"hex":"61"}' '{"metadata":4294967296,"hex":"61"}' '{"metadata":1,"hex":"6"}' \
    '{"metadata":1,"hex":"6g"}' '{"metadata":1,"hex":61}' '{"metadata":2,"hex":"00"}' '{"metadata":7,"hex":"00"}' \
    '{"metadata":1,"hex":"61"}x' '{"metadata":1,"hex":"61"' '{"metadata":1,"hex":"61}' '{"metadata":1 "hex":"61"}' \
    '{"metadata":1,"hex":"61",}' '{metadata:1}' '"\ud83"' '"\x"' '01' '-' '1e' '1.' 'nul'; do
    refused "decode $request" decode "$request"
done
deep=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }')
expect "nesting is bounded" '{"error":"nested too deeply"}' "$(decode "$deep")"

# ---- encode: numbers are exact, strings keep what they are given ----

expect "u64" ffffffffffffffff "$(args '{"type":"u64","value":18446744073709551615}')"
expect "u64 beyond a double" 0100000000002000 "$(args '{"type":"u64","value":9007199254740993}')"
expect "u64 as text" efcdab8967452301 "$(args '{"type":"u64","value":"0x0123456789abcdef"}')"
expect "i64" 0000000000000080 "$(args '{"type":"i64","value":-9223372036854775808}')"
expect "i32" 00000080ffffffff "$(args '{"type":"i32","value":-2147483648}')"
expect "f32 is rounded once, then widened" 000000a09999b93f "$(args '{"type":"f32","value":0.1}')"
expect "f64" 9a9999999999b93f "$(args '{"type":"f64","value":1e-1}')"
expect "f64 -inf" 000000000000f0ff "$(args '{"type":"f64","value":"-inf"}')"
expect "f64 Infinity" 000000000000f07f "$(args '{"type":"f64","value":Infinity}')"
expect "char" 51000000000000008000000000000000 \
    "$(args '{"type":"char","value":"Q"},{"type":"u32","value":128}')"
expect "char is sign-extended" ffffffffffffffff "$(args '{"type":"char","value":255}')"
expect "bool" 01000000000000000000000000000000 \
    "$(args '{"type":"bool","value":true},{"type":"bool","value":0}')"
expect "ptr" cdab341200000000 "$(args '{"type":"ptr","value":"0x1234abcd"}')"
expect "null string" 0000000000000000 "$(args '{"type":"wstr","value":null}')"
expect "lone surrogates in a wstr" 000000000000000400d8610000dc0000 \
    "$(args '{"type":"wstr","value":"\ud800a\udc00"}')"
expect "a surrogate pair, escaped or not" "$(args '{"type":"wstr","value":"🎮"}')" \
    "$(args '{"type":"wstr","value":"\ud83c\uDFAE"}')"
expect "a surrogate pair as UTF-8" 0000000000004004f09f8eae00000000 \
    "$(args '{"type":"str","value":"\ud83c\udfae"}')"
expect "an escaped byte" 0000000000004004ff00000000000000 "$(args '{"type":"str","value":"\udcff"}')"
expect "copies of 16 bytes" 000000000000400861000000000000000000000000000000 \
    "$(args '{"type":"str","value":"a","chunk":16}')"

good='"version":"v1","api":"BeginEvent","format":"x"'
many=$(awk 'BEGIN { for (i = 0; i < 17; i++) printf "%s{\"type\":\"i32\",\"value\":1}", i ? "," : "" }')
for request in '{}' '7' '{"version":"v3","api":"BeginEvent","format":"x"}' '{"version":"v1","api":"EndEvent","format":"x"}' \
    '{"version":"v1","api":"BeginEvent"}' "{$good,\"text\":\"utf32\"}" "{$good,\"argb\":1,\"index\":1}" \
    "{$good,\"index\":256}" "{$good,\"argb\":18446744073709551616}" "{$good,\"context\":\"list\"}" \
    "{$good,\"timestamp\":17592186044416}" "{$good,\"limit\":24}" "{$good,\"limit\":33}" "{$good,\"limit\":1016}" \
    "{$good,\"chunk\":4}" "{$good,\"args\":{}}" "{$good,\"args\":[$many]}" "{$good,\"args\":[7]}" \
    '{"version":"v1","api":"BeginEvent","format":"\ud800"}' '{"version":"v1","api":"BeginEvent","format":1}'; do
    refused "encode $request" encode "$request"
done
for arg in '{"value":1}' '{"type":"i32"}' '{"type":"i16","value":1}' '{"type":"i32","value":2147483648}' \
    '{"type":"u32","value":-1}' '{"type":"u32","value":4294967296}' '{"type":"i64","value":9223372036854775808}' \
    '{"type":"u64","value":18446744073709551616}' '{"type":"i32","value":1.0}' '{"type":"f64","value":"x"}' \
    '{"type":"char","value":"ab"}' '{"type":"char","value":256}' '{"type":"bool","value":2}' \
    '{"type":"str","value":7}' '{"type":"str","value":"\ud800"}'; do
    refused "argument $arg" encode "{$good,\"args\":[$arg]}"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
