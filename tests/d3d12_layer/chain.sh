#!/usr/bin/env bash
# On Windows, or Wine, with a DXGI that stands in for the system's: each call of a swap chain that says that the device is gone
# leaves the dump before it returns, and is named; the same code leaves none while the device is there [ANN-FIELD-03].
#   chain.sh ANNOT BIN PROGRAM DXGI [COMMAND...]     COMMAND runs Windows programs; BIN: where the emulator is
set -u
annot=$1 bin=$2 program=$3 dxgi=$4
shift 4
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
cp "$bin"/*.dll "$work/" && cp "$program" "$work/chain.exe" && cp "$dxgi" "$work/dxgi.dll" && cd "$work" || exit 2
export ANNOT_D3D12_QUIET=1 ANNOT_D3D12_TIMEOUT=0 # nobody but the call may be the first to see it
run() {
  timeout 300 "$@" >out 2>errors || fail "$*: $(cat out errors)"
  tr -d '\r' <out >lines
}
run "$@" ./chain.exe dump
[ "$(grep -c ' none$' lines)" = 25 ] && [ "$(wc -l <lines)" = 25 ] || fail "without the layer: $(cat lines)"
sed 's/none$/dump/' lines >expected
run "$@" "$annot" d3d12 -o dump -- ./chain.exe dump
diff expected lines || fail "under the layer"
number=0
while read -r call _ code _; do
  number=$((number + 1))
  case $code in
  0x887A0005) name=DXGI_ERROR_DEVICE_REMOVED ;;
  0x887A0006) name=DXGI_ERROR_DEVICE_HUNG ;;
  0x887A0007) name=DXGI_ERROR_DEVICE_RESET ;;
  0x887A0020) name=DXGI_ERROR_DRIVER_INTERNAL_ERROR ;;
  0x88760870) name=D3DDDIERR_DEVICEREMOVED ;;
  esac
  file=dump-$number
  [ $number -gt 1 ] || file=dump
  call=${call%1} # a program's call; its later form does the same
  grep -aq "$call returned $name" "$file" || fail "$call, $code: another reason: $(grep -ao '[A-Za-z:]* returned [A-Z_]*' "$file")"
done <lines
"$@" "$annot" show --output text dump >report || fail "a damaged dump: $(cat report)"
grep -q '^  reason  *IDXGISwapChain::Present returned DXGI_ERROR_DEVICE_REMOVED' report || fail "another report: $(cat report)"
echo "$number calls and codes, a dump of each"
