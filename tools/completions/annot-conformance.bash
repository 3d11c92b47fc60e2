# bash completion for annot-conformance. Names of cases come from the program itself.
_annot_conformance() {
    local current=${COMP_WORDS[COMP_CWORD]} tool=${COMP_WORDS[0]}
    COMPREPLY=()
    case ${COMP_WORDS[COMP_CWORD - 1]} in
    --runtime | --waivers | --report)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
        ;;
    --driver)
        compopt -o filenames
        COMPREPLY=($(compgen -W 'reference warp legacy reorder hostile' -- "$current") $(compgen -f -- "$current"))
        ;;
    --output) COMPREPLY=($(compgen -W 'tap json junit' -- "$current")) ;;
    --filter) COMPREPLY=($(compgen -W "$("$tool" --list 2>/dev/null | sed -n 's/^\([a-z_]*\/[^ ]*\).*/\1/p')" -- "$current")) ;;
    --fraction | --timeout | --jobs | --together) ;;
    *) COMPREPLY=($(compgen -W '--runtime --driver --filter --fraction --waivers --timeout --jobs --together --output --report --list
        --version --help' -- "$current")) ;;
    esac
}
complete -F _annot_conformance annot-conformance
