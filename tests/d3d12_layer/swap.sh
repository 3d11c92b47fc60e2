#!/usr/bin/env bash
# A program with a swap chain on Wine's own D3D12 and DXGI: 100 frames with a resize are the same under the crash layer and under
# capture, byte for byte, and the buffers stay the objects that they are; the trace is replayed on the emulator. A hang in a frame
# leaves a dump that names its scope, and Present tells of a loss [ANN-FIELD-03].
#   swap.sh BUILD_DIR PROGRAM          BUILD_DIR: for Windows, with Wine's prefix in it; PROGRAM: of swap.c
set -u
build=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/../windows/display.sh"

mkdir "$work/plain" "$work/layer"
cp "$program" "$work/plain/swap.exe"
cp "$program" "$work/layer/swap.exe"
cp "$build/bin/capture/d3d12.dll" "$work/layer/"
run() { # FOLDER [ARGUMENT]
  (cd "$work/$1" && shift && timeout 150 wine swap.exe "$@" >"$work/out" 2>"$work/errors" </dev/null)
}
run plain || fail "without the layer: $(tail -3 "$work/out")"
grep -c ' kept ' "$work/out" | grep -qx 96 && grep -q '^done 0x00000000' "$work/out" || fail "other frames: $(cat "$work/out")"
mv "$work/out" "$work/expected"

export WINEDLLOVERRIDES="$WINEDLLOVERRIDES;d3d12=n,b" ANNOT_D3D12_LEVEL=labels
run layer || fail "under the layer: $(tail -3 "$work/out" "$work/errors")"
diff "$work/expected" "$work/out" || fail "other frames under the layer"
ANNOT_CAPTURE_RUNTIME='C:\windows\system32\d3d12.dll' ANNOT_CAPTURE_FILE=t.annottrace run layer ||
  fail "under capture: $(tail -3 "$work/out" "$work/errors")"
diff "$work/expected" "$work/out" || fail "other frames under capture"
# The buffers are textures that the program creates, so that all its calls are made. Wine counts references otherwise.
timeout 150 wine "$build/bin/annot.exe" replay "Z:$work/layer/t.annottrace" >"$work/replay" 2>&1
grep -q '^[0-9]* calls made, 0 not made, 0 refused' "$work/replay" && grep -q '^100 read-backs, 0 unequal' "$work/replay" ||
  fail "replay: $(tail -20 "$work/replay")"

# The 51st frame hangs, whatever waits for it, and goes on once there is a dump. A machine that is too busy for the timeout gets
# a longer one.
report() {
  timeout 150 wine "$build/bin/annot.exe" show --output text "Z:$work/layer/end.annotdmp" 2>&1 | tr -d '\r' >"$work/report"
}
in_frame() {
  sed -n '/^WHAT [HW]/,/^$/p' "$work/report" | grep -q '^  Frame 50 / Endless$'
}
for timeout in 1500 6000 24000; do
  rm -f "$work/layer/end.annotdmp"
  ANNOT_D3D12_DUMP=end.annotdmp ANNOT_D3D12_TIMEOUT=$timeout run layer hang end.annotdmp ||
    fail "hang: $(tail -3 "$work/out" "$work/errors")"
  tr -d '\r' <"$work/out" | grep -q '^hung$' || fail "no dump while the GPU hangs: $(cat "$work/errors")"
  grep -v '^hung' "$work/out" | diff "$work/expected" - || fail "other frames behind a hang"
  report
  ! in_frame || break
done
in_frame || fail "not in frame 50: $(cat "$work/report")"

ANNOT_D3D12_DUMP=removed.annotdmp run layer removed || fail "removed: $(tail -3 "$work/out" "$work/errors")"
mv "$work/layer/removed.annotdmp" "$work/layer/end.annotdmp" || fail "Present tells of no loss: $(cat "$work/out" "$work/errors")"
report
grep -q '^  reason  *IDXGISwapChain::Present returned DXGI_ERROR_INVALID_CALL$' "$work/report" || fail "removed: $(cat "$work/report")"

echo "100 frames are the same, one that hangs among them"
