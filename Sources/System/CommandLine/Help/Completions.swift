/// What could be typed next, found from the table of verbs.
///
/// The shells' scripts only ask: they run `cksweep __complete WORD...` and show the answer.
package struct Completions {
    /// The hidden word that asks.
    package static let verbName = "__complete"

    /// What fits at a place.
    package enum Offers: Sendable, Hashable {
        /// Words, each with a line about it.
        case words([Offer])
        case files
        case directories
        /// Names that are not in the table.
        case names(KnownName)

        static let nothing = Offers.words([])
    }

    /// One word that fits.
    package struct Offer: Sendable, Hashable {
        package let word: String
        package let summary: String

        package init(word: String, summary: String) {
            self.word = word
            self.summary = summary
        }

        /// Names, each once and in order.
        package static func names(_ names: [String]) -> [Offer] {
            Set(names).sorted().map { Offer(word: $0, summary: "") }
        }
    }

    private let verbs: [Verb]
    package init(verbs: [Verb]) { self.verbs = verbs }

    /// One offer a line, its summary after a tab; `:files` or `:directories` for paths.
    ///
    /// - Parameter names: What is known of a kind.
    package func answer(
        to words: [String], names: (KnownName) async -> [Offer]
    ) async -> String {
        switch offers(for: words) {
        case .files: return ":files\n"
        case .directories: return ":directories\n"
        case .words(let offers): return Self.lines(offers)
        case .names(let kind):
            let fitting = Self.beginning(await names(kind), with: Self.typed(words))
            if kind.orFiles, fitting.isEmpty { return ":files\n" }
            return Self.lines(fitting.filter { Self.isOneWord($0.word) })
        }
    }

    private static func lines(_ offers: [Offer]) -> String {
        offers.map { "\($0.word)\t\($0.summary)\n" }.joined()
    }

    /// Whether a line can hold a name without being taken for something else.
    private static func isOneWord(_ name: String) -> Bool {
        !name.hasPrefix(":") && !name.hasPrefix("-")
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// What fits at the end of a command line.
    ///
    /// - Parameter words: What stands after `cksweep`; the last one is being typed, maybe empty. Behind the
    ///   equals sign of `--option=value`, values alone are offered.
    package func offers(for words: [String]) -> Offers {
        guard let current = words.last else { return .nothing }
        let all = all(after: words.dropLast(), current)
        guard case .words(let offers) = all else { return all }
        return .words(Self.beginning(offers, with: Self.typed(words)))
    }

    private static func beginning(_ offers: [Offer], with typed: Substring) -> [Offer] {
        offers.filter { $0.word.hasPrefix(typed) }
    }

    /// The beginning of what is asked for.
    private static func typed(_ words: [String]) -> Substring {
        guard let current = words.last else { return "" }
        guard !words.dropLast().contains("--"), current.hasPrefix("--"),
            let sign = current.firstIndex(of: "=")
        else { return current[...] }
        return current[current.index(after: sign)...]
    }

    private func all(after before: ArraySlice<String>, _ current: String) -> Offers {
        guard let first = before.first else {
            return .words(
                firstWords + [
                    Offer(word: "--version", summary: "print the version"),
                    Offer(word: "--help", summary: CommonOptions.help.summary),
                ])
        }
        let alone = verbs.first { $0.words == [first] }
        if first == HelpText.verbName, let alone {
            if before.count == 1, !current.hasPrefix("-") { return .words(firstWords) }
            if before.count == 2, let seconds = before.last.map({ seconds(of: $0) }),
                !seconds.isEmpty
            {
                return .words(seconds)
            }
            return fitting(alone, after: before.dropFirst(), current)
        }
        if before.count == 1, alone == nil || !current.hasPrefix("-") {
            let seconds = seconds(of: first)
            if !seconds.isEmpty { return .words(seconds) }
        }
        let pair = verbs.first { $0.words.count == 2 && $0.words.elementsEqual(before.prefix(2)) }
        guard let verb = pair ?? alone else { return .nothing }
        return fitting(verb, after: before.dropFirst(verb.words.count), current)
    }

    /// What fits after a verb and some of its arguments.
    private func fitting(
        _ verb: Verb, after typed: ArraySlice<String>, _ current: String
    ) -> Offers {
        if typed.contains("--") { return .files }
        let option = verb.allOptions.first { option in
            option.value != nil && spellings(option).contains { $0.word == typed.last }
        }
        if let kind = option?.value?.kind { return values(kind) }
        if current.hasPrefix("--"), current.contains("=") {
            let name = current.dropFirst(2).prefix { $0 != "=" }
            let kind = verb.allOptions.first { $0.name == name }?.value?.kind
            return kind.map { values($0) } ?? .nothing
        }
        if current.hasPrefix("-") {
            return .words(verb.allOptions.flatMap { spellings($0) })
        }
        return values(verb.positionals.first?.value.kind ?? .text)
    }

    private func values(_ kind: Option.Kind) -> Offers {
        switch kind {
        case .file: .files
        case .directory: .directories
        case .choice(let choices), .suggested(let choices):
            .words(choices.map { Offer(word: $0, summary: "") })
        case .known(let kind): .names(kind)
        case .checked(let check): check.names.map { .names($0) } ?? .nothing
        case .text, .number, .duration, .size: .nothing
        }
    }

    /// The first words, each once, in the table's order.
    private var firstWords: [Offer] {
        var seen: Set<String> = []
        return verbs.compactMap { verb in
            let word = verb.words[0]
            guard seen.insert(word).inserted else { return nil }
            let names = seconds(of: word).map(\.word).joined(separator: ", ")
            return Offer(word: word, summary: verb.words.count == 1 ? verb.summary : names)
        }
    }

    /// The second words of a family.
    private func seconds(of first: String) -> [Offer] {
        verbs.filter { $0.words.count == 2 && $0.words[0] == first }
            .map { Offer(word: $0.words[1], summary: $0.summary) }
    }

    private func spellings(_ option: Option) -> [Offer] {
        (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? []))
            .map { Offer(word: $0, summary: option.summary) }
    }
}
