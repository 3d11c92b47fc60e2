# Sourced: Mesa's d3d12 driver on the emulator in the folder $libraries. Skips where there is no such driver.

skip() {
  echo "skipped: $*"
  exit 77
}

# Whether Mesa was built with the driver: a link to its gallium library, named after it.
has_mesa_driver() {
  for file in /usr/lib/*/dri/$1 /usr/lib/dri/$1 /usr/lib64/dri/$1; do
    [ ! -e "$file" ] || return 0
  done
  return 1
}

has_mesa_driver d3d12_dri.so || skip "no d3d12 driver of Mesa here (Debian: libgl1-mesa-dri)"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LD_LIBRARY_PATH=$libraries LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=d3d12 MESA_SHADER_CACHE_DISABLE=true
export XDG_RUNTIME_DIR=$dir EMU_MESSAGES=$dir/messages

# The debug layer reported no error.
no_errors() {
  [ ! -e "$dir/messages" ] || ! grep -E '^d3d12: (ERROR|CORRUPTION) ' "$dir/messages"
}
