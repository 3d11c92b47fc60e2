#!/bin/sh
# Tests the public interface as programs see it: unit tests, `annot show`, schemas, the conformance suite's reports. For
# mutate.pl, which wants one command. A part that is skipped is no failure.
# usage: interface.sh BIN_DIR
set -u
bin=$1
here=$(dirname "$0")
part() {
    "$@" </dev/null || [ $? -eq 77 ] || { echo "[FAIL] interface::$(basename "$2" .sh)"; exit 1; }
}
suites='application_crash|by_reference|device_error|driver_table|dump_file|dump_memory|dump_names|dump_write|edges|event_stack|event_word'
suites="$suites|evidence|facts|golden_dumps|inert|lifetime|lookup|marker|message|mode|name|objects|queue|recording_name|report"
suites="$suites|report_bounds|report_terminal|utf|withdraw"
"$bin/test-unit" --fail-fast -j1 --filter "@($suites)/*" </dev/null || exit 1
part sh "$here/../conformance/self/report.sh" "$bin/conformance-report"
part sh "$here/../cli/show.sh" "$bin/annot"
part bash "$here/../cli/schema.sh" "$bin/annot"
part bash "$here/../cli/runtime.sh" "$bin/annot"
