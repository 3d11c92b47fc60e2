#!/usr/bin/env bash
# A process with more rights than the user who started it takes nothing from the environment, in any component [ANN-SEC-01]:
# what each variable does to a plain process is listed, and has not happened to a set-user-ID one.
#   host.sh PRIVILEGED-HOST RAN.SO LIBRARY-FOLDER
set -u
host=$1 ran=$2 lib=$3
skip() {
  echo "host.sh: $*: skipped"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "only root can make such a program"
command -v setpriv >/dev/null || skip "no setpriv"
id nobody >/dev/null 2>&1 || skip "no user nobody"
[ "$(sed -n 's/^NoNewPrivs:[[:space:]]*//p' /proc/self/status)" = 0 ] || skip "this process may gain no rights"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp "$host" "$work/plain" && cp "$host" "$work/privileged" && chmod 4755 "$work/privileged" || exit 2
cp "$ran" "$work/ran.so" && chmod 644 "$work/ran.so" || exit 2
failed=0 count=0

# run KIND VARIABLES... -- ARGUMENTS...: in a new folder, which everybody may write to; what came of it is in ./did: the files
# that appeared, and what was said
run() {
  local kind=$1 as=()
  shift
  rm -rf "$work/here" && mkdir -m 1777 "$work/here" && cd "$work/here" || exit 2
  mkdir -m 777 state
  printf 'annot_crash.level = from_the_file\n' >vk_layer_settings.txt
  printf '[dred]\nauto-breadcrumbs = from_the_file\n' >settings.ini
  chmod 644 vk_layer_settings.txt settings.ini
  ls -R >"$work/before"
  [ "$kind" = plain ] || as=(setpriv --reuid=nobody --clear-groups)
  local variables=()
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  shift
  "${as[@]}" env -i "${variables[@]}" "$work/$kind" "$@" >"$work/out" 2>"$work/err" </dev/null
  local code=$?
  [ $code -lt 3 ] || skip "$kind can't run $1: $(cat "$work/err")"
  { ls -R | diff "$work/before" - | sed -n 's/^> //p'; sed "s/[0-9]\{3,\}/N/g" "$work/err"; cat "$work/out"; } >"$work/did"
}

# check VARIABLES -- PATTERN -- ARGUMENTS...: in a plain process PATTERN is among what came of it (-: the variable does nothing
# there either); in a privileged one all is as without the variables
check() {
  local variables=() pattern
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  pattern=$2
  shift 3
  run privileged -- "$@"
  cp "$work/did" "$work/nothing"
  run plain "${variables[@]}" -- "$@"
  [ "$pattern" = - ] || grep -q -e "$pattern" "$work/did" ||
    { echo "plain: ${variables[*]} does not: $pattern"; cat "$work/did"; failed=1; }
  run privileged "${variables[@]}" -- "$@"
  cmp -s "$work/did" "$work/nothing" || { echo "privileged: ${variables[*]} did something:"; diff "$work/nothing" "$work/did"; failed=1; }
  count=$((count + 1))
}

# The library reads none: neither its own kind of names nor those that are libc's to read do anything.
check TMPDIR=/nowhere HOME=state XDG_STATE_HOME=state ANNOT_CONFIG=settings.ini ANNOT_DUMP=ours EMU_DUMP=ours \
  -- - -- library dump

if [ -e "$lib/libd3d12.so" ]; then
  emulator="$lib/libd3d12.so"
  check EMU_DRIVER_PATH="$work/ran.so" -- '^ran$' -- d3d12 "$emulator"
  check EMU_KERNEL_DRIVER_PATH="$work/ran.so" -- '^ran$' -- d3d12 "$emulator"
  check EMU_DRIVER=nonsense EMU_WARP_LOG=log -- "no driver 'nonsense'" -- d3d12 "$emulator" # the log: cli/privileged.sh
  check EMU_MESSAGES=said -- '^said$' -- d3d12 "$emulator"
  check EMU_SEED=x -- EMU_SEED -- d3d12 "$emulator"
  check EMU_FRESH_MEMORY=x -- EMU_FRESH_MEMORY -- d3d12 "$emulator"
  check EMU_ORDER=x -- EMU_ORDER -- d3d12 "$emulator"
  check EMU_HANG=x -- EMU_HANG -- d3d12 "$emulator"
  check EMU_FAULT=x -- EMU_FAULT -- d3d12 "$emulator"
  check EMU_LOSE=x -- EMU_LOSE -- d3d12 "$emulator"
  check ANNOT_TIMELINE=x -- ANNOT_TIMELINE -- d3d12 "$emulator"
  check ANNOT_CONFIG="$work/here/settings.ini" EMU_MESSAGES=stderr -- auto-breadcrumbs -- d3d12 "$emulator"
  check EMU_DUMP=dump HOME="$work/here" XDG_STATE_HOME="$work/here/state" XDG_CONFIG_HOME="$work/here" -- - -- d3d12 "$emulator"
fi

if [ -e "$lib/capture/libd3d12.so" ]; then
  proxy="$lib/capture/libd3d12.so"
  check ANNOT_CAPTURE_RUNTIME="$work/ran.so" -- '^ran$' -- d3d12 "$proxy"
  check ANNOT_CAPTURE_RUNTIME="$lib/libd3d12.so" ANNOT_CAPTURE_FILE=trace -- '^trace$' -- d3d12 "$proxy"
  check ANNOT_CAPTURE_RUNTIME="$lib/libd3d12.so" -- 'annot-.*annottrace' -- d3d12 "$proxy"
  check ANNOT_CAPTURE_WATCH=hashing -- - -- start "$proxy"
fi

if [ -e "$lib/vulkan/libVkLayer_annot_crash.so" ]; then
  layer="$lib/vulkan/libVkLayer_annot_crash.so"
  for name in LEVEL EVIDENCE TIMEOUT MEMORY QUIET; do
    check ANNOT_VK_$name=nonsense -- "ANNOT_VK_$name" -- vulkan "$layer"
    check VK_ANNOT_CRASH_$name=nonsense -- "VK_ANNOT_CRASH_$name" -- vulkan "$layer"
  done
  long=$(printf '%01100d' 0)
  check ANNOT_VK_DUMP="$long" -- ANNOT_VK_DUMP -- vulkan "$layer"
  check VK_ANNOT_CRASH_DUMP="$long" -- VK_ANNOT_CRASH_DUMP -- vulkan "$layer"
  check VK_LAYER_SETTINGS_PATH="$work/here" -- from_the_file -- vulkan "$layer"
  check NOTHING=1 -- from_the_file -- vulkan "$layer" # the current folder's file, which its starter chose
fi

if [ -e "$lib/libWinPixEventRuntime.so" ]; then
  check TMPDIR=/nowhere HOME=state PIX_CAPTURE=1 EMU_DUMP=dump ANNOT_CONFIG=settings.ini -- - -- pix "$lib/libWinPixEventRuntime.so"
fi
echo "$count settings of an environment"
exit $failed
