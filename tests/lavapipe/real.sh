#!/usr/bin/env bash
# Real programs that hang at a chosen operation: Zink (es2gears), a Qt Quick scene, and ffmpeg's blur in compute shaders. A layer
# of ours below makes the N-th draw or dispatch wait for an event that nobody sets, and writes its name. At no level may the
# report name another operation as the only one; at "exact" it names this one. real.sh ANNOT COUNT_LAYER_FOLDER
set -u
annot=$1 count=$2
work=$(mktemp -d)
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
server=
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work VK_LAYER_PATH=$count VK_INSTANCE_LAYERS=VK_LAYER_TEST_count
unset VK_LAYER_SETTINGS_PATH VK_ADD_LAYER_PATH
failed=0 rows=0
fail() { echo "not ok: $*"; failed=1; }

lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe
cat >scene.qml <<'QML'
import QtQuick
Window {
  visible: true; width: 320; height: 240
  Text { text: "hello"; NumberAnimation on x { from: 0; to: 200; duration: 500; loops: Animation.Infinite } }
  Rectangle { y: 99; width: 50; height: 50; radius: 9; color: "red" }
}
QML
qt() { QSG_RHI_BACKEND=vulkan exec /usr/lib/qt6/bin/qml scene.qml; }
zink() { LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=zink exec es2gears_x11; }
compute() {
  exec ffmpeg -nostdin -hide_banner -loglevel error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
    -i testsrc2=size=64x48:rate=10 -frames:v 10 -vf format=yuv420p,hwupload,avgblur_vulkan,hwdownload,format=yuv420p -f null -
}
export -f qt zink compute

if command -v Xvfb >/dev/null; then
  Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp >xvfb 2>&1 3>display &
  server=$!
  for _ in $(seq 100); do [ -s display ] || sleep 0.1; done
  export DISPLAY=:$(cat display)
fi

# hangs PROGRAM N LEVEL: right, vague or wrong
hangs() {
  local program=$1 n=$2 level=$3 group line
  rm -f truth dump
  COUNT_FILE=$work/truth COUNT_HANG=$n timeout -s KILL 30 "$annot" vulkan --level $level --timeout 1 -o "$work/dump" -- \
    bash -c $program >out 2>err &
  group=$! # timeout makes one
  while kill -0 $group 2>/dev/null && ! [ -e dump ]; do sleep 0.1; done
  kill -KILL -- -$group 2>/dev/null
  wait $group 2>/dev/null
  [ -s truth ] && [ -e dump ] || { echo "$program: not here: $(tail -n 1 err)"; return; }
  line=$("$annot" show --output text --color never dump | head -n 1)
  rows=$((rows + 1))
  case $line in
  'GPU HANG in '*": $(cat truth)"*) verdict=right ;;
  *': one of several operations'*) verdict=vague ;;
  *': '[A-Z]*\(*) verdict=wrong; fail "$program, $level: $line" ;;
  *) verdict=vague ;;
  esac
  echo "$program $n $level: $verdict: $(cat truth)"
  [ $level != exact ] || [ $program != compute ] || [ $verdict = right ] || fail "compute, exact: $line"
}
for level in low labels exact; do
  hangs compute 5 $level
  hangs zink 20 $level
  hangs qt 20 $level
  hangs qt 21 $level
done
[ $rows != 0 ] || { echo "skipped: none of the programs is here"; exit 77; }
[ $failed = 0 ] && echo "ok: $rows hangs"
exit $failed
