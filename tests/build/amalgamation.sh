#!/usr/bin/env bash
# The library as two files, and the reader as two more: each compiles alone without a warning, whatever the compiler; the headers
# are C++, too; and a program made of nothing else leaves a dump and reads it [ANN-PORT-03].
#   amalgamation.sh SOURCE_DIR XXHASH_INCLUDE PERL CC CXX CLANG MINGW_CC
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$1 xxhash=$2 perl=$3 cc=$4 cxx=$5 clang=$6 mingw=$7
case $perl in *NOTFOUND) echo "no perl"; exit 77 ;; esac
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
dist=$dir/dist
"$perl" "$source/cmake/amalgamate.pl" "$source" "$dist" "$xxhash" || exit 1
warnings=(-Wall -Wextra -Wconversion -Werror)
failed=0

compile() { # COMPILER FLAGS...
  local part
  case $1 in *NOTFOUND | "") return ;; esac
  for part in annot annot_reader; do
    "$@" -std=c11 "${warnings[@]}" -c "$dist/$part.c" -o "$dir/$part.o" || { echo "$part.c: $* fails"; failed=1; }
  done
}

case $cc in *mingw*) ;; *) compile "$mingw" ;; esac
[ "$(basename "$cc")" = clang ] || compile "$clang"
case $clang$mingw in
*NOTFOUND*) ;;
*)
  # as msvc.sh, where what is set up here is explained
  stdlib=$(echo '#include <stdlib.h>' | "$mingw" -M -x c - | tr ' ' '\n' | grep '/stdlib\.h$' | head -1)
  mkdir "$dir/xxhash" && cp "$xxhash/xxhash.h" "$dir/xxhash" || exit 1
  compile "$clang" --target=x86_64-pc-windows-msvc -DANNOT_SYSTEM_XXHASH -Wno-pragma-pack -isystem "$here/msvc" \
    -isystem "$dir/xxhash" -isystem "$(dirname "$stdlib")" -include prelude.h
  ;;
esac
[ "$(basename "$cc")" = clang ] || compile "$cc" -O3 # looks further
compile "$cc" -O2 # as users do, with the warnings that only this gives; last: what runs below
case $cxx in
*NOTFOUND | "") ;;
*) echo '#include "annot.h"
#include "annot_reader.h"' | "$cxx" -x c++ -std=c++17 "${warnings[@]}" -Wno-unused-function -I"$dist" -fsyntax-only - || failed=1 ;;
esac

# A project of its own: sources that include the two headers, and no folder of ours.
for program in "$here/consumer/integration.c" "$source"/examples/{read_dump,engine}.c; do
  sed -E 's|<annot/reader\.h>|"annot_reader.h"|; s|<annot/[a-z]+\.h>|"annot.h"|' "$program" >"$dir/$(basename "$program")"
done
case $cc in *mingw*) echo "not run: a program for Windows"; exit $failed ;; esac
(
  cd "$dir" || exit 1
  "$cc" -std=c11 -Idist integration.c annot.o -pthread -o integration && ./integration made.annotdmp >written &&
    "$cc" -std=c11 -Idist read_dump.c annot_reader.o annot.o -pthread -o read_dump && ./read_dump made.annotdmp >read && grep -q "stopped in: " read &&
    "$cc" -std=c11 -Idist engine.c annot_reader.o annot.o -pthread -o engine && ./engine >engine.out
) || { echo "the project of two files does not build or run"; failed=1; }
if nm "$dir/annot.o" | grep -E ' [TDBR] ' | grep -vE ' annot_'; then
  echo "annot.c has names in view that do not begin with annot_"
  failed=1
fi
"$cc" -shared -fPIC -std=c11 -o "$dir/layer.so" "$dist/annot.c" -pthread 2>/dev/null
if nm -D --defined-only "$dir/layer.so" 2>/dev/null | grep -q annot_; then
  echo "a shared library that annot.c becomes part of exports annot_*"
  failed=1
fi
# A runtime made of it that annot-conformance can test: the hooks of conformance.h, and what the suite calls behind them.
cat >"$dir/runtime.c" <<'C'
#include "annot.h"
annot_device *annot_conformance_device(void *d3d12_device);
annot_device *annot_conformance_device(void *d3d12_device)
{
    return d3d12_device;
}
const annot_conformance_device_fn has_the_type_of_the_hook = annot_conformance_device;
C
"$cc" -shared -fPIC -std=c11 -DANNOT_BUILDING "${warnings[@]}" -I"$dist" -o "$dir/runtime.so" "$dir/runtime.c" "$dist/annot.c" -pthread ||
  { echo "a runtime with the hook does not build"; failed=1; }
exported=$(nm -D --defined-only "$dir/runtime.so" 2>/dev/null)
for name in annot_conformance_device annot_device_{lookup,get_stats}_sized annot_dump_{write_file_sized,writer_create,writer_destroy}; do
  grep -q " T $name\$" <<<"$exported" || { echo "with -DANNOT_BUILDING a runtime does not export $name"; failed=1; }
done
echo "annot.c $(wc -l <"$dist/annot.c") lines, annot_reader.c $(wc -l <"$dist/annot_reader.c")"
exit $failed
