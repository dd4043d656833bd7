import CloudModel

/// The text form, as on the command line:
///
///     OPERATION[@CONTAINER][/SCOPE][#ZONE] [type=T] [user=U] [nth=3] [every=2] [times=2]
///         [probability=0.1] -> ACTION
extension FaultRule {
    /// The rule in its text form, which ``init(id:text:)`` reads back.
    package var text: String {
        var text = operation.description
        if let container { text += "@\(container)" }
        if let scope { text += "/\(scope.rawValue)" }
        if let zone { text += "#\(zone)" }
        if let recordType { text += " type=\(recordType)" }
        if let user { text += " user=\(user)" }
        if let device { text += " device=\(device)" }
        if let nth { text += " nth=\(nth)" }
        if let every { text += " every=\(every)" }
        if let times { text += " times=\(times)" }
        if let probability { text += " probability=\(probability)" }
        return text + " -> " + action.text
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
        let action = try FaultAction(words: words[(arrow + 1)...])
        let target = try Target(words[0])
        self.init(id: id, target.operation, action)
        container = target.container
        scope = target.scope
        zone = target.zone
        for word in words[1..<arrow] { try apply(word) }
        try check()
    }

    private mutating func apply(_ word: FaultWord) throws(FaultError) {
        let parts = word.text.split(separator: "=", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else {
            throw FaultError(
                "\"\(word.text)\" is not KEY=VALUE", suggestion: "times=1", column: word.column)
        }
        func number() throws(FaultError) -> Int {
            guard let value = Int(parts[1]) else {
                throw FaultError(
                    "\(parts[0]) needs a whole number", suggestion: "\(parts[0])=1",
                    column: word.column)
            }
            return value
        }
        switch parts[0] {
        case "type": recordType = parts[1]
        case "user": user = parts[1]
        case "device": device = parts[1]
        case "nth": nth = try number()
        case "every": every = try number()
        case "times": times = try number()
        case "probability":
            guard let value = Double(parts[1]) else {
                throw FaultError(
                    "probability needs a number", suggestion: "probability=0.1",
                    column: word.column)
            }
            probability = value
        default:
            let keys = ["type", "user", "device", "nth", "every", "times", "probability"]
            throw FaultError(
                "unknown key \"\(parts[0])\"",
                suggestion: NearestName.closest(to: parts[0], among: keys), column: word.column)
        }
    }

    /// The first word: operation, container, scope and zone.
    private struct Target {
        var operation = FaultOperation.any
        var container: Glob?
        var scope: Database.Scope?
        var zone: Glob?

        init(_ word: FaultWord) throws(FaultError) {
            var rest = Substring(word.text)
            if let mark = rest.firstIndex(of: "#") {
                zone = Glob(String(rest[rest.index(after: mark)...]))
                rest = rest[..<mark]
            }
            if let slash = rest.lastIndex(of: "/"),
                let scope = Database.Scope(rawValue: String(rest[rest.index(after: slash)...]))
            {
                self.scope = scope
                rest = rest[..<slash]
            }
            if let mark = rest.firstIndex(of: "@") {
                container = Glob(String(rest[rest.index(after: mark)...]))
                rest = rest[..<mark]
            }
            guard let operation = FaultOperation(String(rest)) else {
                throw FaultError(
                    "unknown operation \"\(rest)\"",
                    suggestion: FaultOperation.nearest(to: String(rest)), column: word.column)
            }
            self.operation = operation
        }
    }
}

/// A word of the text form and where it stands; `"…"` keeps spaces together.
struct FaultWord {
    let text: String
    /// Counted from 1, in bytes.
    let column: Int

    static func split(_ text: String) -> [FaultWord] {
        var words: [FaultWord] = []
        var current: [UInt8] = []
        var start = 0
        var quoted = false
        for (index, byte) in (Array(text.utf8) + [0x20]).enumerated() {
            if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if !quoted, byte == 0x20 || byte == 0x09 || byte == 0x0A {
                if !current.isEmpty {
                    let word = String(decoding: current, as: UTF8.self)
                    words.append(FaultWord(text: word, column: start + 1))
                }
                current = []
            } else {
                if current.isEmpty { start = index }
                current.append(byte)
            }
        }
        if !current.isEmpty {
            let word = String(decoding: current.dropLast(), as: UTF8.self)
            words.append(FaultWord(text: word, column: start + 1))
        }
        return words
    }
}
