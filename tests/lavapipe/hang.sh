#!/usr/bin/env bash
# Safe hangs on a real driver, through the system's loader and `annot vulkan`: the scope that hung is named, nothing is called
# finished that isn't, and the work is the same with and without the layer. hang.sh ANNOT SCENE BINDINGS
set -u
annot=$1 scene=$2 bindings=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_RUNTIME_DIR=$work
unset VK_INSTANCE_LAYERS VK_LAYER_PATH VK_ADD_LAYER_PATH VK_LAYER_SETTINGS_PATH
failed=0

lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
[ -n "$lavapipe" ] || { echo "skipped: no lavapipe (Debian: mesa-vulkan-drivers)"; exit 77; }
export VK_ICD_FILENAMES=$lavapipe VK_DRIVER_FILES=$lavapipe

fail() { echo "not ok: $*"; failed=1; }

# hangs NAME SCRIPT DONE OPTIONS...: the report goes to NAME.txt
hangs() {
  local name=$1 script=$2 done=$3
  shift 3
  "$annot" vulkan -o "$work/$name.annotdmp" --timeout 1 "$@" -- \
    "$scene" "$script" "$work/$name.annotdmp" >"$name.out" 2>"$name.err" || fail "$name: exit code $?: $(cat "$name.err")"
  [ -e "$name.annotdmp" ] || { fail "$name: no dump: $(cat "$name.err")"; return 1; }
  "$annot" show "$name.annotdmp" --output text --all --color never >"$name.txt" || fail "$name: the dump is damaged"
  grep -qx "$done" "$name.out" || fail "$name: $done pieces of work were to be done: $(head -n 1 "$name.out")"
}

# says NAME REGEX / says_not NAME REGEX
says() { grep -qE -- "$2" "$1.txt" || fail "$1: not in the report: $2"; }
says_not() { ! grep -qE -- "$2" "$1.txt" || fail "$1: in the report: $2"; }

"$scene" 'q' >plain.out 2>plain.err
code=$?
[ $code != 77 ] || { echo "skipped: no Vulkan device"; exit 77; }
[ $code = 0 ] || fail "the program fails without the layer: $(cat plain.err)"

"$annot" vulkan --probe >probe.txt 2>probe.err || fail "probe: exit code $?: $(cat probe.err)"
says probe '^llvmpipe'
says probe '^  timeline semaphores  *yes$'
says probe '^  addresses of objects  *no$'
says probe '^  evidence  *vkCmdFillBuffer after a barrier; '
"$annot" vulkan --probe --level exact | grep -q '^  time stamps in passes  *yes$' || fail "probe: no time stamps at level exact"
"$annot" vulkan --probe -- "$scene" 2>probe.err
[ $? = 2 ] && grep -q -- "--probe runs no program; remove the argument '$scene'" probe.err || fail "a probe of a program: $(cat probe.err)"

if hangs compute '{frame {a q } {b h } {c q } }' 3 --level labels; then
  says compute '\[X\] a'
  says compute '\[>\] b'
  says compute '\[ \] c'
  says compute 'frame / b'
  says compute 'after a barrier'
  says compute '^    operation      Dispatch\(65535, 1, 1\)$'
  says compute '^    pipeline       "Spin"'
  says compute '^    shader         cs [0-9a-f]{16}, "spin.comp"$'
fi
if hangs exact '{b q h q }' 3 --level exact; then
  says exact 'b / vkCmdDispatch$'
  says exact '^    operation      Dispatch\(65535, 1, 1\)$'
  says exact '^    pipeline       "Spin"'
fi
if hangs transfer '{before f q } {hung h } {after f }' 2 --level labels; then
  says transfer '\[X\] before'
  says transfer '\[>\] hung'
  says transfer '\[ \] after'
fi
if hangs buffers '{one q } | {two h } | {three q }' 3 --level labels; then
  says buffers '\[>\] two'
  says_not buffers '\[X\] three'
fi
# The driver can't tell labels inside of a pass: the pass is in progress, its labels are unknown.
for kind in '( )' '< >'; do
  name=rendering
  [ "$kind" = '< >' ] || name=pass
  if hangs $name "{before q } {frame ${kind% *} {a q } {b h } {c q } ${kind#* } } {after q }" 5 --level labels; then
    says $name '\[X\] before'
    says $name '\[>\] frame'
    says $name '\[ \] after'
    says $name '^  frame / vkCmdBeginRender(Pass|ing)$'
    says_not $name '\[[X ]\] [abc]( |$)'
  fi
done
if hangs secondary '{outer q [ {a q } {b h } {c q } ] } {after q }' 5 --level labels; then
  says secondary '\[X\] a'
  says secondary '\[>\] b'
  says secondary '\[ \] c'
  says secondary '\[ \] after'
  says secondary 'outer / b'
fi
if hangs timelines 'T {one q } | {two h } | {three q }' 3 --level labels; then
  says timelines '\[X\] one'
  says timelines '\[>\] two'
  says timelines '\[ \] three'
fi
if hangs low '{frame {a q } {b h } } {next q }' 3; then
  says low '\[>\] frame'
  says low '\[\?\] b'
  says low '\[ \] next'
  says_not low '^    (last )?operation '
fi
# Fills without a barrier run ahead of the work on this driver: nothing may be called finished by them.
if hangs fill '{a q } {b h } {c q }' 3 --level labels --evidence fill; then
  says_not fill '\[X\] [abc]'
  says fill 'without a barrier'
fi
if hangs timeline '{a q } | {b h }' 2 --evidence timeline; then
  says timeline 'completed submissions only'
  says_not timeline '\[X\] b'
fi

# What dumps of random recordings say of bindings, states and barriers is so.
"$annot" vulkan -o "$work/none.annotdmp" -- "$bindings" --evidence driver --programs 8 --seed 1 >bindings.out 2>&1 ||
  fail "bindings: $(tail -5 bindings.out)"

# Nothing hangs: no dump, the same work.
"$annot" vulkan -o "$work/quiet.annotdmp" --timeout 1 --level exact -- "$scene" '{a q S {b q f .c ( {p q } ) < q > } | {d [ q ] }' >quiet.out 2>quiet.err ||
  fail "quiet: exit code $?: $(cat quiet.err)"
"$scene" '{a q S {b q f .c ( {p q } ) < q > } | {d [ q ] }' >quiet-plain.out
cmp -s quiet.out quiet-plain.out || fail "quiet: $(cat quiet.out) with the layer, $(cat quiet-plain.out) without"
[ ! -e quiet.annotdmp ] || fail "a dump without a hang"

# The program changes its folder: the dump is where the command was started, and is shown.
mkdir -p elsewhere
"$annot" vulkan -o moved.annotdmp --timeout 1 -- sh -c 'cd elsewhere && exec "$@"' sh "$scene" '{a h }' "$work/moved.annotdmp" \
  >moved.out 2>moved.err || fail "moved: $(cat moved.err)"
[ -e moved.annotdmp ] && grep -qE '^(GPU HANG|slow: .*) in a' moved.err || fail "moved: no report: $(cat moved.err)"

# Slow work, of which a person asks for a dump while the layer keeps others for annot recover: its dump is whole, and says that it
# was slow [ANN-LEAVE-02].
# shellcheck disable=SC2016 # the inner shell's
ANNOT_VK_RECOVER=2 "$annot" vulkan -o "$work/slow.annotdmp" --level labels --timeout 500ms -- \
  sh -c 'echo $$ >slow.pid; exec "$@"' sh "$scene" '{frame {b h } }' "$work/stop" >slow.out 2>slow.err &
for _ in $(seq 300); do [ -s slow.annotdmp ] && break; sleep 0.1; done
asked=$("$annot" ask "$(cat slow.pid)" 2>asked.err)
[ "$asked" = "$work/slow.annotdmp" ] || fail "slow: asked: $asked"
touch stop
wait $!
"$annot" show slow.annotdmp --output text --all --color never >slow.txt || fail "slow: the dump is damaged"
says slow '^slow: .* in frame / b.*, finished$'
grep -q '^slow: ' slow.err && ! grep -q 'damaged' slow.err || fail "slow: $(cat slow.err)"

# Somebody ends the command during a hang: the program gets the signal, and its dump is shown. (The command itself makes an empty file
# first, to see that it may.)
"$annot" vulkan -o "$work/ended.annotdmp" --timeout 500ms -- "$scene" '{a h }' "$work/never" >ended.out 2>ended.err &
for _ in $(seq 300); do [ -s ended.annotdmp ] && break; sleep 0.1; done
kill -TERM $!
wait $!
[ $? = 143 ] && grep -qx 'GPU HANG in a' ended.err || fail "ended: no report: $(cat ended.err)"
"$annot" vulkan --timeout 5m -- true 2>time.err && fail "time: exit code 0"
grep -q -- "--timeout needs seconds, or a time such as 500ms or 2s, up to 86400s; unusable: '5m'" time.err || fail "time: $(cat time.err)"

# A program that the layer never sees is said to be one.
"$annot" vulkan -- true 2>unseen.err && fail "unseen: exit code 0"
grep -q 'the layer saw no Vulkan instance' unseen.err || fail "unseen: $(cat unseen.err)"

# What D3D programs of Wine and Proton need for their labels is set, in addition to what is there; others get nothing.
asked() { env "$@" -- sh -c 'echo "${VKD3D_CONFIG-none} ${DXVK_DEBUG-none}"' "${words[@]}" 2>asked.err; }
for row in "none none|||" "debug_utils markers||WINEPREFIX=x|" "debug_utils,vk_debug markers|VKD3D_CONFIG=vk_debug|STEAM_COMPAT_DATA_PATH=x|" \
  "debug_utils capture|DXVK_DEBUG=capture|PROTONPATH=x|" "debug_utils markers||| x/Game.EXE" "debug_utils markers||| /usr/bin/wine64" \
  "debug_utils markers||| proton"; do
  IFS='|' read -r wanted old variable word <<<"$row"
  read -ra words <<<"sh $word"
  got=$(asked ${old:+"$old"} ${variable:+"$variable"} "$annot" vulkan)
  [ "$got" = "$wanted" ] || fail "Wine: $row: $got"
  [ "$wanted" = "none none" ] || [ "$(grep -c 'VKD3D_CONFIG=debug_utils.* is set for the labels of D3D programs' asked.err)" = 1 ] ||
    fail "Wine: not said once: $row: $(cat asked.err)"
done

# The same layer twice in a chain.
"$annot" vulkan -o "$work/twice.annotdmp" --timeout 1 -- env VK_INSTANCE_LAYERS=VK_LAYER_ANNOT_crash:VK_LAYER_ANNOT_crash \
  "$scene" '{a h }' "$work/twice.annotdmp" >twice.out 2>twice.err || fail "twice: $(cat twice.err)"
[ "$(ls twice*.annotdmp | wc -l)" = 1 ] || fail "twice: $(ls twice*) "

# The validation layer has nothing to say, of synchronisation neither.
if ls /usr/share/vulkan/explicit_layer.d/*validation*.json >/dev/null 2>&1; then
  cat >vk_layer_settings.txt <<'END'
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.log_filename = validation.txt
khronos_validation.report_flags = error,warn
END
  # Found without a word from us, where the system has it.
  VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$annot" vulkan --level exact -o "$work/v.annotdmp" -- \
    "$scene" 'T {a q {b q f } S {c q ( {p q } ) < q > } | {d [ q ] }' >valid.out 2>valid.err || fail "validation: $(cat valid.err)"
  [ -e validation.txt ] || fail "the validation layer was not there"
  ! grep -E 'Validation (Error|Warning)|SYNC-|VUID' validation.txt | head -5 | grep . || fail "the validation layer complains"
else
  echo "no validation layer here (Debian: vulkan-validationlayers): not tried"
fi

[ $failed = 0 ] && echo "ok"
exit $failed
