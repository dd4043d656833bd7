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

        static let nothing = Offers.words([])
    }

    /// One word that fits.
    package struct Offer: Sendable, Hashable {
        package let word: String
        package let summary: String
    }

    private let verbs: [Verb]
    package init(verbs: [Verb]) { self.verbs = verbs }

    /// One offer a line, its summary after a tab; `:files` or `:directories` for paths.
    package func answer(to words: [String]) -> String {
        switch offers(for: words) {
        case .files: ":files\n"
        case .directories: ":directories\n"
        case .words(let offers): offers.map { "\($0.word)\t\($0.summary)\n" }.joined()
        }
    }

    /// What fits at the end of a command line.
    ///
    /// - Parameter words: What stands after `cksweep`; the last one is being typed, maybe empty.
    package func offers(for words: [String]) -> Offers {
        guard let current = words.last else { return .nothing }
        return switch all(after: words.dropLast(), current) {
        case .words(let offers): .words(offers.filter { $0.word.hasPrefix(current) })
        case .files: .files
        case .directories: .directories
        }
    }

    private func all(after before: ArraySlice<String>, _ current: String) -> Offers {
        guard let first = before.first else {
            return .words(
                firstWords + [
                    Offer(word: "--version", summary: "print the version"),
                    Offer(word: "--help", summary: CommonOptions.help.summary),
                ])
        }
        if first == HelpText.verbName {
            if before.count == 1 { return .words(firstWords + spellings(CommonOptions.help)) }
            return before.count == 2 ? .words(seconds(of: before[before.startIndex + 1])) : .nothing
        }
        let alone = verbs.first { $0.words == [first] }
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
        case .text, .number, .duration, .size, .bundleIdentifier, .container: .nothing
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
