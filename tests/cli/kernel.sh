#!/bin/sh
# annot kernel: lines of the kernel's log, in the forms of dmesg and journalctl, go into a copy of a dump; hostile logs do no harm.
# usage: kernel.sh path/to/annot
set -u
annot=$1
golden=$(dirname "$0")/../golden
# written 2025-11-29 00:10:53 UTC, 9000.5 s after the system's start, by process 4242
dump=$golden/kernel.annotdmp
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

expect() { # TITLE EXPECTED ACTUAL
    [ "$2" = "$3" ] || { failed=$((failed + 1)); printf '%s:\n  expected %s\n  got      %s\n' "$1" "$2" "$3"; }
}
merge() { # adds standard input: the exit code; the report in $work/report
    rm -f "$work/new.annotdmp"
    timeout 60 "$annot" kernel "$dump" -o "$work/new.annotdmp" >"$work/out" 2>"$work/err"
    code=$?
    [ "$code" -ne 0 ] || "$annot" show --output text "$work/new.annotdmp" >"$work/report"
    return "$code"
}
fact() { sed -n "s/^  $1  *//p" "$work/report" | head -1; }

# ---- the time stamps of dmesg, dmesg -T, dmesg --time-format iso, journalctl and its -o short-unix, short-monotonic, short-iso ----
hang='i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:84dfffff, in game [4242]'
while IFS='|' read -r zone stamp age; do
    printf '%s%s\n' "$stamp" "$hang" | TZ=$zone merge
    expect "stamp $stamp in zone $zone: exit" 0 $?
    expect "stamp $stamp in zone $zone" "$age, this process: $hang" "$(fact 'added 1')"
done <<STAMPS
UTC|[ 8998.500000] |2.0 s before
UTC|[ 9010.500000] |10.0 s after
UTC|[ 8998.500000] box kernel: |2.0 s before
UTC|1764375050.250000 box kernel: |2.7 s before
UTC|[Sat Nov 29 00:10:51 2025] |2.0 s before
UTC|Nov 29 00:10:51 box kernel: |2.0 s before
UTC|Nov 29 00:10:51.500000 box kernel: |2.0 s before
PST8|Nov 28 16:10:51 box kernel: |2.0 s before
PST8|1764375050.250000 box kernel: |2.7 s before
UTC|2025-11-29T00:10:51,250000+00:00 |2.0 s before
UTC|2025-11-29T01:10:51.250000+01:00 box kernel: |2.0 s before
PST8|2025-11-28T17:40:51-0630 box kernel: |2.0 s before
STAMPS

# ---- what is left out ----
while IFS= read -r line; do
    printf '%s\n' "$line" | TZ=UTC merge
    expect "nothing of '$line'" 2 $?
    [ ! -e "$work/new.annotdmp" ] || expect "no file for '$line'" none file
done <<LINES
[ 8900.000000] $hang
[ 9200.000000] $hang
1764374900.000000 box kernel: $hang
Nov 29 00:10:51 box app[17]: $hang is what NVRM: Xid (PCI:0000:08:00): 13 looks like
Nov 29 00:10:51 box kernel: usb 1-1: new device
[1e309] $hang
[99999999999999999999.0] $hang
2025-13-29T00:10:51+00:00
[Sat Xyz 29 00:10:51 2025] $hang
$hang
LINES
! printf '%s\n' "$hang" | merge
expect 'a log without times: why' 1 "$(grep -c 'journalctl -k -o short-unix' "$work/err")"

# ---- several lines, a fault of this process, a reset by another ----
printf '%s\n' "[ 8999.5] xe 0000:00:02.0: [drm] " '               ASID: 3' '               Faulted Address: 0x0000000097800000' \
    "[ 9000.0] powervr fd00000.gpu: [drm] *ERROR* firmware died" |
    merge
expect 'counted' '1 line of GPU drivers, 1 line that may be from a GPU driver' "$(fact 'kernel added')"
expect 'lines without a time go on' '1.0 s before: xe 0000:00:02.0: [drm]  ASID: 3 Faulted Address: 0x0000000097800000' "$(fact 'added 1')"
expect 'unknown lines are shown' "0.5 s before: powervr fd00000.gpu: [drm] *ERROR* firmware died (may be from a GPU driver)" "$(fact 'added 2')"
printf '[ 8999.5] NVRM: Xid (PCI:0000:08:00): 31, pid=4242, name=game, MMU Fault: faulted @ 0x1_00000040. Fault\n' | merge
expect 'a fault' '0x100000040, by the kernel' "$(fact fault)"
printf '%s\n' '[ 8998.0] i915 0: [drm] GPU HANG: ecode 1, in other [17]' '[ 8999.0] i915 0: [drm] Resetting chip for x' | merge
expect 'a reset by another' 'another process, pid 17' "$(fact 'reset of')"
# each driver's line that names a process; the report's first line says which
while IFS= read -r line; do
    for pid in 4242 17; do
        printf '[ 8999.0] %s\n' "$line" | sed "s/PID/$pid/" | merge
        [ $pid = 4242 ] && named='this process' || named='another process, pid 17'
        expect "$line: the first line" "; the kernel's log names $named" "$(sed -n '1s/.*\(; the kernel.*\)/\1/p' "$work/report")"
    done
done <<LINES
amdgpu 0000:03:00.0: amdgpu:  Process game pid PID thread game:cs0 pid 18
i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:84dfffff, in game [PID]
xe 0000:03:00.0: [drm] GT0: Timedout job: seqno=9, lrc_seqno=9, guc_id=2, flags=0x0 in game [PID]
nouveau 0000:01:00.0: game[PID]: job timeout, channel 8 killed!
NVRM: Xid (PCI:0000:01:00): 109, pid=PID, name=game, Ch 00000008
panthor fb000000.gpu: [drm] *ERROR* job timeout: pid=PID, comm=game, seqno=4
LINES
printf '%s\n' '[ 8998.0] i915 0: [drm] GPU HANG: ecode 1, in other [17]' '[ 8999.0] i915 0: [drm] GPU HANG: ecode 1, in game [4242]' | merge
expect 'both' "; the kernel's log names this process; another process, pid 17" "$(sed -n '1s/.*\(; the kernel.*\)/\1/p' "$work/report")"
printf '**** Xe Device Coredump ****\nkernel: 6.12.1\nProcess: game\n\n**** GuC CT ****\nmore\n' | merge
expect 'a device coredump' '**** Xe Device Coredump ****; kernel: 6.12.1; Process: game' "$(fact coredump)"

# ---- hostile logs ----
{ printf '[ 8999.5] v3d fec0.v3d: MMU error from client \033[31m\0\t\377 at 0x1'; head -c 3000000 /dev/zero | tr '\0' x; printf '\n'; } | merge
expect 'a huge line with control bytes: exit' 0 $?
expect 'no control bytes' 0 "$(LC_ALL=C grep -c "$(printf '\033')" "$work/new.annotdmp")"
head -c 300000 /dev/urandom | merge
[ $? -le 2 ] || expect 'noise' 'an exit code up to 2' crash
yes "[ 8999.5] $hang" | head -20000 | merge
expect 'many lines' '20000 lines of GPU drivers' "$(fact 'kernel added')"
yes '[ 8999.5] x' | head -c 20000000 | merge
expect 'a log without an end' 2 $?
expect 'a log without an end: why' 1 "$(grep -c 'more than 16 MiB' "$work/err")"
for what in "$work" /nonexistent/log; do
    timeout 60 "$annot" kernel "$dump" "$what" -o "$work/x.annotdmp" 2>"$work/err"
    expect "$what: exit" 2 $?
    expect "$what: one line" 1 "$(wc -l <"$work/err" | tr -d ' ')"
done
printf '[ 8999.5] %s\n' "$hang" >"$work/log"
head -c 300 "$dump" >"$work/cut.annotdmp"
"$annot" kernel "$work/cut.annotdmp" "$work/log" -o "$work/x.annotdmp" 2>"$work/err"
expect 'a dump that is cut: exit' 2 $?
[ ! -e "$work/x.annotdmp" ] || expect 'a dump that is cut' 'no file' file
"$annot" kernel "$dump" "$work/log" -o "$work/log" 2>"$work/err"
expect 'an existing file: exit' 2 $?
expect 'an existing file stays' 1 "$(grep -c 'GPU HANG' "$work/log")"
"$annot" kernel "$golden/dumps/live_device.annotdmp" "$work/log" -o "$work/x.annotdmp" 2>"$work/err"
expect 'a dump without a date: exit' 2 $?
"$annot" kernel - -o "$work/x.annotdmp" <"$dump" 2>"$work/err"
expect 'only one standard input' 2 $?

[ "$failed" -ne 0 ] || echo 'the lines of every form are added'
[ "$failed" -eq 0 ]
