#!/usr/bin/env bash
# Every C block of a document stands, line by line, in a program that is compiled and run. Indentation aside.
#   quotes.sh DOCUMENT PROGRAM...
set -eu
awk -v document="$1" '
  function trimmed(line) { gsub(/^[ \t]+|[ \t]+$/, "", line); return line }
  FNR == NR { program = program trimmed($0) "\n"; next }
  /^```c$/ { inside = 1; block = ""; first = FNR + 1; next }
  /^```$/ && inside {
    inside = 0; blocks++
    if (index("\n" program, "\n" block) == 0) { print document ":" first ": this block is not in the program"; bad = 1 }
    next
  }
  inside { block = block trimmed($0) "\n" }
  END { print blocks + 0 " blocks"; exit bad || !blocks }
' <(cat "${@:2}") "$1"
