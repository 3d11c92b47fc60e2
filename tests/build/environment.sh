#!/usr/bin/env bash
# One place asks for environment variables, which is what keeps privileged processes from taking any [ANN-SEC-01].
#   environment.sh PROJECT_DIR
set -eu
cd "$1"
allowed='^platform/environment_(posix|win32)\.c:'
calls='\b(secure_getenv|__secure_getenv|getenv|_wgetenv|getenv_s|_dupenv_s|GetEnvironmentVariable[AW]?|GetEnvironmentStrings[AW]?|ExpandEnvironmentStrings[AW]?|environ|_environ|envp)\b'
grep -rnE "$calls" lib platform emu layers tools examples bench include --include='*.[ch]' | grep -vE "$allowed" && {
  echo "ask os_environment (platform/environment.h) instead"
  exit 1
}
[ "$(grep -rlE "$calls" platform | wc -l)" -ge 2 ] || { echo "the check doesn't find the calls that are there"; exit 1; }
