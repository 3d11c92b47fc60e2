#!/usr/bin/env bash
# A program under the layer is frozen, and a player ends it with SIGKILL. annot recover makes a dump of the file that the layer
# kept: it says what was running and what waits, and blames nobody [ANN-LEAVE]. A program that ends by itself leaves no such file.
#   recover.sh ANNOT PARTS
set -u
annot=$1 parts=$2 pid='' runner='' tried=0
work=$(mktemp -d) || exit 2
trap 'kill -9 $pid 2>/dev/null; wait $runner 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" && mkfifo idle || exit 2
export ANNOT_D3D12_TIMEOUT=60000 ANNOT_D3D12_RECOVER=1 EMU_DRIVER=legacy
fail() {
  echo "$*"
  exit 1
}
start() { # ARGUMENT...: a program of parts.c; sets pid
  rm -f out && mkfifo out && exec 7<>out
  # shellcheck disable=SC2016 # the inner shell's
  "$annot" d3d12 --level labels -o x.annotdmp -- bash -c 'echo $$; exec "$0" "$@"' "$parts" "$@" >out 2>errors 7>&- &
  runner=$!
  read -rt 60 pid <&7 || fail "$*: the program fails: $(cat errors)"
}
recover() { # FILE TEXT...: whether the report of FILE's dump has the texts
  rm -f "$1.annotdmp" report
  "$annot" recover "$1" >said 2>&1 && [ "$(cat said)" = "$1.annotdmp" ] && "$annot" show --output text "$1.annotdmp" >report || return
  for text in "${@:2}"; do grep -qF "$text" report || return; done
}
killed() { # FILE TEXT...: the program is frozen, and FILE says so; then it is killed
  for ((i = 0; i < 1000; i++)); do
    [ -e "$1" ] && [ "$(stat -c %s "$1")" -gt $((1 << 19)) ] && recover "$@" && break # two dumps are there
    read -rt 0.02 <>idle
  done
  kill -9 "$pid"
  wait $runner 2>/dev/null
  # the command that started it says which command makes a dump of the file
  rm -f "$1.annotdmp" && advice=$(grep -o "run: annot recover '.*'" errors) && eval "'$annot' ${advice#run: annot}" >said &&
    [ -e "$1.annotdmp" ] && ! grep -q 'there is no dump' errors || fail "$1: which command? $(cat errors)"
  recover "$@" || fail "$1: $(cat said report) lacks one of: ${*:2}"
  grep -i -e 'hung' -e 'GPU HANG' -e 'Nothing to do' report | grep -v 'Hung queue' && fail "$1: blames: $(cat report)"
  tried=$((tried + 1))
}
first=x.annotdmp.1.live
start hung never
killed $first 'LIVE DEVICE in Endless' 'on queue "Hung queue", submission 1, list 1 of 1 "List"' '[>] Endless' \
  "queue \"Queue behind it\": submission 1 has not started (1 waiting): waiting for \"Hung queue\"'s fence \"work done\" = 7" '  recovered '
[ "$(stat -c %a $first $first.annotdmp)" = "600
600" ] || fail "others may read it: $(ls -l)"
cp $first kept
"$annot" recover $first 2>said && fail "a file was replaced"
grep -q 'already exists.*rename or remove it first' said || fail "a dump is there: $(cat said)" # recover takes no other name

# a neighbour's link has the dump's name; the disk is full
ln -s "$work/victim" linked.annotdmp && cp $first linked
"$annot" recover linked 2>said && fail "a dump was written through a link"
[ ! -e victim ] && grep -q 'already exists' said || fail "a link: $(cat said; ls)"
ln -s $first link
"$annot" recover link 2>said
[ $? = 2 ] && grep -q 'link: it is a link, which is not followed' said && [ ! -e link.annotdmp ] || fail "a link to the file: $(cat said; ls)"
cp $first full
(ulimit -f 1 && trap '' XFSZ && exec "$annot" recover full) >said 2>&1
[ $? = 2 ] && [ -s said ] && [ ! -e full.annotdmp ] || fail "a full disk: $(cat said; ls)"

start stuck # its name is taken by a program that was killed
killed x.annotdmp.2.live 'queue "Waiting queue" is waiting for fence "gate" = 1, reached 0' 'no queue was ever told to signal the fence'
cmp -s $first kept || fail "another program's file was changed"
[ -e x.annotdmp ] && fail "a dump that nobody asked for"

rm -f x*
for way in devices two forks "lost 3"; do # shellcheck disable=SC2086 # words
  timeout 60 "$annot" d3d12 -o x.annotdmp -- "$parts" $way >said 2>&1
  ls x*.live 2>/dev/null && fail "$way: a program that ended by itself leaves its file"
done
timeout 60 "$annot" d3d12 -o y-%p.annotdmp -- "$parts" two >said 2>&1
[ "$(grep -o '^annot d3d12: .*/y-[0-9]*[-2]*[.]annotdmp$' said | sort -u | wc -l)" = 2 ] && [ "$(grep -c '^annot d3d12: .*/y-' said)" = 2 ] ||
  fail "two dumps of a process: not each is shown once: $(grep '^annot' said)"
timeout 60 "$annot" d3d12 -o y.annotdmp -- "$annot" d3d12 -o z.annotdmp -- "$parts" two >said 2>&1
[ "$(grep -c '^annot d3d12: ' said)" = 2 ] || fail "one annot runs another: each of two dumps is not shown once: $(grep '^annot' said)"
# While one program runs, and is killed, another leaves two dumps in the same folder: only its own command shows them, although
# its child made them. So it is with one name for both.
for name in z-%p.annotdmp z.annotdmp; do
  rm -f go z*
  # shellcheck disable=SC2016 # the inner shell's
  timeout 60 "$annot" d3d12 -o $name -- bash -c 'until [ -p go ]; do sleep 0.05; done; read -r <go; kill -9 $$' >said 2>errors &
  runner=$!
  mkfifo go
  timeout 60 "$annot" d3d12 -o $name -- sh -c '"$@"; exit 0' sh "$parts" two >said 2>other
  echo >go
  wait $runner 2>/dev/null
  [ "$(grep -c '^annot d3d12: .*/z' other)" = 2 ] || fail "$name: a child's dumps are not shown: $(cat other)"
  grep -q 'and there is no dump' errors && ! grep -q /z errors || fail "$name: another program's dump is shown: $(cat errors)"
done
says() { # TEXT ARGUMENT...: the layer says so, once, and the program runs as without
  timeout 60 "$annot" d3d12 -o x.annotdmp -- "$parts" "${@:2}" >said 2>errors
  [ "$(grep -c "the layer stores no new dump for annot recover: .*$1" errors)" = 1 ] || fail "$1: $(cat errors)"
}
rm -f out x*
ANNOT_D3D12_TIMEOUT=0 says 'timeout is 0' waits never
touch x.annotdmp.{1..100}.live
says 'File exists' waits never
rm -f x*

# ---- files that no layer wrote ----

damage() { # FILE EXPRESSION: a copy of the kept file, changed by perl
  perl -e 'local $/; open F, "<", "kept"; binmode F; $_ = <F>; srand $ARGV[1]; eval "$ARGV[0]; 1" or die $@; open G, ">", "bad"; binmode G;
    print G $_' "$1" "${2:-0}" || fail "perl fails"
}
refuses() { # TEXT EXPRESSION
  damage "$2"
  rm -f bad.annotdmp
  "$annot" recover bad >said 2>&1
  [ $? = 2 ] && grep -q "$1" said && [ ! -e bad.annotdmp ] || fail "$2: $(cat said)"
}
place='my ($c, $n, $s, $m, $t) = unpack "x8Q5", $_; my @at = (48, 48 + $c); my $new = $n < $m;'
refuses 'there is no whole dump in it' '$_ = ""'
refuses 'there is no whole dump in it' '$_ = substr $_, 0, 47'
refuses 'there is no whole dump in it' 'substr($_, 0, 1) = "X"'
refuses 'there is no whole dump in it' 'substr($_, 16) = "\0" x 32'
refuses 'there is no whole dump in it' '$_ = substr $_, 0, 48'
refuses 'there is no whole dump in it' "$place"' for my $p (@at) { substr($_, $p + 40, 1) ^= "\1" }'
damage "$place"' substr($_, $at[$new] + 40, 1) ^= "\1"'
recover bad 'list 1 of 1 "List"' || fail "the dump before a damaged one: $(cat said)"
truncate -s 300G bad
"$annot" recover bad >said 2>&1
[ $? = 2 ] && grep -q 'there is no whole dump in it' said || fail "an enormous file: $(cat said)"
"$annot" recover . >said 2>&1
[ $? = 2 ] && grep -q 'folder' said || fail "a folder: $(cat said)"
"$annot" recover none >said 2>&1
[ $? = 2 ] && grep -q 'No such file' said || fail "no file: $(cat said)"
for ((seed = 0; seed < ${SEEDS:-100}; seed++)); do
  # shellcheck disable=SC2016 # perl's
  damage "$place"' for my $i (0 .. rand 4) {
    my $kind = int rand 5;
    my $at = int rand(rand(2) < 1 ? 48 : $at[rand 2] + 4000);
    my $number = (0, 1, 48, $c, length, 2 ** 32, ~0, ~0 - 47, int rand 5000)[rand 9];
    eval { if ($kind == 0) { substr($_, $at, 1) = chr rand 256 }
    elsif ($kind == 1) { substr($_, 8 + 8 * int rand 5, 8) = pack "Q", $number }
    elsif ($kind == 2) { $_ = substr $_, 0, $at }
    elsif ($kind == 3) { substr($_, $at[rand 2] + rand 4000, rand 4000) = substr($_, $at[rand 2] + rand 4000, rand 4000) }
    else { substr($_, $at, 8) = pack "Q", $number } };
    $_ .= "\0" x 48 if length() < 48 }' $seed
  rm -f bad.annotdmp
  "$annot" recover bad >said 2>&1
  case $? in
  0) "$annot" show bad.annotdmp >/dev/null || fail "seed $seed: the dump is damaged" ;;
  2) [ -s said ] && [ ! -e bad.annotdmp ] || fail "seed $seed: $(cat said; ls)" ;;
  *) fail "seed $seed: $(cat said)" ;;
  esac
done
echo "$tried programs that were killed, $seed damaged files"
