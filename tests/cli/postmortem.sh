#!/bin/sh
# The examples of docs/POSTMORTEM.md do what their first lines say, and a fault's dump alone tells all that is known of it:
# markers, operation, object, the kernel-mode driver's word, the last API calls with their times.
# usage: postmortem.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: postmortem.sh path/to/annot" >&2; exit 2; }
annot=$1
bin=$(dirname "$annot")
lib=$bin/../lib
[ -x "$bin/dred" ] || { echo "postmortem.sh: no $bin/dred: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 passed=0

# has TITLE PATTERN FILE: a line of the file fits the extended regular expression.
has() {
    if grep -qE "$2" "$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: no line fits %s\n' "$1" "$2"
        sed 's/^/  /' "$3" | head -60
    fi
}

# example NAME [ARGUMENTS...]: runs it; its output is in $work/out.
example() {
    "$bin/$1" --out "$work/$1.annotdmp" >"$work/out" 2>&1 || { echo "$1 exits with $?"; cat "$work/out"; failed=$((failed + 1)); }
}

# ---- DRED, and everything in one report ----
example dred
has "dred" '^list "Frame list": 4 of 8 operations done, the next is a Dispatch$' "$work/out"
has "dred" '^page fault at 0x[0-9a-f]+, in a buffer that was freed: "Lights"$' "$work/out"
"$annot" show --output text "$work/dred.annotdmp" >"$work/text"
has "path of markers" '^  Frame 1 / Lighting / Tile \(3, 7\)$' "$work/text"
has "number and kind of the operation" '^    operation +5 of 8 is not done: Dispatch\(1, 1, 1\); 4 is done: BeginEvent$' "$work/text"
has "the resource under the fault" '^  address +128 bytes into "Lights" \(destroyed\)' "$work/text"
has "type of the timeout" '^  TDR +ENGINE_PAGE_FAULT \(type 12\), reason 0x141' "$work/text"
has "payload of the timeout" '^ +DxgkDdiCollectDbgInfo2: bucketing key 0xc0000, payload 0 bytes$' "$work/text"
has "last API call that was completed" '^    last call done CopyBufferRegion, operation 3, 0\.[0-9]+ s before the error$' "$work/text"
has "last API call that was begun" '^    call not done +Dispatch, operation 5, for 0\.[0-9]+ s$' "$work/text"
"$annot" convert "$work/dred.annotdmp" -o "$work/dred.dxdmp" || failed=$((failed + 1))
"$annot" show --output text "$work/dred.dxdmp" >"$work/text"
has "the dump inside a DirectX dump file" '^    operation +5 of 8 is not done: Dispatch\(1, 1, 1\); 4 is done: BeginEvent$' "$work/text"
LC_ALL=C sed 's/ANNOTDMP/NOTADUMP/' "$work/dred.dxdmp" >"$work/alone.dxdmp"
"$annot" show --output text "$work/alone.dxdmp" >"$work/text"
has "the file without it" '^    operation +5 of 8 is not done: Dispatch; 4 is done: BeginEvent$' "$work/text"
has "and its object" '^  address +in "Lights" \(destroyed\) \(resource\)$' "$work/text"
has "and what nothing is known of" '  -- nothing says what became of it$' "$work/text"

# ---- SetMarker and history buffers ----
example timeline
has "timeline" '^CopyBufferRegion +done after 1\.000 us, API call 3$' "$work/out"
has "timeline" '^Dispatch +not done for 2[0-9]+\.[0-9]+ us, API call 4$' "$work/out"

# ---- SubmitCommand ----
EMU_DRIVER_PATH=$lib/submit_command.so ANNOT_TIMELINE=1 "$bin/hang" --seed 1 --out "$work/submit.annotdmp" >"$work/out" 2>&1
has "submit_command" '^submission 0x80000001: FT_PROFILE, [0-9]+ calls that made the GPU work$' "$work/out"
has "submit_command" '^submission 0x8000000[0-9a-f]: BATCHED, 2 lists, 1 history buffer$' "$work/out"
has "submit_command" '^  list [0-9]+: [1-9][0-9]* calls that made the GPU work, 0x[0-9a-f]+ to 0x[0-9a-f]+$' "$work/out"

# ---- CollectDbgInfo2 ----
EMU_KERNEL_DRIVER_PATH=$lib/kernel_driver.so "$bin/hang" --seed 1 --out "$work/kernel.annotdmp" >"$work/out" 2>&1
"$annot" show --output text "$work/kernel.annotdmp" >"$work/text"
has "kernel_driver" '^  TDR +ENGINE_TIMEOUT \(type 6\), reason 0x141' "$work/text"
has "kernel_driver" 'payload 40 bytes, guilty: "Graphics queue"$' "$work/text"
"$annot" show "$work/kernel.annotdmp" --blob 2 -o "$work/blob"
has "kernel_driver" '^TDR type 6: an engine stopped in a packet of kind [0-9]+$' "$work/blob"

# ---- dump files ----
example dump_file
has "dump_file" '^the GPU is given up, device error 7: yes, write a dump$' "$work/out"
has "dump_file" '^the dump is .*dump_file\.annotdmp$' "$work/out"
has "dump_file" '^in it: "level 3, 1280x720"$' "$work/out"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
