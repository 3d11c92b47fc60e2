# fish completion for annot-conformance. Names of cases come from the program itself.
complete -c annot-conformance -f
complete -c annot-conformance -l runtime -r -F -d 'a library that exports D3D12CreateDevice'
complete -c annot-conformance -l driver -r -F -a 'reference warp legacy reorder hostile' -d 'one of the emulator\'s drivers, or a file'
complete -c annot-conformance -l filter -x -d 'the cases whose whole name matches' \
    -a '(annot-conformance --list 2>/dev/null | string match -r \'^[a-z_]+/\\S+\')'
complete -c annot-conformance -l fraction -x -d 'one of several shares of the cases'
complete -c annot-conformance -l waivers -r -F -d 'known failures'
complete -c annot-conformance -l timeout -x -d 'seconds for each step of a case'
complete -c annot-conformance -l jobs -x -d 'processes at once'
complete -c annot-conformance -l together -x -d 'cases that may share a process'
complete -c annot-conformance -l output -x -a 'tap json junit' -d 'how results are printed'
complete -c annot-conformance -l report -r -F -d 'a new file for the runtime\'s author'
complete -c annot-conformance -l list -d 'the cases'
complete -c annot-conformance -l version -d 'the version'
complete -c annot-conformance -l help -d 'what there is'
