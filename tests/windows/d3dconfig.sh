#!/usr/bin/env bash
# Applications with names that no ANSI code page has: d3dconfig stores them, finds them and shows them in UTF-8, and the
# settings file may be called like that too.
#   d3dconfig.sh D3DCONFIG DIRECTORY
set -u
[ $# -eq 2 ] || { echo "usage: d3dconfig.sh D3DCONFIG DIRECTORY" >&2; exit 2; }
d3dconfig=$1
cd "$2" || exit 2
app=$'C:\\Spiele\\h\xc3\xa4nger \xd0\xb6\xe6\xbc\xa2.exe'
file=$'einstellungen \xe6\xbc\xa2.ini'
export ANNOT_CONFIG=$file
rm -f "$file" "$file.lock"

# run WANTED ARGUMENTS...: it succeeds, and says that; in lines that end as they do everywhere.
run() {
  local wanted=$1 output
  shift
  output=$("$d3dconfig" "$@" 2>/dev/null) || { echo "d3dconfig $*: exit code $?"; exit 1; }
  grep -qF -- "$wanted" <<<"$output" || { echo "d3dconfig $* doesn't say '$wanted':"; echo "$output"; exit 1; }
  case $output in *$'\r'*) echo "d3dconfig $*: carriage returns"; exit 1 ;; esac
}

run "$app" apps --add "$app"
[ -e "$file" ] || { echo "no $file in $2"; exit 1; }
grep -qF -- "$app" "$file" || { echo "$file doesn't have '$app':"; cat "$file"; exit 1; }
run "$app" apps
run "$app" --export
run "$file" why "$app"
run "the application matches $app" why "$app"
run apps apps --remove "$app"
! grep -qF -- "$app" "$file" || { echo "'$app' is still in $file"; exit 1; }
rm -f "$file" "$file.lock"
exit 0
