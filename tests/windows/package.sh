#!/usr/bin/env bash
# The files that Windows users get, out of its archive, in a folder with a blank and letters that no code page has together: a
# program hangs on the emulator beside it and its dump is shown; recorded, its trace replays; the suite finds the emulator,
# and the crash layer leaves a dump.
#   package.sh BUILD_DIR PROGRAM     BUILD_DIR: for Windows; PROGRAM: of examples/hang.c
set -u
build=$(realpath "$1") program=$(realpath "$2")
wine=$(realpath "$(dirname "$0")/../../cmake/wine.sh")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

cmake --install "$build" --prefix "$work/annot" >"$work/out" 2>&1 || fail "no installation: $(tail -3 "$work/out")"
(cd "$work" && cmake -E tar cf annot.zip --format=zip annot && rm -rf annot) || fail "no archive"
place="$work/Werkzeug ä 日本"
mkdir "$place" && cd "$place" && cmake -E tar xf ../annot.zip || fail "the archive can't be unpacked"
for file in emulator/{d3d12,dxgi,dxcore,libannot,WinPixEventRuntime}.dll capture/d3d12.dll layer/d3d12.dll bin/annot{,-conformance}.exe; do
  [ -e "annot/$file" ] || fail "the archive has no $file: $(find annot -name '*.dll')"
done
! cmp -s annot/emulator/d3d12.dll annot/layer/d3d12.dll || fail "the emulator's d3d12.dll is the layer's"

game="$place/ein Spiel ä 日本" bin="$place/annot/bin"
mkdir "$game" && cp "$program" "$game/game.exe" && cp annot/emulator/*.dll "$game/" && cd "$game" || exit 2
# No build folder beside it: what is found is the package's.
run() { # COMMAND...: its words are in $work/out
  sh "$wine" "$build" "$@" >"$work/raw" 2>&1 </dev/null
  local code=$?
  tr -d '\r' <"$work/raw" >"$work/out"
  return $code
}
annot() {
  run "$bin/annot.exe" "$@"
}
shown() { # DUMP: it says where the program hung
  annot show --output text "$1" || fail "show: $(cat "$work/out")"
  grep -q '^WHAT HUNG' "$work/out" && grep -q '\[>\]' "$work/out" || fail "$1: not where it hung: $(cat "$work/out")"
}

run ./game.exe --seed 1 --out end.annotdmp || fail "the program: $(cat "$work/out")"
shown end.annotdmp

annot capture -o "Spur Ω" -- game.exe --seed 1 --out then.annotdmp || fail "capture: $(cat "$work/out")"
annot replay --output json "Spur Ω" --dump here.annotdmp || fail "replay: $(cat "$work/out")"
shown here.annotdmp

run "$bin/annot-conformance.exe" --fraction 1,100 || fail "the suite: $(cat "$work/out")"
grep -q '^[1-9][0-9]* passed, 0 failed' "$work/out" || fail "the suite: $(tail -1 "$work/out")"

annot d3d12 -o "Schicht Ω.annotdmp" -- game.exe --seed 1 --out then.annotdmp || fail "the layer: $(cat "$work/out")"
shown "Schicht Ω.annotdmp"
echo "package: ok"
