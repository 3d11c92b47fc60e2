#!/bin/sh
# Tests signature, redaction, page, diff, triage, export and timeline, cheapest first, until something fails: for
# tests/mutants/mutate.pl, which wants one command. A part that is skipped is no failure.
# usage: suite.sh BIN_DIR
set -u
bin=$1
here=$(dirname "$0")
part() {
    "$@" </dev/null || [ $? -eq 77 ] || { echo "[FAIL] suite::$(basename "$2" .sh)"; exit 1; }
}
for suite in fold_name keyed_hash signature redact timeline; do
    "$bin/test-unit" --fail-fast -j1 --filter "$suite/*" </dev/null || exit 1
done
part sh "$here/../cli/fleet.sh" "$bin/annot"
part sh "$here/../cli/perfetto.sh" "$bin/annot"
if command -v node >/dev/null; then
    part node "$here/page.mjs" "$bin" "$here/../golden/dumps" '' small
    part node "$here/reports.mjs" "$bin" "$here/../golden/dumps"
fi
