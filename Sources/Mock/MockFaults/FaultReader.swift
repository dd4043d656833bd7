import Basics
import CloudModel

/// Parses one rule in its text form.
struct FaultReader {
    /// The name of the rule; nil: none.
    private(set) var name: String?
    private(set) var action = FaultAction.error
    private(set) var values: [FaultParameter: FaultValue] = [:]
    private var isAlways: FaultWord?

    /// Bytes of a rule.
    static let bytesMax = 2000

    /// - Throws: ``FaultError`` with the column and the nearest legal form.
    init(_ text: String) throws(FaultError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw FaultError("a fault has at most \(Self.bytesMax) bytes")
        }
        var words = try FaultWord.split(text)[...]
        if let first = words.first, !first.isQuoted, first.text.hasSuffix(":"),
            first.text.count > 1
        {
            name = String(first.text.dropLast())
            words.removeFirst()
        }
        guard let arrow = words.firstIndex(where: { $0.isWord("->") }) else {
            throw FaultError(
                "no \"->\" between the request and the action",
                suggestion: "every zones/modify -> THROTTLED retry 1s",
                column: text.utf8.count + 1)
        }
        try readConditions(words[..<arrow], before: words[arrow])
        try readAction(words[(arrow + 1)...])
        try settle()
    }

    // MARK: - Before the arrow

    private mutating func readConditions(
        _ given: ArraySlice<FaultWord>, before arrow: FaultWord
    ) throws(FaultError) {
        var words = given
        while let quantity = FaultPhrase.first(of: FaultPhrase.quantities, in: words) {
            try take(quantity, from: &words)
        }
        if words.first?.isWord("of") == true { words.removeFirst() }
        guard let target = words.popFirst() else {
            throw FaultError(
                "no operation before \"->\"", suggestion: "zones/modify -> delay 50ms",
                column: arrow.column)
        }
        if let mark = target.text.firstIndex(where: { "#@".contains($0) }) {
            let word = target.text[mark] == "#" ? "zone" : "container"
            throw FaultError(
                "a \(word) is written after the operation",
                suggestion: "\(target.text[..<mark]) in \(word) "
                    + FaultWord.written(String(target.text[target.text.index(after: mark)...])),
                column: target.column)
        }
        try take([FaultGift(.operation, target)])
        while !words.isEmpty {
            guard let match = FaultPhrase.first(of: FaultPhrase.conditions, in: words) else {
                throw Self.unknown(words, FaultPhrase.conditions)
            }
            try take(match, from: &words)
        }
    }

    // MARK: - Behind it

    private mutating func readAction(_ given: ArraySlice<FaultWord>) throws(FaultError) {
        var words = given
        var plain: [FaultWord] = []
        var options: [FaultPhrase.Match] = []
        while let word = words.first {
            if let match = FaultPhrase.first(of: FaultPhrase.times, in: words) {
                try take(match, from: &words)
            } else if let match = FaultPhrase.first(of: FaultPhrase.options, in: words) {
                options.append(match)
                words = words.dropFirst(match.count)
            } else {
                if let error = Self.keyed(word) { throw error }
                plain.append(word)
                words.removeFirst()
            }
        }
        guard let first = plain.first else {
            throw FaultError(
                "no action after \"->\"", suggestion: "-> THROTTLED retry 1s",
                column: given.first?.column)
        }
        var best = (count: 0, example: "")
        for action in FaultAction.allCases {
            let form = action.form
            for pattern in form.patterns {
                let fit = FaultPattern.fit(plain[...], to: pattern)
                guard fit.isComplete, fit.count == plain.count else {
                    if fit.count > best.count { best = (fit.count, form.example) }
                    continue
                }
                self.action = action
                try take(fit.given)
                for option in options {
                    for gift in option.given where !form.options.contains(gift.parameter) {
                        throw FaultError(
                            "\(gift.parameter.facts.name) has no effect here",
                            suggestion: form.example, column: gift.word.column)
                    }
                    try take(option.given)
                }
                return
            }
        }
        guard best.count > 0 else {
            let whole = plain.map(\.text).joined(separator: " ")
            let legal = FaultParameter.codes + FaultAction.allCases.map(\.form.example)
            throw FaultError(
                "unknown action \"\(first.text)\"",
                suggestion: NearestName.closest(to: whole, among: legal), column: first.column)
        }
        let word = plain[min(best.count, plain.count - 1)]
        throw FaultError(
            "cannot parse \"\(word.text)\", or a part of it", suggestion: best.example,
            column: word.column)
    }

    // MARK: - Values

    private mutating func take(
        _ match: FaultPhrase.Match, from words: inout ArraySlice<FaultWord>
    ) throws(FaultError) {
        if match.phrase.isAlways { isAlways = words.first }
        try take(match.given)
        words = words.dropFirst(match.count)
    }

    private mutating func take(_ gifts: [FaultGift]) throws(FaultError) {
        for gift in gifts {
            do throws(FaultError) {
                guard values[gift.parameter] == nil else {
                    throw FaultError("\(gift.parameter.facts.name) is given twice")
                }
                values[gift.parameter] = try gift.parameter.value(of: gift.word.text)
            } catch {
                var error = error
                error.column = gift.word.column
                throw error
            }
        }
    }

    /// "always" excludes a number of times; after "the Nth" it means every request from that one.
    private mutating func settle() throws(FaultError) {
        guard let isAlways else { return }
        guard values[.times] == nil else {
            throw FaultError(
                "either \"always\" or \"N times\", not both", suggestion: "always",
                column: isAlways.column)
        }
        if values[.nth] != nil, values[.every] == nil, values[.probability] == nil {
            values[.every] = .number(1)
        }
    }

    /// The error for `KEY=VALUE`, as earlier versions accepted it; nil: it is not that.
    private static func keyed(_ word: FaultWord) -> FaultError? {
        guard !word.isQuoted, let mark = word.text.firstIndex(of: "=") else { return nil }
        let (key, value) = (
            word.text[..<mark], String(word.text[word.text.index(after: mark)...])
        )
        let parameter = FaultParameter.allCases.first { parameter in
            !parameter.facts.phrase.isEmpty
                && (parameter.facts.name == key
                    || parameter.facts.phrase.split(separator: " ").contains(key))
        }
        let suggestion = parameter.map { parameter in
            (try? parameter.value(of: value)).map(parameter.phrase) ?? parameter.facts.example
        }
        return FaultError(
            "KEY=VALUE is not accepted", suggestion: suggestion, column: word.column)
    }

    private static func unknown(
        _ words: ArraySlice<FaultWord>, _ phrases: [FaultPhrase]
    ) -> FaultError {
        if let error = words.first.flatMap(keyed) { return error }
        let fits = phrases.map { FaultPattern.fit(words, to: $0.pattern).count }
        let longest = fits.max() ?? 0
        let place = words[min(words.startIndex + longest, words.endIndex - 1)]
        let near = zip(phrases, fits).filter { $1 == longest }.map { $0.0.example }
        let given = words.map(\.text).joined(separator: " ")
        return FaultError(
            "cannot parse \"\(place.text)\"",
            suggestion: NearestName.closest(to: given, among: near) ?? "in zone Notes*",
            column: place.column)
    }
}
