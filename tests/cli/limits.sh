#!/usr/bin/env bash
# Each command names what the system takes away: a closed stream, a full disk, a limit, a folder that can't be written, no
# HOME, no /proc [ANN-HOST-03]. No command replaces what it did not make [ANN-SEC-02].
# usage: limits.sh path/to/annot
set -u
[ $# -eq 1 ] || { echo "usage: limits.sh path/to/annot" >&2; exit 2; }
annot=$(realpath "$1")
bin=$(dirname "$annot")
d3dconfig=$bin/d3dconfig
golden=$(dirname "$(realpath "$0")")/../golden
work=$(mktemp -d) || exit 2
trap 'cd /; umount "$work/full" "$work/readonly" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0 passed=0

cp "$golden/dumps/demo_frame.annotdmp" dump || exit 2
cp "$golden/traces/$(ls "$golden/traces" | grep -m1 trace)" trace || exit 2
"$annot" redact --make-key key || exit 2
records=$([ -x "$bin/capture-parts" ] && echo yes)
stores=$(: | "$annot" triage dump --db probe >/dev/null 2>&1 && echo yes)

# Puts a command into a situation. Standard error goes to ./err; ./out is standard output where it is open.
in_situation() {
    local situation=$1
    shift
    case $situation in
    as_it_is) "$@" ;;
    no_stdin) "$@" <&- ;;
    no_stdout) "$@" >&- ;;
    no_streams) "$@" <&- >&- 2>&- ;;
    full_stdout) "$@" >/dev/full ;;
    eight_files) (ulimit -n 8 && exec "$@") ;;
    no_file_size) (ulimit -f 0 && exec "$@" 2>&1 >/dev/null) | cat >err && return "${PIPESTATUS[0]}" ;;
    no_environment) (exec env -i "$@") ;;
    no_proc) unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@" ;;
    esac </dev/null >out 2>err
}

# check SITUATION EXIT PATTERN COMMAND...: it ends with EXIT, and says one line that fits PATTERN; "-": none.
check() {
    local situation=$1 code=$2 pattern=$3
    shift 3
    rm -f new* db*
    case $1 in annot) set -- "$annot" "${@:2}" ;; d3dconfig) set -- "$d3dconfig" "${@:2}" ;; esac
    in_situation "$situation" "$@"
    local got=$?
    if [ $got = "$code" ] && if [ "$pattern" = - ]; then [ ! -s err ]; else [ "$(grep -cE "$pattern" err)" = 1 ]; fi; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s: exit %s, not %s, and not one line "%s":\n' "$situation" "${*##*/}" "$got" "$code" "$pattern"
        sed 's/^/  /' err
    fi
}

can_mount=$(mkdir full readonly && mount -t tmpfs -o size=8k tmpfs full 2>/dev/null && mount -t tmpfs tmpfs readonly &&
    mount -o remount,ro readonly && echo yes)
[ -z "$can_mount" ] || head -c 100000 /dev/zero >full/it 2>/dev/null
[ -n "$can_mount" ] || echo "no disk of our own can be mounted here: left out"

# ---- what is printed: to a closed and to a full stream, under a limit, with few files, without an environment
printing() {
    cat <<END
annot show dump
annot timeline dump
annot diff dump dump --output json
annot signature dump
annot export dump --output ndjson
annot trace show trace
annot trace dump trace
annot trace info trace
annot trace diff trace trace
annot --help
annot --version
END
    [ -z "$stores" ] || echo "annot triage dump --db :memory:"
    [ ! -x "$d3dconfig" ] || echo "d3dconfig --version"
}
while read -r command; do
    check no_stdout 2 'standard output: Bad file descriptor' $command
    check full_stdout 2 'standard output: No space left on device' $command
    check as_it_is 0 - $command
    check no_stdin 0 - $command
    check eight_files 0 - $command
    check no_environment 0 - $command
done < <(printing)
check no_stdin 2 'standard input: Bad file descriptor' annot show -
check no_stdin 2 "standard input can't be read" annot pix decode --jsonl

# ---- what is written with -o
writing() {
    cat <<END
annot convert dump -o
annot html dump -o
annot redact dump --key key -o
annot redact --make-key
annot export dump --output ndjson -o
annot show $golden/dumps/page_fault_with_everything.annotdmp --blob 0 -o
annot trace trim trace --to 5 -o
END
    [ -z "$stores" ] || echo "annot triage dump --db :memory: -o"
}
mkdir folder
mkfifo fifo
ln -s key link
ln -s nowhere dangling
ln -s /dev/null device
echo mine >file
while read -r command; do
    for name in folder fifo link dangling device file; do
        check as_it_is 2 "$name already exists, and no file is replaced" $command $name
    done
    [ -p fifo ] && [ "$(readlink link dangling device | tr '\n' ' ')" = "key nowhere /dev/null " ] && [ ! -e nowhere ] &&
        [ "$(cat file)" = mine ] || { echo "$command: something was replaced"; failed=$((failed + 1)); }
    check as_it_is 2 'new/: (Is a directory|No such file)' $command new/
    check as_it_is 2 'none/new: No such file or directory' $command none/new
    check no_file_size 2 'new: File too large' $command new
    [ ! -e new ] || { echo "$command: half a file is left"; failed=$((failed + 1)); }
    # a new file never gets the number of a stream that was closed: what is said does not go into it
    in_situation as_it_is "$annot" ${command#annot } new >/dev/null 2>&1 && mv new right
    in_situation no_streams "$annot" ${command#annot } new.2
    case $command in
    *make-key*) [ "$(wc -c <new.2)" = "$(wc -c <right)" ] ;;
    *) cmp -s right new.2 ;;
    esac && passed=$((passed + 1)) || { echo "$command: another file without streams"; failed=$((failed + 1)); }
    if [ -n "$can_mount" ]; then
        check as_it_is 2 'full/new: No space left on device' $command full/new
        check as_it_is 2 'readonly/new: Read-only file system' $command readonly/new
    fi
    [ ! -e full/new ] || { echo "$command: half a file is left"; failed=$((failed + 1)); }
done < <(writing)

# ---- programs that are run: where the system hides what lies beside this one, and what they inherit
if [ -n "$records" ]; then
    can_unshare=$(unshare -m true 2>/dev/null && echo yes)
    record="annot capture -o new -- $bin/capture-parts --many 10"
    check as_it_is 0 'recording into new' $record
    check no_stdin 0 'recording into new' $record
    check eight_files 0 'recording into new' $record
    check no_environment 0 'recording into new' $record
    [ -z "$can_unshare" ] || check no_proc 0 'recording into new' $record
    in_situation no_streams "$annot" ${record#annot }
    "$annot" trace info new >/dev/null || { echo "a trace without streams can't be read"; failed=$((failed + 1)); }
    rm -f new
    check as_it_is 1 'none/new: No such file or directory; nothing is recorded' ${record/new/none\/new}
    [ -z "$can_mount" ] || check as_it_is 1 'full/new: No space left on device; nothing is recorded' ${record/new/full\/new}
    [ -z "$can_mount" ] || check as_it_is 1 'readonly/new: Read-only file system; nothing is' ${record/new/readonly\/new}
    # replay's own files: a folder for dumps, and the settings that the program had
    check as_it_is 2 'can be made in the temporary folder .TMPDIR.: No such file' env TMPDIR="$work/none" "$annot" replay trace
    if [ -n "$can_mount" ]; then
        check as_it_is 2 'can be made in the temporary folder .TMPDIR.: Read-only file system' env TMPDIR="$work/readonly" "$annot" replay trace
        ANNOT_CONFIG=$work/settings "$d3dconfig" dred auto-breadcrumbs=forced-on >out 2>&1
        in_situation as_it_is env ANNOT_CONFIG="$work/settings" "$annot" ${record#annot } && mv new configured
        check as_it_is 1 'settings file can.t be made: No space left on device' env TMPDIR="$work/full" "$annot" replay configured
    fi
    # the emulator's logs
    check no_file_size 0 'EMU_WARP_LOG: File too large' env EMU_DRIVER=warp EMU_WARP_LOG=new "$bin/capture-parts" --many 10
    check no_file_size 0 'EMU_MESSAGES: File too large' env ANNOT_CONFIG=dump EMU_MESSAGES=new "$bin/capture-parts" --many 10
    for way in "capture --" "vulkan --"; do # signals are as they were: yes dies of its pipe, and says nothing
        [ -e "$bin/../lib/vulkan" ] || [ "$way" = "capture --" ] || continue
        "$annot" $way yes 2>err | head -1 >/dev/null
        [ ${PIPESTATUS[0]} = 141 ] && [ ! -s err ] || { echo "$way: SIGPIPE is ignored"; failed=$((failed + 1)); }
    done
fi

# ---- settings
if [ -x "$d3dconfig" ]; then
    unset ANNOT_CONFIG XDG_CONFIG_HOME
    set_it="$d3dconfig dred auto-breadcrumbs=forced-on"
    check no_environment 2 'HOME must be a folder' $set_it
    check as_it_is 2 "$work/file/.config.*can't be written: Not a directory" env HOME="$work/file" $set_it
    check no_file_size 2 "can't be written: File too large" env HOME="$work/home" $set_it
    [ -z "$can_mount" ] || check as_it_is 2 "can't be written: No space left on device" env HOME="$work/full" $set_it
    [ -z "$can_mount" ] || check as_it_is 2 "can't be written: Read-only file system" env HOME="$work/readonly" $set_it
    check full_stdout 2 'standard output: No space left on device' $d3dconfig apps
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
