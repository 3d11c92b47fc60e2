#!/usr/bin/env bash
# The committed table of traces is what its generator makes of DirectX-Headers' IDL and the supplements: a change of either
# without the other is noticed. Skips where the IDL is not installed, or is of another version than the table.
#   table.sh SOURCE_DIR PYTHON3 DIRECTX_DIR
set -eu
table=$1/layers/capture/table python=$2 idl=$3
version=606 # D3D12_SDK_VERSION that the table is of
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! grep -q "^const UINT D3D12_SDK_VERSION = $version;" "$idl/d3d12.idl" 2>/dev/null; then
  echo "no d3d12.idl of version $version in $idl: the table is not generated anew"
  exit 77
fi
case $python in *NOTFOUND) echo "no python3"; exit 77 ;; esac

generate() { # SUPPLEMENT
  "$python" "$table/generate.py" "$idl"/{dxgiformat,dxgicommon,d3dcommon}.idl "$table/supplement_types.idl" \
    "$idl"/{d3d12,d3d12sdklayers,d3d12video}.idl "$1" 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
}
generate "$table/supplement.idl" >"$dir/table.h"
cmp "$dir/table.h" "$table/d3d12_table.h" ||
  { echo "d3d12_table.h is not what its generator makes: the first comment of generate.py says how to renew it"; exit 1; }

sed '0,/^count /{/^count /d}' "$table/supplement.idl" >"$dir/supplement.idl"
generate "$dir/supplement.idl" >"$dir/table.h"
! cmp -s "$dir/table.h" "$table/d3d12_table.h" || { echo "another supplement makes the same table"; exit 1; }
echo "d3d12_table.h: $(wc -l <"$table/d3d12_table.h") lines, as its generator makes them"
