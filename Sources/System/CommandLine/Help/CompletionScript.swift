/// The script that has a shell ask ``Completions``.
package enum CompletionScript: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    /// - Parameter program: The name that the program is called by.
    package func text(for program: String) -> String {
        // A hyphen is allowed in the names of functions, but not by every setting of a shell.
        let function = "_" + program.replacing("-", with: "_")
        return switch self {
        case .bash:
            """
            # \(program) completion for bash; load it with
            #   source <(\(program) completions bash)
            \(function)() {
                local line word="${COMP_WORDS[COMP_CWORD]}" tab=$'\\t' quote=""
                local -a offers asked=()
                local -i i
                # bash cuts words at equals signs.
                for ((i = 1; i <= COMP_CWORD; i++)); do
                    if [[ i -gt 1 && (${COMP_WORDS[i]} == "=" || ${COMP_WORDS[i - 1]} == "=") ]]; then
                        asked[${#asked[@]} - 1]+=${COMP_WORDS[i]}
                    else
                        asked+=("${COMP_WORDS[i]}")
                    fi
                done
                [[ $word != "=" ]] || word=""
                if [[ $word == [\\"\\']* ]]; then
                    quote=${word:0:1}
                    word=${word:1}
                    asked[${#asked[@]} - 1]=$word
                fi
                COMPREPLY=()
                mapfile -t offers < <(\(program) __complete "${asked[@]}" 2>/dev/null)
                case "${offers[0]}" in
                :files) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                :directories) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
                *)
                    for line in "${offers[@]}"; do
                        line=${line%%"$tab"*}
                        [[ $quote ]] || printf -v line %q "$line"
                        COMPREPLY+=("$line")
                    done
                    return ;;
                esac
                compopt -o filenames 2>/dev/null || true
            }
            complete -F \(function) \(program)

            """
        case .zsh:
            """
            #compdef \(program)
            # \(program) completion for zsh; load it with
            #   source <(\(program) completions zsh)
            \(function)() {
                local tab=$'\\t'
                local -a offers
                offers=("${(@f)$(\(program) __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
                if [[ $PREFIX == --*=* ]]; then compset -P 1 '*='; fi
                case "$offers[1]" in
                :files) _files ;;
                :directories) _files -/ ;;
                ?*)
                    offers=("${(@)offers//:/\\\\:}")
                    offers=("${(@)offers/$tab/:}")
                    _describe \(program) offers ;;
                esac
            }
            if [ "$funcstack[1]" = \(function) ]; then \(function) "$@"; else compdef \(function) \(program); fi

            """
        case .fish:
            """
            # \(program) completion for fish; load it with
            #   \(program) completions fish | source
            function _\(function)_offers
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l begun (string match -r -- '^--[^=]*=' "$current")
                set -l offers (\(program) __complete $words[2..-1] "$current" 2>/dev/null)
                switch "$offers[1]"
                    case :files
                        set offers (__fish_complete_path (string replace -- "$begun" '' "$current"))
                    case :directories
                        set offers (__fish_complete_directories \\
                            (string replace -- "$begun" '' "$current"))
                end
                for offer in $offers
                    printf '%s\\n' "$begun$offer"
                end
            end
            complete -c \(program) -f -a '(_\(function)_offers)'

            """
        }
    }
}
