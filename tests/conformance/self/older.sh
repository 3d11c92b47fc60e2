#!/usr/bin/env bash
# A runtime without ID3D12DeviceTools2 is tested as far as it goes: one case says so and fails, what needs the interface is skipped
# with that reason, the rest passes: at least 150 cases, which need nothing but D3D12.
#   older.sh RUNTIME EMULATOR PROGRAM
set -u
out=$(STAND_IN_REAL=$2 NO_COLOR=1 timeout 800 "$3" --runtime "$1" --timeout 60 2>/dev/null)
code=$?
failed=0
fail() { echo "older.sh: $*"; failed=1; }
[ "$code" -eq 1 ] || fail "exit code $code, not 1"
grep -q '^not ok [0-9]* - mode/devices_have_their_tools$' <<<"$out" || fail "nobody misses ID3D12DeviceTools2"
grep '^not ok ' <<<"$out" | grep -v ' - mode/devices_have_their_tools$' && fail "the cases above need no ID3D12DeviceTools2"
[ "$(grep -c '^ok [^#]*$' <<<"$out")" -ge 150 ] || fail "fewer than 150 cases pass"
[ "$(grep -c 'SKIP needs ID3D12DeviceTools2, which the device does not have' <<<"$out")" -ge 20 ] || fail "few are skipped for it"
grep -q 'SKIP .* exports annot_conformance_device, but not annot_device_lookup_sized' <<<"$out" || fail "a hidden libannot is not told"
! grep -q 'exports no annot_conformance_device' <<<"$out" || fail "the hook is not found"
grep -q '^ok [0-9]* - plain/[^#]*$' <<<"$out" || fail "nothing of area plain is tested"
! grep -q 'can_be_tested_at_all' <<<"$out" || fail "an area counts as untestable"
tail -n1 <<<"$out"
exit "$failed"
