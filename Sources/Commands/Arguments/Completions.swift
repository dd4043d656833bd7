/// Completion scripts for shells, made from the table.
package struct Completions {
    private let verbs: [Verb]
    package init(verbs: [Verb]) { self.verbs = verbs }

    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    package func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The first words, each once, in the table's order.
    private var firstWords: [(word: String, summary: String)] {
        var seen: Set<String> = []
        return verbs.compactMap { verb in
            let words = verb.words
            guard seen.insert(words[0]).inserted else { return nil }
            let children = verbs.filter { $0.words.count == 2 && $0.words[0] == words[0] }
            let names = children.map { $0.words[1] }.joined(separator: ", ")
            return (words[0], children.isEmpty || words.count == 1 ? verb.summary : names)
        }
    }

    /// Words that need a second one, with their verbs.
    private var families: [(word: String, verbs: [Verb])] {
        firstWords.compactMap { first in
            let members = verbs.filter { $0.words.count == 2 && $0.words[0] == first.word }
            return members.isEmpty ? nil : (first.word, members)
        }
    }

    /// Whether a family's word is a verb by itself too.
    private func isVerb(_ word: String) -> Bool { verbs.contains { $0.words == [word] } }

    private static let helpWord = HelpCommand.verbName

    private func spellings(_ option: Option) -> [String] {
        ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
    }

    private func quoted(_ text: String) -> String {
        "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}

// bash
extension Completions {
    private var bash: String {
        var lines = [
            "# cksweep completion for bash; load it with",
            "#   source <(cksweep completions bash)",
            "_cksweep() {",
            "    local current previous verb",
            "    current=\"${COMP_WORDS[COMP_CWORD]}\"",
            "    previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        \(bashReply(firstWords.map { $0.word } + ["--version", "--help"]))",
            "        return",
            "    fi",
            "    verb=\"${COMP_WORDS[1]}\"",
            "    case \"$verb\" in",
        ]
        for family in families { lines += bashFamily(family.word, family.verbs) }
        lines += ["    \(Self.helpWord))"] + bashHelp + ["        return ;;"]
        lines += ["    esac", "    case \"$verb\" in"]
        for verb in verbs where verb.name != Self.helpWord { lines += bashCase(for: verb) }
        lines += ["    esac", "}", "complete -F _cksweep cksweep", ""]
        return lines.joined(separator: "\n")
    }

    /// Finds the second word of a verb.
    private func bashFamily(_ word: String, _ verbs: [Verb]) -> [String] {
        let names = verbs.map { $0.words[1] }
        guard isVerb(word) else {
            return [
                "    \(word))",
                "        if [ \"$COMP_CWORD\" -eq 2 ]; then",
                "            \(bashReply(names))",
                "            return",
                "        fi",
                "        verb=\"$verb ${COMP_WORDS[2]}\" ;;",
            ]
        }
        return [
            "    \(word))",
            "        if [ \"$COMP_CWORD\" -eq 2 ] && [[ \"$current\" != -* ]]; then",
            "            \(bashReply(names))",
            "            return",
            "        fi",
            "        case \"${COMP_WORDS[2]}\" in",
            "        \(names.joined(separator: "|"))) verb=\"$verb ${COMP_WORDS[2]}\" ;;",
            "        esac ;;",
        ]
    }

    /// After `help` stands a verb, maybe of two words.
    private var bashHelp: [String] {
        var lines = [
            "        if [ \"$COMP_CWORD\" -eq 2 ]; then",
            "            \(bashReply(firstWords.map { $0.word } + spellings(CommonOptions.help)))",
            "            return", "        fi",
            "        [ \"$COMP_CWORD\" -eq 3 ] || return",
            "        case \"${COMP_WORDS[2]}\" in",
        ]
        for family in families {
            lines.append(
                "        \(family.word)) \(bashReply(family.verbs.map { $0.words[1] })) ;;")
        }
        return lines + ["        esac"]
    }

    private func bashReply(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\"))"
    }

    private func bashCase(for verb: Verb) -> [String] {
        var lines = ["    \(quoted(verb.name)))", "        case \"$previous\" in"]
        for option in verb.allOptions {
            guard let value = option.value else { continue }
            let pattern = spellings(option).joined(separator: "|")
            lines.append("        \(pattern)) \(bashValue(value.kind)); return ;;")
        }
        lines += ["        esac", "        if [[ \"$current\" == -* ]]; then"]
        lines.append("            \(bashReply(verb.allOptions.flatMap { spellings($0) }))")
        lines.append("        else")
        let kind = verb.positionals.first?.value.kind ?? .text
        lines += ["            \(bashValue(kind))", "        fi ;;"]
        return lines
    }

    /// Paths may hold blanks; bash escapes them, and adds a slash to folders.
    private func bashPaths(_ kind: String) -> String {
        "mapfile -t COMPREPLY < <(compgen \(kind) -- \"$current\");"
            + " compopt -o filenames 2>/dev/null || true"
    }

    private func bashValue(_ kind: Option.Kind) -> String {
        switch kind {
        case .file: bashPaths("-f")
        case .directory: bashPaths("-d")
        case .choice(let choices): bashReply(choices)
        case .text, .number, .duration: "COMPREPLY=()"
        }
    }
}

// zsh
extension Completions {
    private var zsh: String {
        var lines = [
            "#compdef cksweep",
            "# cksweep completion for zsh; load it with",
            "#   source <(cksweep completions zsh)",
            "_cksweep() {",
            "    local verb",
            "    if (( CURRENT == 2 )); then",
        ]
        lines += zshDescribe("verb", firstWords, indent: 8)
        lines += ["        return", "    fi", "    verb=\"$words[2]\"", "    case \"$verb\" in"]
        for family in families { lines += zshFamily(family.word, family.verbs) }
        lines += ["    \(Self.helpWord))", "        if (( CURRENT == 3 )); then"]
        lines += zshDescribe("verb", firstWords, indent: 12)
        lines += ["        elif (( CURRENT == 4 )); then", "            case \"$words[3]\" in"]
        for family in families {
            lines.append("            \(family.word))")
            lines += zshDescribe(
                "verb", family.verbs.map { ($0.words[1], $0.summary) }, indent: 16)
            lines.append("                ;;")
        }
        lines += ["            esac", "        fi", "        return ;;"]
        lines += ["    esac", "    shift words", "    (( CURRENT-- ))", "    case \"$verb\" in"]
        for verb in verbs where verb.name != Self.helpWord {
            var specs = verb.allOptions.map { zshOption($0) }
            specs += verb.positionals.map { quoted(zshPlace($0)) }
            lines.append("    \(quoted(verb.name)))")
            lines.append("        _arguments -s \\")
            lines.append("            " + specs.joined(separator: " \\\n            ") + " ;;")
        }
        lines += [
            "    esac", "}",
            "if [ \"$funcstack[1]\" = _cksweep ]; then _cksweep \"$@\"; else compdef _cksweep cksweep; fi",
            "",
        ]
        return lines.joined(separator: "\n")
    }

    /// Finds the second word of a verb.
    private func zshFamily(_ word: String, _ verbs: [Verb]) -> [String] {
        let standsAlone = isVerb(word)
        let isWord = standsAlone ? " && [[ \"$words[3]\" != -* ]]" : ""
        var lines = ["    \(word))", "        if (( CURRENT == 3 ))\(isWord); then"]
        lines += zshDescribe("verb", verbs.map { ($0.words[1], $0.summary) }, indent: 12)
        lines += ["            return", "        fi"]
        let names = standsAlone ? verbs.map { $0.words[1] }.joined(separator: "|") : "*"
        return lines + [
            "        case \"$words[3]\" in", "        \(names))",
            "            verb=\"$verb $words[3]\"", "            shift words",
            "            (( CURRENT-- )) ;;", "        esac ;;",
        ]
    }

    private func zshDescribe(
        _ tag: String, _ words: [(word: String, summary: String)], indent: Int
    ) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines = ["\(margin)local -a choices", "\(margin)choices=("]
        lines += words.map { "\(margin)    " + quoted("\($0.word):\(zshEscaped($0.summary))") }
        return lines + ["\(margin))", "\(margin)_describe \(tag) choices"]
    }

    private func zshEscaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if ":[]\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    private func zshOption(_ option: Option) -> String {
        let names = spellings(option)
        let detail = "[\(zshEscaped(option.summary))]" + zshValue(option.value)
        let star = option.repeats ? "*" : ""
        if names.count == 1 { return quoted("\(star)\(names[0])\(detail)") }
        return "'(\(names.joined(separator: " ")))'{\(names.joined(separator: ","))}"
            + quoted(detail)
    }

    private func zshValue(_ value: Option.Value?) -> String {
        guard let value else { return "" }
        return ":\(zshEscaped(value.name)):\(zshAction(value.kind))"
    }

    private func zshAction(_ kind: Option.Kind) -> String {
        switch kind {
        case .file: "_files"
        case .directory: "_files -/"
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        case .text, .number, .duration: ""
        }
    }

    private func zshPlace(_ place: Positional) -> String {
        let name = zshEscaped(place.value.name)
        return switch place.arity {
        case .one: ":\(name):\(zshAction(place.value.kind))"
        case .optional: "::\(name):\(zshAction(place.value.kind))"
        case .any: "*:\(name):\(zshAction(place.value.kind))"
        case .command: "*::\(name):_normal"
        }
    }
}

// fish
extension Completions {
    private var fish: String {
        var lines = [
            "# cksweep completion for fish; load it with",
            "#   cksweep completions fish | source",
            "function __cksweep_verb",
            "    set -l words (commandline -opc)",
            "    set -e words[1]",
            "    string match -q -- \"$argv\" (string join ' ' -- $words[1..(count $argv)] 2>/dev/null)",
            "end",
            "complete -c cksweep -f",
            "complete -c cksweep -n __fish_use_subcommand -l version -d 'print the version'",
        ]
        for (word, summary) in firstWords {
            lines.append(
                "complete -c cksweep -n __fish_use_subcommand -a \(word) -d \(fishQuoted(summary))")
        }
        for family in families {
            let names = family.verbs.map { $0.words[1] }.joined(separator: " ")
            for verb in family.verbs {
                let condition =
                    "__cksweep_verb \(family.word); and not __fish_seen_subcommand_from \(names)"
                lines.append(
                    "complete -c cksweep -n \(fishQuoted(condition)) -a \(verb.words[1]) "
                        + "-d \(fishQuoted(verb.summary))")
            }
        }
        lines += fishHelp
        for verb in verbs {
            for option in verb.allOptions { lines.append(fishOption(option, of: verb)) }
            if let place = verb.positionals.first {
                lines += fishPlace(place, of: verb)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// After `help` stands a verb, maybe of two words.
    private var fishHelp: [String] {
        let start = "complete -c cksweep -n "
        let words = firstWords.map { $0.word }.joined(separator: " ")
        let first = "__cksweep_verb \(Self.helpWord); and test (count (commandline -opc)) -eq 2"
        var lines = [start + "\(fishQuoted(first)) -a \(fishQuoted(words))"]
        for family in families {
            let names = family.verbs.map { $0.words[1] }.joined(separator: " ")
            let second =
                "__cksweep_verb \(Self.helpWord) \(family.word);"
                + " and test (count (commandline -opc)) -eq 3"
            lines.append(start + "\(fishQuoted(second)) -a \(fishQuoted(names))")
        }
        return lines
    }

    /// When a verb is what was typed.
    private func fishCondition(_ verb: Verb) -> String {
        let family = families.first { $0.word == verb.name }
        let names = family?.verbs.map { $0.words[1] }.joined(separator: " ")
        return fishQuoted(
            "__cksweep_verb \(verb.name)"
                + (names.map { "; and not __fish_seen_subcommand_from \($0)" } ?? ""))
    }

    private func fishOption(_ option: Option, of verb: Verb) -> String {
        var line = "complete -c cksweep -n \(fishCondition(verb))"
        line += " -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        switch option.value?.kind {
        case nil: break
        case .file: line += " -rF"
        case .directory: line += " -xa '(__fish_complete_directories)'"
        case .choice(let choices): line += " -xa \(fishQuoted(choices.joined(separator: " ")))"
        case .text, .number, .duration: line += " -x"
        }
        return line + " -d \(fishQuoted(option.summary))"
    }

    private func fishPlace(_ place: Positional, of verb: Verb) -> [String] {
        let start = "complete -c cksweep -n \(fishCondition(verb))"
        return switch place.value.kind {
        case .file: [start + " -F"]
        case .directory: [start + " -a '(__fish_complete_directories)'"]
        case .choice(let choices):
            [start + " -a \(fishQuoted(choices.joined(separator: " ")))"]
        case .text, .number, .duration: []
        }
    }

    private func fishQuoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "'"
    }
}
