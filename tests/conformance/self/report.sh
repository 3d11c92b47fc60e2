#!/bin/sh
# Each form of the report, of one case for each verdict, is what tests/golden/conformance has. REPORT_RENEW=1 stores what is
# printed now.
#   report.sh CONFORMANCE_REPORT
set -u
stored=$(dirname "$0")/../../golden/conformance
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
for form in tap junit json list list-json author; do
  "$1" "$form" >"$work/$form"
  [ -z "${REPORT_RENEW:-}" ] || cp "$work/$form" "$stored/$form"
  cmp -s "$stored/$form" "$work/$form" || { failed=1; echo "$form:"; diff "$stored/$form" "$work/$form"; }
done
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$work/junit" || { failed=1; echo "junit: no XML"; }
  for form in json list-json; do
    python3 -c 'import sys, json; json.load(open(sys.argv[1], encoding="utf-8"))' "$work/$form" || { failed=1; echo "$form: no JSON"; }
  done
fi
exit $failed
