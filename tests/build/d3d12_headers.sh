#!/usr/bin/env bash
# annot/d3d12.h compiles after each d3d12.h that this machine has, in C and C++: DirectX-Headers', mingw-w64's, Wine's and
# vkd3d's, which differ in what they define of their own [ANN-PORT-03].
#   d3d12_headers.sh INCLUDE_DIR DIRECTX_STUBS_DIR CC CXX
set -u
include=$1 stubs=$2 cc=$3 cxx=$4
case $cxx in *NOTFOUND) cxx= ;; esac
failed=0 checked=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

cat >"$dir/body" <<'BODY'
#include <annot/d3d12.h>
D3D12_USER_DEFINED_ANNOTATION_MODE use(ID3D12DeviceTools2 *tools, D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION *data);
D3D12_USER_DEFINED_ANNOTATION_MODE use(ID3D12DeviceTools2 *tools, D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION *data)
{
    data->Supported = IID_ID3D12DeviceTools2.Data1 != IID_ID3D12DeviceTools1.Data1;
    (void)D3D12_FEATURE_USER_DEFINED_ANNOTATION;
#ifdef __cplusplus
    tools->SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    return tools->GetUserDefinedAnnotationMode();
#else
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    return ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools);
#endif
}
BODY

check() { # WHOSE LANGUAGE COMPILER STANDARD FLAGS... -- HEADERS...
  local whose=$1 language=$2 compiler=$3 standard=$4 flags=()
  shift 4
  while [ "$1" != -- ]; do
    flags+=("$1")
    shift
  done
  shift
  { printf '#include <%s>\n' "$@" && cat "$dir/body"; } |
    "$compiler" -x "$language" -std="$standard" -Wall -Wextra -Werror -DCOBJMACROS "${flags[@]}" -I"$include" \
      -fsyntax-only - || {
    echo "annot/d3d12.h does not compile after $whose $1 as $language"
    failed=1
  }
  checked=$((checked + 1))
}

both() { # WHOSE CC CXX FLAGS... -- HEADERS...
  local whose=$1 c=$2 cpp=$3
  shift 3
  check "$whose" c "$c" gnu11 "$@" # Wine's headers want gnu11
  [ -z "$cpp" ] || check "$whose" c++ "$cpp" c++17 "$@"
}

absent() { echo "$1: not on this machine, not checked"; }

if [ -e "$stubs/unknwn.h" ]; then
  both DirectX-Headers "$cc" "$cxx" -isystem "$stubs" -- unknwn.h directx/d3d12.h
  both DirectX-Headers "$cc" "$cxx" -isystem "$stubs" -- unknwn.h directx/d3d12.h directx/d3d12sdklayers.h
else
  absent DirectX-Headers
fi

mingw_cc=$(command -v x86_64-w64-mingw32-gcc-posix || command -v x86_64-w64-mingw32-gcc)
mingw_cxx=$(command -v x86_64-w64-mingw32-g++-posix || command -v x86_64-w64-mingw32-g++)
if [ -n "$mingw_cc" ]; then
  both mingw-w64 "$mingw_cc" "$mingw_cxx" -- windows.h d3d12.h
  both mingw-w64 "$mingw_cc" "$mingw_cxx" -- windows.h d3d12.h d3d12sdklayers.h
else
  absent mingw-w64
fi

wine=
for place in /usr/include/wine/wine/windows /usr/include/wine/windows /opt/wine-stable/include/wine/windows; do
  [ -n "$wine" ] || [ ! -e "$place/d3d12.h" ] || wine=$place
done
if [ -n "$wine" ]; then
  both Wine "$cc" "$cxx" -isystem "$wine" -- windows.h d3d12.h
  both Wine "$cc" "$cxx" -isystem "$wine" -- windows.h d3d12.h d3d12sdklayers.h
else
  absent Wine
fi

if [ -e /usr/include/vkd3d/vkd3d_d3d12.h ]; then
  both vkd3d "$cc" "$cxx" -isystem /usr/include/vkd3d -- vkd3d_windows.h vkd3d_d3d12.h
  both vkd3d "$cc" "$cxx" -isystem /usr/include/vkd3d -- vkd3d_windows.h vkd3d_d3d12.h vkd3d_d3d12sdklayers.h
else
  absent vkd3d
fi

echo "$checked compilations"
[ "$checked" -gt 0 ] || exit 77
exit $failed
