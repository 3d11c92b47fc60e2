#!/usr/bin/env bash
# uthash calls exit when memory runs out, unless HASH_NONFATAL_OOM is defined where it is included: every file that includes it says
# so itself, and nobody uses utarray.h and utstring.h, which can't be told.
#   uthash.sh SOURCE_DIR
set -u
cd "$1" || exit 2
wrong=$(grep -rlE '#include [<"]uthash\.h' --include='*.[ch]' include lib platform emu layers tools examples bench tests |
  while read -r file; do
    awk '/#define HASH_NONFATAL_OOM +1/ { is_defined = 1 }
         /#include [<"]uthash\.h/ { if (!is_defined) exit 1 }' "$file" || echo "$file: no HASH_NONFATAL_OOM before uthash.h"
  done
  grep -rlE '#include [<"](utarray|utstring)\.h' --include='*.[ch]' include lib platform emu layers tools examples bench tests |
    sed 's/$/: utarray.h and utstring.h exit when memory runs out/')
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
echo "uthash: every table survives an allocation that fails"
