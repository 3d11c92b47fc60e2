# bash completion for d3dconfig. What there is comes from the tool itself: `d3dconfig CATEGORY` lists a category's keys.
_d3dconfig() {
    local current=${COMP_WORDS[COMP_CWORD]} category=${COMP_WORDS[1]} tool=${COMP_WORDS[0]}
    local key line=${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'apps debug-layer device dred message-break message-mute why
            --export --reset --version --help' -- "$current"))
        return
    fi
    case $category in
    why) COMPREPLY=($(compgen -f -- "$current")) ;;
    apps)
        case ${COMP_WORDS[COMP_CWORD - 1]} in
        --add) compopt -o filenames && COMPREPLY=($(compgen -f -- "$current")) ;;
        --remove) local IFS=$'\n' && COMPREPLY=($(compgen -W "$("$tool" apps 2>/dev/null | tail -n +3)" -- "$current")) ;;
        *) COMPREPLY=($(compgen -W '--add --remove --clear' -- "$current")) ;;
        esac
        ;;
    debug-layer | device | dred | message-break | message-mute)
        # '=' divides words: key = value.
        key=${line##* }
        if [[ $key == *=* ]]; then
            current=${key#*=}
            case ${key%%=*} in
            debug-layer-mode) COMPREPLY=($(compgen -W 'app-controlled force-on off' -- "$current")) ;;
            auto-debug-name) COMPREPLY=($(compgen -W 'app-controlled forced-off forced-on' -- "$current")) ;;
            force-driver-retail-annotations) COMPREPLY=($(compgen -W 'on off' -- "$current")) ;;
            dump-file-driver-options) ;;
            *) if [[ $category == dred ]]; then
                COMPREPLY=($(compgen -W 'system-controlled forced-off forced-on' -- "$current"))
            else
                COMPREPLY=($(compgen -W 'true false' -- "$current"))
            fi ;;
            esac
            return
        fi
        compopt -o nospace
        COMPREPLY=($(compgen -S = -W "$("$tool" "$category" 2>/dev/null | sed -n '3,$s/=.*//p')" -- "$current"))
        if [[ $category == dred && $current == -* ]]; then
            compopt +o nospace
            COMPREPLY=($(compgen -W '--force-on-all --force-sys-controlled-all' -- "$current"))
        fi
        ;;
    esac
}
complete -F _d3dconfig d3dconfig
