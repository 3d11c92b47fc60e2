#!/bin/sh
# docs/D3D12_COVERAGE.md out of the emulator's sources: its COM tables, the lists of base/stubs.h, and every text that
# d3d12_device_not_modelled is called with.
#   d3d12-coverage.sh ROOT            prints it
#   d3d12-coverage.sh ROOT --write    writes docs/D3D12_COVERAGE.md
#   d3d12-coverage.sh ROOT --check    fails when that file is not what would be written
set -eu
LC_ALL=C
export LC_ALL
root=$1
document=$root/docs/D3D12_COVERAGE.md

fail() { echo "d3d12-coverage.sh: $*" >&2; exit 1; }

# Sed commands that put D3D12's names, which stand behind the typedefs of base/newest.h, in their place.
newest() { sed -n 's|^[}t].* \([a-z_]*\); /\* \(ID3D[A-Za-z0-9]*\) \*/$|s/\\b\1\\b/\2/g|p' "$root/emu/d3d12/base/newest.h"; }

# The sources, a macro's definition on one line.
source_lines() { cat "$root"/emu/d3d12/*/*.[ch] | sed "$(newest)" | awk '{ more = sub(/\\$/, ""); printf "%s%s", $0, more ? " " : "\n" }'; }

# INTERFACE METHODS of every COM table. A macro stands for as many entries as its definition has; the tables of objects that
# a macro defines belong to the interface that it is called with.
list_interfaces() {
  source_lines | awk '
    function entries(text,  n, word, method) {
      n = gsub(/\.[A-Za-z0-9#]+ +=/, "&", text)
      while (match(text, /[A-Z0-9_]+_(ENTRIES|METHODS|STUBS)\(/)) {
        word = substr(text, RSTART, RLENGTH - 1); text = substr(text, RSTART + RLENGTH)
        n += word == "COM_METHODS" ? split(substr(text, 1, index(text, ")")), method, /,/) - 1 : macro[word]
      }
      return n
    }
    function table(text) { sub(/.*Vtbl [A-Za-z0-9_#]+ = \{/, "", text); gsub(/\.older =/, "", text); sub(/\};.*/, "", text); return text }
    { line[NR] = $0 }
    /^#define [A-Z0-9_]+_METHODS\(M\)/ { text = $0; macro[substr($2, 1, index($2, "(") - 1)] = gsub(/ M\(/, "&", text) }
    /^#define [A-Z0-9_]+_STUBS\(S\)/ { text = $0; gsub(/ S\(/, " .x =", text); definition[substr($2, 1, index($2, "(") - 1)] = text }
    /^#define [A-Z0-9_]+_ENTRIES\(/ { definition[substr($2, 1, index($2, "(") - 1)] = $0 }
    /^#define/ && / CONST_VTBL I##Vtbl / { maker[substr($2, 1, index($2, "(") - 1)] = $0 }
    END {
      for (round = 0; round < 3; round++) # they use each other
        for (name in definition) { text = definition[name]; sub(/^#define [^)]*\)/, "", text); macro[name] = entries(text) }
      for (i = 1; i <= NR; i++) {
        text = line[i]
        if (text !~ /^#/ && text ~ /Vtbl *$/) text = text " " line[++i]
        if (text !~ /^#/ && text ~ /CONST_VTBL +ID3D[A-Za-z0-9]*Vtbl +[a-z0-9_]+ = \{/) {
          name = text; sub(/Vtbl .*/, "", name); sub(/.* /, "", name)
          while (text !~ /\};/) text = text " " line[++i]
          print name, entries(table(text))
        }
        for (name in maker)
          if (index(text, name "(") == 1) {
            split(text, argument, /, */)
            print argument[2], entries(table(maker[name]))
          }
      }
    }' | sort
}

# INTERFACE METHOD KIND NAME of every residual method; NAME as messages say it. The lists are those that STUB is used with.
list_methods() {
  source_lines | awk '
    function residual(list,  text, n, i, item, method) {
      text = definition[list]
      if (match(text, /[A-Z0-9_]+_STUBS\(S\)/)) # begins with another list
        residual(substr(text, RSTART, RLENGTH - 3))
      n = split(text, item, / S\(/)
      for (i = 2; i <= n; i++) {
        split(item[i], method, /[,)] */)
        print interface, method[2], method[1], name
      }
    }
    { line[NR] = $0 }
    /^#define [A-Z0-9_]+_STUBS\(S\)/ { text = $0; sub(/^#define [^)]*\)/, "", text); definition[substr($2, 1, index($2, "(") - 1)] = text }
    END {
      for (i = 1; i <= NR; i++) {
        split(line[i], word, / +/)
        if (line[i] ~ /^#define STUB_INTERFACE/) interface = word[3]
        if (line[i] ~ /^#define STUB_NAME/) { split(line[i], quoted, "\""); name = quoted[2] }
        if (line[i] ~ /^[A-Z0-9_]+_STUBS\(STUB\)/) residual(substr(line[i], 1, index(line[i], "(") - 1))
      }
    }' | sort
}

# Parts that are left out of a method that is there otherwise.
parts() {
  source_lines | tr '\n' ' ' | sed 's/d3d12_device_not_modelled(/\n&/g' | awk '
    /^d3d12_device_not_modelled/ {
      sub(/\);.*/, "")
      n = split($0, piece, "\""); text = ""
      for (i = 2; i <= n; i += 2) text = text piece[i]
      if (text ~ /^ID3D[A-Za-z0-9]*::/) print text
    }' | sort -u
}

document() {
  cat <<'END'
# D3D12 methods of the emulator

`make coverage-table` generates this page from the emulator's sources; after a conflict, generate the page again. Calling a method
that is not modelled sends one message with the method's name, `EMU_MESSAGE_NOT_MODELLED`, to `ID3D12InfoQueue`.

The table has the newest version of each interface; the emulator also has the older versions and base interfaces. For
other interfaces, QueryInterface returns `E_NOINTERFACE`, as an older D3D12 does.

| interface | methods | not modelled |
|---|---|---|
END
  { methods | sed 's/^/residual /'; interfaces; } | awk '
    $1 == "residual" { residual[$2]++; next }
    { print "| `" $1 "` | " $2 " | " residual[$1] + 0 " |" }'
  cat <<'END'

## Methods that are not modelled

| method | what it does |
|---|---|
END
  methods | awk '
    $3 == "VOID" { does = "nothing" }
    $3 == "FAIL" { does = "`E_NOTIMPL`" }
    $3 == "CREATE" { does = "`E_NOTIMPL`, NULL" }
    { print "| `" $4 "::" $2 "` | " does " |" }'
  cat <<'END'

## Parts of methods that are not modelled

END
  parts | sed 's/^\([A-Za-z0-9:]*\)/- `\1`/'
}

[ -d "$root/emu/d3d12" ] || fail "there is no $root/emu/d3d12"
interface_list=$(list_interfaces)
method_list=$(list_methods)
interfaces() { echo "$interface_list"; }
methods() { [ -z "$method_list" ] || echo "$method_list"; }
unknown=$(methods | awk '$3 !~ /^(VOID|FAIL|CREATE)$/')
[ -z "$unknown" ] || fail "what does this kind do? $unknown"
homeless=$({ interfaces | sed 's/^/has /'; methods; } | awk '$1 == "has" { has[$2] = 1; next } !has[$1]')
[ -z "$homeless" ] || fail "of no interface: $homeless"

case ${2-} in
  '') document ;;
  --write) document >"$document.part" && mv "$document.part" "$document" ;;
  --check)
    document | diff "$document" - >&2 || fail "docs/D3D12_COVERAGE.md is not of these sources: type 'make coverage-table'"
    echo "$(interfaces | wc -l) interfaces, $(methods | wc -l) methods not modelled" ;;
  *) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
esac
