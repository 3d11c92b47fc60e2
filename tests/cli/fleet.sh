#!/bin/sh
# The commands that sort, compare and hand on dumps: outputs, exit codes, streams.
# usage: fleet.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: fleet.sh path/to/annot" >&2; exit 2; }
annot=$1
program=$(cd "$(dirname "$annot")" && pwd)/$(basename "$annot")
golden=$(dirname "$0")/../golden/dumps
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

lines() { wc -l <"$1" | tr -d ' '; }

# refused TITLE ARGUMENTS...: one line on standard error, exit 2, nothing on standard output
refused() {
    title=$1
    shift
    run "$@"
    expect "$title: exit" 2 "$code"
    expect "$title: one line" 1 "$(lines "$work/err")"
    expect "$title: nothing else" 0 "$(lines "$work/out")"
    sed "s|$work|WORK|g; s|$golden|GOLDEN|g; s/digits; this is not one: .*;/digits; this is not one: KEY;/" "$work/err" >>"$work/refusals"
}

# ---- signature ----
hang=$golden/hang_inside_a_nested_scope.annotdmp
run signature --output text "$hang"
expect "a signature" "0 v2-249a101f704fa554" "$code $(cut -c 1-19 "$work/out")"
expect "with what hung" 1 "$(grep -cF 'GPU HANG: Frame / Shadow pass / Cascade #' "$work/out")"
run signature "$hang" "$golden/live_device.annotdmp"
expect "text, wherever it goes" "1 2 v2-249a101f704fa554" "$code $(lines "$work/out") $(head -c 19 "$work/out")"
run signature --output json "$hang" "$golden/live_device.annotdmp"
expect "JSON, a line for each" "1 2" "$code $(lines "$work/out")"
expect "no signature is null" 1 "$(grep -c '"id":null,"quality":"no error"' "$work/out")"
"$annot" signature --output text - <"$hang" >"$work/out"
expect "from standard input" v2-249a101f704fa554 "$(cut -c 1-19 "$work/out")"
run signature "$hang" "$work/missing"
expect "what can't be read is said, the rest is shown" "2 1 1" "$code $(lines "$work/out") $(lines "$work/err")"
refused "signature: there is one version" signature --version 1 "$hang"
refused "signature of nothing" signature
refused "signature: unknown option" signature --frobnicate
refused "signature: unknown output" signature --output yaml "$hang"

# ---- html ----
run html "$hang" -o "$work/page.html"
expect "a page" "0 0 0" "$code $(lines "$work/out") $(lines "$work/err")"
expect "a whole one" "1 1" "$(grep -c '^<!doctype html>' "$work/page.html") $(grep -c '^</html>' "$work/page.html")"
expect "no mark is left" 0 "$(grep -c '@[A-Z]*@' "$work/page.html")"
expect "nothing from elsewhere" 0 "$(grep -ciE '(src|href)=|https?://|@import|url\(' "$work/page.html")"
refused "html: an existing file" html "$hang" -o "$work/page.html"
"$annot" html - -o "$work/piped.html" <"$hang"
expect "the same from standard input" same "$(cmp -s "$work/page.html" "$work/piped.html" && echo same)"
run html "$golden/damaged_section.annotdmp" -o "$work/damaged.html"
expect "a damaged dump" "1 1" "$code $(grep -c 'the dump is damaged' "$work/err")"
refused "html of nothing" html
: >"$work/empty.annotdmp"
refused "html of an empty file" html "$work/empty.annotdmp" -o "$work/other.html"
refused "html to standard output" html "$hang" -o -
head -c 8 "$hang" >"$work/head.annotdmp"
run timeline "$work/head.annotdmp"
expect "no record of the device" "1 1" "$(grep -c 'GPU DUMP (the device record is lost)' "$work/out") $(grep -c 'the dump is damaged' "$work/out")"
run diff "$hang" "$work/head.annotdmp"
expect "nor an error" "1 0" "$(grep -c '^+ error: unknown: the device record is lost' "$work/out") $(grep -c 'LIVE' "$work/out")"
refused "html to nowhere" html "$hang"
refused "html: a name is missing" html "$hang" -o
refused "html: unknown option" html --frobnicate "$hang" -o "$work/other.html"
refused "html: no such folder" html "$hang" -o "$work/none/page.html"
refused "html of no dump" html "$work/page.html" -o "$work/other.html"
expect "and no file" no "$([ -e "$work/other.html" ] || echo no)"

# ---- diff ----
other=$golden/page_fault_with_everything.annotdmp
run diff --output text "$hang" "$hang"
expect "a dump and itself" "0 0" "$code $(lines "$work/out")"
run diff --output text "$hang" "$other"
expect "two dumps" "1 0" "$code $(lines "$work/err")"
expect "what one has" 1 "$(grep -c '^- error: GPU HANG' "$work/out")"
expect "and the other" 1 "$(grep -c '^+ error: GPU PAGE FAULT' "$work/out")"
expect "where one stopped" 1 "$(grep -c '^- stopped at Frame / Shadow pass / Cascade #: Q' "$work/out")"
expect "states" 1 "$(grep -c '^- marker Shadow pass: in progress' "$work/out")"
run diff --output text --all "$hang" "$other"
expect "--all folds nothing" 0 "$(grep -c -- '--all' "$work/out")"
if [ -x "$(dirname "$annot")/fleet-dump" ]; then
    for use in "shadows 12345" "lighting 7"; do # a folded name is shorter, or as long
        "$(dirname "$annot")/fleet-dump" renamed "$use" "$work/${use% *}.annotdmp"
    done
    run diff --output text "$work/shadows.annotdmp" "$work/lighting.annotdmp"
    expect "a list has the name of each use" "+ recording lighting #: closed - recording shadows #: closed" \
        "$(grep recording "$work/out" | tr '\n' ' ' | sed 's/ $//')"
fi
run diff "$hang" "$other"
expect "text, wherever it goes" "- " "$(head -c 2 "$work/out")"
run diff --output json "$hang" "$other"
expect "JSON for programs" '{"a":' "$(head -c 5 "$work/out")"
run diff --output json "$hang" "$hang"
expect "JSON of nothing" '"same":true,"cut":false,"differences":[]}' "$(grep -o '"same".*' "$work/out")"
"$annot" diff --output text "$hang" - <"$hang" >"$work/out"
expect "one from standard input" 0 $?
refused "diff of one" diff "$hang"
refused "diff of three" diff "$hang" "$hang" third
refused "diff of none" diff "$hang" "$work/missing"
refused "diff: unknown option" diff --frobnicate "$hang" "$hang"
refused "diff: unknown output" diff --output yaml "$hang" "$hang"

# ---- redact ----
run redact --make-key "$work/key"
expect "a key" "0 33" "$code $(wc -c <"$work/key" | tr -d ' ')"
refused "redact: an existing key" redact --make-key "$work/key"
run redact "$other" -o "$work/redacted.annotdmp" --key "$work/key"
expect "a redacted dump" "0 0 0" "$code $(lines "$work/out") $(lines "$work/err")"
"$annot" show --output text --all "$work/redacted.annotdmp" >"$work/out"
for name in Grass 'Queue scope' golden.exe 'Wide' 'GPU page fault' 'driver bytes'; do
    expect "no $name in it" 0 "$(grep -c "$name" "$work/out" "$work/redacted.annotdmp" | grep -vc ':0$')"
done
expect "the adapter stays" 1 "$(grep -c 'golden driver' "$work/out")"
signatures() { "$annot" signature --output text "$1" | cut -c 1-19; }
expect "the signature is keyed" k2- "$(signatures "$work/redacted.annotdmp" | cut -c 1-3)"
run redact "$other" -o "$work/kept.annotdmp" --key "$work/key" --keep-signature --keep-system --no-adapter --no-driver
expect "--keep-signature" "0 $(signatures "$other")" "$code $(signatures "$work/kept.annotdmp")"
"$annot" show --output text --all "$work/kept.annotdmp" >"$work/out"
expect "--no-driver" 0 "$(grep -c 'golden driver' "$work/out")"
"$annot" redact "$other" -o "$work/once.annotdmp" --key "$work/key"
"$annot" redact "$work/kept.annotdmp" -o "$work/twice.annotdmp" --key "$work/key"
expect "one key, one signature" "$(signatures "$work/once.annotdmp")" "$(signatures "$work/twice.annotdmp")"
run redact "$other" -o "$work/again.annotdmp" --key "$work/key"
expect "one key, one result" same "$(cmp -s "$work/redacted.annotdmp" "$work/again.annotdmp" && echo same)"
run redact "$other" -o "$work/random.annotdmp"
expect "no key, another result" other "$(cmp -s "$work/redacted.annotdmp" "$work/random.annotdmp" || echo other)"
run redact "$golden/damaged_section.annotdmp" -o "$work/redacted-damaged.annotdmp"
expect "a damaged dump" 1 "$code"
"$annot" show "$work/redacted-damaged.annotdmp" >/dev/null
expect "stays damaged" 1 $?
refused "redact: an existing file" redact "$other" -o "$work/redacted.annotdmp"
refused "redact to nowhere" redact "$other"
refused "redact of nothing" redact
refused "redact: a key and a dump" redact "$other" -o "$work/new" --make-key "$work/key2"
refused "redact: no such key" redact "$other" -o "$work/new" --key "$work/missing"
mkfifo "$work/fifo-key" 2>/dev/null && refused "redact: a key that is a FIFO" redact "$other" -o "$work/new" --key "$work/fifo-key"
for text in 12 "$(cat "$work/key")0" 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz' ''; do
    printf '%s' "$text" >"$work/bad-key"
    refused "redact: bad key '$text'" redact "$other" -o "$work/new" --key "$work/bad-key"
done
refused "redact: unknown option" redact --frobnicate "$other" -o "$work/new"
expect "and no file" no "$([ -e "$work/new" ] || echo no)"

# ---- triage ----
mkdir -p "$work/heap/deep/er"
cp "$hang" "$work/heap/a.annotdmp"
cp "$hang" "$work/heap/deep/b.annotdmp"
cp "$other" "$work/heap/deep/er/c.annotdmp"
cp "$golden/damaged_section.annotdmp" "$work/heap/d.annotdmp"
cp "$golden/live_device.annotdmp" "$work/heap/e.annotdmp"
echo "no dump" >"$work/heap/f.annotdmp"
echo "no dump" >"$work/heap/ignored.txt"
ln -s "$work" "$work/heap/deep/circle"
db=$work/triage.db
run triage "$work/heap" --output text
if grep -q 'no SQLite' "$work/err"; then
    expect "without SQLite" 2 "$code"
else
    expect "a heap" 1 "$code"
    expect "counted" "6 dumps (6 read now). With a signature: 3, in 2 groups. Damaged: 1. Unreadable: 1. Whole, but without a signature: 1." "$(head -n 1 "$work/out")"
    expect "the largest group first" "2 v2-249a101f704fa554" "$(awk '$2 ~ /^v2-/ { print $1, $2; exit }' "$work/out")"
    expect "damaged ones are listed" 1 "$(grep -A1 '^  the dump is damaged, and evidence may be missing:$' "$work/out" | grep -c '^    damaged .*/heap/d.annotdmp$')"
    expect "and unreadable ones, with the reason above" 1 "$(grep -B1 '^    unreadable .*/heap/f.annotdmp$' "$work/out" | grep -c '^  .*:$')"
    expect "nothing on a stderr that is no terminal" 0 "$(lines "$work/err")"
    run triage "$work/heap" --output json --db "$db"
    expect "into a database" "1 6" "$code $(grep -o '"read_now":[0-9]*' "$work/out" | cut -d: -f2)"
    cp "$work/out" "$work/first"
    run triage "$work/heap" --output json --db "$db"
    expect "which is one file when it is closed" triage.db "$(cd "$work" && echo triage.db*)"
    expect "a second time nothing is read" "1 0" "$code $(grep -o '"read_now":[0-9]*' "$work/out" | cut -d: -f2)"
    expect "and it says the same" same "$(sed 's/"read_now":6/"read_now":0/' "$work/first" | cmp -s - "$work/out" && echo same)"
    run triage "$work/heap" "$work/heap/../heap/deep" "$work/./heap" --output json
    expect "each file once, however its path is written" 1 "$(grep -c '"dumps":6,"read_now":6,' "$work/out")"
    (cd "$work/heap" && "$program" triage deep . --output json --db "$db") >"$work/out"
    expect "and from another folder" 1 "$(grep -c '"dumps":6,"read_now":0,' "$work/out")"
    cp "$other" "$work/heap/g.annotdmp"
    cp "$other" "$work/heap/a.annotdmp"
    run triage "$work/heap" --output json --db "$db"
    expect "new and changed ones are" 2 "$(grep -o '"read_now":[0-9]*' "$work/out" | cut -d: -f2)"
    expect "and counted once" 1 "$(grep -c '"dumps":7,' "$work/out")"
    run triage --db "$db" --output text --top 1
    expect "the database alone" 1 "$code"
    expect "--top" "1 1" "$(grep -c '  v2-' "$work/out") $(grep -c '1 more groups; --top 2 shows all' "$work/out")"
    run triage --db "$db" --output html -o "$work/heap.html"
    expect "a page" "1 0" "$code $(lines "$work/err")"
    expect "a whole one, with data and one script" "1 2 0" "$(grep -c '^</html>' "$work/heap.html") $(grep -ci '<script' "$work/heap.html") $(grep -ciE '(src|href)=' "$work/heap.html")"
    if command -v openssl >/dev/null; then
        sed -n '/<script>/,/<\/script>/p' "$work/heap.html" | sed 's/^<script>//; s/<\/script>$//' | sed '$d' >"$work/script"
        expect "which is the one that the page allows" 1 \
            "$(grep -cF "'sha256-$(openssl dgst -sha256 -binary <"$work/script" | openssl base64)'" "$work/heap.html")"
    fi
    mkdir "$work/reports"
    (cd "$work" && "$annot" triage --db "$db" --output html --reports reports >heap2.html 2>err)
    expect "with reports" "2 2" "$(ls "$work/reports" | wc -l | tr -d ' ') $(grep -c '"report":"reports/v2-[0-9a-f]*.html"' "$work/heap2.html")"
    mkdir "$work/two" "$work/lost" "$work/full-disk"
    cp "$hang" "$other" "$work/two"
    (trap '' XFSZ && ulimit -f 0 && exec "$annot" triage "$work/two" --output html --reports "$work/full-disk" >/dev/null 2>"/dev/fd/3") 3>&1 | cat >"$work/err"
    expect "reports on a full disk" "1 1 0" "$(lines "$work/err") $(grep -c '^annot triage: .*/full-disk/v2-.*html: File too large' "$work/err") $(ls "$work/full-disk" | wc -l)"
    (trap '' XFSZ && ulimit -f 0 && exec "$annot" triage "$work/two" --output html --reports "$work/full-disk" >/dev/null 2>&1)
    expect "which is no success" 1 $?
    run triage "$work/two" --db "$work/lost.db" --output html
    rm "$work/two/$(basename "$hang")"
    run triage --db "$work/lost.db" --output html --reports "$work/lost"
    expect "reports of dumps that are gone" "1 1 1 1" "$code $(grep -cx "annot triage: 1 report is missing, because the dumps can't be read" "$work/err") $(lines "$work/err") $(ls "$work/lost" | wc -l | tr -d ' ')"
    refused "triage: reports of a text" triage --db "$db" --reports "$work/reports"
    refused "triage: reports in no folder" triage --db "$db" --output html --reports "$work/none"
    for jobs in 1 3 64; do
        run triage "$work/heap" --output json --jobs $jobs
        expect "$jobs threads" 1 "$(grep -c '"dumps":7,' "$work/out")"
    done
    hostile=$(dirname "$annot")/fleet-dump
    if [ -x "$hostile" ]; then
        "$hostile" hostile "$work/hostile.annotdmp"
        run triage "$work/hostile.annotdmp" --output html
        expect "hostile names are text" 0 "$(grep -ciE '<(img|svg)|<script>[^"]' "$work/out")"
        expect "and shown" 1 "$(grep -c '\\u003cimg src=x' "$work/out")"
        run triage "$work/hostile.annotdmp" --output text
        expect "without escapes" 0 "$(grep -c "$(printf '\033')" "$work/out")"
    fi
    # killed while it reads: what was read stays
    mkdir "$work/many"
    i=0
    while [ $i -lt 300 ]; do
        cp "$other" "$work/many/$i.annotdmp"
        i=$((i + 1))
    done
    "$annot" triage "$work/many" --db "$work/killed.db" --jobs 1 --output json >/dev/null 2>&1 &
    killed=$!
    kill -9 $killed 2>/dev/null
    wait $killed 2>/dev/null
    run triage "$work/many" --db "$work/killed.db" --output json
    expect "goes on after a kill" 300 "$(grep -o '"dumps":[0-9]*,"read' "$work/out" | tr -dc 0-9)"
    echo "not a database, but long enough to be looked at twice: ................................................................" >"$work/foreign.db"
    refused "triage: not a database" triage "$work/heap" --db "$work/foreign.db"
    if command -v sqlite3 >/dev/null; then
        sqlite3 "$work/other.db" 'create table theirs(x)'
        refused "triage: another program's database" triage "$work/heap" --db "$work/other.db"
        expect "which stays" theirs "$(sqlite3 "$work/other.db" .tables)"
        sqlite3 "$work/odd.db" 'pragma application_id=1095650900; pragma user_version=1; create table dump(x)'
        refused "triage: a database that lacks columns" triage "$work/heap" --db "$work/odd.db"
    fi
    refused "triage: an existing file" triage --db "$db" --output html -o "$work/heap.html"
    refused "triage: no such folder" triage "$work/none"
    refused "triage: no such folder for the database" triage "$work/heap" --db "$work/none/triage.db"
fi
refused "triage of nothing" triage
refused "triage: unknown option" triage --frobnicate "$work/heap"
refused "triage: unknown output" triage --output yaml "$work/heap"
refused "triage: a value is missing" triage "$work/heap" --db
refused "triage: --top" triage "$work/heap" --top many
refused "triage: --jobs" triage "$work/heap" --jobs 257
refused "triage: --jobs with something behind" triage "$work/heap" --jobs 3x

# ---- export ----
run export "$work/heap" --output ndjson
expect "a line for each" "1 7 0" "$code $(lines "$work/out") $(lines "$work/err")"
expect "unreadable ones, too" 1 "$(grep -c '"status":"unreadable","why":"' "$work/out")"
expect "whose time is not known" 1 "$(grep '"status":"unreadable"' "$work/out" | grep -c '"time":null')"
run export "$work/heap" "$work/heap/deep/.." --output ndjson
expect "each file once" 7 "$(lines "$work/out")"
run export "$hang" --output ndjson
expect "whole dumps" "0 1" "$code $(grep -c '"signature":"v2-249a101f704fa554"' "$work/out")"
run export "$work/heap" --output ndjson -o "$work/events"
expect "into a file" "1 7" "$code $(lines "$work/events")"
refused "export: an existing file" export "$hang" --output ndjson -o "$work/events"
refused "export of nothing" export --output ndjson
refused "export as nothing" export "$hang"
refused "export as something else" export "$hang" --output parquet
refused "export: no such file" export "$work/none" --output ndjson
refused "export: --jobs" export "$hang" --output ndjson --jobs x
refused "export: --jobs with something behind" export "$hang" --output ndjson --jobs 3x
refused "export: --jobs of nothing" export "$hang" --output ndjson --jobs ''
refused "export: unknown option" export --frobnicate "$hang"

# ---- whole outputs, of dumps that never change ----
# FLEET_RENEW=1 stores what is printed now: look at the difference before it is committed.
stored=$(cd "$(dirname "$0")/../golden/fleet" && pwd)
all="demo_frame page_fault_with_everything damaged_section live_device"
# whole NAME ARGUMENTS...
whole() {
    name=$1
    shift
    (cd "$golden" && "$program" "$@") 2>&1 </dev/null | sed "s|$(cd "$golden" && pwd -P)/||g" >"$work/$name"
    [ -z "${FLEET_RENEW:-}" ] || cp "$work/$name" "$stored/$name"
    expect "$name" "" "$(diff "$stored/$name" "$work/$name" | head -n 4)"
}
whole summaries.ndjson export --jobs 1 --output ndjson $(printf '%s.annotdmp ' $all)
# and what becomes of them for services; a dump without a time has that of the export
for service in sentry backtrace; do
    command -v jq >/dev/null || break
    for from in "$stored/summaries.ndjson" "$work/events"; do
        jq -c -f "$(dirname "$0")/../../examples/fleet/$service.jq" <"$from" |
            sed 's/"timestamp":[0-9]*\(.*the timestamp is the time of the export\)/"timestamp":0\1/' >"$work/$service"
        [ -z "${FLEET_RENEW:-}" ] || [ "$from" = "$work/events" ] || cp "$work/$service" "$stored/$service.ndjson"
        [ "$from" = "$work/events" ] || expect "$service" "" "$(diff "$stored/$service.ndjson" "$work/$service" | head -n 4)"
    done
    expect "$service leaves out unreadable ones" 6 "$(lines "$work/$service")"
done
# a tag of Sentry has a key of at most 32 of its characters: other facts are in the context alone, and none replaces another
if command -v jq >/dev/null; then
    long=player.settings.graphics.shadows
    sed -n '1s/"app":{[^}]*}/"app":{"ур":"one","им":"two","build id":"3","build\&id":"4","'$long.distance'":"5","'$long.quality'":"6","level":"7"}/p' "$work/events" |
        jq -c -f "$(dirname "$0")/../../examples/fleet/sentry.jq" | jq -c '[(.tags | keys | map(select(startswith("app.")))), .contexts.facts]' >"$work/facts"
    expect "facts with keys that Sentry doesn't allow" '[["app.level"],{"ур":"one","им":"two","build id":"3","build&id":"4","'$long.distance'":"5","'$long.quality'":"6","level":"7"}]' \
        "$(cat "$work/facts")"
fi
whole diff.txt diff --output text demo_frame.annotdmp page_fault_with_everything.annotdmp
whole diff.json diff --output json demo_frame.annotdmp page_fault_with_everything.annotdmp
whole signature.txt signature --output text $(printf '%s.annotdmp ' $all)
whole signature.json signature --output json $(printf '%s.annotdmp ' $all)
for form in text json; do
    whole timeline.$form timeline --output $form ../fleet/timeline.annotdmp
done
if "$annot" triage "$hang" >/dev/null 2>&1; then
    for form in text json html; do
        whole triage.$form triage --output $form --top 3 .
    done
fi

# ---- a disk that takes nothing: no file is left ----
full() {
    title=$1
    shift
    (trap '' XFSZ && ulimit -f 0 && exec "$annot" "$@" 2>/dev/null) </dev/null | cat
    expect "$title: no space, no file" no "$([ -e "$work/full" ] || echo no)"
}
full html html "$hang" -o "$work/full"
full redact redact "$other" -o "$work/full"
full export export "$hang" --output ndjson -o "$work/full"
full triage triage "$hang" --output html -o "$work/full"

# ---- a terminal has a progress bar, which goes away; a simple one has none ----
if script -qec true /dev/null >/dev/null 2>&1 </dev/null && "$annot" triage "$hang" >/dev/null 2>&1; then
    for term in xterm dumb; do
        TERM=$term script -qec "'$annot' triage '$hang' --output json" /dev/null </dev/null >"$work/terminal"
        expect "a bar on $term" $([ $term = xterm ] && echo 1 || echo 0) "$(grep -c "$(printf '\r\033\[K')" "$work/terminal")"
    done
fi

# ---- many dumps of one hang: when, how often, of which version ----
maker=$(dirname "$annot")/fleet-dump
if [ -x "$maker" ] && "$annot" triage "$hang" >/dev/null 2>&1; then
    mkdir "$work/trend"
    for day in 0 7 12 19 20 20 20; do
        i=$((i + 1))
        "$maker" renamed shadows "$work/trend/$i.annotdmp" $day
    done
    run triage "$work/trend" --output json
    expect "the last fourteen days" '"days":[1,0,0,0,0,1,0,0,0,0,0,0,1,3]' "$(grep -o '"days":[^]]*]' "$work/out")"
    expect "the first and the last" '"first":"2023-11-14 22:13:20.000000000","last":"2023-12-04 22:13:20.000000000"' \
        "$(grep -o '"first":.*"last":"[^"]*"' "$work/out")"
    expect "the newest dump; of dumps of one time, the first file" 1 "$(grep -c "\"example\":\"$work/trend/$((i - 2)).annotdmp\"" "$work/out")"
    expect "versions" '"versions":"1.2 (7)"' "$(grep -o '"versions":"[^"]*"' "$work/out")"
    run triage "$work/trend" --output text
    expect "as marks" 1 "$(grep -cF '[-    -      -#]  GPU HANG: Frame' "$work/out")"
    run diff "$work/trend/$((i - 1)).annotdmp" "$work/trend/$i.annotdmp"
    expect "two processes of one program" 0 "$code"
    run export "$work/trend/$i.annotdmp" --output ndjson
    expect "version and system" 1 "$(grep -c '"app_version":"1.2".*"system":"[^"]' "$work/out")"
fi

if "$annot" triage "$hang" >/dev/null 2>&1 && command -v sqlite3 >/dev/null; then
    [ -z "${FLEET_RENEW:-}" ] || cp "$work/refusals" "$stored/refusals.txt"
    expect "refusals" "" "$(diff "$stored/refusals.txt" "$work/refusals" | head -n 4)"
fi

# ---- help ----
for command in signature html diff redact triage export; do
    run $command --help
    expect "$command --help" "0 0" "$code $(lines "$work/err")"
    expect "$command has a man page" yes "$([ -e "$(dirname "$0")/../../docs/man/annot-$command.1" ] && echo yes)"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
