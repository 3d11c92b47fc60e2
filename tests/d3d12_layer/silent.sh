#!/usr/bin/env bash
# A program whose calls never come by is told of, and how to start one is: never silence [ANN-D3D].
#   silent.sh ANNOT HANG
set -u
annot=$(realpath "$1") hang=$(realpath "$2")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
fail() {
  echo "$*"
  exit 1
}
for command in d3d12 capture; do
  "$annot" "$command" -- true >out 2>errors
  [ $? = 1 ] || fail "$command: a program without calls: not 1"
  grep -q "^annot $command: no D3D12 call" errors || fail "$command: nothing is said: $(cat errors)"
  "$annot" "$command" -- sh -c 'exit 7' >out 2>errors
  [ $? = 7 ] || fail "$command: the program's own exit code is lost"
  "$annot" "$command" -- "$work/none" >out 2>errors
  [ $? = 2 ] && [ "$(grep -c . errors)" = 1 ] || fail "$command: a program that is not there: $(cat errors)"
  "$annot" "$command" --runtime "$work/none.so" -- true >out 2>errors
  [ $? = 2 ] && grep -q -e '--runtime must be the path of a D3D12 library' errors || fail "$command: no runtime: $(cat errors)"
  "$annot" "$command" --surprise 1 -- true >out 2>errors
  [ $? = 2 ] && grep -q 'unknown option' errors || fail "$command: an unknown option: $(cat errors)"
done
"$annot" d3d12 --level middling -- true >out 2>errors
[ $? = 2 ] || fail "a level that there isn't"
ANNOT_D3D12_LEVEL=middling ANNOT_D3D12_LEVL=exact EMU_DRIVER=legacy "$annot" d3d12 -o dump -- "$hang" --seed 1 --out own >out 2>errors || fail "a wrong variable: $(cat errors)"
grep -q "ANNOT_D3D12_LEVEL: 'middling' is ignored: level must be low, labels or exact" errors || fail "a wrong variable is not told: $(cat errors)"
grep -q "ANNOT_D3D12_LEVL: 'LEVL' is ignored: a setting must be level, evidence" errors || fail "a misspelt variable is not told: $(cat errors)"
! grep -q "ANNOT_D3D12_RUNTIME: " errors || fail "another variable is called wrong: $(cat errors)"

# where no dump can be written is told before the program runs; a file that is none is refused
for place in "$work/none/dump" "$work/$(printf '%0300d' 1)"; do
  "$annot" d3d12 -o "$place" -- true >out 2>errors
  grep -q "so a dump can't be written; give another file with -o" errors || fail "$place is not told: $(cat errors)"
done
for place in - /dev/null "$work"; do
  "$annot" d3d12 -o "$place" -- true >out 2>errors
  [ $? = 2 ] && grep -q -e "-o needs the name of a file" errors || fail "$place is taken: $(cat errors)"
done
[ ! -e "$work/none" ] && [ ! -e ./- ] || fail "a file is left: $(ls)"

# a person ends the program before the layer's timeout, and learns why there is no dump
"$annot" d3d12 -o dump -- sh -c 'kill -TERM $$' >out 2>errors
[ $? = 143 ] && grep -q '^annot d3d12: signal 15 ended the program, and there is no dump' errors || fail "ended early: $(cat errors)"

"$annot" d3d12 >out 2>errors
[ $? = 2 ] && grep -q '^annot d3d12: a program is missing; usage: annot d3d12 -- PROGRAM$' errors || fail "no program: $(cat errors)"
"$annot" d3d12 --probe -- "$hang" >out 2>errors
[ $? = 2 ] && grep -q -- "--probe runs no program; remove the argument '.*hang" errors || fail "a probe of a program: $(cat out errors)"

# a dump in a folder is shown as one of a name is
mkdir folder
EMU_DRIVER=legacy "$annot" d3d12 --level labels -o folder/ -- "$hang" --seed 1 --out own0 >out 2>errors || fail "a folder: $(cat errors)"
grep -q '^annot d3d12: /.*/folder/hang-[0-9]*\.annotdmp$' errors && grep -q '^GPU HANG in Frame 7 ' errors || fail "a dump in a folder is not shown: $(cat errors)"

# the library in front without the command: it says in one line why there is no D3D12 behind it, each call that is not there
# fails by its name, and the file of the command that would wait for a word is written only where it is
front=$(dirname "$annot")/../lib
behind() { # RUNTIME PATTERN...: all lines that are the library's
  : >witness
  LD_LIBRARY_PATH=$front/capture ANNOT_FRONT_WITNESS=witness ANNOT_D3D12_RUNTIME=$1 "$hang" --seed 1 --out own >out 2>errors &&
    fail "behind '$1': a device"
  grep -q '0x80004001$' errors || fail "behind '$1': another result: $(cat errors)"
  [ "$(cat witness)" = seen ] || fail "behind '$1': no word"
  grep '^annot: ' errors >said
  shift
  [ "$(grep -c . said)" = $# ] || fail "$# lines: $(cat said)"
  for pattern in "$@"; do
    grep -qx "annot: $pattern" said || fail "no '$pattern': $(cat said)"
  done
}
behind '' "ANNOT_D3D12_RUNTIME must name a D3D12 library; start the program with 'annot d3d12' or 'annot capture'"
behind "$work/none.so" "$work/none.so: .*No such file.*"
behind "$front/capture/libd3d12.so" "$front/capture/libd3d12.so: this is annot's own library; give the real D3D12 library"
behind "$front/libannot.so" 'the D3D12 library does not export emu_configure; the call fails' \
  'the D3D12 library does not export D3D12CreateDevice; the call fails'
rm witness
LD_LIBRARY_PATH=$front/capture ANNOT_FRONT_WITNESS=witness ANNOT_D3D12_RUNTIME='' "$hang" --seed 1 --out own >out 2>errors
[ ! -e witness ] || fail "a file that nobody made"
# the recorder alone leaves no dump, the crash layer alone no trace
ANNOT_CAPTURE_RUNTIME=$front/libd3d12.so ANNOT_CAPTURE_FILE=$work/recorded EMU_DRIVER=legacy LD_LIBRARY_PATH=$front/capture \
  ANNOT_D3D12_DUMP=$work/none.dump "$hang" --seed 1 --out own >out 2>errors || fail "the recorder alone: $(cat errors)"
[ -s recorded ] && [ ! -e none.dump ] || fail "the recorder alone: $(ls)"
ANNOT_D3D12_RUNTIME=$front/libd3d12.so ANNOT_CAPTURE_FILE=$work/none.trace EMU_DRIVER=legacy LD_LIBRARY_PATH=$front/capture \
  ANNOT_D3D12_DUMP=$work/left "$hang" --seed 1 --out own >out 2>errors || fail "the crash layer alone: $(cat errors)"
[ -s left ] && [ ! -e none.trace ] || fail "the crash layer alone: $(ls)"

# what works here, in lines for people
EMU_ORDER=threads "$annot" d3d12 --probe >out 2>errors || fail "probe: $(cat errors)"
grep -q '^words that a list wrote   came$' out || fail "probe: $(cat out)"
grep -q "^annot  *$("$annot" --version | cut -d ' ' -f 2)\$" out || fail "probe: no version: $(cat out)"
grep -q '^words while shaders ran   not tried, because the counting shader did not finish$' out || fail "probe: $(cat out)"
grep -q -e '^words while copies ran    in order ([1-9][0-9]* observations in between, 0 words late, 0 early)$' \
  -e '^words while copies ran    not seen (0 observations in between, 0 words late, 0 early)$' out || fail "probe: $(cat out)"
[ "$(grep -c "$(sed -n 's/^runtime *//p' out)" out)" = 1 ] || fail "probe: the runtime's name twice: $(cat out)"

# both at once: a trace and a dump, and the trace replays
EMU_DRIVER=legacy "$annot" capture -o trace -- "$annot" d3d12 --level labels -o both -- "$hang" --seed 1 --out own2 >out 2>errors || fail "both: $(cat errors)"
[ -s both ] && [ -s trace ] || fail "both: no trace, or no dump: $(cat errors)"
grep -q 'no D3D12 call' errors && fail "both: told of silence: $(cat errors)"
"$annot" replay trace --output json --dump replayed >out 2>&1 || fail "both: replay: $(cat out)"
grep -q '"different":0,' out || fail "both: replay differs: $(cat out)"
echo "no silence"
