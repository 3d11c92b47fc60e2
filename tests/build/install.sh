#!/usr/bin/env bash
# Installs into a staging root, then builds and runs consumers from there, one that writes a dump and one that reads it: by
# find_package and by pkg-config, shared and static, after the tree was moved; and once more with the libraries as a
# subproject, which installs nothing. Without the component `reader` there is libannot alone.
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

run() { # what writer reader
  "$2" "$dir/$1.annotdmp" >"$dir/out" || { cat "$dir/out"; echo "$1: failed"; exit 1; }
  [ -s "$dir/$1.annotdmp" ] || { echo "$1: no dump"; exit 1; }
  "$3" "$dir/$1.annotdmp" >"$dir/out" || { cat "$dir/out"; echo "$1: the reader failed"; exit 1; }
  grep -q ' stopped in: .' "$dir/out" || { cat "$dir/out"; echo "$1: the reader says no place"; exit 1; }
  echo "$1: ok"
}

configure() { # what cmake-arguments...
  local what=$1
  shift
  "$cmake" -S "$consumer" -B "$dir/$what" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
    -DCONSUMER_READER="$source/examples/read_dump.c" "$@" >"$dir/log" 2>&1
}

consume() { # what cmake-arguments...
  configure "$@" && "$cmake" --build "$dir/$1" -j 2 >>"$dir/log" 2>&1 || { cat "$dir/log"; echo "$1: failed"; exit 1; }
  run "$1" "$dir/$1/integration" "$dir/$1/read_dump"
}

# `annot` needs libannot-reader, libannot needs nothing of it: what a runtime ships.
uses_reader() { # file
  readelf -d "$1" 2>/dev/null | grep -q 'NEEDED.*libannot-reader'
}
for file in "$lib/libannot.so" "$lib"/annot-*/*.so; do
  ! uses_reader "$file" || { echo "${file##*/} needs libannot-reader"; exit 1; }
done
if command -v readelf >/dev/null && [ -x "$prefix/bin/annot" ]; then
  uses_reader "$prefix/bin/annot" || { echo "annot has the reader from elsewhere"; exit 1; }
fi

consume find_package-shared -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_KIND=shared -DCONSUMER_COMPONENTS=reader
consume find_package-static -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_KIND=static -DCONSUMER_COMPONENTS=reader
consume subproject -DANNOT_SOURCE="$source" -DCONSUMER_KIND=static
! grep -q 'file(INSTALL' "$dir/subproject/annot/cmake_install.cmake" || { echo "subproject: has install rules"; exit 1; }

if [ -x "$pkg_config" ]; then
  export PKG_CONFIG_PATH=${pc%/*}
  for kind in "" -static; do
    "$cc" -std=c11 $("$pkg_config" --cflags annot$kind) "$consumer/integration.c" -o "$dir/a" \
      $("$pkg_config" --libs annot$kind) -Wl,-rpath,"$lib"
    "$cc" -std=c11 $("$pkg_config" --cflags annot-reader$kind) "$source/examples/read_dump.c" -o "$dir/b" \
      $("$pkg_config" --libs annot-reader$kind) -Wl,-rpath,"$lib"
    run pkg-config$kind "$dir/a" "$dir/b"
  done
  for kind in annot-reader annot-reader-static; do
    "$cc" -std=c11 $("$pkg_config" --cflags $kind) "$consumer/misuse.c" -o "$dir/misuse" \
      $("$pkg_config" --libs $kind) -Wl,-rpath,"$lib"
    "$dir/misuse" || { echo "misuse of $kind: failed"; exit 1; }
  done
  if [ -e "$lib/annot-emu" ] && "$pkg_config" --exists DirectX-Headers; then
    "$cc" -std=c11 $("$pkg_config" --cflags annot-emu) "$source/examples/markers.c" -o "$dir/c" \
      $("$pkg_config" --libs annot-emu) -Wl,-rpath,"$lib" >"$dir/log" 2>&1 || { cat "$dir/log"; echo "pkg-config-emu: failed"; exit 1; }
    (cd "$dir" && ./c >"$dir/out" 2>&1) || { cat "$dir/out"; echo "pkg-config-emu: failed"; exit 1; }
    echo "pkg-config-emu: ok"
  fi
else
  echo "no pkg-config: annot.pc is not checked"
fi
# The installed examples are a project of their own.
if [ -e "$lib/annot-emu" ] && [ -d "$prefix/share/doc/annot/examples" ]; then
  "$cmake" -S "$prefix/share/doc/annot/examples" -B "$dir/examples" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS=-O0 \
    -DCMAKE_PREFIX_PATH="$prefix" >"$dir/log" 2>&1 && "$cmake" --build "$dir/examples" -j 2 >>"$dir/log" 2>&1 &&
    (cd "$dir" && examples/markers >>log 2>&1) || { cat "$dir/log"; echo "examples: failed"; exit 1; }
  echo "examples: ok"
fi
for file in LICENSE README.md docs/INTEGRATION.md; do
  [ -n "$(find "$prefix/share" -path "*doc/*$file")" ] || { echo "$file is not installed"; exit 1; }
done
documents=$(dirname "$(find "$prefix/share" -path "*doc/*CHANGELOG.md" | head -1)")
while read -r link; do
  [ -e "$documents/$link" ] || { echo "README.md links to what is not installed: $link"; exit 1; }
done < <(grep -o '](\([^)#:]*\))' "$documents/README.md" | sed 's/^](//; s/)$//')
! [ -x "$prefix/bin/annot" ] || bash "$(dirname "$0")/programs.sh" "$prefix"
# Without the reader: what is left is whole, and a project that asks for the reader is told that it is not there.
find "$prefix" \( -name 'libannot-reader*' -o -name 'annotReader*' -o -name 'annot-reader*' -o -path '*annot/reader.h' \) \
  -exec mv {} "$dir" \;
configure alone -DCMAKE_PREFIX_PATH="$prefix" && "$cmake" --build "$dir/alone" >>"$dir/log" 2>&1 ||
  { cat "$dir/log"; echo "libannot without its reader: failed"; exit 1; }
! configure refused -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_COMPONENTS=reader ||
  { echo "the component reader is found where it isn't"; exit 1; }
grep -q reader "$dir/log" || { cat "$dir/log"; echo "the component that is missing is not named"; exit 1; }
echo "libannot alone: ok"
