#!/bin/sh
# Configures and compiles one build folder, and shows how far it is: a line that counts on a terminal, a line for every
# quarter elsewhere. Everything else goes to BUILD_DIR/build.log; warnings and errors are printed at the end.
#   build.sh BUILD_DIR JOBS [cmake arguments...]                  TARGETS: what to compile, if not all
set -u

build=$1 jobs=$2
shift 2
log=$build/build.log
mkdir -p "$build" || exit 1

# The flags of an outer make are of no use to the one that CMake starts.
unset MAKEFLAGS MAKELEVEL MFLAGS

echo "building in $build"
if ! cmake -S . -B "$build" "$@" >"$log" 2>&1; then
  cat "$log"
  exit 1
fi

terminal=0
[ ! -t 1 ] || terminal=1

# Makefiles write "[ 45%] Building …", Ninja "[45/100] Building …".
progress() {
  awk -v terminal="$terminal" -v build="$build" '
    {
      print >>log_file
      fflush(log_file)
      if (match($0, /^\[ *[0-9]+%\]/)) { percent = substr($0, 2, RLENGTH - 3) + 0 }
      else if (match($0, /^\[[0-9]+\/[0-9]+\]/)) {
        split(substr($0, 2, RLENGTH - 2), part, "/")
        percent = int(100 * part[1] / part[2])
      } else next
      if (percent <= shown) next
      if (terminal) { printf "\r%3d %%", percent; fflush() }
      else if (int(percent / 25) > int(shown / 25)) { printf "%3d %% of %s\n", percent, build; fflush() }
      shown = percent
    }
    END { if (terminal) printf "\r      \r" }' log_file="$log"
}

code=$({ { cmake --build "$build" -j "$jobs" --target ${TARGETS:-all} 2>&1; echo $? >&3; } | progress >&4; } 3>&1) 4>&1
if [ "${code:-1}" -ne 0 ]; then
  grep -v -e '^\[ *[0-9]*[%/]' -e '^-- ' "$log"
  echo "build: failed; everything that was printed is in $log" >&2
  exit 1
fi
grep -A6 'warning:' "$log" || true
