#!/usr/bin/env bash
# The crash layer on a D3D12 that is not this project's: Wine's own, on Mesa's software GPU, under Xvfb. A Windows program's
# shaders really run, and really hang. Its results are those that it has without the layer; each hang leaves a dump that says
# which queue it was, and nothing that isn't so: the program's markers begin with what is so [ANN-D3D].
#   wine.sh BUILD_DIR PROGRAM        BUILD_DIR: for Windows, with Wine's prefix in it; PROGRAM: of program.c
set -u
build=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/../windows/display.sh"

# The installed tree and a game's folder, with letters that Windows' code page has and has not.
tree="$work/annot ä Ω"
game="$work/ein Spiel ä"
cmake --install "$build" --prefix "$tree" >"$work/out" 2>&1 || fail "no installation: $(tail -3 "$work/out")"
mkdir "$game" && cp "$program" "$game/game.exe" && cd "$game" || exit 2
run() { # COMMAND...: its words are in $work/out, the layer's in $work/errors
  timeout 150 wine "$@" >"$work/raw" 2>"$work/errors" </dev/null
  local code=$?
  tr -d '\r' <"$work/raw" >"$work/out"
  return $code
}
annot() {
  run "$tree/bin/annot.exe" "$@"
}

run game.exe run dispatch || fail "the program fails without the layer: $(tail -3 "$work/out")"
grep -q '^particles right$' "$work/out" && grep -q '^removed 0x00000000$' "$work/out" || fail "other results: $(cat "$work/out")"
mv "$work/out" "$work/expected"
annot d3d12 --level exact -- game.exe run dispatch || fail "the program fails under the layer: $(cat "$work/out" "$work/errors")"
diff "$work/expected" "$work/out" || fail "other results under the layer"
[ ! -s "$work/errors" ] && [ -z "$(ls -- *.annotdmp 2>/dev/null)" ] || fail "nothing hung: $(cat "$work/errors")"

# hang PLACE HUNG OTHER PATH COMMAND...: COMMAND runs the program, which hangs at PLACE on the queue HUNG until there is a dump.
# PATH: the line that names the scope; with none, markers are unknown. A machine that is too busy for the timeout gets a longer
# one.
hang() {
  local place=$1 hung=$2 other=$3 path=$4
  shift 4
  for timeout in 1500 6000 24000; do
    rm -f -- *.annotdmp
    ANNOT_D3D12_TIMEOUT=$timeout "$@" hang "$place" "Ende ä.annotdmp"
    case $? in
    6) continue ;; # a dump in front of the hang
    0) break ;;
    *) fail "$place: the program fails: $(cat "$work/out" "$work/errors")" ;;
    esac
  done
  grep '^hung: ' "$work/out" >"$work/truth" || fail "$place: it did not hang: $(cat "$work/out")"
  sed '/^hung: /d' "$work/out" | diff "$work/expected" - || fail "$place: other results behind the hang"
  annot show --output text --all "Ende ä.annotdmp" || fail "$place: $(cat "$work/errors")"
  is_true "$place" "$hung" "$other"
  if [ -n "$path" ]; then
    section 'WHAT [HW]' | grep -q "^  $path\$" || fail "$place: not at '$path': $(cat "$work/out")"
  else
    section 'WHAT [HW]' | grep -q '^  [HDL] ' && fail "$place: a scope, and nothing tells of it: $(cat "$work/out")"
  fi
  return 0
}
section() {
  sed -n "/^$1/,/^\$/p" "$work/out"
}
# Checks that the report in $work/out says nothing that isn't so, and which queue hung.
is_true() {
  local place=$1 hung=$2 other=$3 queue said
  if grep -E '\[X\] [HL] |\[ \] [DH] |\[>\] [DL] ' "$work/out" || section 'WHAT [HW]' | grep -E '(^  | / )[DL] '; then
    fail "$place: that isn't so: $(cat "$work/out" "$work/truth")"
  fi
  section 'WHAT [HW]' | grep -qF "on queue \"$hung\", submission 2" || fail "$place: not $hung: $(cat "$work/out")"
  section 'WAITING' | grep -qF "  queue \"$hung\":" && fail "$place: $hung is said to wait: $(cat "$work/out")"
  grep "^queue \"$other\".*: work in progress;" "$work/out" && fail "$place: $other is said to work: $(cat "$work/out")"
  [ "$(section 'WHAT [HW]' | grep -oE 'queue "(Frame|Async)' | head -1)" = "queue \"${hung% queue}" ] ||
    [ "$(grep -c "queue \"$other\".*unknown" "$work/out")" = 1 ] || fail "$place: $other is blamed first: $(cat "$work/out")"
  for queue in Frame Async; do # as the program's own fences say
    said=$(sed -n "s/^queue \"$queue queue\".*; submitted \([0-9]*\), completed \([0-9]*\)\$/\2 of \1/p" "$work/out")
    [ -n "$said" ] && grep -qi "$queue queue $said\b" "$work/truth" || fail "$place: $queue: $said, not $(cat "$work/truth")"
  done
  grep -q '^  reason       the GPU has work and made no progress for ' "$work/out" || fail "$place: another reason"
  grep -qi "^  runtime  *$behind\$" "$work/out" || fail "$place: another runtime: $(cat "$work/out")"
  grep -q '^  Wine  ' "$work/out" || fail "$place: nothing of Wine"
}
behind='C:.windows.system32.d3d12.dll'
under() { # LEVEL ARGUMENT...
  annot d3d12 --level "$1" -o "Ende ä.annotdmp" -- game.exe "${@:2}"
}
# By words that are copied, as the probe finds. At level "low" none is copied between draws.
hang dispatch "Frame queue" "Async queue" 'H lighting / H particles' under labels
hang draw "Frame queue" "Async queue" 'H lighting / H particles / DrawInstanced(3, 1, 0, 0) with "Paint endlessly"' under exact
hang draw "Frame queue" "Async queue" '' under low
hang list "Frame queue" "Async queue" 'H shadows / Dispatch([0-9]*, [0-9]*, 1) with ".*"' under exact
ANNOT_D3D12_EVIDENCE=fence hang async "Async queue" "Frame queue" '' under labels
hang async "Async queue" "Frame queue" 'H async 2 / H async particles' under labels
annot show --output json "Ende ä.annotdmp"
grep -q '"application":"game.exe"' "$work/out" && grep -q '"object_name":"Async queue"' "$work/out" ||
  fail "another JSON: $(head "$work/out")"
false='[HL] [^}]*"state":"finished|[DH] [^}]*"state":"not started|[DL] [^}]*"state":"in progress'
grep -E "\"name\":\"($false)" "$work/out" && fail "JSON: that isn't so"

# one DLL beside the program, and nothing else
cp "$tree/layer/d3d12.dll" .
beside() {
  WINEDLLOVERRIDES="d3d12=n,b;$WINEDLLOVERRIDES" ANNOT_D3D12_LEVEL=labels ANNOT_D3D12_DUMP="Ende ä.annotdmp" run game.exe "$@"
}
hang dispatch "Frame queue" "Async queue" 'H lighting / H particles' beside
WINEDLLOVERRIDES="d3d12=n,b;$WINEDLLOVERRIDES" run game.exe unload || fail "unload: $(cat "$work/out" "$work/errors")"
[ "$(grep -c '^device 0$' "$work/out")" = 2 ] || fail "unload: $(cat "$work/out")"
# the command on such a program: the library in front is the layer, the other passes calls on
behind='Z:.*ein Spiel ä.d3d12.dll' hang async "Async queue" "Frame queue" 'H async 2 / H async particles' under labels
rm d3d12.dll

# a device that is removed for the program's mistake
rm -f -- *.annotdmp
under labels removed || fail "removed: $(cat "$work/out" "$work/errors")"
grep -q '^removed 0x887A0001$' "$work/out" || fail "removed: $(cat "$work/out")"
annot show --output text "Ende ä.annotdmp"
grep -q '^GPU ERROR' "$work/out" && grep -q 'GetDeviceRemovedReason returned DXGI_ERROR_INVALID_CALL$' "$work/out" ||
  fail "removed: $(cat "$work/out")"

annot d3d12 --probe || fail "probe: $(cat "$work/out" "$work/errors")"
for line in 'runtime  *C:.windows.system32.d3d12.dll' 'Wine  *[0-9]' 'WriteBufferImmediate  *no' 'READBACK memory  *yes' \
  'words that a list wrote   not tried' 'words that were copied  *came' \
  'words while shaders ran  *(in order|not seen) \([0-9]+ observations in between, 0 words late, 0 early\)' \
  'evidence  *CopyBufferRegion between barriers'; do
  grep -qiE "^$line" "$work/out" || fail "probe: no '$line': $(cat "$work/out")"
done
echo "$(grep -c . "$work/expected") lines equal, 8 hangs: nothing that isn't so"
