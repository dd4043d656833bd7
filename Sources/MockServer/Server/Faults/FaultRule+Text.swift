import CloudModel

/// The text form, as on the command line:
///
///     OPERATION[@CONTAINER][/SCOPE][#ZONE] [type=T] [user=U] [nth=3] [every=2] [times=2]
///         [probability=0.1] -> ACTION
extension FaultRule {
    /// Parameters that stand in the first word.
    private static let target: [(FaultParameter, mark: String)] = [
        (.operation, ""), (.container, "@"), (.scope, "/"), (.zone, "#"),
    ]

    /// The rule in its text form, which ``init(id:text:)`` reads back.
    package var text: String {
        var target = ""
        for (parameter, mark) in Self.target { target += text(parameter).map { mark + $0 } ?? "" }
        let others = FaultParameter.conditions.dropFirst(Self.target.count)
        return (target.contains(" ") ? "\"\(target)\"" : target) + options(others) + " -> "
            + actionText
    }

    /// The action in its text form, such as `THROTTLED retry=30s` or `cut after commit`.
    var actionText: String {
        let form = action.form
        let pattern = form.patterns.first { pattern in
            FaultParameter.all(in: pattern).allSatisfy { values[$0] != nil }
        }
        let words = (pattern ?? "").split(separator: " ").map { word in
            let given = FaultParameter.all(in: word).compactMap { text($0) }
            return given.isEmpty ? String(word) : given.joined(separator: FaultParameter.range)
        }
        return words.joined(separator: " ") + options(form.options)
    }

    /// Each as ` KEY=VALUE`, in quotation marks where it holds spaces.
    private func options(_ parameters: some Sequence<FaultParameter>) -> String {
        parameters.compactMap { parameter in
            values[parameter].map {
                parameter.facts.word + "=" + $0.text(unit: parameter.facts.unit)
            }
        }.map { $0.contains(" ") ? " \"\($0)\"" : " " + $0 }.joined()
    }

    /// Reads the text form, and checks that the rule can fire.
    ///
    /// - Throws: ``FaultError`` with the column and the nearest legal form.
    package init(id: String, text: String) throws(FaultError) {
        guard text.utf8.count <= 2000 else { throw FaultError("a fault has at most 2000 bytes") }
        let words = FaultWord.split(text)
        guard let arrow = words.firstIndex(where: { $0.text == "->" }) else {
            throw FaultError(
                "no \"->\" between the request and the action",
                suggestion: "zones/modify times=2 -> THROTTLED retry=1s",
                column: text.utf8.count + 1)
        }
        guard arrow > 0 else {
            throw FaultError(
                "no operation before \"->\"", suggestion: "zones/modify -> delay 50ms", column: 1)
        }
        let others = FaultParameter.conditions.dropFirst(Self.target.count)
        var given = Self.target(words[0])
        for word in words[1..<arrow] { given.append(try word.option(among: others, "times=1")) }
        let (action, more) = try Self.action(Array(words[(arrow + 1)...]))
        var values: [FaultParameter: FaultValue] = [:]
        for (parameter, word) in given + more {
            do throws(FaultError) {
                values[parameter] = try parameter.value(of: word.text)
            } catch {
                var error = error
                error.column = word.column
                throw error
            }
        }
        try self.init(id: id, action, values)
    }

    /// The first word: operation, container, scope and zone.
    private static func target(_ word: FaultWord) -> [(FaultParameter, FaultWord)] {
        var rest = Substring(word.text)
        var given: [(FaultParameter, FaultWord)] = []
        func take(_ parameter: FaultParameter, from place: Substring.Index?) {
            guard let place else { return }
            let text = String(rest[rest.index(after: place)...])
            given.append((parameter, FaultWord(text: text, column: word.column)))
            rest = rest[..<place]
        }
        take(.zone, from: rest.firstIndex(of: "#"))
        // What follows the last slash may belong to the operation.
        if let slash = rest.lastIndex(of: "/"),
            Database.Scope(rawValue: String(rest[rest.index(after: slash)...])) != nil
        {
            take(.scope, from: slash)
        }
        take(.container, from: rest.firstIndex(of: "@"))
        return given + [(.operation, FaultWord(text: String(rest), column: word.column))]
    }

    /// What words mean by a pattern, how many fit from the first on, and whether all do.
    private static func fit(
        _ words: [FaultWord], to pattern: String
    ) -> (given: [(FaultParameter, FaultWord)], fitting: Int, isWhole: Bool) {
        var given: [(FaultParameter, FaultWord)] = []
        var count = 0
        for piece in pattern.split(separator: " ") {
            guard count < words.count else { return (given, count, false) }
            let word = words[count]
            let parameters = FaultParameter.all(in: piece)
            if parameters.isEmpty {
                guard piece == word.text || piece == word.text + "s" else {
                    return (given, count, false)
                }
            } else {
                let parts = word.parts(of: parameters.count)
                guard parts.count == parameters.count else { return (given, count, false) }
                if parameters == [.code], !FaultParameter.codes.contains(word.text) {
                    return ([], 0, false)
                }
                given += zip(parameters, parts)
            }
            count += 1
        }
        return (given, count, count == words.count)
    }

    /// Reads the words after the arrow by the patterns of ``FaultAction/form``.
    private static func action(
        _ words: [FaultWord]
    ) throws(FaultError) -> (FaultAction, [(FaultParameter, FaultWord)]) {
        let plain = words.filter { !$0.text.contains("=") }
        guard let first = plain.first else {
            throw FaultError("no action after \"->\"", suggestion: "-> THROTTLED retry=1s")
        }
        var best = (fitting: 0, example: "")
        for action in FaultAction.allCases {
            let form = action.form
            for pattern in form.patterns {
                var (given, fitting, isWhole) = Self.fit(plain, to: pattern)
                if isWhole {
                    for word in words where word.text.contains("=") {
                        given.append(try word.option(among: form.options, form.example))
                    }
                    return (action, given)
                }
                if fitting > best.fitting { best = (fitting, form.example) }
            }
        }
        guard best.fitting > 0 else {
            let whole = words.map(\.text).joined(separator: " ")
            let legal = FaultParameter.codes + FaultAction.allCases.map(\.form.example)
            throw FaultError(
                "unknown action \"\(first.text)\"",
                suggestion: NearestName.closest(to: whole, among: legal), column: first.column)
        }
        let word = plain[min(best.fitting, plain.count - 1)]
        throw FaultError(
            "\"\(word.text)\" is not understood, or not all of it", suggestion: best.example,
            column: word.column)
    }
}

extension FaultParameter {
    /// What stands between the ends of a range.
    static let range = ".."

    /// The parameters of a pattern, such as `{items}` and two of `{milliseconds}..{millisecondsMax}`.
    static func all(in pattern: some StringProtocol) -> [Self] {
        pattern.split(separator: "{").compactMap { piece in
            guard let end = piece.firstIndex(of: "}") else { return nil }
            let name = piece[..<end]
            return Self.allCases.first { "\($0)" == name }
        }
    }
}

/// A word of the text form and where it stands; `"…"` keeps spaces together.
struct FaultWord {
    let text: String
    /// Counted from 1, in bytes.
    let column: Int

    /// The word itself, or the ends of a range.
    func parts(of count: Int) -> [FaultWord] {
        guard count > 1 else { return [self] }
        var parts: [FaultWord] = []
        var column = column
        for part in text.split(separator: FaultParameter.range, omittingEmptySubsequences: false) {
            parts.append(FaultWord(text: String(part), column: column))
            column += part.utf8.count + FaultParameter.range.utf8.count
        }
        return parts
    }

    /// Reads `KEY=VALUE`.
    func option(
        among parameters: some Sequence<FaultParameter>, _ example: String
    ) throws(FaultError) -> (FaultParameter, FaultWord) {
        guard let mark = text.firstIndex(of: "=") else {
            throw FaultError("\"\(text)\" is not KEY=VALUE", suggestion: example, column: column)
        }
        let key = String(text[..<mark])
        guard let parameter = parameters.first(where: { $0.facts.word == key }) else {
            let legal = parameters.map(\.facts.word)
            throw FaultError(
                "unknown key \"\(key)\"",
                suggestion: NearestName.closest(to: key, among: legal) ?? example, column: column)
        }
        let value = String(text[text.index(after: mark)...])
        guard !value.isEmpty || parameter == .reason || parameter == .body else {
            throw FaultError("\"\(text)\" is not KEY=VALUE", suggestion: example, column: column)
        }
        return (parameter, FaultWord(text: value, column: column))
    }

    static func split(_ text: String) -> [FaultWord] {
        let mark = UInt8(ascii: "\"")
        var isQuoted = false
        let words = Array(text.utf8).split { byte in
            if byte == mark { isQuoted.toggle() }
            return !isQuoted && [0x09, 0x0A, 0x20].contains(byte)
        }
        return words.map { word in
            FaultWord(
                text: String(decoding: word.filter { $0 != mark }, as: UTF8.self),
                column: word.startIndex + 1)
        }
    }
}
