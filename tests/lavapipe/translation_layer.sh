#!/usr/bin/env bash
# The example of a layer that translates D3D12 to Vulkan hangs, and its dump says where; its glue, with its header, stays within
# 200 lines.
#   translation_layer.sh ANNOT PROGRAM FOLDER
set -u
annot=$1 program=$2 folder=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH VK_LAYER_SETTINGS_PATH
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe

timeout 60 "$program" 'hang-%p.annotdmp' >out 2>errors
code=$?
[ $code != 77 ] || { echo "skipped: no Vulkan device"; exit 77; }
[ $code = 0 ] || { echo "exit code $code: $(cat out errors)"; exit 1; }
"$annot" show hang-*.annotdmp --all --color never >report || { echo "the dump is damaged"; exit 1; }
failed=0
says() { grep -qE -- "$1" report || { echo "not in the report: $1"; failed=1; }; }
says 'Frame 2 / Shadow pass / Cascade 1$'
says 'queue "Graphics queue", submission 2, list 1 of 1 "Frame list"'
says '\[X\] Opaque'
says '\[X\] Cascade 0'
says '\[>\] Cascade 1'
says '\[ \] Cascade 2'
says 'queue "Copy queue" \(direct\): waiting'
says '\[ \] list 1 of 1 "Upload list"'
[ $failed = 0 ] || cat report
lines=$(cat "$folder"/glue.[ch] | grep -cv '^[[:space:]]*$')
[ "$lines" -le 200 ] || { echo "the glue has $lines lines"; failed=1; }
echo "glue: $lines lines"
exit $failed
