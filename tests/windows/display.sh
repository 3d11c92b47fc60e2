# For scripts that source it, with $build set to a folder of a build for Windows with Wine's prefix in it: Wine's own D3D12 on
# Mesa's software GPU, under Xvfb. A prefix and a server of its own, with a display, on the system files of the build's
# prefix. $work is a folder that is removed at the end; `fail WORDS` ends the script, and a machine that lacks something skips
# it.
skip() {
  echo "skipped: $*"
  exit 77
}
command -v Xvfb >/dev/null || skip "no Xvfb here (Debian: xvfb)"
icd=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -1)
[ -n "$icd" ] || skip "no lavapipe here (Debian: mesa-vulkan-drivers)"

work=$(mktemp -d) || exit 2
export WINEPREFIX=$work/prefix
x_server=
finish() {
  wineserver -k >/dev/null 2>&1
  [ -z "$x_server" ] || kill "$x_server" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "$*"
  exit 1
}

mkdir -p "$WINEPREFIX/dosdevices"
cp "$build"/wine-prefix/{*.reg,.update-timestamp} "$WINEPREFIX/" || fail "no prefix in $build: type 'make windows'"
ln -s "$build/wine-prefix/drive_c" "$WINEPREFIX/dosdevices/c:"
ln -s / "$WINEPREFIX/dosdevices/z:"
mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$work/display" >"$work/xvfb" 2>&1 &
x_server=$!
read -r -t 60 display <"$work/display" || fail "Xvfb doesn't start: $(cat "$work/xvfb")"
export DISPLAY=:$display VK_ICD_FILENAMES=$icd LP_NUM_THREADS=1 LC_ALL=C.UTF-8 WINEDEBUG=-all
export WINEDLLOVERRIDES="mscoree,mshtml=" # d3d12: Wine's own, unless the command says otherwise
unset ANNOT_D3D12_RUNTIME ANNOT_CAPTURE_RUNTIME WAYLAND_DISPLAY
