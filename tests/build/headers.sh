#!/usr/bin/env bash
# Every public header compiles alone, twice over, as C11 and as C++17 [ANN-PORT-03].
#   headers.sh INCLUDE_DIR DIRECTX_STUBS_DIR CC [CXX]
set -u
include=$1 stubs=$2 cc=$3 cxx=${4:-}
warnings="-Wall -Wextra -Wpedantic -Werror"
status=0

check() { # language standard compiler header
  if ! printf '#include <%s>\n#include <%s>\nextern int nothing_else;\n' "$4" "$4" |
    "$3" -x "$1" -std="$2" $warnings -I"$include" -isystem "$stubs" -fsyntax-only -; then
    echo "$4 does not compile alone as $2"
    status=1
  fi
}

case $cxx in *NOTFOUND | "") cxx= && echo "no C++ compiler: C++17 is not checked" ;; esac
count=0
for header in "$include"/annot/*.h "$include"/emu/*.h; do
  [ -e "$header" ] || continue
  name=${header#"$include"/}
  if grep -q 'vulkan_core\.h' "$header" && ! echo '#include <vulkan/vulkan_core.h>' | "$cc" -E -x c - >/dev/null 2>&1; then
    echo "no Vulkan headers: $name is not checked"
    continue
  fi
  if [ ! -e "$stubs/unknwn.h" ] && grep -q 'directx/\|d3d12\.h' "$header"; then
    echo "no DirectX-Headers: $name is not checked"
    continue
  fi
  check c c11 "$cc" "$name"
  [ -z "$cxx" ] || check c++ c++17 "$cxx" "$name"
  count=$((count + 1))
done
echo "$count headers"
[ "$count" -gt 0 ] || status=1
exit $status
