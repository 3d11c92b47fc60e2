#!/usr/bin/env bash
# Is each condition of each rule of inference needed? Takes one away at a time and runs the models on the rest.
#   conditions.sh BUILD_DIR [WORD...]     only the rows that have one of these words
# A row of conditions.txt is  RULE @ FILE @ TEXT @ WITHOUT: in lib/analysis/FILE the text, which is there once, becomes
# WITHOUT. Prints for each what the first false conclusion was and which evidence led to it. The models' GPU tells the truth;
# a condition that keeps false reports out is exposed by a unit test instead, whose name is printed. Exit code 1: a
# condition that nothing exposes, or a row that fits no source.
set -u
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
shift
objects=$build/tests/CMakeFiles/test-models.dir/models
folder=$(mktemp -d "${TMPDIR:-/tmp}/conditions.XXXXXX")
trap 'rm -rf "$folder"' EXIT
exposed=0 kept=0 broken=0
suites='@(analysis*|crossing|evidence*|hang|identity|operation*|order|places|reasons|report_line|rows|stop*|witness*)/*'

# FILE TEXT WITHOUT
change() {
  OLD=$2 NEW=$3 perl -0777 -ne '
    my ($old, $new) = @ENV{qw(OLD NEW)};
    my @words = map { quotemeta } split " ", $old;
    my $pattern = join "\\s+", @words;
    my $count = () = /$pattern/g;
    exit 3 unless $count == 1;
    s/$pattern/$new/;
    print' "$source/lib/analysis/$1" >"$folder/changed.c"
}

build_models() {
  "${CC:-cc}" -std=c11 -O1 -DANNOT_STATIC -I"$source/lib" -I"$source/include" -w -c "$folder/changed.c" -o "$folder/changed.o" &&
    "${CC:-cc}" "$folder/changed.o" "$objects"/*.o -o "$folder/models" "$objects/../asserts.c.o" \
      "$build/lib/libannot-reader.a" "$build/lib/libannot.a" -lcriterion -lpthread -lm
}

# With the calls that the suite wraps.
build_unit() {
  (cd "$build/tests" && sed "s| -o [^ ]* | $folder/changed.o -o $folder/unit |" CMakeFiles/test-unit.dir/link.txt | sh)
}

while IFS='@' read -r rule file text without; do
  rule=$(xargs <<<"$rule") file=$(xargs <<<"$file")
  [ -n "$rule" ] && [ "${rule:0:1}" != '#' ] || continue
  text=${text# } text=${text% } without=${without# }
  for word in "$@"; do [[ "$rule $file $text" != *"$word"* ]] || break; done
  [ $# -eq 0 ] || [[ "$rule $file $text" == *"$word"* ]] || continue
  if ! change "$file" "$text" "$without" || ! build_models 2>"$folder/errors"; then
    echo "BROKEN   $rule: $file: $text"
    head -n 5 "$folder/errors" 2>/dev/null
    broken=$((broken + 1))
    continue
  fi
  if ! "$folder/models" >"$folder/out" 2>&1; then
    echo "exposed  $rule: $text -> $without"
    grep -E ' is called |is left unknown|Assertion|Crash|Timeout|    list |    part ' "$folder/out" | head -n 4 | sed 's/^/             /'
    exposed=$((exposed + 1))
  elif ! build_unit 2>"$folder/errors"; then
    echo "BROKEN   the unit tests"
    head -n 5 "$folder/errors"
    broken=$((broken + 1))
  elif ! "$folder/unit" --filter "$suites" >"$folder/out" 2>&1; then # reports that lie
    echo "exposed  $rule: $text -> $without"
    echo "             $(grep -m1 -o '^\[FAIL\] [^ ]*' "$folder/out" | sed 's/:$//')"
    exposed=$((exposed + 1))
  else
    echo "NOT SEEN $rule: $text -> $without"
    kept=$((kept + 1))
  fi
  rm -f "$folder/changed.c" "$folder/errors"
done <"$source/tests/models/conditions.txt"
echo "$exposed conditions exposed, $kept not seen, $broken rows that fit nothing"
[ $((kept + broken)) -eq 0 ]
