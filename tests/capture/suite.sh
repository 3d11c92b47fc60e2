#!/bin/sh
# What a change in layers/capture breaks, in seconds and the quickest first: for tests/mutants.
#   suite.sh BIN
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1
quietly() {
  "$@" >/dev/null 2>&1 || exit 1
}
quietly "$bin/test-trace" --fail-fast -j1
quietly bash "$here/demo.sh" "$bin/annot"
quietly bash "$here/different.sh" "$bin/annot" "$bin/capture-edit" "$bin/capture-parts"
quietly bash "$here/memory.sh" "$bin/annot" "$bin/capture-memory"
quietly bash "$here/trim.sh" "$bin/annot" "$bin/wrong_draw" "$bin/capture-parts"
quietly bash "$here/wrong_draw.sh" "$bin/annot" "$bin/wrong_draw"
quietly bash "$here/elsewhere.sh" "$bin/annot" "$bin/../lib/libd3d12.so" "$here/../golden/traces"
quietly bash "$here/until.sh" "$bin/annot" "$bin/capture-parts" "$bin/dred"
quietly bash "$here/refused.sh" "$bin/annot" "$bin/test-d3d12"
quietly bash "$here/killed.sh" "$bin/annot" 6
for share in 11,60 55,60; do
  quietly bash "$here/replayed.sh" "$bin/annot" "$here/exempt.txt" "$bin/test-d3d12" $share
done
