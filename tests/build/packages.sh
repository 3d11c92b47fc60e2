#!/usr/bin/env bash
# The library as a part of other people's builds, as packaging/ shows it: FetchContent, and Meson where it is installed.
#   packages.sh CMAKE SOURCE_DIR CC
set -eu
cmake=$1 source=$2 cc=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

says() { # what layer tool
  "$2" >"$dir/out" && "$3" "$source/tests/golden/dumps/demo_frame.annotdmp" >>"$dir/out" || { cat "$dir/out"; echo "$1: failed"; exit 1; }
  grep -q '^libannot [0-9.]* keeps [1-9]' "$dir/out" && grep -q ' stopped in: ' "$dir/out" ||
    { cat "$dir/out"; echo "$1: says something else"; exit 1; }
  echo "$1: ok"
}

# The check is that it builds and links, not how fast it runs.
"$cmake" -S "$source/packaging/fetchcontent" -B "$dir/fetch" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_C_FLAGS_DEBUG=-O0 >"$dir/log" 2>&1 &&
  "$cmake" --build "$dir/fetch" -j 2 >>"$dir/log" 2>&1 || { cat "$dir/log"; echo "FetchContent: failed"; exit 1; }
says FetchContent "$(find "$dir/fetch" -name my_layer -type f)" "$(find "$dir/fetch" -name my_tool -type f)"
! find "$dir/fetch" -name 'libd3d12*' | grep . || { echo "FetchContent: the emulator was built too"; exit 1; }

if ! command -v meson >/dev/null || ! command -v ninja >/dev/null; then
  echo "no Meson with ninja: packaging/meson is not checked"
  exit 0
fi
version=$(sed -n "s/^project('annot', 'c', version: '\([^']*\)'.*/\1/p" "$source/packaging/meson/packagefiles/annot/meson.build")
grep -q "^project(annot VERSION $version " "$source/CMakeLists.txt" || { echo "Meson: version $version is another"; exit 1; }
mkdir -p "$dir/example/subprojects/annot"
cp "$source/packaging/meson/example/meson.build" "$source/packaging/fetchcontent/main.c" "$source/examples/read_dump.c" "$dir/example"
cp -R "$source/lib" "$source/platform" "$source/include" "$source/packaging/meson/packagefiles/annot/meson.build" "$dir/example/subprojects/annot"
(cd "$dir/example" && CC=$cc meson setup --buildtype=plain out && ninja -C out) >"$dir/log" 2>&1 || { cat "$dir/log"; echo "Meson: failed"; exit 1; }
says Meson "$dir/example/out/my_layer" "$dir/example/out/my_tool"
