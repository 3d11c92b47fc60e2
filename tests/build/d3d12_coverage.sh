#!/usr/bin/env bash
# docs/D3D12_COVERAGE.md is of these sources, its numbers are the headers', and a stale one is noticed.
#   d3d12_coverage.sh COVERAGE_SCRIPT SOURCE_DIR INCLUDE_DIR STUBS_DIR CC [FLAGS...]
set -eu
script=$1 source=$2 include=$3 stubs=$4 cc=$5
shift 5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sh "$script" "$source" --check

# Methods are counted in the sources, slots in the headers.
{
  echo '#include <unknwn.h>'
  echo '#include <directx/d3d12.h>'
  echo '#include <directx/d3d12video.h>'
  echo '#include <annot/d3d12.h>'
  # Older headers lack the newest interfaces.
  sed -n 's/^| `\(ID3[A-Za-z0-9]*\)` | \([0-9]*\) | .*/\1 \2/p' "$source/docs/D3D12_COVERAGE.md" | while read -r interface slots; do
    case $interface in ID3D12Device1[2-9] | ID3D12GraphicsCommandList9 | ID3D12CommandQueue1 | ID3D12PipelineState1 | ID3D12RootSignature1)
      echo "#ifdef __${interface}_INTERFACE_DEFINED__" ;;
    *) echo '#if 1' ;;
    esac
    printf '_Static_assert(sizeof(%sVtbl) == %s * sizeof(void *), "%s");\n#endif\n' "$interface" "$slots" "$interface"
  done
} >"$dir/slots.c"
[ "$(grep -c _Static_assert "$dir/slots.c")" -gt 30 ] || { echo "no table of interfaces"; exit 1; }
"$cc" -std=c11 -fsyntax-only "$@" -I"$include" -isystem "$stubs" "$dir/slots.c"

# Each of them is asked for of an object by tests/d3d12/interfaces.c, which sees that no table has a hole.
for interface in $(sed -n 's/^| `\(ID3D12[A-Za-z0-9]*\)` | [0-9].*/\1/p' "$source/docs/D3D12_COVERAGE.md"); do
  grep -qw "$interface" "$source/tests/d3d12/every_kind.c" || { echo "tests/d3d12/every_kind.c has no $interface"; exit 1; }
done

# A method that DRED has a name for leaves a breadcrumb: a file of emu/d3d12 notes that operation, or it is not modelled.
{ echo '#include <unknwn.h>' && echo '#include <directx/d3d12.h>'; } |
  "$cc" -E -P "$@" -isystem "$stubs" - | grep -o 'D3D12_AUTO_BREADCRUMB_OP_[A-Z0-9]*' >"$dir/operations"
unnoted() { # SOURCE_DIR
  grep -rhoE --include='*.[ch]' '(LIST_OPERATION(_OF)?\(|BREADCRUMB_OP_)[A-Z0-9]+' "$1/emu/d3d12/list" | sed 's/.*[(_]//' | sort -u >"$dir/noted"
  grep -o 'M([A-Za-z0-9]*)' "$1/emu/d3d12/list/command_list_record.h" | sed 's|M(||; s|)||' | while read -r method; do
    ! grep -qx "D3D12_AUTO_BREADCRUMB_OP_${method^^}" "$dir/operations" || grep -qx "${method^^}" "$dir/noted" || echo "$method"
  done
}
[ -s "$dir/operations" ] || { echo "DRED's operations are not found"; exit 1; }
[ -z "$(unnoted "$source")" ] || { echo "no breadcrumb, since no file of emu/d3d12/list notes it: $(unnoted "$source")"; exit 1; }

mkdir "$dir/emu" "$dir/docs"
cp -R "$source/emu/d3d12" "$dir/emu/"
cp "$source/docs/D3D12_COVERAGE.md" "$dir/docs/"
sh "$script" "$dir" --check >"$dir/log"

noticed() { # WHAT FILE LINE: that line more is noticed, and undone by --write
  printf '%s\n' "$3" >>"$dir/emu/d3d12/$2"
  ! sh "$script" "$dir" --check >"$dir/log" 2>&1 || { echo "$1: not noticed"; exit 1; }
  grep -q "type 'make coverage-table'" "$dir/log" || { cat "$dir/log"; echo "$1: without the remedy"; exit 1; }
  sh "$script" "$dir" --write
  sh "$script" "$dir" --check >"$dir/log" || { echo "$1: --write did not help"; exit 1; }
}
noticed "a method" table/device_table.c '#define MORE_STUBS(S) S(FAIL, BecomeStale, UINT when)
MORE_STUBS(STUB)'
grep -q '^| `ID3D12Device::BecomeStale` | `E_NOTIMPL` |$' "$dir/docs/D3D12_COVERAGE.md"
noticed "an interface" device/device.c 'static CONST_VTBL ID3D12NewVtbl d3d12_new_vtable = {D3D12_CHILD_ENTRIES(d3d12_new), .New = d3d12_new_New};'
grep -q '^| `ID3D12New` | 9 | 0 |$' "$dir/docs/D3D12_COVERAGE.md"
noticed "a part" device/device.c 'd3d12_device_not_modelled(device, "ID3D12Device::New on " "Mondays");'
grep -q '^- `ID3D12Device::New` on Mondays$' "$dir/docs/D3D12_COVERAGE.md"

sed -i.bak 's/LIST_OPERATION\(_OF\)\{0,1\}(DISPATCH\([,)]\)/LIST_OPERATION\1(PRESENT\2/' "$dir"/emu/d3d12/list/*.c
[ "$(unnoted "$dir")" = Dispatch ] || { echo "an operation without a breadcrumb: not noticed"; exit 1; }

refused() { # WHAT FILE LINE
  cp "$dir/emu/d3d12/$2" "$dir/kept"
  printf '%s\n' "$3" >>"$dir/emu/d3d12/$2"
  ! sh "$script" "$dir" --write >"$dir/log" 2>&1 || { echo "$1: not refused"; exit 1; }
  mv "$dir/kept" "$dir/emu/d3d12/$2"
}
refused "a kind of method that nobody explains" table/device_table.c '#define MORE_STUBS(S) S(PERHAPS, BecomeStale, UINT when)
MORE_STUBS(STUB)'
refused "a method of no interface" table/device_table.c '#define STUB_INTERFACE ID3D12Nothing
#define MORE_STUBS(S) S(VOID, BecomeStale, UINT when)
MORE_STUBS(STUB)'
