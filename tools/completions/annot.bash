# bash completion for annot: commands, options, and what a command reads.
_annot() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'show timeline convert html diff redact signature triage export pix vulkan d3d12 capture replay trace --version --help' -- "$current"))
        return
    fi
    case $previous in
    --output)
        case $command in
        timeline) COMPREPLY=($(compgen -W 'text json perfetto' -- "$current")) ;;
        triage) COMPREPLY=($(compgen -W 'text json html files' -- "$current")) ;;
        export) COMPREPLY=($(compgen -W 'ndjson sentry backtrace' -- "$current")) ;;
        *) COMPREPLY=($(compgen -W 'text json' -- "$current")) ;;
        esac
        return
        ;;
    --color | --branches)
        COMPREPLY=($(compgen -W 'auto always never' -- "$current"))
        return
        ;;
    esac
    case $command in
    show) options='--output --all --operations --ids --width --branches --color --blob -o --help' ;;
    timeline) options='--output --all --help' ;;
    convert | html) options='-o --help' ;;
    signature) options='--output --help' ;;
    triage) options='--db --output -o --top --jobs --since --until --version --driver --application --adapter --new-in --gone-in
        --new-since --gone-since --rules --help regroup merge split name why undo' ;;
    export) options='--output -o --jobs --help' ;;
    diff) options='--all --output --help' ;;
    redact) options='-o --key --make-key --keep-signature --keep-system --no-adapter --no-driver --help' ;;
    pix) options='decode encode --jsonl --metadata --help' ;;
    vulkan) options='-o --level --timeout --evidence --help' ;;
    d3d12) options='-o --level --timeout --evidence --runtime --probe --help' ;;
    capture) options='-o --runtime --help' ;;
    replay) options='--until --loop --times --placed-as-committed --runtime --trust --dump --call-limit --time-limit --memory-limit --max-expansion --output --help' ;;
    trace) options='show dump info diff where marker trim --from --to --object --thread --method --marker --dump --first --plain --max-expansion -o --output --help' ;;
    esac
    if [[ $current == -* || ($command == @(pix|trace) && COMP_CWORD -eq 2) ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -F _annot annot
