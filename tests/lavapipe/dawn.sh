#!/usr/bin/env bash
# Dawn, Chrome's WebGPU: the same results with the layer and without, at every level; as many labels above the driver as the
# layer counted; a hang is named. dawn.sh ANNOT COUNT_LAYER_FOLDER BUILD_DIR
# Dawn asks for features that lavapipe lacks and these shaders don't use: the counting layer claims them.
set -u
annot=$1 count=$2 build=$3
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work
unset VK_INSTANCE_LAYERS VK_LAYER_SETTINGS_PATH VK_ADD_LAYER_PATH
failed=0
fail() { echo "not ok: $*"; failed=1; }

lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
node -e "require('module').createRequire('$build/').resolve('webgpu')" 2>/dev/null ||
  { echo "skipped: no package webgpu in a node_modules above $build"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe WEBGPU_FROM=$build
export COUNT_CLAIM=1 VK_LAYER_PATH=$count VK_INSTANCE_LAYERS=VK_LAYER_TEST_count

timeout 120 node "$sources/dawn.mjs" >plain.out 2>plain.err
case $? in
0) ;;
*) echo "skipped: Dawn does not run here: $(tail -n 1 plain.out) $(tail -n 1 plain.err)"; exit 77 ;;
esac
for level in low labels exact; do
  COUNT_FILE=$work/counts timeout 120 "$annot" vulkan --level $level -o "$work/d.annotdmp" -- node "$sources/dawn.mjs" \
    >$level.out 2>$level.err || fail "$level: $(tail -n 1 $level.err)"
  cmp -s plain.out $level.out || fail "$level: $(tail -n 1 $level.out) instead of $(tail -n 1 plain.out)"
  grep -qx '80 begun, 80 ended, 60 points, [0-9]* names' counts || fail "$level: below the layer there were $(cat counts)"
done
[ -z "$(ls ./*.annotdmp 2>/dev/null)" ] || fail "a dump without a hang: $(ls ./*.annotdmp)"

timeout 120 "$annot" vulkan --level labels --timeout 1 -o "$work/hung.annotdmp" -- \
  node "$sources/dawn.mjs" "$work/hung.annotdmp" >hung.out 2>hung.err
[ -e hung.annotdmp ] || fail "no dump of the hang: $(tail -n 1 hung.err)"
"$annot" show --output text --color never hung.annotdmp >hung.txt || fail "the dump is damaged"
grep -qx '  frame 8 / particles' hung.txt || fail "the hang is elsewhere: $(grep -A 1 'WHAT HUNG' hung.txt | tail -n 1)"

[ $failed = 0 ] && echo "ok: $(cat counts)"
exit $failed
