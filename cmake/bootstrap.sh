#!/bin/sh
# Installs what a build misses from the distribution's packages and says so; silent when nothing is missing. Where it may
# not install, it prints the command to type and fails.
#   bootstrap.sh build    compiler, CMake, headers          bootstrap.sh test    and what the tests need
#   bootstrap.sh fuzz     and clang with its sanitizers     bootstrap.sh format  clang-format only
#   bootstrap.sh windows  and mingw-w64, Wine, a GPU     bootstrap.sh cross   and compilers for other machines, qemu
#   bootstrap.sh clients  and mingw-w64 with Wine, npm
#   bootstrap.sh ci       all of it and git
set -u

goal=${1:-build}
missing=  # what, for people
packages= # names for the package manager
by_hand=  # what the package manager doesn't have

say() {
  echo "bootstrap: $*"
}

manager=
for candidate in apt-get dnf pacman brew; do
  if command -v $candidate >/dev/null 2>&1; then
    manager=$candidate
    break
  fi
done

# miss WHAT APT DNF PACMAN BREW: notes a missing thing; several packages are separated by a comma, "-" stands for none.
miss() {
  case $manager in
  apt-get) names=$2 ;;
  dnf) names=$3 ;;
  pacman) names=$4 ;;
  brew) names=$5 ;;
  *) names=- ;;
  esac
  if [ "$names" = - ]; then
    by_hand="$by_hand${by_hand:+, }$1"
    return
  fi
  packages="$packages $(echo "$names" | tr , ' ')"
  missing="$missing${missing:+, }$1"
}

has() {
  command -v "$1" >/dev/null 2>&1
}

compiler() {
  for candidate in ${CC:-} cc gcc clang; do
    if has "$candidate"; then
      echo "$candidate"
      return
    fi
  done
}

# Asks the compiler, or looks where it would.
has_header() {
  cc=$(compiler)
  if [ -n "$cc" ] && printf '#include <%s>\n' "$1" | "$cc" -E -x c - >/dev/null 2>&1; then
    return 0
  fi
  for dir in /usr/include /usr/local/include "${HOMEBREW_PREFIX:-/opt/homebrew}/include"; do
    [ ! -e "$dir/$1" ] || return 0
  done
  return 1
}

compiles_cxx() {
  for candidate in ${CXX:-} c++ g++ clang++; do
    if has "$candidate" && printf '#include <type_traits>\n' | "$candidate" -E -x c++ - >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

compiles_mingw_cxx() {
  has x86_64-w64-mingw32-g++-posix || has x86_64-w64-mingw32-g++
}

has_lavapipe() {
  ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1
}

# libFuzzer and the sanitizers are packaged apart from clang.
links_fuzzer() {
  has clang || return 1
  out=$(mktemp) || return 1
  printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *d, size_t n) { return !d && n; }\n' |
    clang -x c - -fsanitize=fuzzer,address,undefined -o "$out" >/dev/null 2>&1
  linked=$?
  rm -f "$out"
  return $linked
}

look_for_build() {
  if [ -z "$(compiler)" ] || ! has_header stdio.h; then
    miss "a C compiler" gcc,libc6-dev gcc gcc gcc
  fi
  has make || has ninja || miss make make make make make
  has cmake || miss CMake cmake cmake cmake cmake
  has_header xxhash.h || miss xxHash libxxhash-dev xxhash-devel xxhash xxhash
  has_header uthash.h || miss uthash uthash-dev uthash-devel uthash uthash
  has_header zstd.h || miss zstd libzstd-dev libzstd-devel zstd zstd
  has_header sqlite3.h || miss SQLite libsqlite3-dev sqlite-devel sqlite sqlite
  has_header zlib.h || miss zlib zlib1g-dev zlib-devel zlib zlib
  has_header directx/d3d12.h || miss DirectX-Headers directx-headers-dev DirectX-Headers-devel directx-headers -
  # the Vulkan layer is left out where these are not packaged
  [ "$manager" != apt-get ] || has_header vulkan/vk_layer.h || miss "Vulkan's headers" libvulkan-dev - - -
}

look_for_test() {
  look_for_build
  has bash || miss bash bash bash bash bash
  # elsewhere reports are not compared with their schema
  [ "$manager" != apt-get ] || python3 -c 'import jsonschema' 2>/dev/null || miss "a JSON Schema validator" python3-jsonschema - - -
  has jq || miss jq jq jq jq jq
  has_header criterion/criterion.h || miss Criterion libcriterion-dev - - criterion
  compiles_cxx || miss "a C++ compiler (public headers as C++17)" g++ gcc-c++ gcc gcc
  has pkg-config || has pkgconf || miss pkg-config pkg-config pkgconf-pkg-config pkgconf pkgconf
  # elsewhere the models of concurrency are skipped
  [ "$manager" != apt-get ] || has spin || miss spin spin - - -
}

look_for_fuzz() {
  look_for_build
  links_fuzzer || miss "clang with libFuzzer" clang,libclang-rt-dev clang,compiler-rt clang,compiler-rt llvm
}

look_for_windows() {
  look_for_build
  has bash || miss bash bash bash bash bash
  # elsewhere reports are not compared with their schema
  [ "$manager" != apt-get ] || python3 -c 'import jsonschema' 2>/dev/null || miss "a JSON Schema validator" python3-jsonschema - - -
  if ! has x86_64-w64-mingw32-gcc-posix && ! has x86_64-w64-mingw32-gcc; then
    miss mingw-w64 gcc-mingw-w64-x86-64-posix mingw64-gcc,mingw64-winpthreads-static mingw-w64-gcc mingw-w64
  fi
  has wine || miss Wine wine,wine64 wine-core wine -
  # Wine's own D3D12 has a GPU with these; elsewhere its test is skipped
  [ "$manager" = apt-get ] || return 0
  has Xvfb || miss Xvfb xvfb - - -
  has_lavapipe || miss lavapipe mesa-vulkan-drivers - - -
}

# Debian's cross compilers; elsewhere `make cross` skips what is missing.
look_for_cross() {
  look_for_build
  [ "$manager" = apt-get ] || return 0
  has qemu-s390x-static || miss "qemu-user" qemu-user-static - - -
  has aarch64-linux-gnu-gcc || miss "gcc for aarch64" gcc-aarch64-linux-gnu,libc6-dev-arm64-cross - - -
  has arm-linux-gnueabihf-gcc || miss "gcc for 32-bit ARM" gcc-arm-linux-gnueabihf,libc6-dev-armhf-cross - - -
  has s390x-linux-gnu-gcc || miss "gcc for s390x" gcc-s390x-linux-gnu,libc6-dev-s390x-cross - - -
}

# D3D12's headers from elsewhere, which annot/d3d12.h is compiled after where they are.
look_for_other_headers() {
  [ "$manager" = apt-get ] || return 0
  compiles_mingw_cxx || miss "mingw-w64 for C++" g++-mingw-w64-x86-64-posix - - -
  has_header vkd3d/vkd3d_d3d12.h || miss "vkd3d's headers" libvkd3d-headers - - -
  [ -e /usr/include/wine/wine/windows/d3d12.h ] || miss "Wine's headers" libwine-dev - - -
}

# Tests skip without these: other people's build systems.
look_for_packaging() {
  has meson || miss Meson meson meson meson meson
  has ninja || miss ninja ninja-build ninja-build ninja ninja
}

look_for_format() {
  has clang-format || miss clang-format clang-format clang-tools-extra clang clang-format
}

# logged COMMAND...: runs it, with its output in $log. apt-get waits where another one holds dpkg's lock.
apt_waits="-o DPkg::Lock::Timeout=600"
logged() {
  { "$@" </dev/null 2>&1; echo "exit code $?"; } | {
    told=
    while IFS= read -r line; do
      echo "$line" >>"$log"
      case $told$line in "Waiting for cache lock: "*)
        told=yes
        say "waiting for another package manager, at most 600 s: ${line#*: }"
        ;;
      esac
    done
  }
  [ "$(tail -n 1 "$log")" = "exit code 0" ]
}

install_packages() {
  sudo=
  if [ "$manager" != brew ] && [ "$(id -u)" != 0 ]; then
    sudo=sudo
  fi
  case $manager in
  apt-get) install="apt-get $apt_waits install -y --no-install-recommends$packages" ;;
  dnf) install="dnf install -y --setopt=install_weak_deps=False$packages" ;;
  pacman) install="pacman -S --needed --noconfirm$packages" ;;
  brew) install="brew install$packages" ;;
  esac
  if [ -n "$sudo" ] && ! sudo -n true >/dev/null 2>&1; then
    echo "bootstrap: missing: $missing; type: sudo $install" >&2
    exit 1
  fi

  say "installing$packages ($missing) with $manager"
  log=$(mktemp) || exit 1
  trap 'rm -f "$log"' EXIT
  export DEBIAN_FRONTEND=noninteractive HOMEBREW_NO_AUTO_UPDATE=1
  if [ "$manager" = apt-get ]; then
    logged $sudo apt-get $apt_waits update -q
  fi
  if ! logged ${sudo:+$sudo env DEBIAN_FRONTEND=noninteractive} $install; then
    tail -n 20 "$log" >&2
    echo "bootstrap: that failed; type: ${sudo:+sudo }$install" >&2
    exit 1
  fi
  say "installed"
}

case $goal in
build) look_for_build ;;
test) look_for_test ;;
fuzz) look_for_fuzz ;;
format) look_for_format ;;
windows) look_for_windows ;;
cross) look_for_cross ;;
clients)
  look_for_windows
  has npm || miss npm npm nodejs-npm npm node
  ;;
ci)
  look_for_test
  links_fuzzer || miss "clang with libFuzzer" clang,libclang-rt-dev clang,compiler-rt clang,compiler-rt llvm
  look_for_windows
  look_for_cross
  look_for_other_headers
  look_for_format
  look_for_packaging
  has git || miss git git git git git
  # a root of Debian 13, where the build for vkd3d's ABI runs
  [ "$manager" != apt-get ] || has debootstrap || miss debootstrap debootstrap - - -
  # programs on Mesa's d3d12 driver and a browser, which are skipped where a distribution has them not
  if [ "$manager" = apt-get ]; then
    has_header EGL/egl.h || miss "EGL and OpenGL" libegl-dev,libgl-dev,libgl1-mesa-dri - - -
    has chromium || miss "Chromium (annot html's page)" chromium - - -
    has node || miss Node nodejs - - -
    has npm || miss npm npm - - -
    has es2gears_x11 || miss es2gears mesa-utils-bin - - -
  fi
  # the Vulkan layer, and a driver to run it on; without them it is left out
  if [ "$manager" = apt-get ]; then
    has glslangValidator || miss glslang glslang-tools - - -
    has ffmpeg || miss ffmpeg ffmpeg - - -
    ls /usr/lib/qt6/bin/qml >/dev/null 2>&1 ||
      miss "Qt Quick" qml-qt6,qml6-module-qtquick,qml6-module-qtquick-window,qml6-module-qtqml-workerscript - - -
    ls /usr/share/vulkan/explicit_layer.d/*validation*.json >/dev/null 2>&1 ||
      miss "Vulkan's validation layers" vulkan-validationlayers - - -
    for layer in mangohud vkbasalt gfxreconstruct; do
      grep -qi $layer /usr/share/vulkan/*licit_layer.d/*.json 2>/dev/null || miss "the Vulkan layer $layer" $layer - - -
    done
    has vkcube || miss vkcube vulkan-tools - - -
    has xwd || miss xwd x11-apps - - -
  fi
  has valgrind || miss valgrind valgrind valgrind valgrind -
  ;;
*)
  echo "bootstrap: unknown goal '$goal'; use build, test, fuzz, format, windows, clients, cross or ci" >&2
  exit 2
  ;;
esac

[ -z "$packages" ] || install_packages
if [ -n "$by_hand" ]; then
  if [ -n "$manager" ]; then
    echo "bootstrap: missing: $by_hand; $manager has no package for it, install it by hand" >&2
  else
    echo "bootstrap: missing: $by_hand; install it with this system's package manager" >&2
  fi
  exit 1
fi
