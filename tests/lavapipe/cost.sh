#!/usr/bin/env bash
# The layer's cost for a program that draws: the share of the processor's time that perf finds inside of it, under ffmpeg's
# libplacebo on small frames, for each level. Needs perf, ffmpeg and lavapipe. cost.sh ANNOT [FRAMES]
set -eu
annot=$(realpath "$1") frames=${2:-300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_RUNTIME_DIR=$work
VK_ICD_FILENAMES=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json | head -n 1)
export VK_ICD_FILENAMES VK_DRIVER_FILES=$VK_ICD_FILENAMES

for level in low labels exact; do
  perf record -q -e cpu-clock -F 5000 -o samples "$annot" vulkan --level $level -o "$work/d.annotdmp" -- \
    ffmpeg -nostdin -hide_banner -loglevel error -init_hw_device vulkan=vk:0 -filter_hw_device vk -f lavfi \
    -i testsrc2=size=320x240:rate=10 -frames:v "$frames" \
    -vf "format=yuv420p,hwupload,libplacebo=w=160:h=120,hwdownload,format=yuv420p" -f rawvideo -y /dev/null >out 2>&1 ||
    { cat out; exit 1; }
  share=$(perf report -i samples --comm ffmpeg --sort dso --stdio 2>/dev/null | sed -n 's/^ *\([0-9.]*%\) *libVkLayer_annot_crash.*/\1/p')
  echo "$level: ${share:-0 %} of the processor's time is in the layer"
done
