#!/usr/bin/env bash
# One program from capture to replay: the demo hangs as it does without, its trace names every call, replaying it leaves
# the same dump, and traces that are cut, damaged or of a killed program are shown as far as they go [ANN-TRACE-01 to -05].
#   demo.sh ANNOT
set -u
annot=$1
bin=$(dirname "$annot")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
report() { # what must be equal in two reports of one hang
  "$annot" show --output text --all "$1" | grep -v -e '^  time ' -e '^  application ' -e '^  process ' -e '^  trace ' -e '/a\.annottrace\.$' -e '^  replayed by ' -e '^    recorded  *from call ' -e '^  These are calls of a replay'
}

"$bin/hang" --seed 7 --out "$work/plain.annotdmp" >"$work/plain" || fail "hang: $(cat "$work/plain")"
"$annot" capture -o "$work/a.annottrace" -- "$bin/hang" --seed 7 --out "$work/plain2.annotdmp" >"$work/captured" ||
  fail "under capture: $(cat "$work/captured")"
diff <(sed 's/plain2/plain/' "$work/captured") "$work/plain" || fail "the program prints something else under capture"
report "$work/plain.annotdmp" >"$work/expected"
report "$work/plain2.annotdmp" | diff "$work/expected" - >/dev/null || fail "another dump under capture"

# replay leaves the dump of the hang [ANN-TRACE-05]
"$annot" replay --output json "$work/a.annottrace" --dump "$work/replayed.annotdmp" >"$work/out" 2>&1 || fail "replay: $(cat "$work/out")"
report "$work/replayed.annotdmp" | diff "$work/expected" - || fail "another dump from replay"

# a dump names the calls that the GPU stopped in, the program's and that of its replay alike [ANN-TRACE-05]
cp "$work/plain2.annotdmp" "$work/where.annotdmp"
"$annot" trace where --output json "$work/a.annottrace" "$work/plain2.annotdmp" >"$work/where" || fail "no call: $(cat "$work/where")"
grep -q '"marker":"Character' "$work/where" && grep -q '::Dispatch' "$work/where" || fail "another call: $(cat "$work/where")"
"$annot" trace where --output json "$work/a.annottrace" "$work/replayed.annotdmp" | diff "$work/where" - || fail "another call in replay"

# a dump of another run is refused; one that does not tell its run is used with a warning
told() { # exit, what is said, trace, dump
  "$annot" trace where "$3" "$4" >"$work/out" 2>"$work/errors"
  [ $? = "$1" ] && [ "$(grep -c "$2" "$work/errors")" = 1 ] || fail "where of $3, $4: $(cat "$work/out" "$work/errors")"
  "$annot" trace show "$3" --dump "$4" >"$work/out" 2>"$work/errors"
  [ $? = "$1" ] && grep -q "$2" "$work/errors" || fail "show of $3, $4: $(cat "$work/errors")"
}
told 2 'the dump is of process [0-9]*, and the trace is of process [0-9]*;' "$work/a.annottrace" "$work/plain.annotdmp"
"$annot" redact --make-key "$work/key" && "$annot" redact "$work/plain2.annotdmp" --key "$work/key" -o "$work/redacted" >"$work/out" 2>&1 || fail "redact: $(cat "$work/out")"
told 0 'not known whether the dump is of the recorded run' "$work/a.annottrace" "$work/redacted"
told 2 'the dump is older than the trace;' "$work/a.annottrace" "$(dirname "$0")/../golden/dumps/page_fault_with_everything.annotdmp"
{ head -c 1072 "$work/a.annottrace" && printf '/other\0' && tail -c +1080 "$work/a.annottrace"; } >"$work/renamed" # the program's path
told 0 'not known whether the dump is of the recorded run' "$work/renamed" "$work/replayed.annotdmp"
"$annot" trace where "$work/a.annottrace" "$work/replayed.annotdmp" 2>&1 >/dev/null | grep . && fail "the replay's dump is doubted"

# EventIDs of the dump lead to the calls that made them, of the program and of its replay; without a dump names do
report="$work/report"
"$annot" show --output text --all "$work/plain2.annotdmp" >"$report"
for dump in plain2 replayed; do
  "$annot" trace marker "$work/a.annottrace" 'Light 2? *' --dump "$work/$dump.annotdmp" | grep ', EventID ' >"$work/markers" || fail "$dump: no EventIDs"
  while IFS= read -r line; do
    name=$(sed 's/.* "\(.*\)", EventID.*/\1/' <<<"$line") id=$(sed 's/.*EventID \(0x[0-9a-f]*\).*/\1/' <<<"$line")
    grep -qF -- "- $name  $id" "$report" || fail "$dump: $id is not $name"
    [ "$("$annot" trace marker "$work/a.annottrace" "$id" --dump "$work/$dump.annotdmp")" = "$line" ] || fail "$dump: $id leads elsewhere"
  done <"$work/markers"
done
"$annot" trace show "$work/a.annottrace" --dump "$work/plain2.annotdmp" | grep -q -- "-- \"$name\", EventID $id\$" || fail "show has no EventIDs"
"$annot" trace marker "$work/a.annottrace" 'Nobody*' >"$work/out" && fail "a marker that is none"
call=$("$annot" trace marker "$work/a.annottrace" 'Shadow*' | sed -n 's/^call \([0-9]*\),.*/\1/p' | head -1)
made=$("$annot" replay --output json "$work/a.annottrace" --until 'Shadow*' 2>/dev/null | sed 's/.*"calls":\([0-9]*\).*/\1/')
[ "$made" = "$call" ] || fail "--until a marker made $made calls, not $call"

# a trace of the replay is the same trace
"$annot" capture -o "$work/again.annottrace" -- "$annot" replay --output json "$work/a.annottrace" --dump "$work/plain2.annotdmp" >"$work/out" 2>&1 || fail "replay under capture: $(cat "$work/out")"
"$annot" trace diff --output text "$work/a.annottrace" "$work/again.annottrace" >"$work/diff" || fail "another trace: $(cat "$work/diff")"

# the same program twice: no difference; another seed: the first call that differs is named
"$annot" capture -o "$work/b.annottrace" -- "$bin/hang" --seed 7 --out "$work/plain2.annotdmp" >/dev/null || fail "second capture"
"$annot" trace diff "$work/a.annottrace" "$work/b.annottrace" >"$work/diff" || fail "diff of two equal runs: $(cat "$work/diff")"
"$annot" capture -o "$work/c.annottrace" -- "$bin/hang" --seed 8 --out "$work/plain2.annotdmp" >/dev/null || fail "third capture"
"$annot" trace diff --output text "$work/a.annottrace" "$work/c.annottrace" >"$work/diff" && fail "no difference between two seeds"
grep -q '^other arguments, at call 1: emu_configure' "$work/diff" || fail "the first difference is the seed: $(cat "$work/diff")"

# JSON: one object a line, every call once; markers have their names in text
"$annot" trace dump --output json "$work/a.annottrace" >"$work/json" || fail "dump"
calls=$("$annot" trace info --output text "$work/a.annottrace" | sed -n 's/^calls *//p')
[ "$(grep -c '^{"call": ' "$work/json")" = "$calls" ] || fail "dump has other calls than info says"
"$annot" trace show --output text "$work/a.annottrace" | grep -q 'BeginEvent.*-- "Shadow pass"' || fail "no name of a marker"

# filters leave what they name, and what it returned; objects have the names that the program gave them
"$annot" trace show "$work/a.annottrace" --method Dispatch --marker 'Shadow*' >"$work/show"
grep -q '"Shadow list" ID3D12GraphicsCommandList::Dispatch(' "$work/show" || fail "no dispatch in a shadow pass: $(head -3 "$work/show")"
grep -v '::Dispatch(' "$work/show" && fail "filters leave other calls"
"$annot" trace show "$work/a.annottrace" --method '*::Close' | grep -q ' = S_OK' || fail "no result of a call that is shown"

# info counts the calls of each method
dispatches=$(grep -c '"method": "ID3D12GraphicsCommandList::Dispatch"' "$work/json")
"$annot" trace info --output text "$work/a.annottrace" | grep -q "^ *$dispatches  ID3D12GraphicsCommandList::Dispatch$" ||
  fail "info does not say $dispatches dispatches"

# --until: no later call is made
made=$("$annot" replay --output json "$work/a.annottrace" --until 100 2>/dev/null | sed 's/.*"calls":\([0-9]*\).*/\1/')
[ "$made" = 100 ] || fail "--until 100 made $made calls"

# --loop: calls 400 to 500 five times in all
made=$("$annot" replay --output json "$work/a.annottrace" --loop 400..500 --times 5 2>"$work/errors" | sed 's/.*"calls":\([0-9]*\).*/\1/')
[ "$made" = 904 ] || fail "a loop made $made calls: $(cat "$work/errors")"

# calls that the trace lacks are refused at once
for wrong in '--until 999999' '--loop 400..999999 --times 2' '--times 2'; do
  "$annot" replay "$work/a.annottrace" $wrong >"$work/out" 2>&1
  [ $? = 2 ] && [ "$(wc -l <"$work/out")" = 1 ] || fail "$wrong: $(head -5 "$work/out")"
done

# damage: shown as far as it goes, exit 1; not a trace: exit 2 with one line
size=$(wc -c <"$work/a.annottrace")
for cut in $((size - 9)) $((size - 1000)) $((size / 2)) 4100 4096 3000; do
  head -c "$cut" "$work/a.annottrace" >"$work/cut"
  "$annot" trace info --output text "$work/cut" 2>&1 | grep -q '^finished  *no$' || fail "cut at $cut: info says that it is finished"
  "$annot" replay --output json "$work/cut" >"$work/out" 2>"$work/errors"
  [ $? = 2 ] && grep -q '"verdict":"incomplete"' "$work/out" && grep -q 'the rest is lost' "$work/errors" || fail "cut at $cut: $(cat "$work/out" "$work/errors")"
  for verb in diff where marker; do
    second=$(case $verb in diff) echo "$work/cut" ;; where) echo "$work/where.annotdmp" ;; marker) echo '*' ;; esac)
    "$annot" trace $verb "$work/cut" "$second" >/dev/null 2>"$work/errors"
    [ $? = 1 ] && grep -q 'the rest is lost' "$work/errors" || fail "cut at $cut: $verb: $(cat "$work/errors")"
  done
  "$annot" trace dump "$work/cut" >/dev/null 2>"$work/errors"
  [ $? = 1 ] || fail "cut at $cut: not reported"
  [ -s "$work/errors" ] || fail "cut at $cut: no finding"
done
{ head -c 2128 "$work/a.annottrace" && printf '\0\20\0\0\0\0\0\0' && head -c 4096 "$work/a.annottrace" | tail -c 1960; } >"$work/cut" # closed in order, without a call
"$annot" trace info --output text "$work/cut" | grep -q '^finished  *yes$' || fail "a closed trace without a call is not finished"
"$annot" replay --output json "$work/cut" >"$work/out" 2>"$work/errors"
[ $? = 2 ] && grep -q '"verdict":"incomplete"' "$work/out" && grep -q 'has no call' "$work/errors" || fail "no call: $(cat "$work/out" "$work/errors")"
head -c 100 "$work/a.annottrace" >"$work/cut"
"$annot" trace info "$work/cut" >/dev/null 2>"$work/errors"
[ $? = 2 ] && [ "$(wc -l <"$work/errors")" = 1 ] || fail "100 bytes: $(cat "$work/errors")"

echo "demo: captured, replayed, compared, cut"
