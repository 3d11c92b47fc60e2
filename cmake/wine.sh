#!/bin/sh
# Runs a Windows program of a build folder under Wine: a prefix of the build's own, no display, the emulator's d3d12.dll and
# dxgi.dll.
#   wine.sh BUILD_DIR PROGRAM [arguments...]
#   wine.sh BUILD_DIR --session COMMAND [arguments...]   makes the prefix anew and keeps Wine running until COMMAND has ended
set -u

build=$1
shift
export WINEPREFIX="$build/wine-prefix" WINEDEBUG=-all
export LC_ALL=C.UTF-8 # without it Wine 10 loses the letters of names and arguments that are not ASCII
# No explorer.exe: nothing here has a window, and it would hold the pipe of the test that happened to start it.
export WINEDLLOVERRIDES="d3d12,dxgi=n;mscoree,mshtml,explorer.exe="
unset DISPLAY WAYLAND_DISPLAY

# Wine's server kills a process that still runs half a second after its last thread said that it ends, which a busy machine can
# do to any program; its exit code is lost then. Such a program runs once more, and files that it printed to begin again.
if [ "$1" != --session ]; then
  wine "$@"
  code=$?
  [ $code = 137 ] || exit $code
  echo "wine.sh: killed at its end, runs again: $*" >>"$build/wine.log"
  together=
  [ ! /dev/stdout -ef /dev/stderr ] || together=1
  [ ! -f /dev/stdout ] || exec >/dev/stdout
  if [ -n "$together" ]; then exec 2>&1; elif [ -f /dev/stderr ]; then exec 2>/dev/stderr; fi
  exec wine "$@"
fi
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
