#!/usr/bin/env bash
# The library, its headers and the two files made of it compile for Microsoft's compiler, as far as clang's target of that name
# can tell with mingw-w64's headers: without pthread.h, max_align_t and GNU's extensions [ANN-PORT-01].
#   msvc.sh SOURCE_DIR XXHASH_INCLUDE CLANG MINGW_CC
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$1 xxhash=$2 clang=$3 mingw=$4
case $clang$mingw in *NOTFOUND*) echo "no clang or no mingw-w64"; exit 77 ;; esac
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
stdlib=$(echo '#include <stdlib.h>' | "$mingw" -M -x c - | tr ' ' '\n' | grep '/stdlib\.h$' | head -1)
mkdir "$dir/xxhash" && cp "$xxhash/xxhash.h" "$dir/xxhash" || exit 1
flags=(--target=x86_64-pc-windows-msvc -std=c11 -Wall -Wextra -Wconversion -Wshadow -Wno-pragma-pack -Werror
  -isystem "$here/msvc" -isystem "$dir/xxhash" -isystem "$(dirname "$stdlib")" -I"$source/include" -I"$source/lib" -I"$source/platform"
  '-DANNOT_VERSION="0"')
"$clang" "${flags[@]}" -x c-header "$here/msvc/prelude.h" -o "$dir/prelude.pch" || exit 1
count=0 failed=0

compile() { # FILE FLAGS...
  count=$((count + 1))
  "$clang" "${flags[@]}" -include-pch "$dir/prelude.pch" "${@:2}" -fsyntax-only "$1" || { echo "fails: $1"; failed=1; }
}

for file in "$source"/lib/*/*.c; do
  case $file in *_posix.c) continue ;; esac
  compile "$file" -DANNOT_STATIC
done
for header in "$source"/include/annot/*.h; do
  # D3D12's and Vulkan's headers are other projects'
  if grep -Eq '#include .*(d3d12|vulkan_core)\.h|include D3D12' "$header"; then continue; fi
  echo "#include <annot/$(basename "$header")>" >"$dir/header.c"
  compile "$dir/header.c"
done
# The check itself works: it refuses these.
for wrong in '#include <pthread.h>' 'max_align_t wrong;' 'int f(void) __attribute__((cold));'; do
  echo "$wrong" >"$dir/wrong.c"
  if "$clang" "${flags[@]}" -include-pch "$dir/prelude.pch" -fsyntax-only "$dir/wrong.c" 2>/dev/null; then
    echo "compiles: $wrong"
    failed=1
  fi
done
echo "$count files"
exit $failed
