/// Help, made from the table.
package enum HelpText {
    /// The verb that shows help.
    package static let verbName = "help"
    private static let widthMax = 80

    /// `cksweep help`: every verb in its group.
    package static func overview(of program: Program) -> String {
        let (name, verbs) = (program.name, program.verbs)
        var lines = wrap(program.summary, width: widthMax)
        lines += ["", "usage: \(name) VERB [OPTIONS]"]
        for group in [program.firstSteps] + program.groups {
            lines += ["", "\(group.title):"]
            let members = group.names.compactMap { name in verbs.first { $0.name == name } }
            lines += columns(members.map { ($0.name, capitalised($0.summary)) }, indent: 2)
        }
        lines += [
            "",
            "\"\(name) help VERB\" describes a verb; \"\(name) --version\" prints the version.",
            "",
        ]
        lines += wrap(program.caution, width: widthMax)
        lines += ["", "environment:"]
        lines += columns(program.variables, indent: 2)
        lines += ["", "exit codes:"]
        lines += columns(program.exitCodes, indent: 2)
        return lines.joined(separator: "\n") + "\n"
    }

    /// `cksweep help evidence`: the verbs that begin with a word, a line each.
    package static func index(
        of word: String, in program: Program, without own: Verb? = nil
    ) -> String {
        let members = program.verbs.filter { $0.words[0] == word && $0.name != own?.name }
        // In the order of the overview.
        let order = program.groups.flatMap(\.names)
        let sorted = members.sorted {
            (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0)
        }
        var lines = ["usage: \(program.name) \(word) VERB [OPTIONS]", ""]
        lines += columns(sorted.map { ($0.name, capitalised($0.summary)) }, indent: 2)
        lines += ["", "\"\(program.name) help \(word) VERB\" describes a verb."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// `cksweep help VERB`
    package static func page(for verb: Verb, of program: Program) -> String {
        var lines = ["usage: " + usage(of: verb, in: program), "", capitalised(verb.summary) + "."]
        for paragraph in verb.discussion {
            lines.append("")
            lines += wrap(paragraph, width: widthMax)
        }
        let places = verb.positionals
        if !places.isEmpty {
            lines += ["", "arguments:"]
            lines += columns(places.map { ($0.value.name, $0.summary) }, indent: 2)
        }
        if !verb.allOptions.isEmpty {
            lines += ["", "options:"]
            lines += columns(verb.allOptions.map { (spelling(of: $0), $0.summary) }, indent: 2)
        }
        for section in verb.sections {
            lines += ["", "\(section.title):"]
            lines += columns(section.rows.map { ($0.name, $0.about) }, indent: 2)
        }
        if !verb.examples.isEmpty {
            lines += ["", "examples:"]
            for example in verb.examples {
                lines += ["  # \(example.purpose)"] + command(example.line(of: program.name))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A command line; where it is too wide, before an option, it is continued as a shell reads it.
    private static func command(_ line: String) -> [String] {
        guard line.count > widthMax - 2 else { return ["  " + line] }
        // An option stays with what it takes.
        var pieces: [String] = []
        for word in line.split(separator: " ").map({ String($0) }) {
            if pieces.isEmpty || word.hasPrefix("-") {
                pieces.append(word)
            } else {
                pieces[pieces.count - 1] += " " + word
            }
        }
        var lines = ["  " + (pieces.first ?? "")]
        for piece in pieces.dropFirst() {
            if lines[lines.count - 1].count + 1 + piece.count + 2 <= widthMax {
                lines[lines.count - 1] += " " + piece
            } else {
                lines[lines.count - 1] += " \\"
                lines.append("      " + piece)
            }
        }
        return lines
    }

    /// `cksweep show PLAN [OPTIONS]`
    package static func usage(of verb: Verb, in program: Program) -> String {
        let places = verb.positionals.map { $0.usage }
        let command = verb.positionals.contains { $0.arity.isCommand }
        let options = verb.allOptions.isEmpty ? [] : ["[OPTIONS]"]
        let parts = command ? options + places : places + options
        return "\(program.name) \(verb.name) " + parts.joined(separator: " ")
    }

    private static func spelling(of option: Option) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " \($0.name)" } ?? ""
        return "\(short)--\(option.name)\(value)"
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Two columns; the second is wrapped, and starts on its own line under a wide first.
    private static func columns(_ rows: [Program.Row], indent: Int) -> [String] {
        let widest = rows.map { $0.0.count }.filter { $0 <= 26 }.max() ?? 0
        let margin = String(repeating: " ", count: indent)
        let hanging = String(repeating: " ", count: indent + widest + 2)
        var lines: [String] = []
        for (left, right) in rows {
            let wrapped = wrap(right, width: widthMax - hanging.count)
            if left.count > widest {
                lines.append(margin + left)
                lines += wrapped.map { hanging + $0 }
            } else {
                let gap = String(repeating: " ", count: widest + 2 - left.count)
                lines.append(margin + left + gap + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { hanging + $0 }
            }
        }
        return lines
    }

    /// Breaks a paragraph at spaces; a word longer than `width` stands alone.
    package static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

}
