#!/usr/bin/env bash
# Checks the sources against the layer rule, and looks for circles between files.
#
#   layers.sh ROOT RULES                  includes against RULES (cmake/layers.txt says how to read it); circles by includes
#   layers.sh ROOT RULES NM BUILD OBJECTS also circles by calls: OBJECTS lists the object files of BUILD, a path a line
#
# Prints each offending line and exits with 1 when there is one.
set -u
export LC_ALL=C
root=$1 rules=$2 nm=${3-} build=${4-} objects=${5-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

cd "$root" || exit 2
areas=$(awk '$1 == "area" { sub(/:$/, "", $2); print $2 }' "$rules")
# shellcheck disable=SC2086 # words
find $areas -type f \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null | sort >"$work/files"
[ -s "$work/files" ] || { echo "layers: no sources in $root"; exit 1; }

# include FILE:LINE FILE, of every include that is a file of the project: it lies beside the file, where its area looks, or
# where another area does. A quoted header that lies in none of them is a fault: nobody would see what it includes.
tr '\n' '\0' <"$work/files" | xargs -0 grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' |
  awk -v files="$work/files" -v lost="$work/lost" '
    FNR == NR && $1 == "area" {
      area = $2; sub(/:$/, "", area); is_area[area] = 1
      for (i = 3; i <= NF; i++) { roots[area, ++count[area]] = $i; every[++total] = $i }
      next
    }
    FNR == NR { next }
    FNR == 1 { while ((getline name < files) > 0) is_file[name] = 1 }
    {
      split($0, place, ":")
      is_quoted = $0 ~ /include[[:space:]]*"/
      header = name = $0; sub(/^[^"<]*["<]/, "", name); sub(/[">].*/, "", name); header = name
      folder = area = place[1]; sub(/[^\/]*$/, "", folder)
      while (!(area in is_area) && sub(/\/[^\/]*$/, "", area)) { }
      for (prefix = folder; header ~ /^\.\.\//;) { sub(/^\.\.\//, "", header); sub(/[^\/]*\/$/, "", prefix) }
      found = (prefix header) in is_file ? prefix header : ""
      for (i = 1; found == "" && i <= count[area]; i++)
        if ((roots[area, i] "/" header) in is_file) found = roots[area, i] "/" header
      for (i = 1; found == "" && i <= total; i++)
        if ((every[i] "/" header) in is_file) found = every[i] "/" header
      if (found != "") print "include " place[1] ":" place[2] " " found
      else if (is_quoted && header ~ /\.h$/) print place[1] ":" place[2] ": includes " name ", which lies in no folder that the rule knows" >lost
    }' "$rules" - >"$work/edges"
[ ! -s "$work/lost" ] || { cat "$work/lost"; failed=1; }

# ---- the rule ----

awk '
  function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
  # The rule for a folder: its own, or that of its parent with a star.
  function rule_of(folder) {
    if (folder in has_rule) return folder
    sub(/\/[^\/]*$/, "/*", folder)
    return folder in has_rule ? folder : ""
  }
  function allows(rule, to,  star) {
    star = to; sub(/\/[^\/]*$/, "/*", star)
    return (rule, to) in allowed || (rule, star) in allowed
  }
  FILENAME == ARGV[1] {
    sub(/#.*/, "")
    if (NF == 0 || $1 == "area" || $1 == "never") next
    name = $1; sub(/:$/, "", name); has_rule[name] = 1
    for (i = 2; i <= NF; i++) allowed[name, $i] = 1
    next
  }
  FILENAME == ARGV[2] {
    folder = folder_of($1)
    if (rule_of(folder) == "" && !(folder in told)) {
      print $1 ": its folder has no line in the layer rule"; told[folder] = bad = 1
    }
    next
  }
  {
    split($2, place, ":"); from = folder_of(place[1]); to = folder_of($3)
    if (from != to && rule_of(from) != "" && !allows(rule_of(from), to)) {
      print $2 ": includes " $3 ", but " from " may not include " to; bad = 1
    }
  }
  END { exit bad }' "$rules" "$work/files" "$work/edges" || failed=1

# A rule that goes round in a circle allows circles.
awk '{ sub(/#.*/, "") } NF && $1 != "area" && $1 != "never" { name = $1; sub(/:$/, "", name)
    for (i = 2; i <= NF; i++) print "include " name ":rule " $i }' "$rules" |
  awk -f "$here/circles.awk" || { echo "layers: the rule itself goes in a circle"; failed=1; }

# ---- circles ----

if [ -n "$objects" ]; then
  # BUILD/emu/CMakeFiles/emu_static.dir/gpu/memory.c.o is emu/gpu/memory.c, and
  # BUILD/layers/capture/CMakeFiles/capture_proxy.dir/__/d3d12/list.c.o is layers/d3d12/list.c: CMake writes __ for a folder up.
  # nm prints OBJECT: ADDRESS KIND NAME.
  tr '\n' '\0' <"$objects" | xargs -0 "$nm" -A 2>/dev/null | awk -v build="$build/" -v files="$work/files" '
    BEGIN { while ((getline name < files) > 0) is_file[name] = 1 }
    {
      source = $0; sub(/\.o(bj)?:.*/, "", source)
      if (index(source, build) == 1) source = substr(source, length(build) + 1)
      sub(/CMakeFiles\/[^\/]*\.dir\//, "", source)
      gsub(/\/\.\//, "/", source)
      while (sub(/[^\/]+\/__\//, "", source)) { }
      if (!(source in is_file)) {
        if (!(source in told)) print "unknown", source
        told[source] = 1
        next
      }
      if ($(NF - 1) == "U") print "uses", $NF, source
      if ($(NF - 1) ~ /^[TDBRCV]$/) print "defines", $NF, source
    }' >"$work/symbols"
  # A generated source lies in BUILD; of any other object the calls would be left out.
  while read -r source; do
    [ -e "$build/$source" ] || { echo "$source: an object has this source, which the tree has not"; failed=1; }
  done < <(awk '$1 == "unknown" { print $2 }' "$work/symbols")
  grep -q '^defines' "$work/symbols" || { echo "layers: no symbols in the objects of $objects"; exit 1; }
  awk '$1 == "defines" { where[$2] = $3 } $1 == "uses" { uses[++n] = $2; user[n] = $3 }
    END { for (i = 1; i <= n; i++) if (uses[i] in where) print "symbol", uses[i], user[i], where[uses[i]] }' \
    "$work/symbols" >>"$work/edges"
fi
awk -f "$here/circles.awk" "$work/edges" || failed=1

# ---- what a folder must not reach, by whatever way its headers go; and must not call ----

while read -r from to; do
  awk -v from="$from/" -v to="$to/" '
    function look(file, way,  i) {
      if (index(file, to) == 1) { print way ": " from " must not reach " to; bad = 1; return }
      if (file in seen) return
      seen[file] = 1
      for (i = 1; i <= count[file]; i++) look(next_of[file, i], way " > " next_of[file, i])
    }
    $1 == "include" { split($2, place, ":"); next_of[place[1], ++count[place[1]]] = $3 }
    $1 == "symbol" && index($3, from) == 1 && index($4, to) == 1 { print $3 ": calls " $2 " of " $4; bad = 1 }
    END { for (file in count) if (index(file, from) == 1) look(file, file); exit bad }' "$work/edges" || failed=1
done < <(awk '$1 == "never" { sub(/:$/, "", $2); for (i = 3; i <= NF; i++) print $2, $i }' "$rules")

[ "$failed" = 0 ] && echo "$(wc -l <"$work/files") files, $(wc -l <"$work/edges") includes and calls: every layer holds, no circle"
exit "$failed"
