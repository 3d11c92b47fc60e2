#!/usr/bin/env bash
# Replay gives the settings a temporary path that is as long as the program's, because messages name it: a program whose
# settings lie in its own folder has an equal trace from where it was built and from a folder with a short path.
#   settings.sh ANNOT EXEMPTIONS ANNOT-CONFORMANCE
set -u
annot=$1 exempt=$2 program=$3
unset TMPDIR
short=$(mktemp -d /tmp/annot.XXX) || exit 2
trap 'rm -rf "$short"' EXIT
cp "$program" "$short/annot-conformance" || exit 2

for each in "$program" "$short/annot-conformance"; do
  bash "$(dirname "$0")/replayed.sh" "$annot" "$exempt" "$each" conf/what_is_no_file_gives_defaults_and_one_message \
    conf/a_good_file_is_not_complained_about || exit 1
done
