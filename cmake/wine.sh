#!/bin/sh
# Runs a Windows program of a build folder under Wine: a prefix of the build's own, no display, the emulator's d3d12.dll and
# dxgi.dll.
#   wine.sh BUILD_DIR PROGRAM [arguments...]
#   wine.sh BUILD_DIR --session COMMAND [arguments...]   makes the prefix anew and keeps Wine running until COMMAND has ended
set -u

build=$1
shift
export WINEPREFIX="$build/wine-prefix" WINEDEBUG=-all
# No explorer.exe: nothing here has a window, and it would hold the pipe of the test that happened to start it.
export WINEDLLOVERRIDES="d3d12,dxgi=n;mscoree,mshtml,explorer.exe="
unset DISPLAY WAYLAND_DISPLAY

[ "$1" = --session ] || exec wine "$@"
shift

[ ! -d "$WINEPREFIX" ] || wineserver -k >/dev/null 2>&1
rm -rf "$WINEPREFIX"
mkdir -p "$WINEPREFIX"
wine wineboot --init >"$build/wine.log" 2>&1 </dev/null || {
  cat "$build/wine.log" >&2
  echo "wine: no prefix could be made in $WINEPREFIX" >&2
  exit 1
}
wineserver -w

# Wine's server ends with its last program, and a program that starts while it ends loses its connection ("Connection reset by
# peer"). A program that waits for the end of a pipe keeps the server from ending, whichever way this script ends.
wait_for=$build/wine-session
rm -f "$wait_for"
mkfifo "$wait_for"
wine cmd /c "set /p x=" <"$wait_for" >>"$build/wine.log" 2>&1 &
exec 3>"$wait_for"
wine cmd /c "exit 0" >>"$build/wine.log" 2>&1 </dev/null 3>&- # returns once Wine's services run
"$@" 3>&-
code=$?
exec 3>&-
wait
rm -f "$wait_for"
exit $code
