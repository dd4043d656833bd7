/// The script that has a shell ask ``Completions``.
package enum CompletionScript: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    package var text: String {
        switch self {
        case .bash:
            """
            # cksweep completion for bash; load it with
            #   source <(cksweep completions bash)
            _cksweep() {
                local current="${COMP_WORDS[COMP_CWORD]}" line tab=$'\\t'
                local -a offers
                COMPREPLY=()
                mapfile -t offers < <(cksweep __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                case "${offers[0]}" in
                :files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
                :directories) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
                *)
                    for line in "${offers[@]}"; do COMPREPLY+=("${line%%"$tab"*}"); done
                    return ;;
                esac
                compopt -o filenames 2>/dev/null || true
            }
            complete -F _cksweep cksweep

            """
        case .zsh:
            """
            #compdef cksweep
            # cksweep completion for zsh; load it with
            #   source <(cksweep completions zsh)
            _cksweep() {
                local tab=$'\\t'
                local -a offers
                offers=("${(@f)$(cksweep __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                case "$offers[1]" in
                :files) _files ;;
                :directories) _files -/ ;;
                ?*)
                    offers=("${(@)offers//:/\\\\:}")
                    offers=("${(@)offers/$tab/:}")
                    _describe cksweep offers ;;
                esac
            }
            if [ "$funcstack[1]" = _cksweep ]; then _cksweep "$@"; else compdef _cksweep cksweep; fi

            """
        case .fish:
            """
            # cksweep completion for fish; load it with
            #   cksweep completions fish | source
            function __cksweep_offers
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l offers (cksweep __complete $words[2..-1] "$current" 2>/dev/null)
                switch "$offers[1]"
                    case :files
                        __fish_complete_path "$current"
                    case :directories
                        __fish_complete_directories "$current"
                    case '*'
                        string join \\n -- $offers
                end
            end
            complete -c cksweep -f -a '(__cksweep_offers)'

            """
        }
    }
}
