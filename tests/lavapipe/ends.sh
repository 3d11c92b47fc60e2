#!/usr/bin/env bash
# A program ends as without the layer, whichever other layers are above and below, and though it never destroys its device: the
# watchdog ends before the layers that it calls do [ANN-FIELD-03, ANN-HOST-02].
#   ends.sh ANNOT PROGRAM FOLDER       FOLDER: of the layer's manifest
set -u
annot=$1 program=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work ANNOT_VK_TIMEOUT=800
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH VK_LAYER_SETTINGS_PATH
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe
"$program" >out 2>&1
code=$?
[ $code != 77 ] || { echo "skipped: no Vulkan device"; exit 77; }
[ $code = 0 ] || { echo "without layers it ends with $code"; exit 1; }
failed=0
try() { # NAME COMMAND...
  local name=$1 run
  shift
  for run in 1 2 3; do
    "$@" "$program" >out 2>&1 || { echo "$name, run $run: ends with $?: $(tail -3 out)"; failed=1; }
  done
}
ours=VK_LAYER_ANNOT_crash
try "our layer alone" "$annot" vulkan --
for other in VK_LAYER_KHRONOS_validation VK_LAYER_MESA_overlay VK_LAYER_MESA_device_select; do
  ls /usr/share/vulkan/*licit_layer.d/*.json 2>/dev/null | xargs grep -l "\"$other\"" >/dev/null 2>&1 || continue
  try "$other below" env VK_ADD_LAYER_PATH="$folder" VK_INSTANCE_LAYERS=$ours:$other
  try "$other above" env VK_ADD_LAYER_PATH="$folder" VK_INSTANCE_LAYERS=$other:$ours
done
exit $failed
