#!/usr/bin/env bash
# A program with a swap chain on Wine's own D3D12 and DXGI: 100 frames with a resize are the same under the crash layer and under
# capture, byte for byte, and the buffers stay the objects that they are; the trace is replayed on the emulator [ANN-FIELD-03].
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
grep -q '^[0-9]* calls made, 0 not, 0 refused' "$work/replay" || fail "replay: $(tail -20 "$work/replay")"

echo "100 frames are the same"
