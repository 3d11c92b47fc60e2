#!/bin/sh
# Library, tools and a program that writes a dump, built for machines of other byte orders and sizes and run under
# qemu-user. Every machine must read every dump as this one does, byte for byte in text and in JSON: those of
# tests/golden/dumps, and those that the other machines have written. qemu on x86 shows sizes and byte order, no memory
# order: that is what tests/models/*.pml are for.
#   cross.sh BUILD_DIR JOBS [cmake arguments...]       BUILD_DIR is this machine's; the others get BUILD_DIR-MACHINE
# The last line counts: 'N passed, N failed, N skipped'.
set -u

build=$1 jobs=$2
shift 2
root=$(pwd)
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# name of the machine for qemu, of its compiler
machines='aarch64 aarch64-linux-gnu
arm arm-linux-gnueabihf
s390x s390x-linux-gnu'

generator=
! command -v ninja >/dev/null 2>&1 || generator='-G Ninja'
options="$generator -DANNOT_EMU=OFF -DANNOT_TESTS=OFF -DANNOT_CROSS_TEST=ON -DANNOT_INSTALL=OFF"

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "cross: $*"; }

# reads PREFIX RUN...: what `annot` says of each dump into PREFIX.*; damaged ones exit with 1 everywhere.
reads() {
  prefix=$1
  shift
  for dump in "$root"/tests/golden/dumps/*.annotdmp "$work"/*.annotdmp; do
    [ -e "$dump" ] || continue
    name=$(basename "$dump" .annotdmp)
    "$@" show --output text --all "$dump" >"$prefix.$name.text" 2>&1
    echo "exit $?" >>"$prefix.$name.text"
    "$@" show --output json --all "$dump" >"$prefix.$name.json" 2>&1
    echo "exit $?" >>"$prefix.$name.json"
  done
  "$@" pix decode --jsonl <"$root/tests/golden/pix_golden.jsonl" >"$prefix.pix.decoded" 2>&1
  "$@" pix encode --jsonl <"$root/tests/golden/pix_descriptions.jsonl" >"$prefix.pix.encoded" 2>&1
}

# shellcheck disable=SC2086 # words
sh cmake/build.sh "$build-host" "$jobs" $options "$@" || exit 1
"$build-host/bin/cross-writer" "$work/written_here.annotdmp" && pass || fail "the writer fails here"

ready=
while read -r machine triple; do
  for need in "$triple-gcc" "qemu-$machine-static"; do
    command -v "$need" >/dev/null 2>&1 && continue
    echo "cross: $machine: skipped: $need is not installed"
    skipped=$((skipped + 1))
    continue 2
  done
  # shellcheck disable=SC2086 # words
  sh cmake/build.sh "$build-$machine" "$jobs" $options "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/cross.cmake" \
    "-DANNOT_CROSS=$triple" "$@" || { fail "$machine: does not compile"; continue; }
  if "qemu-$machine-static" -L "/usr/$triple" "$build-$machine/bin/cross-writer" "$work/written_on_$machine.annotdmp"; then
    pass
  else
    fail "$machine: the writer fails"
  fi
  ready="$ready $machine:$triple"
done <<EOM
$machines
EOM

mkdir "$work/here"
reads "$work/here/x" "$build-host/bin/annot"
for pair in $ready; do
  machine=${pair%%:*} triple=${pair#*:} same=0
  mkdir "$work/$machine"
  reads "$work/$machine/x" "qemu-$machine-static" -L "/usr/$triple" "$build-$machine/bin/annot"
  for file in "$work"/here/x.*; do
    name=${file##*/x.}
    if cmp -s "$file" "$work/$machine/x.$name"; then
      pass
      same=$((same + 1))
    else
      fail "$machine reads $name otherwise:"
      diff "$file" "$work/$machine/x.$name" | head -n 5
    fi
  done
  echo "cross: $machine: $same of $(find "$work/here" -type f | wc -l) reports are those of this machine, byte for byte"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
