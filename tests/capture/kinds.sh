#!/usr/bin/env bash
# Records that are more than a call's arguments are what docs/TRACE_FORMAT.md says of them, and replay finds all as it was
# [ANN-TRACE-01, -02].
#   kinds.sh ANNOT PROGRAM
set -u
annot=$1 program=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}
has() { # a line of the trace
  grep -q "$1" "$work/dump" || fail "the trace lacks: $1"
}

EMU_DUMP=$work/dump.annotdmp "$annot" capture -o "$work/t" -- "$program" "$work/settings" >"$work/out" 2>&1 || fail "under capture: $(cat "$work/out")"
"$annot" trace dump --output text "$work/t" >"$work/dump" || fail "dump"
"$annot" trace info --output text "$work/t" >"$work/info" || fail "info"
grep -q "^program  *\"$(realpath "$program")\"" "$work/info" && grep -q '^finished  *yes' "$work/info" || fail "info: $(cat "$work/info")"

# settings, once for each value that they had, and the names of those that are gone
has '^  variable "EMU_KINDS=some"$'
has '^  variable "EMU_KINDS=other"$'
has '^  variable "EMU_KINDS"$'
[ "$(grep -c '^  variable "EMU_KINDS' "$work/dump")" = 3 ] || fail "a variable is recorded again"
"$annot" trace dump --output json "$work/t" | sed -n 's/^{"settings_bytes": \([0-9]*\)}$/\1/p' | tr '\n' ' ' >"$work/files"
[ "$(cat "$work/files")" = "11 0 0 44 0 " ] || fail "a file, none, a folder, one file under two names, none: $(cat "$work/files")"

# a message: category, severity, number, zeros, where its text is, its length, the text; nothing of the program's behind it
has 'GetMessage(MessageIndex=0, '
has 'pMessage="090000000300000034120000000000002000000000000000040000000000000041626300", pMessageByteLength=36'
# a filter: the lists that allow, then those that deny, whose third is one number
zeros=$(printf '0%.0s' {1..160})
has "pFilter=\"${zeros}0100000000000000600000000000000000000000\", pFilterByteLength=100"

# what was written is recorded, what was read back is hashed
from=$(sed -n 's/.*#\([0-9]*\) ID3D12Object::SetName(Name="From").*/\1/p' "$work/dump")
to=$(sed -n 's/.*#\([0-9]*\) ID3D12Object::SetName(Name="To").*/\1/p' "$work/dump")
has "^  memory #$from bytes 0 + 65536, "
has "^  read #$to bytes 0 + 65536, "
grep -q -e "^  read #$from " -e "^  memory #$to " "$work/dump" && fail "what the program writes is not read, and the other way round"
[ "$(grep -c '^  address 0x[1-9a-f]' "$work/dump")" = 6 ] || fail "not one address for each heap and each other buffer"
idle=$(sed -n 's/.*#\([0-9]*\) ID3D12Object::SetName(Name="When idle").*/\1/p' "$work/dump")
sed -n '/ emu_run_until_idle(/,$p' "$work/dump" | sed -n '2p' | grep -q "^  read #$idle bytes 0 + 65536, " || fail "what was copied is not read when the GPU is idle"
has '^  fence #[0-9]* had reached 1$'

# elsewhere, where the trace says that memory was: it is asked for, and given [ANN-TRACE-02]
addresses() {
  grep -A1 '::GetGPUVirtualAddress(' "$1" | sed -n 's/.* = 0x\([0-9a-f]*\).*/\1/p'
}
elsewhere=$((0x400000000))
"$(dirname "$annot")/capture-edit" "$work/t" "$work/moved" addresses $elsewhere || fail "no addresses"
"$annot" capture -o "$work/again" -- "$annot" replay --output json --trust "$work/moved" >"$work/out" 2>&1
[ "$(grep -c 'GetGPUVirtualAddress, the GPU address differs' "$work/out")" = 3 ] || fail "nothing about the addresses: $(cat "$work/out")"
"$annot" trace dump --output text "$work/again" >"$work/moved_dump"
for address in $(addresses "$work/dump"); do printf '%x\n' $((0x$address + elsewhere)); done | diff - <(addresses "$work/moved_dump") || fail "memory is not where it was asked for: $(cat "$work/out")"
[ "$(addresses "$work/moved_dump" | wc -l)" = 3 ] || fail "no addresses"
rm "$work/again"

# all of it again, and its trace
"$annot" replay --output json --trust "$work/t" >"$work/replayed" 2>&1 && grep -q '"different":0,' "$work/replayed" || fail "replay: $(cat "$work/replayed")"
grep -q '"reads":0,' "$work/replayed" && fail "nothing was compared"
"$annot" capture -o "$work/again" -- "$annot" replay --output json --trust "$work/t" >"$work/out" 2>&1 || fail "replay under capture: $(cat "$work/out")"
"$annot" trace diff --output text "$work/t" "$work/again" >"$work/diff" || fail "another trace: $(cat "$work/diff")"
"$annot" trace dump --output text "$work/again" | grep '^  \(variable "EMU_KINDS\|settings\)' >"$work/settings_again"
grep '^  \(variable "EMU_KINDS\|settings\)' "$work/dump" | diff - "$work/settings_again" || fail "other settings in replay"

# in order: the bytes of a trace are the owner's
[ "$(stat -c %a "$work/t")" = 600 ] || fail "others may read the trace"
echo "as the format says"
