#!/usr/bin/env bash
# Random calls, wrong ones among them, return the same under the layer, with each kind of words and without, and with the
# recorder beside it [ANN-D3D-03].
#   random.sh ANNOT RANDOM PROGRAMS [FIRST]
set -u
annot=$(realpath "$1") random=$2 programs=$3 first=${4:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export ANNOT_D3D12_QUIET=1 EMU_DRIVER=legacy
cd "$work" || exit 2
for ((seed = first; seed < first + programs; seed++)); do
  "$random" "$seed" 600 >plain 2>&1 || { echo "seed $seed: fails without the layer: $?" && exit 1; }
  case $((seed % 4)) in
  0) under=("$annot" d3d12 --level exact -o dump --) ;;
  1) under=("$annot" d3d12 --evidence copy --level labels -o dump --) ;;
  2) under=("$annot" d3d12 --evidence fence -o dump --) ;;
  3) under=("$annot" capture -o trace -- "$annot" d3d12 -o dump --) ;;
  esac
  rm -f dump trace
  "${under[@]}" "$random" "$seed" 600 >layer 2>errors || { echo "seed $seed: fails under the layer: $?: $(tail -3 errors)" && exit 1; }
  diff plain layer >difference || { echo "seed $seed: ${under[*]:1}: something else" && head -5 difference && exit 1; }
done
echo "$programs programs: the same"
