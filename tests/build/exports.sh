#!/usr/bin/env bash
# A shared library exports exactly what the public headers declare with its macro, and nothing private; Debian's symbols
# file lists the same, with the library's version.
#   exports.sh HEADER_DIR NM LIBRARY SYMBOLS_FILE MACRO VERSION
set -eu
headers=$1 nm=$2 library=$3 symbols=$4 macro=$5 version=$6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for header in "$headers"/*.h; do
  [ "${header##*/}" = export.h ] || grep -vE '^[[:space:]]*#|##' "$header" |
    sed -E 's/^ANNOT_READER_SIZED\((\w+),/ANNOT_READER_API bool \1_sized(/' | tr '\n' ' '
done | grep -oE "(^|[^A-Z_])$macro [^(;]*" | sed 's/[[:space:]]*$//; s/.*[ *]//' | sort -u >"$dir/declared"
"$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$dir/exported"

if grep -v '^annot_[a-z]' "$dir/exported"; then
  echo "exported, but not public: see above"
  exit 1
fi
if ! diff "$dir/declared" "$dir/exported"; then
  echo "declared (<) and exported (>) differ"
  exit 1
fi
sed -n "s/^ \\(annot_[a-z0-9_]*\\)@$version .*/\\1/p" "$symbols" | sort -u >"$dir/listed"
if ! diff "$dir/listed" "$dir/exported"; then
  echo "listed (<) in $symbols and exported (>) differ: a new symbol has the version that brought it"
  exit 1
fi
echo "$(wc -l <"$dir/exported") symbols"
[ -s "$dir/exported" ]
