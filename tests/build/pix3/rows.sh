#!/usr/bin/env bash
# rows.cpp in every configuration that the specification's table has, and in those beside it [ANN-PIX-04, ANN-PIX-05].
#   rows.sh CLIENT_SCRIPT INCLUDE_DIR DIRECTX_STUBS_DIR LIBRARY_DIR CXX [flags of the ABI...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
client=$1
shift
for configuration in "" -DUSE_PIX -DUSE_PIX_RETAIL "-DUSE_PIX -DPIX_USE_GPU_MARKERS_V2" \
  "-DUSE_PIX_RETAIL -DPIX_USE_GPU_MARKERS_V2"; do
  # shellcheck disable=SC2086
  bash "$client" "$here/rows.cpp" "$@" $configuration
  status=$?
  [ $status -ne 77 ] || exit 77
  [ $status -eq 0 ] || { echo "fails when compiled with: ${configuration:-no macro}"; exit 1; }
done
