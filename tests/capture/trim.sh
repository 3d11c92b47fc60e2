#!/usr/bin/env bash
# A trimmed trace replays by itself, wherever its range begins: with the calls of the range and equal read-backs, without
# what the range does not depend on [ANN-TRACE-02].
#   trim.sh ANNOT PROGRAM...
set -u
annot=$1
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
left_out=0
fail() {
  echo "$*"
  exit 1
}
calls() { # from the first of the range on, references aside
  "$annot" trace dump --output text --from "$2" "$1" 2>/dev/null | grep -v 'IUnknown::\|^ *[0-9]* t1   = [0-9]* $'
}

for program in "$@"; do
  rm -f "$work/whole"
  "$annot" capture -o "$work/whole" -- "$program" >/dev/null || fail "$program fails under capture"
  count=$("$annot" trace info --output text "$work/whole" | sed -n 's/^calls *//p')
  reads=$("$annot" replay --output json "$work/whole" | sed -n 's/.*"reads":\([0-9]*\).*/\1/p')
  for quarter in 1 2 3; do
    from=$((count * quarter / 4))
    rm -f "$work/part"
    "$annot" trace trim --output json "$work/whole" -o "$work/part" --from "$from" >"$work/out" || fail "trim: $(cat "$work/out")"
    "$annot" trace info --output text "$work/part" | grep -q "^trimmed  *to calls $from to" || fail "it does not say so"
    "$annot" replay --output json "$work/part" >"$work/replayed" 2>&1 || fail "$program from $from: $(head -5 "$work/replayed")"
    diff <(calls "$work/whole" "$from") <(calls "$work/part" "$from") >"$work/diff" ||
      fail "$program from $from: other calls: $(head -5 "$work/diff")"
    before=$(sed -n 's/.*"before":\([0-9]*\).*/\1/p' "$work/out")
    kept=$(sed -n 's/.*"kept":\([0-9]*\).*/\1/p' "$work/out")
    left_out=$((left_out + before - kept))
  done
  [ "${reads:-0}" -gt 0 ] || fail "$program reads nothing back"
done
[ "$left_out" -gt 0 ] || fail "nothing was left out"

# written memory comes in records that fit the chunk of a thread, so that another thread compresses it
largest=$("$annot" trace dump --output text "$work/whole" | sed -n 's/^ *memory #[0-9]* bytes [0-9]* + \([0-9]*\),.*/\1/p' | sort -n | tail -1)
[ "${largest:-0}" -gt 4096 ] && [ "$largest" -lt 131072 ] || fail "a record of ${largest:-no} bytes"

# what is replayed in a loop finds every fence as it was when the loop began [ANN-TRACE-02]
"$annot" trace show --output text "$work/whole" >"$work/show"
values() { # of the fence that the parts wait for
  "$annot" trace show --output text "$1" | grep -A1 'ID3D12Fence::GetCompletedValue' | sed -n 's/.*   = \([0-9]*\) *$/\1/p' | tr '\n' ' '
}
first=$(sed -n 's/^\([0-9]*\) .*CreateCommandAllocator.*/\1/p' "$work/show" | head -1)
last=$(sed -n 's/^\([0-9]*\) .*ID3D12Resource::Map.*/\1/p' "$work/show" | tail -1)
rm -f "$work/again"
"$annot" capture -o "$work/again" -- "$annot" replay --output json "$work/whole" --loop "$first..$last" --times 3 >"$work/out" 2>&1 ||
  fail "a loop: $(cat "$work/out")"
once=$(values "$work/whole")
[ "$once" = "0 1 2 3 4 5 " ] || fail "the fence had the values $once"
[ "$(values "$work/again")" = "$once$once$once" ] || fail "in a loop the fence had the values $(values "$work/again")"

# all of it, uncompressed
"$annot" trace trim "$work/whole" -o "$work/plain" --plain >/dev/null || fail "trim --plain"
"$annot" trace diff "$work/whole" "$work/plain" >"$work/diff" || fail "another trace: $(cat "$work/diff")"
[ "$(wc -c <"$work/plain")" -gt "$(wc -c <"$work/whole")" ] || fail "it is not larger than the compressed one"

# a byte of it that changed is noticed
cp "$work/plain" "$work/damaged"
printf '\377' | dd of="$work/damaged" bs=1 seek=4200 conv=notrunc 2>/dev/null
"$annot" trace dump "$work/damaged" >/dev/null 2>"$work/errors"
[ $? = 1 ] && grep -q 'is damaged' "$work/errors" || fail "a damaged chunk was read: $(cat "$work/errors")"

# calls behind the range are not there; a file that exists is not replaced; a range behind the last call, or backwards, is refused
rm -f "$work/part"
"$annot" trace trim "$work/whole" -o "$work/part" --to 20 >/dev/null || fail "trim --to"
[ "$("$annot" trace info --output text "$work/part" | sed -n 's/^calls *//p')" -le 20 ] || fail "calls behind the range"
"$annot" replay --output json "$work/part" >"$work/replayed" 2>&1 || fail "the first 20 calls: $(cat "$work/replayed")"
cp "$work/part" "$work/copy"
"$annot" trace trim "$work/whole" -o "$work/part" >/dev/null 2>"$work/errors"
[ $? = 2 ] && cmp -s "$work/part" "$work/copy" || fail "an existing file was replaced"
"$annot" trace trim "$work/whole" -o "$work/none" --from 1000000 >/dev/null 2>"$work/errors"
[ $? = 2 ] && [ ! -e "$work/none" ] || fail "a range behind the last call"
"$annot" trace trim "$work/whole" -o "$work/none" --from 20 --to 10 >/dev/null 2>"$work/errors"
[ $? = 2 ] && grep -q -- '--from is a later call than --to' "$work/errors" || fail "a range that ends before it begins: $(cat "$work/errors")"
echo "trimmed: $left_out calls left out"
