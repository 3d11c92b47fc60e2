#!/bin/sh
# A process with more rights than the user who started it takes nothing from the environment [ANN-SEC-01].
# usage: privileged.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: privileged.sh path/to/annot" >&2; exit 2; }
skip() {
    echo "privileged.sh: $*: skipped"
    exit 77
}
bin=$(dirname "$1")
[ -x "$bin/hang_static" ] || skip "no $bin/hang_static"
[ "$(id -u)" = 0 ] || skip "only root can make such a program"
command -v setpriv >/dev/null || skip "no setpriv"
id nobody >/dev/null 2>&1 || skip "no user nobody"
[ "$(sed -n 's/^NoNewPrivs:[[:space:]]*//p' /proc/self/status)" = 0 ] || skip "this process may gain no rights"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "$*"
    failed=1
}

# Each program in a folder of its own, which everybody may write to; libraries where they were.
chmod 755 "$work"
as_nobody() { (cd "$work/$1" && shift && setpriv --reuid=nobody --clear-groups env "$@" >out 2>err); }
stage() {
    mkdir "$work/$1" && chmod 1777 "$work/$1"
    cp "$bin/hang_static" "$work/$1/hang"
}
stage plain
stage setuid && chmod 4755 "$work/setuid/hang"
as_nobody plain ./hang --seed 0 --out control || skip "nobody can't run the program: $(cat "$work/plain/err")"
if as_nobody setuid ./hang --seed 0 --out control && [ "$(stat -c %u "$work/setuid/control")" = 0 ]; then
    kinds=setuid
else
    kinds=
fi
stage capable
if command -v setcap >/dev/null && setcap cap_net_raw+ep "$work/capable/hang" 2>/dev/null &&
    as_nobody capable ./hang --seed 0 --out control; then
    kinds="$kinds capable"
fi
[ -n "$kinds" ] || skip "programs gain no rights from files in $work"

# Variables that move the plain program move none of the others. d3dconfig.sh has the same for ANNOT_CONFIG.
for kind in plain $kinds; do
    run() { as_nobody "$kind" "$@" ./hang --seed 0 --out dump; }
    run EMU_DRIVER_PATH=./none.so
    [ $? -ne 0 ] && loads=yes || loads=no
    run EMU_DRIVER=warp EMU_WARP_LOG=log
    [ -e "$work/$kind/log" ] && logs=yes || logs=no
    run EMU_DRIVER=nonsense
    [ $? -ne 0 ] && chooses=yes || chooses=no
    case "$kind $loads $logs $chooses" in
    'plain yes yes yes' | 'setuid no no no' | 'capable no no no') ;;
    *) fail "$kind: EMU_DRIVER_PATH $loads, EMU_WARP_LOG $logs, EMU_DRIVER $chooses" ;;
    esac
done
[ $failed = 0 ] && echo "plain, then: $kinds"
exit $failed
