import Basics

/// Reads an argument list by a verb's row of the table.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, bundled switches (`-qv`), and `--`, after
/// which nothing is an option.
package struct ArgumentScanner {
    private let verb: Verb
    private let program: String
    private var rest: ArraySlice<String>
    private var found = Arguments()

    /// Arguments that follow the verb; at most this many are read.
    private static let argumentsMax = 10_000

    private init(_ words: [String], for verb: Verb, of program: String) {
        self.verb = verb
        self.program = program
        rest = words[...]
    }

    /// Checks and sorts what was typed after `verb`.
    package static func scan(
        _ words: [String], for verb: Verb, of program: String
    ) throws(UsageError) -> Arguments {
        var scanner = ArgumentScanner(words, for: verb, of: program)
        return try scanner.run()
    }

    private mutating func run() throws(UsageError) -> Arguments {
        guard rest.count <= Self.argumentsMax else { throw UsageError("too many arguments") }
        if verb.handsOn {
            found.set(command: Array(rest))
            return found
        }
        while let word = rest.popFirst() {
            if word == "--" {
                try takeRest()
                break
            } else if word.hasPrefix("--") {
                try takeLong(word.dropFirst(2))
            } else if word.hasPrefix("-"), word != "-" {
                try takeShort(word.dropFirst())
            } else {
                try takePositional(word)
            }
        }
        if !found.has(CommonOptions.help) {
            try checkOptions()
            try checkPositionals()
        }
        return found
    }

    private mutating func takeRest() throws(UsageError) {
        if verb.positionals.contains(where: { $0.arity.isCommand }) {
            found.set(command: Array(rest))
        } else {
            for word in rest { try takePositional(word) }
        }
        rest = []
    }

    private mutating func takeLong(_ text: Substring) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = verb.allOptions.first(where: { $0.name == name }) else {
            let near = NearestName.find(name, among: verb.allOptions.map { $0.name })
            throw unknown("--\(name)", near)
        }
        let attached = parts.count == 2 ? String(parts[1]) : nil
        try take(option, attached: attached, as: "--\(name)")
    }

    private func unknown(_ option: String, _ near: String?) -> UsageError {
        UsageError(
            "\"\(verb.name)\" has no option \(option)"
                + (near.map { "; did you mean --\($0)?" } ?? ""),
            remedy: near == nil ? "\"\(program) help \(verb.name)\" lists its options" : nil)
    }

    private mutating func takeShort(_ letters: Substring) throws(UsageError) {
        // With one dash too few, a long name would be read as letters.
        let name = String(letters.prefix { $0 != "=" })
        if name.count > 2, verb.allOptions.contains(where: { $0.name == name }) {
            throw unknown("-\(name)", name)
        }
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = verb.allOptions.first(where: { $0.short == letter }) else {
                let near = verb.allOptions.map(\.name).filter { $0.first == letter }
                throw unknown("-\(letter)", near.count == 1 ? near[0] : nil)
            }
            if option.value == nil {
                try take(option, attached: nil, as: "-\(letter)")
            } else {
                let attached = letters.isEmpty ? nil : String(letters)
                try take(option, attached: attached, as: "-\(letter)")
                return
            }
        }
    }

    private mutating func take(
        _ option: Option, attached: String?, as spelled: String
    ) throws(UsageError) {
        guard option.repeats || !found.has(option) else {
            throw UsageError("\(spelled) is given twice")
        }
        guard let value = option.value else {
            guard attached == nil else { throw UsageError("\(spelled) takes no value") }
            found.add("", for: option)
            return
        }
        guard let text = attached ?? rest.first, attached != nil || !looksLikeOption(text) else {
            throw UsageError("\(spelled) needs \(value.name)")
        }
        if attached == nil { rest.removeFirst() }
        try check(text, value, spelled)
        found.add(text, for: option)
        while option.takesMany, attached == nil, let next = rest.first, !next.hasPrefix("-") {
            rest.removeFirst()
            try check(next, value, spelled)
            found.add(next, for: option)
        }
    }

    /// Whether a word that should be a value is rather the next option.
    private func looksLikeOption(_ word: String) -> Bool {
        word == "--" || (word.hasPrefix("--") && word.count > 2)
            || (word.count == 2 && word.hasPrefix("-")
                && verb.allOptions.contains { $0.short == word.last })
    }

    private mutating func takePositional(_ word: String) throws(UsageError) {
        let places = verb.positionals.filter { !$0.arity.isCommand }
        let index = min(found.positionals.count, places.count - 1)
        guard index >= 0, index == found.positionals.count || places[index].takesMore else {
            let runs = verb.positionals.contains { $0.arity.isCommand }
            throw UsageError(
                "\"\(verb.name)\" does not take \"\(word)\"",
                remedy: runs ? "write the command to run after --" : nil)
        }
        try check(word, places[index].value, places[index].value.name)
        found.add(positional: word)
    }

    private func checkOptions() throws(UsageError) {
        for option in verb.options where option.isNeeded && !found.has(option) {
            throw UsageError(
                "--\(option.name) is required",
                remedy: verb.examples.first.map { "such as: \($0.line(of: program))" })
        }
    }

    private func checkPositionals() throws(UsageError) {
        for (index, place) in verb.positionals.enumerated() {
            switch place.arity {
            case .one where index >= found.positionals.count,
                .some where index >= found.positionals.count:
                throw UsageError("\"\(verb.name)\" needs \(place.value.name)")
            case .command where found.command.isEmpty:
                throw UsageError("\"\(verb.name)\" needs a command after --")
            default:
                break
            }
        }
    }

    private func check(
        _ text: String, _ value: Option.Value, _ spelled: String
    ) throws(UsageError) {
        switch value.kind {
        case .text, .file, .directory, .known:
            guard !text.isEmpty else { throw UsageError("\(spelled) is empty") }
        case .number(let range):
            guard let number = Int(text), range.contains(number) else {
                throw UsageError(
                    "\(spelled) is \"\(text)\"; expected a whole number from "
                        + "\(range.lowerBound) to \(range.upperBound)")
            }
        case .duration:
            guard DurationText.parse(text) != nil else {
                throw UsageError(
                    "\(spelled) is \"\(text)\"; expected a duration such as 90s, 15m or 1h30m")
            }
        case .size(let range):
            guard let bytes = SizeText.parse(text), range.contains(bytes) else {
                throw UsageError(
                    "\(spelled) is \"\(text)\"; expected a size such as 256MiB, from "
                        + "\(SizeText.text(range.lowerBound)) to \(SizeText.text(range.upperBound))"
                )
            }
        case .suggested: break
        case .checked(let check):
            if let problem = check.problem(text) { throw UsageError("\(spelled) \(problem)") }
        case .choice(let choices):
            guard choices.contains(text) else {
                throw UsageError(
                    "\(spelled) is \"\(text)\"; expected one of "
                        + choices.joined(separator: ", ")
                        + NearestName.hint(for: text, among: choices))
            }
        }
    }
}
