#!/usr/bin/env bash
# The OpenGL program on one of the emulator's drivers: what it finds, and that the debug layer found no error.
#   opengl.sh PROGRAM LIBRARY_DIR DRIVER TAP_FILE
set -eu
program=$1 libraries=$2 driver=$3 tap=$4
. "$(dirname "$0")/mesa.sh"
[ "$program" != no-headers ] || skip "no headers of EGL and OpenGL here (Debian: libegl-dev, libgl-dev)"

status=0
EMU_DRIVER=$driver "$program" "$driver" >"$tap" || status=$?
if no_errors; then
  echo "ok - no error of the debug layer" >>"$tap"
else
  echo "not ok - no error of the debug layer" >>"$tap"
  status=1
fi
cat "$tap"
exit $status
