#!/usr/bin/env bash
# Calls that cannot be recorded are named, on stderr and in the trace [ANN-TRACE-04].
#   refused.sh ANNOT TEST_D3D12
set -u
annot=$1 program=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

refused() { # test, what is said of it
  rm -f "$work"/*
  "$annot" capture -o "$work/%p" -- "$program" -j1 --filter "$1" >"$work/out" 2>&1 || { echo "$1 fails under capture"; exit 1; }
  grep -q "annot capture: $2" "$work/out" || { echo "$1: nothing of it on stderr: $(cat "$work/out")"; exit 1; }
  for trace in "$work"/[0-9]*; do
    "$annot" trace show --output text "$trace" | grep -q "$2" && return
  done
  echo "$1: nothing of it in the trace"
  exit 1
}

refused message_callbacks/a_callback_may_unregister_itself 'UnregisterMessageCallback: the program made this call in a callback'
refused not_modelled/shared_handles_are 'OpenSharedHandle: a shared handle does not come from the D3D12 library'
refused state_object/of_an_unknown_subobject_is_turned_down 'CreateStateObject: a state subobject of unknown type'

# the proxy alone, without the command that starts programs under it
env -u ANNOT_CAPTURE_RUNTIME LD_LIBRARY_PATH="$(dirname "$annot")/../lib/capture" "$program" -j1 --filter device/has_one_node >"$work/alone" 2>&1
grep -q "must name a D3D12 library; start the program with 'annot d3d12' or 'annot capture'" "$work/alone" || { echo "without a runtime: $(cat "$work/alone")"; exit 1; }

# and each kind of refusal once on stderr, however often it happens
[ "$(grep -c 'CreateStateObject: a state subobject of unknown type' "$work/out")" = 1 ] || { echo "said twice: $(cat "$work/out")"; exit 1; }
echo "refused by name"
