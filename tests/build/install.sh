#!/usr/bin/env bash
# Installs into a staging root, then builds and runs a consumer from there: by find_package and by pkg-config, shared and
# static, after the tree was moved.
#   install.sh CMAKE BUILD_DIR CONSUMER_DIR CC [PKG_CONFIG]
set -eu
cmake=$1 build=$2 consumer=$3 cc=$4 pkg_config=${5:-}
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

for kind in shared static; do
  "$cmake" -S "$consumer" -B "$dir/$kind" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCONSUMER_KIND=$kind >"$dir/log" && "$cmake" --build "$dir/$kind" >>"$dir/log" ||
    { cat "$dir/log"; echo "find_package, $kind: failed"; exit 1; }
  run "find_package-$kind" "$dir/$kind/integration"
done

if [ -x "$pkg_config" ]; then
  export PKG_CONFIG_PATH=${pc%/*}
  "$cc" -std=c11 $("$pkg_config" --cflags annot) "$consumer/integration.c" -o "$dir/a" \
    $("$pkg_config" --libs annot) -Wl,-rpath,"$lib"
  run pkg-config-shared "$dir/a"
  "$cc" -std=c11 -DANNOT_STATIC $("$pkg_config" --static --cflags annot) "$consumer/integration.c" -o "$dir/b" \
    "$("$pkg_config" --variable=libdir annot)/libannot.a" $("$pkg_config" --static --libs-only-other annot)
  run pkg-config-static "$dir/b"
else
  echo "no pkg-config: annot.pc is not checked"
fi
! [ -x "$prefix/bin/annot" ] || "$prefix/bin/annot" --help >/dev/null || { echo "installed annot --help failed"; exit 1; }
