#!/usr/bin/env bash
# es2gears under a virtual X server, for some hundred frames.
#   gears.sh LIBRARY_DIR
set -eu
libraries=$1
. "$(dirname "$0")/mesa.sh"
command -v Xvfb >/dev/null || skip "no Xvfb here (Debian: xvfb)"
# Debian names them after the machine too, and has the plain names in another package.
find_program() {
  command -v "$1" || compgen -c "$1." | head -n 1
}
gears_program=$(find_program es2gears_x11) es2_info=$(find_program es2_info)
[ -n "$gears_program" ] && [ -n "$es2_info" ] || skip "no es2gears here (Debian: mesa-utils-bin)"

# The server chooses a number of its own and writes it.
Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp >"$dir/xvfb" 2>&1 3>"$dir/display" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$dir"' EXIT
for _ in $(seq 100); do
  [ ! -s "$dir/display" ] || break
  kill -0 $server 2>/dev/null || skip "Xvfb does not start: $(tail -n 1 "$dir/xvfb")"
  sleep 0.1
done
[ -s "$dir/display" ] || skip "Xvfb does not start"

export DISPLAY=:$(cat "$dir/display")
"$es2_info" >"$dir/out" 2>&1 || { cat "$dir/out"; echo "es2_info fails"; exit 1; }
grep -q '^GL_RENDERER: D3D12 (libannot emulator' "$dir/out" || { cat "$dir/out"; echo "the renderer is another"; exit 1; }

# It runs until it is stopped, and says every five seconds how many frames it has drawn.
timeout 30 stdbuf -oL "$gears_program" >"$dir/frames" 2>"$dir/err" &
gears=$!
while kill -0 $gears 2>/dev/null && ! grep -q ' frames in ' "$dir/frames"; do
  sleep 0.2
done
kill $gears 2>/dev/null || { cat "$dir/err"; echo "es2gears ended by itself"; exit 1; }
wait $gears || true
cat "$dir/frames"
frames=$(awk '/ frames in / { sum += $1 } END { print sum + 0 }' "$dir/frames")
[ "$frames" -ge 100 ] || { echo "only $frames frames"; exit 1; }
no_errors
