#!/usr/bin/env bash
# The project keeps its layer rule and has no circle between files; and cmake/layers.sh notices each kind of violation in a
# small tree of its own.
#   layers.sh ROOT NM BUILD OBJECTS CC
set -u
root=$1 nm=$2 build=$3 objects=$4 cc=$5
check=$root/cmake/layers.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Calls are seen of every area that has sources of its own.
for area in lib platform emu layers tools bench; do
  grep -q "^$build/$area/" "$objects" || { echo "no object of $area is looked at"; exit 1; }
done
bash "$check" "$root" "$root/cmake/layers.txt" "$nm" "$build" "$objects" || exit 1

# lib/high includes lib/low; twice is declared there and defined in lib/high/twice.c, which a target of lib/low has: CMake writes
# __ for the folder above.
tree() {
  rm -rf "$dir/tree"
  mkdir -p "$dir/tree/lib/low" "$dir/tree/lib/high" "$dir/tree/build/lib/CMakeFiles/x.dir/low" \
    "$dir/tree/build/lib/CMakeFiles/x.dir/high" "$dir/tree/build/lib/low/CMakeFiles/y.dir/__/high"
  cd "$dir/tree" || exit 2
  printf '%s\n' 'area lib: lib' 'lib/low:' 'lib/high: lib/low' >rules
  printf '%s\n' '#pragma once' 'int low(void);' 'int twice(int x);' >lib/low/low.h
  printf '%s\n' '#include "low/low.h"' 'int low(void) { return 1; }' >lib/low/low.c
  printf '%s\n' '#pragma once' '#include "low/low.h"' 'int high(void);' >lib/high/high.h
  printf '%s\n' '#include "high/high.h"' 'int high(void) { return twice(low()); }' >lib/high/high.c
  printf '%s\n' '#include "low/low.h"' 'int twice(int x) { return x + x; }' >lib/high/twice.c
}
lost='' # one more object
compile() { # SOURCE OBJECT
  "$cc" -Ilib -Ilib/low -c "lib/$1.c" -o "build/lib/$2.c.o" || exit 2
  echo "$dir/tree/build/lib/$2.c.o" >>objects
}
run() {
  : >objects
  compile low/low CMakeFiles/x.dir/low/low
  compile high/high CMakeFiles/x.dir/high/high
  compile high/twice low/CMakeFiles/y.dir/__/high/twice
  [ -z "$lost" ] || compile low/low "$lost"
  bash "$check" "$dir/tree" rules "$nm" "$dir/tree/build" objects >log 2>&1
}
refused() { # WHAT LINE-OF-THE-LOG
  if run; then echo "$1: not noticed"; exit 1; fi
  grep -qF "$2" log || { echo "$1: noticed without naming it:"; cat log; exit 1; }
}

tree
run || { echo "a tree without a fault is refused:"; cat log; exit 1; }

tree
mkdir lib/top && printf '%s\n' 'lib/top: lib/high' 'never lib/top: lib/low' >>rules
echo '#include "high/high.h"' >lib/top/top.c
refused "a folder that another one's header leads to" 'lib/top/top.c > lib/high/high.h > lib/low/low.h: lib/top/ must not reach lib/low/'

tree
printf '%s\n' 'never lib/high: lib/low' >>rules
echo 'int low(void); int high(void) { return low(); }' >lib/high/high.c
refused "a call past the headers" 'lib/high/high.c: calls low of lib/low/low.c'

tree
sed -i.bak '1i #include "high/high.h"' lib/low/low.c
refused "an include against the rule" 'lib/low/low.c:1: includes lib/high/high.h, but lib/low may not include lib/high'

# prog looks only in its own folder: what the compiler finds elsewhere by another -I is an include as well.
tree
mkdir prog && printf '%s\n' 'area prog: prog' 'prog:' >>rules && echo '#include "low/low.h"' >prog/main.c
refused "an include of another area" 'prog/main.c:1: includes lib/low/low.h, but prog may not include lib/low'

tree
mkdir -p prog/deep && printf '%s\n' 'area prog: prog' 'area prog/deep: lib/low' 'prog/deep:' >>rules
echo '#include "low.h"' >prog/deep/main.c
refused "an include where the folder's own area looks" 'prog/deep/main.c:1: includes lib/low/low.h'

tree
echo '#include "low.h"' >>lib/high/twice.c
refused "a header in no known folder" 'lib/high/twice.c:3: includes low.h, which lies in no folder that the rule knows'

tree
mkdir lib/new && echo 'int new_thing(void);' >lib/new/new.h
refused "a folder without a line" 'lib/new/new.h: its folder has no line in the layer rule'

tree
echo '#include "high/twice.h"' >>lib/high/high.h
printf '%s\n' '#pragma once' '#include "high/high.h"' >lib/high/twice.h
refused "headers that include each other" 'lib/high/twice.h:2: includes lib/high/high.h'

tree
printf '%s\n' '#include "low/low.h"' 'int high(void);' 'int twice(int x) { return x + high(); }' >lib/high/twice.c
refused "a circle of calls" 'lib/high/twice.c: uses high of lib/high/high.c'

tree
mkdir build/lib/CMakeFiles/x.dir/lost
lost=CMakeFiles/x.dir/lost/low
refused "an object without a source" 'lib/lost/low.c: an object has this source, which the tree has not'
lost=''

tree
sed -i.bak 's,^lib/low:,lib/low: lib/high,' rules
refused "a rule that goes in a circle" 'the rule itself goes in a circle'

echo "violations are noticed"
