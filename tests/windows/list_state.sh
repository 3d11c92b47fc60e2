#!/usr/bin/env bash
# The rules of a list's state (platform/d3d12_rules) against what draws really use, on Wine's own D3D12 and Mesa's software GPU,
# where shaders run. What Wine does otherwise than the D3D12 documents say is named here, by version.
#   list_state.sh BUILD_DIR PROGRAM   BUILD_DIR: for Windows, with Wine's prefix in it; PROGRAM: list_state/program.c
set -u
build=$(realpath "$1") program=$(realpath "$2")
. "$(dirname "$0")/display.sh"

# OMSetRenderTargets of a depth buffer alone leaves the target that was there.
differs='depth without a target is used'
left_out=()
case $(wine --version) in
wine-[1-8].*) # Reset leaves the vertices; an indexed draw without indices ends the program; indirect indexed draws draw nothing
  differs+='|a list begins without vertices|ExecuteIndirect uses what is set'
  left_out=('a list begins without indices')
  ;;
esac
wine "$program" "${left_out[@]}" >"$work/raw" 2>"$work/errors" </dev/null
code=$?
tr -d '\r' <"$work/raw" >"$work/tap"
sed -n 's/^not ok [0-9]* - //p' "$work/tap" | sort >"$work/failed"
tr '|' '\n' <<<"$differs" | sort | diff - "$work/failed" >&2 || fail "Wine and the rules: $(cat "$work/tap" "$work/errors")"
[ $code = 1 ] || fail "exit code $code: $(cat "$work/tap" "$work/errors")"
# Wine has none of these calls, and skips for no other reason
lacks='ExecuteBundle|ClearState|buffers that ExecuteIndirect sets|left out'
! grep '# SKIP' "$work/tap" | grep -vE "# SKIP not here: ($lacks)\$" || fail "skipped for another reason"
passed=$(grep -c '^ok [^#]*$' "$work/tap")
[ "$passed" -ge 9 ] || fail "only $passed sequences ran: $(cat "$work/tap")"
echo "$(wine --version): $passed sequences as the rules say, $(wc -l <"$work/failed") otherwise, $(grep -c '# SKIP' "$work/tap") not here"
