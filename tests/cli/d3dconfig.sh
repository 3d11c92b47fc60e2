#!/bin/sh
# d3dconfig as a command [ANN-CONF]: what it stores, echoes and refuses, where its files lie, `why`.
# usage: d3dconfig.sh path/to/d3dconfig
set -u
[ $# -eq 1 ] || { echo "usage: d3dconfig.sh path/to/d3dconfig" >&2; exit 2; }
tool=$1
work=$(mktemp -d) || exit 2
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
failed=0 passed=0
unset ANNOT_CONFIG
HOME=$work/home XDG_CONFIG_HOME=$work/xdg
export HOME XDG_CONFIG_HOME
mkdir "$HOME"
ini=$XDG_CONFIG_HOME/annot/d3dconfig.ini
force=force-driver-retail-annotations

# expect TITLE EXPECTED ACTUAL
expect() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n  expected %s\n  got      %s\n' "$1" "$2" "$3"
    fi
}

# says TITLE TEXT ACTUAL: the text is in there.
says() {
    case $3 in
    *"$2"*) passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && printf '%s: nothing about "%s" in\n%s\n' "$1" "$2" "$3" ;;
    esac
}

# refused ARGUMENTS: exit code 2, one line on standard error, nothing on standard output, the file as it was.
refused() {
    before=$(tr -d '\0' 2>/dev/null <"$ini")
    "$tool" "$@" >"$work/out" 2>"$work/err"
    expect "$*: exit code" 2 $?
    expect "$*: nothing on standard output" "" "$(cat "$work/out")"
    expect "$*: one line on standard error" 1 "$(grep -c . "$work/err")"
    expect "$*: nothing is changed" "$before" "$(tr -d '\0' 2>/dev/null <"$ini")"
}

# ---- queries and settings [ANN-CONF-01] ----

device='device
----------------
force-warp=false
retain-dump-file=false
dump-file-driver-options=1
auto-debug-name=app-controlled
force-driver-retail-annotations='
expect "a query of nothing" "${device}off" "$("$tool" device)"
expect "a query leaves no file" "" "$(ls "$work/xdg" 2>/dev/null)"
for value in on true; do
    expect "$force=$value is echoed" "${device}on" "$("$tool" device $force=$value)"
    expect "$force=$value persists" "${device}on" "$("$tool" device)"
    "$tool" device $force=off >/dev/null
done
for value in off false; do
    "$tool" device $force=on >/dev/null
    expect "$force=$value is echoed" "${device}off" "$("$tool" device $force=$value)"
    expect "$force=$value persists" "${device}off" "$("$tool" device)"
done
says "others take on and off too" force-warp=true "$("$tool" device force-warp=on)"
says "hexadecimal numbers" dump-file-driver-options=68 "$("$tool" device dump-file-driver-options=0x44)"
says "words" auto-debug-name=forced-on "$("$tool" device auto-debug-name=forced-on)"
expect "several at once" 2 "$("$tool" device retain-dump-file=true force-warp=off |
    grep -c -e retain-dump-file=true -e force-warp=false)"
for category in debug-layer device dred message-break message-mute apps; do
    "$tool" $category >"$work/out" 2>"$work/err"
    expect "$category: exit code" 0 $?
    expect "$category: nothing to complain about" "" "$(cat "$work/err")"
    expect "$category: its name, dashes" "$category -" "$(head -n 2 "$work/out" | tr '\n' ' ' | cut -c -$((${#category} + 2)))"
done
expect "dred, all on" 4 "$("$tool" dred --force-on-all | grep -c =forced-on)"
expect "dred, all by the system" 4 "$("$tool" dred --force-sys-controlled-all | grep -c =system-controlled)"

# ---- refusals ----

refused
refused bogus
refused device bogus=1
refused device force-warp=2
refused device force-warp=
refused device force-warp
refused device page-faults=forced-on
refused device force-warp=true $force=maybe
refused device dump-file-driver-options=4294967296
refused device --force-on-all
refused device =
refused dred auto-breadcrumbs=on
refused --reset now
refused --bogus
refused apps --add
refused apps --add ''
refused apps --add ' x'
refused apps --add "$(printf 'a\nb')"
refused apps --add "$work"
refused apps --add not/there.exe
refused apps --remove not-listed.exe
refused apps foo.exe
refused why
refused why a b

# ---- applications [ANN-CONF-04] ----

apps='apps
--------------------------------
'
mkdir "$work/games"
cp "$tool" "$work/games/meadow"
expect "no apps" "$apps<no apps>" "$("$tool" apps)"
expect "add" "${apps}foo.exe" "$("$tool" apps --add foo.exe)"
expect "add once" "${apps}foo.exe" "$("$tool" apps --add foo.exe)"
expect "add in front" "$apps$work/games/
foo.exe" "$("$tool" apps --add "$work/games/")"
expect "remove" "$apps$work/games/" "$("$tool" apps --remove foo.exe)"
expect "several" "${apps}b.exe
a.exe" "$("$tool" apps --clear --add a.exe --add b.exe)"
expect "clear" "$apps<no apps>" "$("$tool" apps --clear)"
expect "a relative path is made absolute" "$apps$work/games/meadow" "$(cd "$work" && "$tool" apps --add games/meadow)"
says "what is not there is warned about" "does not exist" "$("$tool" apps --add /no/such/game 2>&1 >/dev/null)"
"$tool" apps --clear >/dev/null

# ---- why [ANN-CONF-05] ----

"$tool" device $force=on >/dev/null
why() { "$tool" why "$1" 2>&1; }
says "no list" "settings apply to all applications" "$(why "$work/games/meadow")"
says "the mode" "a new device: annotation mode DRIVER_RETAIL" "$(why "$work/games/meadow")"
line=$(grep -n "^$force=on" "$ini" | cut -d: -f1)
says "file, line and layer" "$force=on, $ini:$line (user)" "$(why meadow)"
says "a default" "page-faults=system-controlled, $ini" "$(why meadow)"
says "another default" "mute-info=false, default" "$(why meadow)"
"$tool" apps --add "$work/games/" --add other.exe >/dev/null
says "the entry that matched" "the application matches $work/games/, $ini:" "$(why "$work/games/meadow")"
says "by name" "the application matches other.exe" "$(why other.exe)"
says "not listed" "settings do not apply" "$(why /bin/sh)"
says "not listed: the mode" "RUNTIME_ONLY" "$(why /bin/sh)"
says "not listed: values" "$force=off, default" "$(why /bin/sh)"
says "a name that paths may mean" "give the full path" "$(why meadow)"
expect "all is well, no warning" 0 "$(why "$work/games/meadow" | grep -c 'warning: ')"
mv "$work/games" "$work/moved"
says "a stale entry" "warning: $work/games/ no longer exists" "$(why "$work/moved/meadow")"
says "the moved game is not listed any more" "settings do not apply" "$(why "$work/moved/meadow")"
says "no such executable" "executable does not exist" "$(why "$work/games/meadow")"
"$tool" why /bin/sh >/dev/null 2>&1
expect "why: exit code" 0 $?

# ---- export and reset ----

"$tool" --export >"$work/export.ini"
expect "an export is a settings file" "$(cat "$work/export.ini")" \
    "$(ANNOT_CONFIG=$work/export.ini "$tool" --export 2>&1)"
printf '# mine\nsetting-of-2031=on\n' >>"$ini"
"$tool" --reset >"$work/out"
expect "reset: exit code" 0 $?
expect "reset echoes all categories" 6 "$(grep -c -e '^---' "$work/out")"
expect "reset: no app, no force" 2 "$(grep -c -e '^<no apps>$' -e "^$force=off\$" "$work/out")"
expect "reset leaves what isn't its own" 2 "$(grep -c -e '^# mine$' -e '^setting-of-2031=on$' "$ini")"

# ---- where ----

"$tool" device $force=on >/dev/null
says "ANNOT_CONFIG goes before" "$force=off" "$(ANNOT_CONFIG=$work/other.ini "$tool" device)"
ANNOT_CONFIG=$work/deep/er/other.ini "$tool" device force-warp=on >/dev/null
says "ANNOT_CONFIG is written to" force-warp=true "$(cat "$work/deep/er/other.ini")"
says "why names ANNOT_CONFIG" "(ANNOT_CONFIG)" "$(ANNOT_CONFIG=$work/deep/er/other.ini "$tool" why x)"
says "an empty ANNOT_CONFIG is none" "$force=on" "$(ANNOT_CONFIG='' "$tool" device)"
says "a relative XDG_CONFIG_HOME is none" "$HOME/.config/annot/d3dconfig.ini" "$(XDG_CONFIG_HOME=xdg "$tool" why x)"
(unset XDG_CONFIG_HOME && "$tool" device force-warp=on >/dev/null)
says "without XDG_CONFIG_HOME" force-warp=true "$(cat "$HOME/.config/annot/d3dconfig.ini")"
says "the system's file comes last" /etc/xdg/annot/d3dconfig.ini "$(why x)"
(unset XDG_CONFIG_HOME HOME && "$tool" device >/dev/null)
expect "no HOME: a query" 0 $?

# Without a folder of the user's, nothing is changed for all users instead; the message names the file that would be.
all_users() { ls -lR --time-style=full-iso /etc/xdg/annot 2>/dev/null; }
before=$(all_users)
for home in unset relative empty; do
    (
        unset XDG_CONFIG_HOME HOME
        cd "$work" || exit 9
        [ $home = unset ] || export HOME
        [ $home = relative ] && HOME=somewhere
        "$tool" device force-warp=on 2>"$work/err"
    )
    expect "HOME $home: refused" 2 $?
    says "HOME $home: where it would write" /etc/xdg/annot/d3dconfig.ini "$(cat "$work/err")"
    expect "HOME $home: one line" 1 "$(grep -c . "$work/err")"
    expect "HOME $home: nothing is changed" "$before" "$(all_users)"
    expect "HOME $home: no folder is made" no "$([ -e "$work/somewhere" ] && echo yes || echo no)"
done

# In a process with more rights than its user's, the environment isn't believed.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && id nobody >/dev/null 2>&1; then
    chmod 755 "$work"
    cp "$tool" "$work/setuid" && chmod 4755 "$work/setuid"
    printf '[device]\n%s=on\n' $force >"$work/any.ini"
    as_nobody() { setpriv --reuid=nobody --clear-groups "$@"; }
    if as_nobody "$work/setuid" --help >/dev/null 2>&1; then
        case $(ANNOT_CONFIG=$work/any.ini as_nobody "$work/setuid" why x) in
        *any.ini*) expect "setuid: ANNOT_CONFIG is ignored" yes no ;;
        *) passed=$((passed + 1)) ;;
        esac
        says "setuid: nothing is changed" "user's settings" "$(as_nobody "$work/setuid" device force-warp=on 2>&1)"
        chmod 755 "$work/setuid"
        says "not setuid: it isn't" any.ini "$(ANNOT_CONFIG=$work/any.ini as_nobody "$work/setuid" why x)"
    fi

    # Files that root writes in another user's folder, that user can change; a link of that user's leads nowhere else.
    theirs=$work/theirs
    mkdir "$theirs" && chown nobody "$theirs"
    cp "$tool" "$work/tool" && chmod 755 "$work/tool"
    (unset XDG_CONFIG_HOME && HOME=$theirs "$tool" device $force=on >/dev/null)
    expect "root in a user's folder: done" 0 $?
    expect "root in a user's folder: all of it is the user's" "" "$(find "$theirs" ! -user nobody)"
    (unset XDG_CONFIG_HOME && HOME=$theirs as_nobody "$work/tool" device $force=off >/dev/null)
    expect "the user is not locked out" 0 $?
    echo root >"$work/mine" && chmod 600 "$work/mine"
    rm "$theirs/.config/annot/d3dconfig.ini"
    as_nobody ln -s "$work/mine" "$theirs/.config/annot/d3dconfig.ini"
    (unset XDG_CONFIG_HOME && HOME=$theirs "$tool" device $force=on >/dev/null 2>&1)
    expect "a user's link to a file of root's: refused" 2 $?
    expect "a user's link to a file of root's: as it was" root "$(cat "$work/mine")"

    ANNOT_CONFIG=$work/system/annot/d3dconfig.ini "$tool" device $force=on >/dev/null
    says "settings for all users: all can read them" "$force=on" \
        "$(ANNOT_CONFIG=$work/system/annot/d3dconfig.ini as_nobody "$work/tool" device 2>&1)"

    # a lock that another user left
    rm "$theirs/.config/annot/d3dconfig.ini"
    : >"$theirs/.config/annot/d3dconfig.ini.lock"
    chown 0 "$theirs/.config/annot/d3dconfig.ini.lock" && chmod 600 "$theirs/.config/annot/d3dconfig.ini.lock"
    says "another user's lock: what to do" "remove" \
        "$(unset XDG_CONFIG_HOME && HOME=$theirs as_nobody "$work/tool" device $force=on 2>&1)"
fi

# ---- bad files [ANN-CONF-06] ----

printf 'a\0b' >"$ini"
says "a damaged file: defaults" "$force=off" "$("$tool" device 2>/dev/null)"
expect "a damaged file: one line" 1 "$("$tool" device 2>&1 >/dev/null | grep -c .)"
refused device force-warp=on
rm "$ini" && mkdir "$ini"
expect "a folder: one line" 1 "$("$tool" device 2>&1 >/dev/null | grep -c .)"
refused device force-warp=on
rmdir "$ini"
printf '[device]\n%s=maybe\n' $force >"$ini"
says "a wrong value: what to do" "takes on or off, not 'maybe'" "$("$tool" device 2>&1 >/dev/null)"
expect "a wrong value is put right" "${device}on" "$("$tool" device $force=on 2>&1)"
printf '[device]\n\033[31mred\n' >"$ini"
expect "control characters don't reach the terminal" 0 "$("$tool" why x 2>&1 | grep -c "$(printf '\033')")"
rm "$ini"
odd=$(printf 'a\342\200\256b\033[31m\302\233c.exe')
says "what turns text round is shown escaped" 'a\u202eb\x1b[31m\x9bc.exe' "$("$tool" why "$odd" 2>&1)"
expect "and not passed on" 0 "$("$tool" why "$odd" 2>&1 | LC_ALL=C grep -c "$(printf '\342\200\256')")"
says "also in complaints" '\u202e' "$("$tool" device "$odd" 2>&1)"

# ---- twenty at once lose nothing ----

for writer in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    (
        for update in 1 2 3 4 5 6; do # a writer waits 30 s at most, which all updates together must not take on a slow disk
            "$tool" apps --add "w$writer-$update.exe" >/dev/null || exit 1
        done
    ) &
done
wait
expect "concurrent writers lose no update" 120 "$("$tool" apps | grep -c '^w.*exe$')"

# ---- streams ----

"$tool" --help >"$work/out" 2>"$work/err"
expect "help exits 0" 0 $?
expect "help is on standard output" "" "$(cat "$work/err")"
says "help says what there is" $force "$(cat "$work/out")"
expect "no escape sequences" 0 "$(grep -c "$(printf '\033')" "$work/out")"
if [ -w /dev/full ]; then
    "$tool" device >/dev/full 2>"$work/err"
    expect "a full disk is told" 2 $?
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
