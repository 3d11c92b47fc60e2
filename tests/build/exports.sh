#!/usr/bin/env bash
# The shared library exports exactly what the public headers declare with ANNOT_API, and nothing private.
#   exports.sh HEADER_DIR NM LIBRARY
set -eu
headers=$1 nm=$2 library=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for header in "$headers"/*.h; do
  [ "${header##*/}" = export.h ] || grep -v '^[[:space:]]*#' "$header" | tr '\n' ' '
done | grep -o 'ANNOT_API [^(;]*' | sed 's/[[:space:]]*$//; s/.*[ *]//' | sort -u >"$dir/declared"
"$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u >"$dir/exported"

if grep -v '^annot_[a-z]' "$dir/exported"; then
  echo "exported, but not public: see above"
  exit 1
fi
if ! diff "$dir/declared" "$dir/exported"; then
  echo "declared (<) and exported (>) differ"
  exit 1
fi
echo "$(wc -l <"$dir/exported") symbols"
[ -s "$dir/exported" ]
