#!/usr/bin/env bash
# The dump that d3d12_import.c left, through the command: the path to it is UTF-8 there too.
#   show.sh ANNOT DIRECTORY
set -u
[ $# -eq 2 ] || { echo "usage: show.sh ANNOT DIRECTORY" >&2; exit 2; }
annot=$1
cd "$2" || exit 2
dump=$'h\xc3\xa4nger.annotdmp'
[ -e "$dump" ] || { echo "no $dump in $2"; exit 1; }
text=$("$annot" show --output text "$dump") || { echo "annot show exits with $?"; exit 1; }
json=$("$annot" show --output json "$dump") || { echo "annot show --output json exits with $?"; exit 1; }
for part in "frame 7 / the dispatch that hangs" "the queue that hangs" d3d12-import; do
  grep -qF "$part" <<<"$text" || { echo "the text doesn't say '$part':"; echo "$text"; exit 1; }
done
grep -qF '"frame 7 / the dispatch that hangs"' <<<"$json" || { echo "the JSON has no path:"; echo "$json"; exit 1; }
case $text$json in *$'\r'*) echo "carriage returns in the output"; exit 1 ;; esac
exit 0
