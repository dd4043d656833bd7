import CloudModel

/// A part of a rule's text form.
///
/// A pattern is words with parameters in braces; it matches if the words are there and each value looks like one.
struct FaultPhrase {
    let pattern: String
    /// Its meaning without a value of its own.
    let constants: [FaultParameter: String]
    /// Whether the rule fires on every match.
    let isAlways: Bool

    /// Which of the matching requests, before the operation.
    static let quantities =
        [FaultParameter.nth, .every, .probability].map(FaultPhrase.init) + [
            FaultPhrase(pattern: "every"), FaultPhrase(pattern: "next", constants: [.nth: "1"]),
        ]

    /// The parameters that select requests, after the operation.
    static let selectors: [FaultParameter] = [
        .container, .scope, .zone, .recordType, .record, .change, .user, .device,
    ]
    static let conditions = selectors.map(FaultPhrase.init) + times

    /// How often and when, on either side of the arrow.
    static let times =
        [
            FaultPhrase(pattern: "once", constants: [.times: "1"]),
            FaultPhrase(pattern: "always", isAlways: true),
        ] + [FaultParameter.times, .after, .until].map(FaultPhrase.init)

    /// Parameters of an action.
    static let options = [FaultParameter.retryAfter, .reason, .body, .deadline].map(
        FaultPhrase.init)

    /// Words that a name needs quotation marks not to be parsed as.
    static let reserved = Set(
        (quantities + conditions + options).flatMap { phrase in
            phrase.pattern.split(separator: " ").filter { !$0.contains("{") }.map(String.init)
        })

    private init(_ parameter: FaultParameter) { self.init(pattern: parameter.facts.phrase) }

    private init(
        pattern: String, constants: [FaultParameter: String] = [:], isAlways: Bool = false
    ) {
        self.pattern = pattern
        self.constants = constants
        self.isAlways = isAlways
    }

    /// What is given as an example in an error.
    var example: String { FaultParameter.all(in: pattern).first?.facts.example ?? pattern }

    /// A phrase at the beginning of some words.
    struct Match {
        let phrase: FaultPhrase
        let given: [FaultGift]
        /// How many words it takes.
        let count: Int
    }

    /// The longest of some phrases that the words begin with.
    static func first(
        of phrases: [FaultPhrase], in words: ArraySlice<FaultWord>
    ) -> Match? {
        phrases.compactMap { $0.match(words) }.max { $0.count < $1.count }
    }

    private func match(_ words: ArraySlice<FaultWord>) -> Match? {
        let fit = FaultPattern.fit(words, to: pattern)
        guard fit.isComplete, let first = words.first else { return nil }
        let constants = constants.map { FaultGift($0, FaultWord(text: $1, column: first.column)) }
        return Match(phrase: self, given: fit.given + constants, count: fit.count)
    }
}

/// Matches words with patterns.
enum FaultPattern {
    /// - Returns: What the words mean, how many fit from the first on, and whether that is all of the
    ///   pattern.
    static func fit(
        _ words: ArraySlice<FaultWord>, to pattern: String
    ) -> (given: [FaultGift], count: Int, isComplete: Bool) {
        var given: [FaultGift] = []
        var rest = words
        for piece in pattern.split(separator: " ") {
            let count = words.count - rest.count
            guard let word = rest.popFirst() else { return (given, count, false) }
            let parameters = FaultParameter.all(in: piece)
            guard !parameters.isEmpty else {
                guard word.isWord(piece) || word.isWord(piece.dropLast()) && piece.last == "s"
                else {
                    return (given, count, false)
                }
                continue
            }
            let parts = word.parts(of: parameters.count)
            guard parts.count == parameters.count else { return (given, count, false) }
            if parameters == [.code], !FaultParameter.codes.contains(word.text) {
                return ([], 0, false)
            }
            let gifts = zip(parameters, parts).map { FaultGift($0, $1) }
            guard gifts.allSatisfy(looksRight) else { return (given, count, false) }
            given += gifts
        }
        return (given, words.count - rest.count, true)
    }

    /// Whether a word can be a value if nothing else decides.
    private static func looksRight(_ gift: FaultGift) -> Bool {
        let (text, isQuoted) = (gift.word.text, gift.word.isQuoted)
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        return switch gift.parameter {
        case .nth, .every:
            !digits.isEmpty
                && FaultParameter.ordinals.contains(String(text.dropFirst(digits.count)))
        case .probability: text.hasSuffix("%")
        case .times, .after: !digits.isEmpty && !isQuoted
        case .scope: isQuoted || Database.Scope(rawValue: text) != nil
        default: true
        }
    }
}
