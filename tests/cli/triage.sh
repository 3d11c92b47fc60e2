#!/bin/sh
# Triages beside each other, stopped and killed ones, and databases that somebody else made.
# usage: triage.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: triage.sh path/to/annot" >&2; exit 2; }
annot=$1
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

"$annot" triage "$golden/live_device.annotdmp" >/dev/null 2>"$work/err" </dev/null
if grep -q 'no SQLite' "$work/err"; then
    echo "triage.sh: this build has no SQLite: skipped"
    exit 77
fi

# count FILE: dumps that the JSON report in it counts
count() { grep -o '"dumps":[0-9]*,"read' "$1" | tr -dc 0-9; }

# many FOLDER N: 100 N dumps, each a file of its own name
many() {
    mkdir -p "$1/0"
    i=0
    while [ $i -lt 50 ]; do
        ln "$work/a.annotdmp" "$1/0/$i.annotdmp"
        ln "$work/b.annotdmp" "$1/0/b$i.annotdmp"
        i=$((i + 1))
    done
    i=1
    while [ $i -lt "$2" ]; do
        cp -lr "$1/0" "$1/$i"
        i=$((i + 1))
    done
}
cp "$golden/hang_inside_a_nested_scope.annotdmp" "$work/a.annotdmp"
cp "$golden/page_fault_with_everything.annotdmp" "$work/b.annotdmp"
many "$work/heap" 40
many "$work/few" 1

# ---- one that stands still in the middle of its reading is in nobody's way ----
rounds=0 good=0
while [ $rounds -lt 6 ]; do
    rounds=$((rounds + 1))
    rm -f "$work"/stopped.db*
    "$annot" triage "$work/few" --db "$work/stopped.db" --output json >/dev/null
    "$annot" triage "$work/heap" --db "$work/stopped.db" --jobs 1 --output json >"$work/slow" &
    slow=$!
    sleep 0.1$rounds
    kill -STOP $slow
    touch "$work/few/0/0.annotdmp" # changed: it is written again
    timeout 5 "$annot" triage "$work/few" --db "$work/stopped.db" --output json >"$work/out" 2>"$work/err" && good=$((good + 1))
    kill -CONT $slow
    wait $slow
    expect "round $rounds: the stopped one goes on" "0 4100" "$? $(count "$work/slow")"
done
# it may have been stopped in the milliseconds of a commit, but not each time
expect "others go on beside a stopped one" yes "$([ $good -ge 1 ] && echo yes || echo "$good of $rounds: $(cat "$work/err")")"

# ---- several at once ----
for together in 2 4 8; do
    rm -f "$work"/once.db*
    pids=
    for n in $(seq $together); do
        "$annot" triage "$work/heap/$n" "$work/heap/0" --db "$work/once.db" --jobs 1 --output json >"$work/once.$n" 2>&1 &
        pids="$pids $!"
    done
    codes=
    for pid in $pids; do
        wait $pid
        codes="$codes$?"
    done
    expect "$together at once end well" "$(printf "%${together}s" | tr ' ' 0)" "$codes"
    "$annot" triage --db "$work/once.db" --output json >"$work/out"
    expect "$together at once are counted" $((100 * together + 100)) "$(count "$work/out")"
    expect "$together at once: two hangs" 2 "$(grep -o '"group_count":[0-9]*' "$work/out" | tr -dc 0-9)"
done

# ---- killed at any moment ----
rm -f "$work"/killed.db*
before=0 lost=0
for n in $(seq 15); do
    "$annot" triage "$work/heap" --db "$work/killed.db" --jobs 2 --output json >/dev/null 2>&1 &
    killed=$!
    sleep 0.0$n
    kill -9 $killed 2>/dev/null
    wait $killed 2>/dev/null
    [ -e "$work/killed.db" ] || [ $before -gt 0 ] || continue # killed before it began
    "$annot" triage --db "$work/killed.db" --output json >"$work/out" 2>"$work/err" || lost=$((lost + 1))
    now=$(count "$work/out")
    [ "${now:-0}" -ge "$before" ] || lost=$((lost + 1))
    before=${now:-0}
done
expect "a kill loses nothing that was written" 0 $lost
"$annot" triage "$work/heap" --db "$work/killed.db" --output json >"$work/out"
expect "and the next one completes it" "0 4000" "$? $(count "$work/out")"

# ---- nothing to read ----
mkdir "$work/empty"
"$annot" triage "$work/empty" >"$work/out" 2>"$work/err"
expect "a folder without a dump" "2 0 1" "$? $(wc -c <"$work/out" | tr -d ' ') $(grep -c 'no dumps' "$work/err")"
"$annot" triage "$work/empty" --db "$work/killed.db" >"$work/out" 2>"$work/err"
expect "whatever the database holds" 2 $?
"$annot" triage "$work/few" "$work/empty" >"$work/out" 2>"$work/err"
expect "beside one that has some" "2 1" "$? $(grep -c "$work/empty" "$work/err")"
"$annot" export "$work/empty" --output ndjson >"$work/out" 2>"$work/err"
expect "the same for export" "2 1" "$? $(grep -c 'no dumps' "$work/err")"

# ---- what is no file ----
if mkfifo "$work/fifo" 2>/dev/null; then
    for what in "$work/fifo" "$work/empty" /dev/null /dev/zero; do
        timeout 120 "$annot" triage "$work/few" --db "$what" >"$work/out" 2>"$work/err" </dev/null
        expect "a database that is $what" "2 0 1" "$? $(wc -c <"$work/out" | tr -d ' ') $(wc -l <"$work/err" | tr -d ' ')"
    done
    timeout 120 "$annot" triage "$work/fifo" --output json >"$work/out" 2>"$work/err" </dev/null
    expect "a dump that is a FIFO" "1 1" "$? $(grep -c '"status":"unreadable"' "$work/out")"
fi

# ---- databases of strangers ----
if command -v sqlite3 >/dev/null; then
    # stranger SQL...: a triage's own database, changed; its last line of standard error is kept
    stranger() {
        rm -f "$work"/odd.db*
        cp "$work/whole.db" "$work/odd.db"
        sqlite3 "$work/odd.db" "$1"
    }
    refused() {
        timeout 120 "$annot" triage "$work/few" --db "$work/odd.db" --output json >"$work/out" 2>"$work/err"
        expect "$1" "2 0 1" "$? $(wc -c <"$work/out" | tr -d ' ') $(wc -l <"$work/err" | tr -d ' ')"
        expect "$1: no escapes" 0 "$(grep -c "$(printf '\033')" "$work/err")"
    }
    "$annot" triage "$work/few" --db "$work/whole.db" --output json >/dev/null
    stranger "create table evil(x); create trigger t after insert on dump begin insert into evil values(1); end"
    refused "a trigger"
    expect "which does not run" 0 "$(sqlite3 "$work/odd.db" 'select count(*) from evil')"
    stranger "alter table dump rename to real; create view dump as select * from real"
    refused "a view in the table's place"
    stranger "alter table dump add column more text generated always as (hex(zeroblob(10)))"
    refused "another column"
    stranger "create view v as select 1"
    refused "a view beside the table"
    stranger "drop index by_signature; create index by_signature on dump(hex(zeroblob(10)))"
    refused "another index"
    stranger "pragma writable_schema=on; update sqlite_master set name=char(27)||'[31m', tbl_name=char(27) where name='by_signature'"
    refused "a schema with escapes"
    head -c 5000 "$work/whole.db" >"$work/odd.db"
    refused "half a database"

    esc="char(27)||'[2J<img src=x onerror=alert(1)>'||char(10)||'forged'||char(7)"
    stranger "update dump set signature=$esc, quality=$esc, title=$esc, driver=$esc, application=$esc, app_version=$esc, status=$esc, why=$esc,
        facts=replace($esc, char(10), '')||char(9)||replace($esc, char(10), '')||char(10)"
    for form in text json html; do
        "$annot" triage --db "$work/odd.db" --output $form >"$work/out" 2>"$work/err"
        expect "hostile texts in $form" "0 0 0" \
            "$(grep -c "$(printf '\033')" "$work/out") $(grep -c "$(printf '\007')" "$work/out") $(grep -c '^forged' "$work/out")"
    done
    expect "are no markup" 0 "$(grep -c '<img' "$work/out")"
    stranger "update dump set time='x', signature=x'00ff', title=zeroblob(5000), status=5, file=file||char(27)"
    timeout 120 "$annot" triage --db "$work/odd.db" --output text >"$work/out" 2>"$work/err"
    expect "columns of other types" yes "$([ $? -le 2 ] && echo yes)"
    stranger "update shape set nodes=null; delete from founder; insert into founder values(9223372036854775807, 'v2-0');
        insert into edit values(9223372036854775807, 'rules', null, null, 'never merge')"
    "$annot" triage --db "$work/odd.db" --output json >"$work/out" 2>"$work/err"
    expect "shapes without bytes, and a founder with the largest number" "0 1 2" \
        "$? $(grep -c '"group_count":2,' "$work/out") $(sqlite3 "$work/odd.db" "select count(*) from founder where signature in (select hang from member)")"
    "$annot" triage regroup --db "$work/odd.db" --rules /dev/null >"$work/out" 2>"$work/err"
    expect "an edit behind the largest number is refused" "2 1 1" "$? $(wc -l <"$work/err" | tr -d ' ') $(sqlite3 "$work/odd.db" 'select count(*) from edit')"
    # one group of 41 signatures, whose dumps have 12 facts of 41 values; a text without an end is no fact
    "$annot" triage "$work/a.annotdmp" --db "$work/one.db" --output json >/dev/null
    cp "$work/one.db" "$work/odd.db"
    sqlite3 "$work/odd.db" "create temp table n as with recursive c(i) as (select 0 union all select i + 1 from c where i < 39) select i from c;
        create temp table d as select dump.*, i from dump, n; create temp table s as select identity.*, i from identity, n;
        update d set file=file||i, signature=signature||i, driver='d'||(i % 6),
            facts=(select group_concat('key'||x.i||char(9)||d.i||char(10), '') from n x where x.i < 12)||'open'||char(9)||'end';
        update s set signature=signature||i; alter table d drop column i; alter table s drop column i;
        insert into dump select * from d; insert into identity select * from s;
        update dump set facts='\"],'||char(92)||char(9)||'\"}'||char(10)||'version'||char(9)||'1'||char(10)||'message.1'||char(9)||'m'||char(10)
            where facts is null or facts=''"
    "$annot" triage --db "$work/odd.db" --output json >"$work/out" 2>"$work/err"
    expect "32 members, and 8 facts of 8 values" "0 1 32 64 0" "$? $(grep -c '"dumps":41,"signatures":41,' "$work/out") $(grep -o '"dump":' "$work/out" | wc -l) $(
        grep -o '"key":' "$work/out" | wc -l) $(grep -cE '"open"|"end"' "$work/out")"
    expect "the four most frequent drivers" 1 "$(grep -cF '"drivers":"d0 (7), d1 (7), d2 (7), d3 (7)"' "$work/out")"
    sqlite3 "$work/odd.db" "delete from dump where facts like 'key%'"
    "$annot" triage --db "$work/odd.db" --output json >"$work/out" 2>"$work/err"
    expect "a fact stays a text; versions and the runtime's messages are others" 1 \
        "$(grep -cF '"facts":[{"key":"\"],\\","value":"\"}","dumps":1}]' "$work/out")"
    "$annot" export --db "$work/odd.db" --output ndjson >"$work/out" 2>"$work/err"
    expect "in exports, too" 1 "$(grep -cF '"app":{"\"],\\":"\"}","version":"1","message.1":"m"}}' "$work/out")"
    stranger "update dump set title=hex(zeroblob(100000000)) where file=(select min(file) from dump)"
    timeout 120 "$annot" triage --db "$work/odd.db" --output text >"$work/out" 2>"$work/err"
    expect "a text of 200 MB" "2 1" "$? $(wc -l <"$work/err" | tr -d ' ')"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
