#!/usr/bin/env bash
# A C++ program that knows DirectX-Headers' C++ side only runs on the emulator: the same interfaces, the same binary
# interface as the C ones [ANN-PORT-02].
#   d3d12_client.sh SOURCE INCLUDE_DIR DIRECTX_STUBS_DIR LIBRARY_DIR CXX [flags of the ABI...]
set -u
source=$1 include=$2 stubs=$3 libraries=$4 cxx=${5:-}
case $cxx in *NOTFOUND | "") echo "no C++ compiler"; exit 77 ;; esac
directory=$(mktemp -d) || exit 1
shift $(($# < 5 ? $# : 5))
trap 'rm -rf "$directory"' EXIT
"$cxx" -std=c++17 -Wall -Wextra -Werror "$@" -I"$include" -isystem "$stubs" "$source" -o "$directory/client" \
  -L"$libraries" -ld3d12 -lannot-reader -lannot -Wl,-rpath,"$libraries" || exit 1
cd "$directory" && ./client
