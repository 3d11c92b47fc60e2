#!/bin/sh
# DirectX dump files: those that Windows writes say in a report what is in them, and those that `annot convert` writes are
# as the public header lays them out. Reader and generator are made by that header's text alone.
# usage: dxdmp.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: dxdmp.sh path/to/annot" >&2; exit 2; }
annot=$1
bin=$(dirname "$annot")
here=$(dirname "$0")
command -v python3 >/dev/null || { echo "dxdmp.sh: no python3: skipped"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

python3 -B "$here/dxdmp_files.py" "$annot" "$work" || failed=1

# laid_out DUMP: what convert makes of it keeps to the layout; its fields are in $work/fields.
laid_out() {
    rm -f "$work/converted.dxdmp"
    "$annot" convert "$1" -o "$work/converted.dxdmp" 2>"$work/errors"
    [ -s "$work/converted.dxdmp" ] || { cat "$work/errors"; return 1; }
    python3 -B "$here/dxdmp_layout.py" "$work/converted.dxdmp" >"$work/fields" || { head -1 "$work/fields"; return 1; }
}
count=0
for dump in "$here"/../golden/dumps/*.annotdmp; do
    "$annot" show --output json "$dump" >/dev/null 2>&1 || continue # a damaged one
    count=$((count + 1))
    laid_out "$dump" || { echo "$dump: not as the layout is published"; failed=1; }
done
[ "$count" -gt 10 ] || { echo "only $count dumps"; failed=1; }

# One page fault of the emulator: every section that its dump has something for, with the values that the program made.
if [ -x "$bin/dred" ] && "$bin/dred" --out "$work/dred.annotdmp" >/dev/null 2>&1 && laid_out "$work/dred.annotdmp"; then
    while read -r line; do
        grep -qxF -- "$line" "$work/fields" || { echo "the emulator's fault does not have: $line"; failed=1; }
    done <<'FIELDS'
header.DeviceErrorCode = 9
ApDs[0].ExeFilename = dred
AdIn[0].Description = libannot emulator, driver reference
DRIN[0].Version = 4
DRIN[0].DeviceState = 7
DRIN[0].Reason = 2289696774
DRBN[0].ListNameW = Frame list
DRBN[0].QueueNameW = Graphics queue
DRBN[0].BreadcrumbCount = 8
DRBN[0].History = (1, 1, 7, 1, 6, 2, 2, 2)
DRBN[0].LastBreadcrumbValue = 4
DRBN[0].Contexts = [(0, 'Frame 1'), (1, 'Lighting'), (3, 'Tile (3, 7)')]
DFAN[0].NameW = Lights
DFAN[0].Type = 34
DRs0[0].Name = Depth
DRs0[0].HeapType = 1
DRs0[0].Dimension = 1
DRs0[0].Width = 65536
DRs0[0].Height = 1
DRs0[0].DepthOrArraySize = 1
DRs0[0].MipLevels = 1
DRs0[0].SampleCount = 1
DRs0[0].Layout = 1
DCQ0[0].Name = Graphics queue
DCL0[0].Name = Frame list
DCA0[1].Name = Frame list
DPS0[0].Name = Light culling
ApAn[0].Type = 1
AACA[0].Count = 3
AACQ[0].Count = 0
FIELDS
    address=$(sed -n 's/^DRPF\[0\].VA = //p' "$work/fields")
    buffer=$(sed -n 's/^DRs0\[0\].GpuVirtualAddress = //p' "$work/fields")
    "$annot" show --output json "$work/dred.annotdmp" >"$work/json"
    "$annot" show --output text "$work/dred.annotdmp" |
        grep -q "^  life         made before the device's submission 1, destroyed before submission 1$" ||
        { echo "no life of the freed memory"; failed=1; }
    for value in "$address" "$buffer"; do
        grep -q "\"address\":\"$(printf '0x%x' "$value")\"" "$work/json" || { echo "no address $value in the dump"; failed=1; }
    done
elif [ -x "$bin/dred" ]; then
    failed=1
fi
exit "$failed"
