#!/usr/bin/env bash
# Every program in PREFIX/bin: --version, a man page, completions for bash, zsh and fish; and each of these knows every
# option that the program's own help has. What a command has a page of its own for counts: annot-diff.1 is annot's.
#   programs.sh PREFIX
set -u
prefix=$1
failed=0
complain() { echo "$*"; failed=1; }

# The long options in the help of a program and of its commands.
options_of() { # program
  {
    "$1" --help
    if [ "$(basename "$1")" = annot ]; then
      for command in $("$1" --help | sed -n 's/^ *annot \([a-z][a-z0-9]*\) .*/\1/p' | sort -u); do "$1" "$command" --help; done
    fi
  } 2>/dev/null | grep -oE -e '(^|[^a-z-])--[a-z]+(-[a-z]+)*' | grep -oE -e '--.*' | sort -u
}

# annot's completions offer what it says itself.
offers() { # program
  { "$1" --complete -; for command in $("$1" --help | sed -n 's/^ *annot \([a-z][a-z0-9]*\) .*/\1/p' | sort -u); do
      "$1" --complete "$command" --; done; } | cut -f1
}

knows() { # what file option
  case $1 in
  bash | zsh | fish) [ "$name" != annot ] || { offers "$program" | grep -qx -e "$3"; return; } ;;&
  fish) grep -qE -e "-l ${3#--}([ \"']|\$)" "$2" ;;
  man) cat "${2%.1}"*.1 | sed 's/\\-/-/g' | grep -qE -e "$3([^a-z-]|\$)" ;;
  *) grep -qE -e "$3([^a-z-]|\$)" "$2" ;;
  esac
}

checked=0
for program in "$prefix"/bin/*; do
  name=$(basename "$program")
  [ -x "$program" ] && [ "${name%.dll}" = "$name" ] || continue
  checked=$((checked + 1))
  "$program" --version 2>/dev/null | grep -qE "^$name [0-9]+\.[0-9]+\.[0-9]+$" || complain "$name: --version does not say it"
  man=$prefix/share/man/man1/$name.1
  bash=$prefix/share/bash-completion/completions/$name
  zsh=$prefix/share/zsh/site-functions/_$name
  fish=$prefix/share/fish/vendor_completions.d/$name.fish
  options=$(options_of "$program")
  [ -n "$options" ] || complain "$name: --help has no options"
  for what in man bash zsh fish; do
    [ -s "${!what}" ] || { complain "$name: no $what file ${!what}"; continue; }
    for option in $options; do
      knows "$what" "${!what}" "$option" || complain "$name: its $what file does not know $option"
    done
  done
  bash -n "$bash" || complain "$bash: wrong"
  for shell in zsh fish; do
    ! command -v "$shell" >/dev/null || "$shell" -n "${!shell}" || complain "${!shell}: wrong"
  done
done
[ "$checked" -ge 2 ] || complain "only $checked programs in $prefix/bin"
[ "$failed" -eq 0 ] && echo "programs: $checked have their version, man page and completions"
exit "$failed"
