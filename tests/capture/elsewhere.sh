#!/usr/bin/env bash
# Traces that were taken in other binary interfaces of D3D12 replay here, with equal read-backs [ANN-TRACE-02, ANN-PORT-02].
#   elsewhere.sh ANNOT RUNTIME TRACES
set -u
annot=$1 runtime=$2 traces=$3
count=0
for trace in "$traces"/*.annottrace; do
  outcome=$("$annot" replay --output json "$trace" --runtime "$runtime" 2>&1) || { echo "$trace: $outcome"; exit 1; }
  reads=$(sed -n 's/.*"reads":\([0-9]*\).*/\1/p' <<<"$outcome")
  [ "${reads:-0}" -ge 1 ] || { echo "$trace: nothing was read back"; exit 1; }
  count=$((count + 1))
done
echo "$count traces of other systems replay"
[ "$count" -ge 2 ]
