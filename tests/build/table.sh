#!/usr/bin/env bash
# The table of calls knows what the installed headers have, whatever version they are: each interface, method and structure with
# its layout, which a compiler's is compared with too. Headers with something unknown are told. Of the version that the table is
# made of, the committed table is what its generator makes, so that a change of either without the other is noticed.
#   table.sh SOURCE_DIR PYTHON3 DIRECTX_DIR CC [CFLAG...]
set -eu
source=$1 table=$1/layers/capture/table python=$2 idl=$3
shift 3
version=619 # D3D12_SDK_VERSION that the table is of
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

[ -f "$idl/d3d12.idl" ] || { echo "no d3d12.idl in $idl"; exit 77; }
case $python in *NOTFOUND) echo "no python3"; exit 77 ;; esac

files() { # FOLDER: in their order
  printf '%s\n' "$1"/{dxgiformat,dxgicommon,d3dcommon}.idl "$table/supplement_types.idl"
  [ ! -f "$1/D3D12MarkerApiEnums.idl" ] || echo "$1/D3D12MarkerApiEnums.idl"
  printf '%s\n' "$1"/{d3d12,d3d12sdklayers,d3d12video}.idl
}
generate() { # MODE [ARGUMENT] < files
  xargs "$python" "$table/generate.py" "$@" 2>"$dir/log" || { cat "$dir/log" >&2; return 1; }
}

files "$idl" | generate --known "$table/d3d12_table.h"

{ printf '#include <stddef.h>\n#include <intercept/d3d12.h>\n'
  files "$idl" | generate --assertions; } >"$dir/layout.c"
"$@" -std=c11 -w -fsyntax-only -I"$source/layers" -I"$source/include" "$dir/layout.c"

# A release of tomorrow.
mkdir "$dir/newer"
cp "$idl"/*.idl "$dir/newer"
cat >>"$dir/newer/d3d12.idl" <<'END'
[uuid(01234567-89ab-cdef-0123-456789abcdef), object, local, pointer_default(unique)]
interface ID3D12Tomorrow : IUnknown { void Do([annotation("_In_")] ID3D12Resource *pResource); };
typedef struct D3D12_TOMORROW { UINT Value; } D3D12_TOMORROW;
END
! files "$dir/newer" | generate --known "$table/d3d12_table.h" >"$dir/told" || { echo "a new interface is not told"; exit 1; }
diff "$dir/told" - <<'END'
not in the table: interface ID3D12Tomorrow {01234567-89ab-cdef-0123-456789abcdef}
not in the table: structure D3D12_TOMORROW
END
sed -i '/^interface ID3D12Tomorrow/d; /^typedef struct D3D12_TOMORROW/d; s/^interface ID3D12Fence1 *$/&/
        s/HRESULT SetResidencyPriority(/HRESULT SetPriorityOfResidency(/' "$dir/newer/d3d12.idl"
! files "$dir/newer" | generate --known "$table/d3d12_table.h" >"$dir/told" || { echo "a new method is not told"; exit 1; }
grep -q 'not in the table: method ID3D12Device1::SetPriorityOfResidency' "$dir/told"

if ! grep -q "^const UINT D3D12_SDK_VERSION = $version;" "$idl/d3d12.idl"; then
  echo "the table has all that these headers have; it is made of version $version, and not made anew"
  exit 0
fi
remake() { # SUPPLEMENT
  { files "$idl"; echo "$1"; } | generate
}
remake "$table/supplement.idl" >"$dir/table.h"
cmp "$dir/table.h" "$table/d3d12_table.h" ||
  { echo "d3d12_table.h is not what its generator makes: the first comment of generate.py says how to renew it"; exit 1; }
sed '0,/^count /{/^count /d}' "$table/supplement.idl" >"$dir/supplement.idl"
remake "$dir/supplement.idl" >"$dir/table.h"
! cmp -s "$dir/table.h" "$table/d3d12_table.h" || { echo "another supplement makes the same table"; exit 1; }
echo "d3d12_table.h: $(wc -l <"$table/d3d12_table.h") lines, as its generator makes them"
