#!/usr/bin/env bash
# The recorded traces of the suite are trimmed from several calls on; AddressSanitizer sees each access
# [ANN-TRACE-02].
#   trims.sh ANNOT
set -u
annot=$1
traces=$(cd "$(dirname "$0")/../golden/traces" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
calls() { "$annot" trace info --output json "$1" | sed -n 's/.*"calls":\([0-9]*\).*/\1/p'; }

for trace in "$traces"/*.annottrace; do
  count=$(calls "$trace")
  [ "${count:-0}" -gt 100 ] || { echo "$trace: ${count:-no} calls"; exit 1; }
  for from in 1 $((count / 4)) $((count / 2)) "$count"; do
    "$annot" trace trim --output json "$trace" -o "$work/part" --from "$from" >"$work/out" 2>"$work/errors"
    [ $? = 0 ] && [ ! -s "$work/errors" ] || { echo "$trace from $from: $(head -20 "$work/errors")"; exit 1; }
    rm "$work/part"
  done
done
