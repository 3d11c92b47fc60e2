#!/usr/bin/env bash
# Other people's layers above and below ours, explicit and implicit, under programs that know neither: each program ends as it
# does without ours, and its last picture is the same [ANN-FIELD-03, ANN-HOST-02]. Prints a table.
#   vulkan_layers.sh FOLDER PRELOAD PROGRAM...     FOLDER: of our manifest. PROGRAMs: vkcube, glmark2, qt, or one by its path
# ORDERS: some of above, below, implicit-above, implicit-below; all when it is not set.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath "$1") preload=$(realpath "$2")
shift 2
orders=${ORDERS:-above below implicit-above implicit-below}
skip() {
  echo "skipped: $*"
  exit 77
}
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || skip "no lavapipe (Debian: mesa-vulkan-drivers)"
command -v Xvfb >/dev/null || skip "no Xvfb (Debian: xvfb)"
command -v xwd >/dev/null || skip "no xwd (Debian: x11-apps)"
work=$(mktemp -d) || exit 2
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp >"$work/xvfb" 2>&1 3>"$work/display" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 300); do
  [ ! -s "$work/display" ] || break
  kill -0 $server 2>/dev/null || skip "Xvfb doesn't start: $(tail -n 1 "$work/xvfb")"
  sleep 0.1
done
start=$PWD
cd "$work" || exit 2
unset WAYLAND_DISPLAY VK_LAYER_SETTINGS_PATH VK_ADD_LAYER_PATH MANGOHUD ENABLE_VKBASALT
export DISPLAY=:$(cat display) XDG_RUNTIME_DIR=$work XDG_CACHE_HOME=$work/cache HOME=$work LP_NUM_THREADS=1
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe
export ANNOT_VK_LEVEL=exact ANNOT_VK_DUMP=$work/ ANNOT_VK_TIMEOUT=60000
# What the layers draw: nothing that has the time in it.
export MANGOHUD_CONFIG=fps=0,frametime=0,frame_timing=0,cpu_stats=0,gpu_stats=0,custom_text=here
export VK_LAYER_MESA_OVERLAY_CONFIG=no_display
export GFXRECON_CAPTURE_FILE=$work/capture.gfxr GFXRECON_LOG_LEVEL=fatal
cat >vk_layer_settings.txt <<'END'
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = validation.txt
khronos_validation.report_flags = error
END

# A layer's manifest of our own, in a folder that only one way to find it leads to: on from the start, or when it is named.
manifest() { # FROM TO
  mkdir -p "$(dirname "$2")"
  python3 - "$1" "$2" "${2%/*}" <<'END'
import json, os, sys
it = json.load(open(sys.argv[1]))
layer = it["layer"]
if layer["library_path"].startswith("."):
    layer["library_path"] = os.path.join(os.path.dirname(sys.argv[1]), layer["library_path"])
for key in "enable_environment", "disable_environment":
    layer.pop(key, None)
if "implicit" in sys.argv[3]:
    layer["disable_environment"] = {"NO_SUCH_LAYER_PLEASE": "1"}
json.dump(it, open(sys.argv[2], "w"))
END
}
ours=VK_LAYER_ANNOT_crash
our_manifest=$folder/VkLayer_annot_crash.json
# ORDER: ours is above or below the other, both by their names or both implicit. The loader has those above that it finds first.
arrange() { # ORDER NAME MANIFEST
  rm -rf first second config data
  mkdir first second config data
  export VK_LAYER_PATH=$work/first:$work/second XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data VK_INSTANCE_LAYERS=
  local implicit=vulkan/implicit_layer.d
  case $1 in
  alone) [ "$2" = none ] || { manifest "$3" first/it.json; VK_INSTANCE_LAYERS=$2; } ;;
  above) manifest "$our_manifest" first/it.json && manifest "$3" second/it.json && VK_INSTANCE_LAYERS=$ours:$2 ;;
  below) manifest "$3" first/it.json && manifest "$our_manifest" second/it.json && VK_INSTANCE_LAYERS=$2:$ours ;;
  implicit-above) manifest "$our_manifest" config/$implicit/it.json && manifest "$3" data/$implicit/it.json ;;
  implicit-below) manifest "$3" config/$implicit/it.json && manifest "$our_manifest" data/$implicit/it.json ;;
  esac
}

run() { # PROGRAM: its exit code is in $code, the sum of its picture in $sum
  rm -f picture* capture* validation.txt
  local with=(env PICTURE="$work/picture" LD_PRELOAD="$preload" VK_LOADER_DEBUG=layer timeout 120)
  case $1 in
  vkcube) "${with[@]}" vkcube --c 20 --width 200 --height 200 >out 2>&1 ;;
  glmark2) # each scene is drawn once, and read back
    GALLIUM_DRIVER=zink MESA_LOADER_DRIVER_OVERRIDE=zink LIBGL_ALWAYS_SOFTWARE=1 "${with[@]}" \
      glmark2 -s 200x200 --validate -b build -b texture >out 2>&1 ;;
  qt)
    QSG_RHI_BACKEND=vulkan QT_QPA_PLATFORM=xcb QML_DISABLE_DISK_CACHE=1 VK_LOADER_DEBUG=layer timeout 120 \
      /usr/lib/qt6/bin/qml "$here/scene.qml" -- "$work/picture.ppm" >out 2>&1 && mv picture.ppm picture ;;
  *) "${with[@]}" "$1" >out 2>&1 ;;
  esac
  code=$?
  sum=none
  [ ! -e picture ] || sum=$(md5sum <picture | cut -c1-8)
  [ "$1" != glmark2 ] || sum=$sum/$(grep -c 'Validation: Success' out)
}

# The layers that the loader has put between the program and the driver, the first one first.
stack() {
  awk '/vkCreateDevice layer callstack/ { is_it = 1; names = "" } /<Device>/ { is_it = 0 }
    is_it && match($0, /VK_LAYER_(ANNOT_crash|'"${1#VK_LAYER_}"')$/) { names = names " " substr($0, RSTART) } END { print names }' out
}

known() { # NAME: its manifest
  ls /usr/share/vulkan/*licit_layer.d/*.json 2>/dev/null | xargs -r grep -l "\"$1\"" 2>/dev/null | head -n 1
}
failed=0 runs=
printf '%-11s %-34s %-15s %-5s %s\n' program layer order exit picture
for program; do
  case $program in */*) program=$(cd "$start" && realpath "$program") ;; esac
  arrange alone none
  run "$program"
  name=${program##*/}
  printf '%-11s %-34s %-15s %-5s %s\n' "$name" none none $code "$sum"
  [ $code = 0 ] || { echo "$name doesn't run here: $(tail -n 2 out)"; continue; }
  runs=1
  for layer in VK_LAYER_KHRONOS_validation VK_LAYER_LUNARG_gfxreconstruct VK_LAYER_MANGOHUD_overlay VK_LAYER_VKBASALT_post_processing \
    VK_LAYER_MESA_overlay; do
    from=$(known $layer)
    [ -n "$from" ] || continue
    for order in alone $orders; do
      arrange $order $layer "$from"
      run "$program"
      printf '%-11s %-34s %-15s %-5s %s\n' "$name" $layer $order $code "$sum"
      case $order in
      alone) expected=" $layer" ;;
      *above) expected=" $ours $layer" ;;
      *) expected=" $layer $ours" ;;
      esac
      [ "$(stack $layer)" = "$expected" ] || { echo "  the loader has:$(stack $layer)"; failed=1; }
      if [ $order = alone ]; then
        alone="$code $sum"
      elif [ "$code $sum" != "$alone" ]; then
        echo "  not as alone: $(tail -n 2 out)"
        failed=1
      fi
    done
  done
done
[ -n "$runs" ] || exit 77
[ -z "$(ls -- *.annotdmp 2>/dev/null)" ] || { echo "a dump, and nothing hung: $(ls -- *.annotdmp)"; failed=1; }
exit $failed
