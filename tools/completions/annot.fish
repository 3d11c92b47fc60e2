# fish completion for annot, which says itself what may come.
function __annot_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':file' ':program'
                __fish_complete_path "$current"
            case '*'
                echo $line
        end
    end
end
complete -c annot -f -a '(__annot_complete)'
