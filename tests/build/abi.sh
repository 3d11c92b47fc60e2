#!/usr/bin/env bash
# The binary interface against its stored baseline: functions and members may be added at the end, everything else breaks programs
# that are built already. A break on purpose renews the baseline (`make abi-baseline`) and has its reason in CHANGELOG.md.
#   abi.sh LIBRARY HEADER_DIR BASELINE --write
#   abi.sh LIBRARY HEADER_DIR BASELINE FUNCTION ENUMERATOR STRUCT    what of it is changed to see that the check notices
# Skips without libabigail, and for libraries without debug information.
set -u
library=$1 headers=$2 baseline=$3 mode=$4
for tool in abidw abidiff; do
  if ! command -v $tool >/dev/null; then
    echo "abi: skipped: $tool is not installed (libabigail)"
    exit 77
  fi
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

take() { # library output; without the paths of sources, which are the machine's
  abidw --headers-dir "$headers" --drop-private-types --no-comp-dir-path --no-corpus-path --no-show-locs --out-file "$dir/taken" "$1" &&
    sed "s/^\(.*<abi-instr .*\) path='[^']*'/\1/" "$dir/taken" >"$2"
}

# Functions, members with their offsets, enumerators with their numbers: abidiff 2.2 passes by some of each.
layouts() {
  awk -F"'" '
    function value(of, i) { for (i = 1; i < NF; i += 2) if ($i ~ " " of "=$") return $(i + 1); return "" }
    /<(class|union)-decl / { name = value("name") }
    /<data-member / { offset = value("layout-offset-in-bits") + 0; is_member = 1 }
    /<var-decl / && is_member { print "member " name "." value("name") " at bit " offset; is_member = 0 }
    /<elf-symbol / { print "function " value("name") }
    /<enumerator / { print "enumerator " value("name") " is " value("value") }' "$1" | sort -u
}

# Reduces abidiff's words to changes that break a program: gone or changed functions, members that moved, numbers that changed.
breaks() { # old new
  abidiff --no-added-syms --no-unreferenced-symbols "$1" "$2" >"$dir/report" 2>&1
  local code=$?
  [ $((code & 3)) -eq 0 ] || { cat "$dir/report"; echo "abi: abidiff failed"; exit 1; }
  grep -E 'Removed functions|\[D\]|offset changed|data member deletion|enumerator deletion|from value|return type changed|^ *parameter [0-9]+ .*(changed|removed|added)' \
    "$dir/report" | grep -vE '^Functions changes summary|: 0 Removed|parameter [0-9]+ of type .* has sub-type changes'
  comm -23 <(layouts "$1") <(layouts "$2") | sed 's/$/: gone or changed/'
}

if [ "$mode" = --write ]; then
  take "$library" "$baseline" && echo "abi: $baseline is renewed; CHANGELOG.md says why"
  exit
fi
take "$library" "$dir/now.abi" 2>"$dir/log" || { cat "$dir/log"; echo "abi: no debug information?"; exit 1; }
if broken=$(breaks "$baseline" "$dir/now.abi") && [ -n "$broken" ]; then
  cat "$dir/report"
  echo "abi: what is built already would break:"
  echo "$broken"
  echo "abi: on purpose? make abi-baseline, and the reason into CHANGELOG.md"
  exit 1
fi

# The check has teeth: a member taken out of the baseline, one put in its front, and a function that is gone, are found.
compare_changed() { # what sed-program
  sed "$2" "$dir/now.abi" >"$dir/changed.abi"
  ! cmp -s "$dir/now.abi" "$dir/changed.abi" || { echo "abi: nothing to change for: $1"; exit 1; }
  [ -n "$(breaks "$dir/now.abi" "$dir/changed.abi")" ] || { cat "$dir/report"; echo "abi: not found: $1"; exit 1; }
}
compare_changed "a function is gone" "s/'$4'/'annot_gone'/g"
compare_changed "an enumerator has another number" "s/name='$5' value='[0-9]*'/name='$5' value='77'/"
compare_changed "a member moved" "s/layout-offset-in-bits='128'/layout-offset-in-bits='136'/"
compare_changed "a member moved where abidiff does not look" \
  "/name='$6'/,/<.class-decl>/s/layout-offset-in-bits='128'/layout-offset-in-bits='136'/"
echo "abi: compatible with $(basename "$baseline"); breaks are found"
