#!/bin/sh
# Runs a Windows program of a build folder under Wine: a prefix of the build's own, no display, the emulator's d3d12.dll and dxgi.dll.
#   wine.sh BUILD_DIR PROGRAM [arguments...]      wine.sh BUILD_DIR --fresh    makes the prefix anew
set -u

build=$1
shift
export WINEPREFIX="$build/wine-prefix" WINEDEBUG=-all
export WINEDLLOVERRIDES="d3d12,dxgi=n;mscoree,mshtml="
unset DISPLAY WAYLAND_DISPLAY

if [ "$1" = --fresh ]; then
  [ ! -d "$WINEPREFIX" ] || wineserver -k >/dev/null 2>&1
  rm -rf "$WINEPREFIX"
  mkdir -p "$WINEPREFIX"
  wine wineboot --init >"$build/wine.log" 2>&1 </dev/null || {
    cat "$build/wine.log" >&2
    echo "wine: no prefix could be made in $WINEPREFIX" >&2
    exit 1
  }
  exec wineserver -w
fi
exec wine "$@"
