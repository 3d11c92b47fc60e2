# bash completion for annot, which says itself what may come.
_annot() {
    local current=${COMP_WORDS[COMP_CWORD]} line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :file) compopt -o filenames && COMPREPLY+=($(compgen -f -- "$current")) ;;
        :program) COMPREPLY+=($(compgen -c -f -- "$current")) ;;
        *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _annot annot
