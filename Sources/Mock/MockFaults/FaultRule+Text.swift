/// The text form, short, as it is written:
///
///     OPERATION[@CONTAINER][/SCOPE][#ZONE] [type=T] [user=U] [nth=3] [every=2] [times=2]
///         [probability=0.1] -> ACTION
///
/// or in words, which are parsed too:
///
///     3rd modify in zone Notes* -> CONFLICT on 2 items
extension FaultRule {
    /// The rule in its text form, which ``init(id:text:)`` reads back.
    package var text: String {
        var target = ""
        for (parameter, mark) in FaultTarget.marks {
            target += text(parameter).map { mark + $0 } ?? ""
        }
        return FaultWord.written(target) + options(FaultReader.keyed) + " -> " + actionText
    }

    /// The action in its text form, such as `THROTTLED retry=30s` or `cut after commit`.
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
        return words.joined(separator: " ") + options(form.options)
    }

    /// Each as ` KEY=VALUE`, in quotation marks if it has spaces.
    private func options(_ parameters: some Sequence<FaultParameter>) -> String {
        parameters.compactMap { parameter in
            text(parameter).map { " " + FaultWord.written(parameter.facts.word + "=" + $0) }
        }.joined()
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

    /// A valid value without its key.
    var plainExample: String {
        let example = facts.example
        return String(example.split(separator: "=").last ?? "").trimmingPrefix("#").description
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
