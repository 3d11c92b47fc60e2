#!/bin/sh
# annot timeline --output perfetto, decoded by protoc: tracks, nesting, flows, unfinished work.
# usage: perfetto.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: perfetto.sh path/to/annot" >&2; exit 2; }
annot=$1
hang=$(dirname "$annot")/hang
proto=$(cd "$(dirname "$0")/../fleet" && pwd)
[ -x "$hang" ] || { echo "perfetto.sh: no $hang: skipped"; exit 77; }
command -v protoc >/dev/null || { echo "perfetto.sh: no protoc: skipped"; exit 77; }
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

ANNOT_TIMELINE=1 "$hang" --seed 1 --out "$work/hang.annotdmp" >/dev/null || { echo "hang failed"; exit 1; }
"$annot" timeline --output perfetto "$work/hang.annotdmp" >"$work/trace" 2>"$work/err"
expect "a trace" "0 " "$? $(cat "$work/err")"
protoc --proto_path="$proto" --decode=perfetto.protos.Trace perfetto.proto <"$work/trace" >"$work/text" 2>"$work/err"
expect "protoc reads it" "0 " "$? $(cat "$work/err")"
count() { grep -c "$1" "$work/text"; }
expect "no field that the format has not" 0 "$(grep -cE '^ *[0-9]+:' "$work/text")"
expect "the queues are tracks" "1 1" "$(count 'name: "Graphics queue"') $(count 'name: "Compute queue"')"

# The JSON form has the same slices.
"$annot" timeline --output json "$work/hang.annotdmp" >"$work/json"
begins=$(count 'type: TYPE_SLICE_BEGIN') ends=$(count 'type: TYPE_SLICE_END')
expect "a begin for each slice" "$(grep -c '"ph":"X"' "$work/json")" "$begins"
pairs() { grep "$1" "$work/json" | grep -o '"pid":[0-9]*,"tid":[0-9]*' | sort -u; }
expect "what has slices has a name" "$(pairs '"ph":"X"')" "$(pairs '"name":"thread_name"')"
expect "the CPU's calls are in its process" '"pid":1' "$(pairs '"ph":"X".*"cat":"submit"' | cut -d, -f1 | sort -u)"
unfinished=$(count 'string_value: "unfinished"')
expect "something is unfinished" yes "$([ "$unfinished" -gt 0 ] && echo yes)"
expect "and has no end" "$((begins - unfinished))" "$ends"
expect "the marker that hangs is unfinished" 1 "$(tr '\n' ' ' <"$work/text" | sed 's/packet {/\n&/g' | grep 'name: "Cascade 2"' | grep -c unfinished)"
expect "with its EventID" yes "$(grep -q 'string_value: "0x' "$work/text" && echo yes)"
expect "as many arrows end as begin, or fewer" yes \
    "$([ "$(count 'terminating_flow_ids:')" -gt 0 ] && [ "$(count 'terminating_flow_ids:')" -le "$(count ' flow_ids:')" ] && echo yes)"

# The whole of a trace that never changes. FLEET_RENEW=1 stores what is printed now.
stored=$proto/../golden/fleet
"$annot" timeline --output perfetto "$stored/timeline.annotdmp" |
    protoc --proto_path="$proto" --decode=perfetto.protos.Trace perfetto.proto >"$work/whole"
[ -z "${FLEET_RENEW:-}" ] || cp "$work/whole" "$stored/timeline.perfetto.txt"
expect "a whole trace" "" "$(diff "$stored/timeline.perfetto.txt" "$work/whole" | head -n 6)"

# Begins and ends of a track nest, and time does not run back in it.
awk '
    /^packet {/ { time = track = type = "" }
    /^  timestamp:/ { time = $2 }
    /^    type:/ { type = $2 }
    /^    track_uuid:/ { track = $2 }
    /^}/ && type != "" {
        if (type != "TYPE_INSTANT" && time + 0 < last[track] + 0) print "time runs back on track " track
        last[track] = time
        if (type == "TYPE_SLICE_BEGIN") depth[track]++
        if (type == "TYPE_SLICE_END" && --depth[track] < 0) print "an end too many on track " track
    }
' "$work/text" >"$work/odd"
expect "slices nest" "" "$(cat "$work/odd")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
