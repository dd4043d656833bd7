/// The text form:
///
///     [NAME:] [WHICH] OPERATION [in …] [with …] [by …] [TIMES] -> ACTION
///
/// such as
///
///     3rd modify in zone Notes* -> CONFLICT on 2 items
extension FaultRule {
    /// The rule in its text form, which ``init(id:text:)`` reads back.
    package var text: String {
        let parts =
            phrases([.nth, .every, .probability]) + [text(.operation) ?? ""]
            + phrases(FaultPhrase.selectors + [.times, .after, .until])
        return parts.joined(separator: " ") + " -> " + actionText
    }

    /// The action in its text form, such as `THROTTLED retry 30s` or `cut after commit`.
    var actionText: String {
        let form = action.form
        let pattern = form.patterns.first { pattern in
            FaultParameter.all(in: pattern).allSatisfy { values[$0] != nil }
        }
        let words = (pattern ?? "").split(separator: " ").map { word in
            let given = FaultParameter.all(in: word).compactMap { text($0) }
            return given.isEmpty
                ? String(word) : FaultWord.written(given.joined(separator: FaultParameter.range))
        }
        return (words + phrases(form.options)).joined(separator: " ")
    }

    private func phrases(_ parameters: [FaultParameter]) -> [String] {
        parameters.compactMap { parameter in values[parameter].map { parameter.phrase($0) } }
    }

    /// Parses the text form, and checks that the rule can fire.
    ///
    /// - Parameter id: Used where the text gives no name.
    /// - Throws: ``FaultError`` with the column and the nearest legal form.
    package init(id: String, text: String) throws(FaultError) {
        let reader = try FaultReader(text)
        try self.init(id: reader.name ?? id, reader.action, reader.values)
    }
}

extension FaultParameter {
    /// The separator of a range.
    static let range = ".."
    /// The suffixes of ordinal numbers.
    static let ordinals: Set = ["st", "nd", "rd", "th"]

    /// A value in the text form.
    func phrase(_ value: FaultValue) -> String {
        if self == .times, value == .number(1) { return "once" }
        let text =
            switch (self, value) {
            case (.nth, .number(let number)), (.every, .number(let number)):
                Self.ordinal(Int(number))
            case (.probability, .number(let number)):
                FaultValue.number(Self.shifted("\(number)", by: 2) ?? 0).text(unit: "%")
            default: value.text(unit: facts.unit)
            }
        return facts.phrase.split(separator: " ").map { word in
            word.contains("{") ? FaultWord.written(text) : String(word)
        }.joined(separator: " ")
    }

    private static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    /// The parameters of a pattern, such as `{items}` and two of `{milliseconds}..{millisecondsMax}`.
    static func all(in pattern: some StringProtocol) -> [Self] {
        pattern.split(separator: "{").compactMap { piece in
            guard let end = piece.firstIndex(of: "}") else { return nil }
            let name = piece[..<end]
            return Self.allCases.first { "\($0)" == name }
        }
    }
}
