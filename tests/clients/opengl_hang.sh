#!/usr/bin/env bash
# The OpenGL program, hung from outside: OpenGL says so, and the dump names the list.
#   opengl_hang.sh PROGRAM LIBRARY_DIR ANNOT D3DCONFIG
set -eu
program=$1 libraries=$2 annot=$3 d3dconfig=$4
. "$(dirname "$0")/mesa.sh"
[ "$program" != no-headers ] || skip "no headers of EGL and OpenGL here (Debian: libegl-dev, libgl-dev)"
export ANNOT_CONFIG=$dir/d3dconfig.ini EMU_DUMP=$dir/%p-%n.annotdmp

fail() {
  echo "$1"
  cat "$dir/report" "$dir/messages" 2>/dev/null
  exit 1
}

# lose VARIABLE=VALUE TEXT: the program run so, and what its dump's report has to say.
lose() {
  rm -f "$dir"/*.annotdmp "$dir/messages"
  status=$(env "$1" "$program" --until-reset) || fail "$1: the program failed"
  [ "${status%_CONTEXT_RESET}" != "$status" ] || fail "$1: OpenGL says $status"
  set -- "$1" "$2" "$dir"/*.annotdmp
  [ $# = 3 ] && [ -e "$3" ] || fail "$1: there are $(($# - 2)) dumps"
  [[ "${3##*/}" =~ ^[0-9]+-[0-9]+\.annotdmp$ ]] || fail "the dump is called ${3##*/}"
  "$annot" show --output text "$3" >"$dir/report" || fail "$1: the dump can't be read"
  grep -qF -- "$2" "$dir/report" || fail "$1: the report doesn't say '$2'"
}

"$d3dconfig" device force-driver-retail-annotations=on >"$dir/config" || fail "d3dconfig"
lose EMU_HANG=dispatch:3 'submission 3, list 1 of 1'
lose EMU_HANG=dispatch:1 'GPU timeout: no progress'
lose EMU_FAULT=dispatch:2 'GPU page fault at address 0x800000000000'
lose EMU_LOSE=list:1 'EMU_LOSE removed the device'
lose EMU_HANG=submission:2 'submission 2, before its first list'
lose EMU_HANG=list:1 'submission 1, before its first list'

# Without such an order, or with one that is none, nothing is lost.
rm -f "$dir"/*.annotdmp
status=$(EMU_HANG=dispatch:0 "$program" --until-reset 2>"$dir/complaint") && fail "not lost, but $status"
[ "$status" = NO_ERROR ] || fail "OpenGL says $status"
grep -q '^libd3d12: EMU_HANG=dispatch:0 is ignored' "$dir/complaint" || fail "nobody complains of dispatch:0"
[ -z "$(ls "$dir" | grep annotdmp)" ] || fail "there is a dump"
