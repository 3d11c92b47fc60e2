#!/usr/bin/env bash
# ffmpeg's libplacebo filter, a program that sets labels and names without asking for their extension: the same pixels with the
# layer and without, at every level; and what a layer of ours below it counted is what the crash layer counted.
# libplacebo.sh ANNOT COUNT_LAYER_FOLDER
set -u
annot=$1 count=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH VK_LAYER_SETTINGS_PATH
failed=0
fail() { echo "not ok: $*"; failed=1; }

lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe
# The list first: a pipe that ends early would end ffmpeg.
filters=$(ffmpeg -hide_banner -filters 2>/dev/null) || { echo "skipped: no ffmpeg"; exit 77; }
grep -q ' libplacebo ' <<<"$filters" || { echo "skipped: ffmpeg without libplacebo"; exit 77; }

filter() { # FILE
  ffmpeg -nostdin -hide_banner -loglevel error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
    -i testsrc2=size=320x240:rate=10 -frames:v 10 \
    -vf "format=yuv420p,hwupload,libplacebo=w=160:h=120,hwdownload,format=yuv420p" -f rawvideo -y "$1"
}
export -f filter

filter plain.yuv 2>plain.err || { echo "skipped: libplacebo does not run here: $(head -n 1 plain.err)"; exit 77; }
for level in low labels exact; do
  "$annot" vulkan --level $level -o "$work/d.annotdmp" -- bash -c "filter $level.yuv" 2>$level.err || fail "$level: $(cat $level.err)"
  cmp -s plain.yuv $level.yuv || fail "$level: other pixels than without the layer"
done
[ -z "$(ls ./*.annotdmp 2>/dev/null)" ] || fail "a dump without a hang: $(ls ./*.annotdmp)"

# The counting layer is below; it loses the device at the 20th submission, so that there is a dump. ffmpeg may wait for
# the lost device without end, and SIGTERM does not end it then: it is killed when the dump is there.
COUNT_FILE=$work/counts COUNT_LOSE=20 VK_LAYER_PATH=$count VK_INSTANCE_LAYERS=VK_LAYER_TEST_count \
  timeout -s KILL 60 "$annot" vulkan --level labels -o "$work/lost.annotdmp" -- bash -c "filter lost.yuv" >lost.out 2>lost.err &
group=$! # timeout makes one
while kill -0 $group 2>/dev/null && ! { [ -s counts ] && ls lost*.annotdmp >/dev/null 2>&1; }; do
  sleep 0.1
done
kill -KILL -- -$group 2>/dev/null
wait $group 2>/dev/null
[ -s counts ] || fail "nothing was counted"
[ "$(ls lost*.annotdmp 2>/dev/null | wc -l)" = 1 ] || fail "$(ls lost*.annotdmp 2>/dev/null | wc -l) dumps of a lost device"
"$annot" show --output text lost.annotdmp >lost.txt || fail "the dump is damaged"
grep -q 'vkQueueSubmit2\? returned VK_ERROR_DEVICE_LOST' lost.txt || fail "the dump doesn't say by what the device was lost"
counted=$(cat counts)
grep -qF "$counted" lost.txt || fail "counted below the layer: $counted; by the layer: $(grep labels lost.txt)"
case $counted in 0\ *) fail "no labels came: $counted" ;; esac

[ $failed = 0 ] && echo "ok: $counted"
exit $failed
