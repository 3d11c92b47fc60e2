#!/usr/bin/env bash
# A disk that is full or broken, a quota and a limit end the recording and never the program [ANN-HOST-02]; what was recorded
# until then is readable [ANN-TRACE-03]. A recording makes its file, and replaces none [ANN-SEC-02].
#   no_room.sh ANNOT CAPTURE-PARTS NO-ROOM.SO
set -u
annot=$1 parts=$2 preload=$3
calls=60000 first=6500 # in more chunks than one, of which the first holds 6,542
work=$(mktemp -d) || exit 2
trap 'umount "$work"/disk* 2>/dev/null; rm -rf "$work"' EXIT
failed=0
fail() {
  echo "$*"
  failed=1
}

names() { "$annot" trace dump --output text "$1" 2>/dev/null | sed -n 's/^\([0-9]* t1 [^=].*\)/\1/p' | sed 's/0x[0-9a-f]*//g'; }
"$annot" capture -o "$work/whole" -- "$parts" --many $calls >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
names "$work/whole" >"$work/whole.calls"

# record NAME LEAST LINES PATTERN COMMAND...: the program runs to its end; LINES lines say PATTERN; the trace has the program's
# first calls, LEAST of them or more (-: there is no trace); the exit is 1 if it lacks one
record() {
  local name=$1 least=$2 lines=$3 pattern=$4
  shift 4
  rm -f "$work/trace"
  "$@" >"$work/out" 2>"$work/err"
  local code=$?
  [ $code = $([ "$pattern" = "can't reserve space" ] && echo 0 || echo 1) ] && grep -q "^$calls calls" "$work/out" || { fail "$name: exit $code: $(tail -2 "$work/err")"; return; }
  grep -q '^annot capture: the trace lacks calls' "$work/err" || [ $code = 0 ] || fail "$name: no word of the exit: $(cat "$work/err")"
  [ "$(grep -c "$pattern" "$work/err")" = "$lines" ] || fail "$name: not $lines lines of '$pattern': $(cat "$work/err")"
  local trace=${trace:-$work/trace}
  if [ "$least" = - ]; then
    [ ! -e "$trace" ] || fail "$name: a file is left"
    return
  fi
  "$annot" trace info "$trace" >/dev/null 2>"$work/info.err"
  [ $? -le 1 ] || fail "$name: the trace can't be read: $(cat "$work/info.err")"
  names "$trace" >"$work/calls"
  local n
  n=$(wc -l <"$work/calls")
  [ "$n" -ge "$least" ] || fail "$name: $n calls are there, not $least"
  head -n "$n" "$work/whole.calls" | cmp -s - "$work/calls" || fail "$name: these are not the first calls"
  echo "$name: $n calls"
}
capture() { "$annot" capture -o "${trace:-$work/trace}" -- "$parts" --many $calls; }
without() { (export LD_PRELOAD="$preload" "$@" && capture); }
limited() { (ulimit -f "$1" && capture); }

enospc=28 eio=5 edquot=122 eopnotsupp=95 log=$((4096 + 64 * 262144))
ended='recording has ended'
none='nothing is recorded'
record 'no room at all' - 1 "No space left on device; $none" without NO_ROOM_RESERVE=$enospc
record 'a quota' - 1 "quota exceeded; $none" without NO_ROOM_RESERVE=$edquot
record 'the disk fills up' $first 1 "No space left on device; $ended" without NO_ROOM_WRITE=$enospc NO_ROOM_AT=$((log + 100000))
record 'the disk breaks' $first 1 "Input/output error; $ended" without NO_ROOM_WRITE=$eio NO_ROOM_AT=$((log + 100000))
record 'it is full when the first chunk is' $first 1 "No space left on device; $ended" without NO_ROOM_WRITE=$enospc
record 'a file system without reservation' "$(wc -l <"$work/whole.calls")" 1 "can't reserve space" \
  without NO_ROOM_RESERVE=$eopnotsupp
record 'it fills up' 1000 1 "No space left on device; $ended" \
  without NO_ROOM_RESERVE=$eopnotsupp NO_ROOM_WRITE=$enospc NO_ROOM_AT=100000
record 'it takes no header' - 1 "No space left on device; $none" \
  without NO_ROOM_RESERVE=$eopnotsupp NO_ROOM_WRITE=$enospc
record 'a small limit of files' - 1 "File too large; $none" limited 1000
record 'a limit of files' $first 1 "File too large; $ended" limited $((log / 1024 + 50))

# a real disk, where the system lets us have one
disk() { mkdir "$work/disk$1" && mount -t tmpfs -o "size=$1" tmpfs "$work/disk$1" 2>/dev/null; }
if disk 256k && disk 16500k; then
  trace=$work/disk256k/trace record 'a disk of 256 KiB' - 1 "No space left on device; $none" capture
  trace=$work/disk16500k/trace record 'a disk of 16.5 MiB' $first 1 "No space left on device; $ended" capture
else
  echo "no disk of our own can be mounted here: left out"
fi

# ---- names

take() { (cd "$work/names" && "$annot" capture -o "$1" -- "$parts" --many 10 >out 2>err); }
mkdir "$work/names"
for name in game.annottrace .hidden folder.d/game; do
  mkdir -p "$work/names/folder.d"
  echo mine >"$work/names/$name"
  take "$name" || fail "$name: the program failed"
  case $name in
  game.annottrace) next=game-2.annottrace ;;
  *) next=$name-2 ;;
  esac
  grep -q "recording into $next\$" "$work/names/err" || fail "$name: the path is not told: $(cat "$work/names/err")"
  [ "$(cat "$work/names/$name")" = mine ] || fail "$name was replaced"
  "$annot" trace info "$work/names/$next" >/dev/null || fail "$next is no trace"
done
take game.annottrace && "$annot" trace info "$work/names/game-3.annottrace" >/dev/null || fail "no third name"

mkfifo "$work/names/fifo"
ln -s /nowhere "$work/names/dangling"
ln -s game.annottrace "$work/names/link"
mkdir "$work/names/folder"
set -- fifo dangling link folder
mknod "$work/names/device" c 1 3 2>/dev/null && set -- "$@" device
for name; do
  before=$(stat -c '%F %i' "$work/names/$name")
  take "$name"
  [ $? = 1 ] && grep -q "$none" "$work/names/err" || fail "$name is not refused: $(cat "$work/names/err")"
  [ "$(stat -c '%F %i' "$work/names/$name")" = "$before" ] || fail "$name is not what it was"
  [ ! -e "$work/names/$name-2" ] || fail "$name-2 was made"
done

echo "$# things that are no files"
exit $failed
