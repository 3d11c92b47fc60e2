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

# The letter's values; LETTER is what SetUserDefinedAnnotationMode returns.
cat >"$dir/body" <<'BODY'
#include <annot/d3d12.h>
#ifdef ANNOT_D3D12_SPEC_V006
#define LETTER void
enum { RUNTIME_ONLY = 1, FEATURE = 66, MESSAGE = 1464 };
#else
#define LETTER HRESULT
enum { RUNTIME_ONLY = 0, FEATURE = 73, MESSAGE = 1465 };
#endif
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
static_assert((int)D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY == RUNTIME_ONLY, "");
static_assert((int)D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL == RUNTIME_ONLY + 1, "");
static_assert((int)D3D12_FEATURE_USER_DEFINED_ANNOTATION == FEATURE, "");
static_assert((int)ANNOT_D3D12_MODE_V006_DRIVER_RETAIL == 2 && (int)ANNOT_D3D12_FEATURE_V006 == 66, "");
static_assert((int)D3D12_FEATURE_DUMP_FILE == 71 && sizeof(D3D12_FEATURE_DATA_DUMP_FILE) == 12, "");
static_assert((int)D3D12_FEATURE_DEBUG_BREAK == 74 && sizeof(D3D12_FEATURE_DATA_DEBUG_BREAK) == 12, "");
static_assert((int)D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_ALWAYS_HALT == 0x20, "");
#ifdef __ID3D12StateObject_INTERFACE_DEFINED__
static_assert((int)D3D12_STATE_OBJECT_FLAG_DEBUG_BREAK_FORCE_NOP == 0x100, "");
#endif
static_assert((unsigned long long)D3D12_DEVICE_ERROR_UNKNOWN == 0x88000000u, "");
#ifdef __d3d12sdklayers_h__
static_assert((int)D3D12_MESSAGE_ID_SET_USER_DEFINED_ANNOTATION_MODE_INVALID_ARGUMENT == MESSAGE, "");
static_assert((int)D3D12_MESSAGE_ID_DUMP_FILE_APP_BLOB_INVALID_ADDRESS == 1439, "");
static_assert((int)D3D12_MESSAGE_ID_DUMP_FILE_DRIVER_OPTION_NOT_SUPPORTED == 1450, "");
#endif
UINT use(ID3D12DeviceTools2 *tools, annot_ID3D12DeviceTools2_v006 *other, annot_ID3D12DeviceDumpFile *file,
         D3D12_DUMPFILEBEGINCALLBACK begin, D3D12_DUMPFILEENDCALLBACK end);
LETTER set(ID3D12DeviceTools2 *tools);
UINT use(ID3D12DeviceTools2 *tools, annot_ID3D12DeviceTools2_v006 *other, annot_ID3D12DeviceDumpFile *file,
         D3D12_DUMPFILEBEGINCALLBACK begin, D3D12_DUMPFILEENDCALLBACK end)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {IID_ID3D12DeviceTools2.Data1 != annot_IID_ID3D12DeviceDumpFile.Data1};
#ifdef __cplusplus
    file->ConfigureDumpFile(D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA);
    file->SetDumpFileCallbacks(begin, end);
    other->SetUserDefinedAnnotationMode(ANNOT_D3D12_MODE_V006_DRIVER_RETAIL);
    D3D12_USER_DEFINED_ANNOTATION_MODE mode = tools->GetUserDefinedAnnotationMode();
#else
    ID3D12DevicePreview_ConfigureDumpFile(file, D3D12_DUMP_FILE_DRIVER_OPTION_NO_DATA);
    ID3D12DevicePreview_SetDumpFileCallbacks(file, begin, end);
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(other, ANNOT_D3D12_MODE_V006_DRIVER_RETAIL);
    D3D12_USER_DEFINED_ANNOTATION_MODE mode = ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools);
#endif
    return (UINT)mode + (UINT)data.Supported;
}
LETTER set(ID3D12DeviceTools2 *tools)
{
#ifdef __cplusplus
    return tools->SetUserDefinedAnnotationMode(D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
#elif defined ANNOT_D3D12_SPEC_V006
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
#else
    return ID3D12DeviceTools2_SetUserDefinedAnnotationMode(tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
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
    echo "annot/d3d12.h does not compile after $whose $1 as $language with ${flags[*]}"
    failed=1
  }
  checked=$((checked + 1))
}

both() { # WHOSE CC CXX FLAGS... -- HEADERS...
  local whose=$1 c=$2 cpp=$3
  shift 3
  for letter in ANNOT_D3D12_PUBLISHED ANNOT_D3D12_SPEC_V006; do
    check "$whose" c "$c" gnu11 -D$letter "$@" # Wine's headers want gnu11
    [ -z "$cpp" ] || check "$whose" c++ "$cpp" c++17 -D$letter "$@"
  done
}

absent() { echo "$1: not on this machine, not checked"; }

if [ -e "$stubs/unknwn.h" ]; then
  both DirectX-Headers "$cc" "$cxx" -isystem "$stubs" -- unknwn.h directx/d3d12.h
  both DirectX-Headers "$cc" "$cxx" -isystem "$stubs" -- unknwn.h directx/d3d12.h directx/d3d12sdklayers.h
  published=$(dirname "$0")/../letters/published # a header that has all or some of it itself, before and behind annot/d3d12.h
  for flags in -DPUBLISHED_OTHER_PREVIEW -UPUBLISHED_OTHER_PREVIEW; do
    both "published" "$cc" "$cxx" $flags -isystem "$published" -isystem "$stubs" -- unknwn.h directx/d3d12.h directx/d3d12sdklayers.h
    both "published" "$cc" "$cxx" $flags -isystem "$published" -isystem "$stubs" -- annot/d3d12.h directx/d3d12.h
  done
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
