#!/usr/bin/env bash
# `annot show --output json` prints what docs/schema promises: of every stored dump, whole and cut short, now and as it
# was stored, of programs that fail in many ways, and of what other tests read; and the schema says no to documents that break it.
#   schema.sh ANNOT
set -u
annot=$1
here=$(cd "$(dirname "$0")" && pwd)
schema=$here/../../docs/schema/annot-report-3.schema.json
dumps=$here/../golden/dumps
if ! python3 -c 'import jsonschema' 2>/dev/null; then
  echo "schema: skipped: no python3-jsonschema"
  exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for dump in "$dumps"/*.annotdmp; do
  name=$(basename "$dump" .annotdmp)
  "$annot" show --output json --all "$dump" >"$dir/$name.all.json" 2>"$dir/log"
  [ $? -le 1 ] || { cat "$dir/log"; echo "$name: not shown"; exit 1; }
  "$annot" show --output json "$dump" >"$dir/$name.json" 2>/dev/null
  head -c $(($(wc -c <"$dump") * 2 / 3)) "$dump" >"$dir/short.annotdmp"
  "$annot" show --output json "$dir/short.annotdmp" >"$dir/$name.short.json" 2>/dev/null || [ $? -eq 1 ] || rm -f "$dir/$name.short.json"
done
# One of the emulator's, which has what the kernel-mode driver said.
hang=$(dirname "$annot")/hang
if [ -x "$hang" ]; then
  "$hang" --seed 1 --out "$dir/hang.annotdmp" >/dev/null && "$annot" show --output json "$dir/hang.annotdmp" >"$dir/hang.json"
  grep -q '"tdr":{' "$dir/hang.json" || { echo "no tdr in a hang's report"; exit 1; }
fi
dred=$(dirname "$annot")/dred
if [ -x "$dred" ]; then
  "$dred" --out "$dir/dred.annotdmp" >/dev/null && "$annot" show --operations --output json "$dir/dred.annotdmp" >"$dir/dred.json"
  grep -q '"operations":\[.*' "$dir/dred.json" || { echo "no operations in a list that noted some"; exit 1; }
fi
# The examples leave a dump at a path.
for example in dump_file timeline; do
  program=$(dirname "$annot")/$example
  [ ! -x "$program" ] || { "$program" --out "$dir/$example.annotdmp" >/dev/null && "$annot" show --all --output json "$dir/$example.annotdmp" >"$dir/$example.json"; } ||
    { echo "$example: no report"; exit 1; }
done
# A dump of each kind of fault, with pipelines, breadcrumbs, several queues and memory; without breadcrumbs as well.
measure=$(dirname "$annot")/fleet-measure
if [ -x "$measure" ]; then
  mkdir "$dir/faults" "$dir/silent"
  "$measure" --scene "$here/../fleet/engines.scene" --runs 1 --keep "$dir/faults" >"$dir/log" 2>&1
  "$measure" --runs 1 --no-breadcrumbs --keep "$dir/silent" >"$dir/log" 2>&1
  for dump in "$dir"/faults/*.annotdmp "$dir"/silent/*.annotdmp; do
    "$annot" show --output json "$dump" >"$dump.json" || { echo "$dump: not shown"; exit 1; }
    mv "$dump.json" "$dir/$(basename "$dump").$(basename "$(dirname "$dump")").json"
  done
fi
# Other tests read these: kept_reports.c leaves a report of each dump that they close. Whether they pass is no matter here.
mkdir "$dir/kept"
tests=$(dirname "$annot")
if [ -x "$tests/test-unit" ]; then
  for program in "unit @(signature|identity|operation|facts|submitted_name|recording_name|report_answer|stop_path|tdr)/*" \
    "d3d12 @(operations|page_faults)/*"; do
    [ ! -x "$tests/test-${program%% *}" ] ||
      ANNOT_TEST_REPORTS=$dir/kept "$tests/test-${program%% *}" --filter "${program#* }" >"$dir/log" 2>&1
  done
  [ ! -x "$tests/test-truth" ] || ANNOT_TEST_REPORTS=$dir/kept "$tests/test-truth" --programs 30 --list >"$dir/log" 2>&1
  kept=$(find "$dir/kept" -name '*.json' | wc -l)
  [ "$kept" -gt 0 ] || { echo "no report of another test"; exit 1; }
fi
python3 "$here/schema.py" "$schema" "$dumps"/*.json "$dir"/*.json "$dir"/kept/*.json || exit 1

# The schema has teeth: each of these changes of a good document is found.
good=$dir/demo_frame.json
broken=0
for change in 's/"version":3/"version":2/' 's/"damaged":false/"damaged":0/' 's/"submission":"14"/"submission":14/' \
  's/"state":"finished"/"state":"done"/' 's/"queues":/"queue":/' 's/"event_id":"0x/"event_id":"/'; do
  sed "1,/./$change" "$good" >"$dir/changed"
  cmp -s "$good" "$dir/changed" && sed "$change" "$good" >"$dir/changed"
  cmp -s "$good" "$dir/changed" && { echo "nothing to change: $change"; exit 1; }
  ! python3 "$here/schema.py" "$schema" "$dir/changed" >/dev/null || { echo "not found: $change"; exit 1; }
  broken=$((broken + 1))
done
echo "$broken wrong documents are found"
