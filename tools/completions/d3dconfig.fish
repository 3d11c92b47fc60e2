# fish completion for d3dconfig. What there is comes from the tool itself: `d3dconfig CATEGORY` lists a category's keys.
set -l categories debug-layer device dred message-break message-mute

function __d3dconfig_pairs
    set -l category (commandline -opc)[2]
    for pair in (d3dconfig $category 2>/dev/null | tail -n +3)
        set -l key (string split -m 1 = -- $pair)[1]
        set -l values true false
        switch $key
            case debug-layer-mode
                set values app-controlled force-on off
            case auto-debug-name
                set values app-controlled forced-off forced-on
            case force-driver-retail-annotations
                set values on off
            case dump-file-driver-options
                set values ''
            case '*'
                test $category = dred; and set values system-controlled forced-off forced-on
        end
        for value in $values
            echo $key=$value
        end
    end
end

complete -c d3dconfig -f
complete -c d3dconfig -n __fish_use_subcommand -a apps -d 'applications that settings apply to'
complete -c d3dconfig -n __fish_use_subcommand -a "$categories" -d settings
complete -c d3dconfig -n __fish_use_subcommand -a why -d 'what applies to an application, and who says so'
complete -c d3dconfig -n __fish_use_subcommand -l export -d 'all settings, in the form of the file'
complete -c d3dconfig -n __fish_use_subcommand -l reset -d 'delete all settings'
complete -c d3dconfig -n __fish_use_subcommand -l version -d 'the version'
complete -c d3dconfig -l help -d 'what there is'
complete -c d3dconfig -n "__fish_seen_subcommand_from $categories" -a '(__d3dconfig_pairs)'
complete -c d3dconfig -n '__fish_seen_subcommand_from dred' -l force-on-all -d 'all of dred on'
complete -c d3dconfig -n '__fish_seen_subcommand_from dred' -l force-sys-controlled-all -d 'all of dred to the system'
complete -c d3dconfig -n '__fish_seen_subcommand_from apps' -l add -r -F -d 'executable, path or folder/'
complete -c d3dconfig -n '__fish_seen_subcommand_from apps' -l remove -x -a '(d3dconfig apps 2>/dev/null | tail -n +3)' -d 'from the list'
complete -c d3dconfig -n '__fish_seen_subcommand_from apps' -l clear -d 'empty the list'
complete -c d3dconfig -n '__fish_seen_subcommand_from why' -F
