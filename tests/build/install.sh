#!/usr/bin/env bash
# Installs into a staging root, then builds and runs a consumer from there: by find_package and by pkg-config, shared and
# static, after the tree was moved; and once more with the library as a subproject, which installs nothing.
#   install.sh CMAKE BUILD_DIR SOURCE_DIR CONSUMER_DIR CC [PKG_CONFIG]
set -eu
cmake=$1 build=$2 source=$3 consumer=$4 cc=$5 pkg_config=${6:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

DESTDIR=$dir/stage "$cmake" --install "$build" --prefix /opt/annot >"$dir/log" || { cat "$dir/log"; exit 1; }
[ -z "$(find "$dir/stage" -mindepth 1 -maxdepth 2 ! -path "$dir/stage/opt" ! -path "$dir/stage/opt/annot")" ] ||
  { echo "installed outside the prefix:" && find "$dir/stage"; exit 1; }
mv "$dir/stage/opt/annot" "$dir/moved"
prefix=$dir/moved
pc=$(find "$prefix" -name annot.pc)
lib=$(dirname "$(dirname "$pc")")
if grep -rIl -e "$build" -e "$dir" "$prefix" --include='*.cmake' --include='*.pc'; then
  echo "the files above name folders of this build"
  exit 1
fi

run() { # what program
  "$2" "$dir/$1.annotdmp" >"$dir/out" || { cat "$dir/out"; echo "$1: failed"; exit 1; }
  [ -s "$dir/$1.annotdmp" ] || { echo "$1: no dump"; exit 1; }
  echo "$1: ok"
}

consume() { # what cmake-arguments...
  local what=$1
  shift
  "$cmake" -S "$consumer" -B "$dir/$what" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 "$@" >"$dir/log" 2>&1 &&
    "$cmake" --build "$dir/$what" -j 2 >>"$dir/log" 2>&1 || { cat "$dir/log"; echo "$what: failed"; exit 1; }
  run "$what" "$dir/$what/integration"
}

consume find_package-shared -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_KIND=shared
consume find_package-static -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_KIND=static
consume subproject -DANNOT_SOURCE="$source" -DCONSUMER_KIND=static
! grep -q 'file(INSTALL' "$dir/subproject/annot/cmake_install.cmake" || { echo "subproject: has install rules"; exit 1; }

if [ -x "$pkg_config" ]; then
  export PKG_CONFIG_PATH=${pc%/*}
  "$cc" -std=c11 $("$pkg_config" --cflags annot) "$consumer/integration.c" -o "$dir/a" \
    $("$pkg_config" --libs annot) -Wl,-rpath,"$lib"
  run pkg-config-shared "$dir/a"
  "$cc" -std=c11 $("$pkg_config" --cflags annot-static) "$consumer/integration.c" -o "$dir/b" \
    $("$pkg_config" --libs annot-static)
  run pkg-config-static "$dir/b"
  for kind in annot annot-static; do
    "$cc" -std=c11 $("$pkg_config" --cflags $kind) "$consumer/misuse.c" -o "$dir/misuse" \
      $("$pkg_config" --libs $kind) -Wl,-rpath,"$lib"
    "$dir/misuse" || { echo "misuse of $kind: failed"; exit 1; }
  done
  if [ -e "$lib/annot-emu" ] && "$pkg_config" --exists DirectX-Headers; then
    "$cc" -std=c11 $("$pkg_config" --cflags annot-emu DirectX-Headers) "$source/examples/markers.c" -o "$dir/c" \
      $("$pkg_config" --libs annot-emu) -Wl,-rpath,"$lib" >"$dir/log" 2>&1 || { cat "$dir/log"; echo "pkg-config-emu: failed"; exit 1; }
    (cd "$dir" && ./c >"$dir/out" 2>&1) || { cat "$dir/out"; echo "pkg-config-emu: failed"; exit 1; }
    echo "pkg-config-emu: ok"
  fi
else
  echo "no pkg-config: annot.pc is not checked"
fi
for file in LICENSE README.md docs/INTEGRATION.md; do
  [ -n "$(find "$prefix/share" -path "*doc/*$file")" ] || { echo "$file is not installed"; exit 1; }
done
! [ -x "$prefix/bin/annot" ] || bash "$(dirname "$0")/programs.sh" "$prefix"
