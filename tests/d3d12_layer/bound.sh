#!/usr/bin/env bash
# The layer's report of a draw that hung has what it was bound to by name, with size, format and state, and the barriers since
# the work before it, as the emulator's own has it [ANN-OP-01].
#   bound.sh ANNOT BOUND
set -u
annot=$1 bound=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1
fail() {
  echo "$*"
  exit 1
}
run() { # LEVEL [pass|predicated]
  rm -f "$work/dump"
  EMU_DRIVER=legacy "$annot" d3d12 --level "$1" "${evidence[@]}" -o "$work/dump" -- "$bound" "${@:2}" >"$work/out" 2>&1 || fail "$*: $(cat "$work/out")"
  grep -q '^0x887A0006$' "$work/out" || fail "$*: it did not hang: $(cat "$work/out")"
  "$annot" show "$work/dump" >"$work/report" || fail "$*: no report"
}
has() {
  grep -qE "^    $1\$" "$work/report" || fail "no '$1': $(sed -n '/^WHAT HUNG/,/^FACTS/p' "$work/report")"
}
has_none() {
  grep -E "^    ($1)" "$work/report" && fail "that is there: $1"
}
evidence=()
run exact
has 'operation      DrawIndexedInstanced\(3, 1, 0, -1, 0\)'
has 'pipeline       "Draw"'
has 'shader         vs [0-9a-f]{32}|shader         vs [0-9a-f]{16}'
has 'target         "Color" \(640 x 360, R8G8B8A8_UNORM\), RENDER_TARGET'
has 'target         "?Say .{0,2}"normals.{0,2}" \(640 x 360, R8G8B8A8_UNORM\), PIXEL_SHADER_RESOURCE|target         .*normals.* \(640 x 360, R8G8B8A8_UNORM\), PIXEL_SHADER_RESOURCE'
has 'depth          "Depth" \(640 x 360, D32_FLOAT\), created as DEPTH_WRITE'
has 'indices        "Indices" \(buffer, 65536 bytes\), created as COMMON'
has 'vertices       "Vertices" \(buffer, 4096 bytes\), created as COMMON'
has 'barrier        "Shadow 2": RENDER_TARGET -> PIXEL_SHADER_RESOURCE'
has 'barrier        "Color": PIXEL_SHADER_RESOURCE -> RENDER_TARGET'
[ "$(grep -c '^    vertices ' "$work/report")" = 1 ] || fail "other vertex buffers: $(cat "$work/report")"
has 'barrier        everything: unordered access'
[ "$(grep -c '^    barrier ' "$work/report")" = 8 ] || fail "other barriers: $(cat "$work/report")"
has_none 'target +"Third"'
# in JSON
"$annot" show --output json "$work/dump" >"$work/json"
grep -q '"resource_state_text":"RENDER_TARGET","resource":{"dimension":3,"width":"640","height":360,' "$work/json" || fail "JSON: no target: $(cat "$work/json")"
grep -q '"before":128,"before_text":"PIXEL_SHADER_RESOURCE","after":4,"after_text":"RENDER_TARGET"}\]' "$work/json" || fail "JSON: no barrier"
run exact pass
has 'target         .*normals.* \(640 x 360, R8G8B8A8_UNORM\), PIXEL_SHADER_RESOURCE'
has 'target         "Third" \(640 x 360, R8G8B8A8_UNORM\), PIXEL_SHADER_RESOURCE'
has_none 'target +"Color"|depth '
# what a bundle sets is its caller's, ClearState leaves the pipeline that it is given and nothing else, and commands set what
# nobody knows of
run exact bundle
has 'pipeline       "Other"'
has 'vertices       "Indices" \(buffer, 65536 bytes\), created as COMMON'
has 'indices        "Indices" \(buffer, 65536 bytes\), created as COMMON'
has 'depth          "Depth" \(640 x 360, D32_FLOAT\), created as DEPTH_WRITE'
has_none 'vertices +"Vertices"|pipeline +"Draw"'
run exact cleared
has 'pipeline       "Other"'
has 'target         .*normals.* \(640 x 360, R8G8B8A8_UNORM\), PIXEL_SHADER_RESOURCE'
has 'indices        "Indices" \(buffer, 65536 bytes\), created as COMMON'
has_none 'vertices |depth |target +"Color"|pipeline +"Draw"'
run exact 'indirect, hidden uncounted'
has 'pipeline       "Draw"'
has 'depth          "Depth" \(640 x 360, D32_FLOAT\), created as DEPTH_WRITE'
has_none 'vertices |indices '
# what an ExecuteIndirect executes, from memory that the layer can read while the GPU works; a buffer that is gone is not read
says() { # HOW TEXT: the fact
  run exact "$1"
  [ "$("$annot" show --output json "$work/dump" | grep -o '"key":"indirect","value":"[^"]*"')" = "\"key\":\"indirect\",\"value\":\"$2\"" ] ||
    fail "$1: $(grep indirect "$work/report")"
}
unread=": the layer can't read the arguments"
says 'indirect, hidden uncounted' "one of 8 commands, not known which$unread"
says 'indirect, hidden apart' "one of at most 8 commands, not known which (count 3 is in memory now)$unread"
says 'indirect, hides one' 'command 1 of 1; in memory now: DrawInstanced(6, 1, 4, 4294967295)'
says 'indirect, bundle single uncounted' 'one of 8 commands, not known which; the first, in memory now: DrawInstanced(6, 1, 4, 4294967295)'
says 'indirect, dispatch single one' 'command 1 of 1 (count 3 is in memory now); in memory now: Dispatch(6, 1, 4)'
says 'indirect, emptied' 'no command, as memory is now'
says 'indirect, released' "one of at most 8 commands, not known which$unread"
while read -r count how; do
  says "indirect, $how" "one of at most 8 commands, not known which (count $count is in memory now); the first, in memory now: DrawIndexedInstanced(6, 1, 4, -1, 2)"
done <<'end'
3 indexed
1 indexed rewritten
3 indexed unmapped
3 indexed cached
3 indexed combined
99 indexed apart many
3 indexed several
end
has 'arguments      .* \(buffer, 1024 bytes\), created as VERTEX_AND_CONSTANT_BUFFER .* COPY_SOURCE'
# barriers of subresources, of each kind: the target is slice 1, and slice 0 was read
run exact parts
has 'target         "Chain" \(640 x 360, 2 slices, R8G8B8A8_UNORM\), mip 0, slice 1, RENDER_TARGET'
has 'barrier        "Chain" mip 0, slice 0: RENDER_TARGET -> PIXEL_SHADER_RESOURCE'
has 'barrier        "Chain" mip 1: RENDER_TARGET -> COPY_SOURCE begins'
has 'barrier        "Vertices": COPY_SOURCE -> COPY_DEST'
has 'barrier        everything: UNORDERED_ACCESS -> COPY_SOURCE'
has "barrier        \"Indices\": another resource gets this resource's memory"
[ "$(grep -c '^    barrier ' "$work/report")" = 15 ] || fail "other barriers: $(cat "$work/report")"
# a copy under a predicate has no words; it waits for the word behind the draw
evidence=(--evidence copy)
run exact predicated
has 'operation      DrawIndexedInstanced\(3, 1, 0, -1, 0\)$'
evidence=()
run labels
has_none 'target |barrier |pipeline '
# copied words: none between the parts of a render pass that a second list resumes, by what breadcrumbs of the emulator's own
# dump count: in the first list the program's five operations and one copy between two barriers in front of its work, in the
# second its BeginEvent in front of the draw. The layer says nothing of either list, which have no words where they meet.
printf '[dred]\nauto-breadcrumbs=forced-on\n' >"$work/settings" || fail "no settings"
ANNOT_CONFIG=$work/settings EMU_DUMP=$work/own EMU_DRIVER=legacy "$annot" d3d12 --evidence copy --level labels -o "$work/resumed" -- \
  "$bound" resumed >"$work/out" 2>&1 || fail "resumed: $(cat "$work/out")"
"$annot" show --output text "$work/own" | grep -q '^    operation      2 of [0-9]* is not done: DrawIndexedInstanced(3, 1, 0, -1, 0); 1 is done: BeginEvent$' ||
  fail "resumed: a copy in front of the pass: $("$annot" show --output text "$work/own")"
"$annot" show --output json "$work/own" | tr -d ' ' | grep -q '"operations":8,"operations_done":8,' || fail "resumed: a copy behind the pass"
"$annot" show --output text "$work/resumed" >"$work/report"
[ "$(grep -c '^ *\[?\] list [12] of 2 ' "$work/report")" = 2 ] || fail "resumed: $(cat "$work/report")"
echo "a draw's targets, buffers and barriers"
