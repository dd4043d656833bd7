/// The small words of a query string.
struct QueryScanner {
    private let scalars: [Unicode.Scalar]
    /// How many scalars have been read.
    private(set) var position = 0

    init(_ query: String) {
        scalars = Array(query.unicodeScalars.prefix(QueryPredicate.lengthMax + 1))
    }

    var count: Int { scalars.count }
    var isAtEnd: Bool { position == scalars.count }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

    mutating func skipSpace() {
        while let next, next.properties.isWhitespace { position += 1 }
    }

    /// Passes over `token`, and over space before it, if it comes next.
    mutating func skip(_ token: String) -> Bool {
        let start = position
        skipSpace()
        if skipNow(token) { return true }
        position = start
        return false
    }

    /// Passes over `token` if it comes at once.
    mutating func skipNow(_ token: String) -> Bool {
        let wanted = token.unicodeScalars
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    /// A name of letters, digits and underscores; empty when there is none.
    mutating func word() -> String {
        var word = String.UnicodeScalarView()
        while let next, Self.isLetter(next) || (!word.isEmpty && Self.isDigit(next)) {
            word.append(next)
            position += 1
        }
        return String(word)
    }

    /// What comes before `end`, which is passed over too; nil when there is no `end`.
    mutating func text(until end: Unicode.Scalar) -> String? {
        guard let found = scalars[position...].firstIndex(of: end) else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[position..<found])
        position = found + 1
        return String(text)
    }

    /// The quote that comes next, passed over.
    mutating func quote() -> Unicode.Scalar? {
        guard let next, next == "\"" || next == "'" else { return nil }
        position += 1
        return next
    }

    /// The pieces of a quoted text between its wildcards.
    mutating func pieces(
        endingAt quote: Unicode.Scalar, from start: Int
    ) throws(QueryError) -> [String] {
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        while var scalar = next {
            position += 1
            if scalar == quote {
                pieces.append(String(piece))
                return pieces
            }
            if scalar == "*" {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
                continue
            }
            if scalar == "\\" {
                guard let escaped = next else { break }
                scalar = escaped
                position += 1
            }
            piece.append(scalar)
        }
        throw QueryError(.unclosedText, at: start)
    }

    /// The letters after a quoted text.
    mutating func modifiers() throws(QueryError) -> QueryPattern.Modifiers {
        var modifiers: QueryPattern.Modifiers = []
        while let next, Self.isLetter(next) || Self.isDigit(next) {
            switch next {
            case "c": modifiers.insert(.caseInsensitive)
            case "d": modifiers.insert(.diacriticInsensitive)
            case "w": modifiers.insert(.wordBased)
            default: throw QueryError(.unknownModifier, at: position)
            }
            position += 1
        }
        return modifiers
    }

    var isAtNumber: Bool { next.map { Self.isDigit($0) || $0 == "-" || $0 == "." } ?? false }

    /// A decimal number, which may have a sign, a fraction and an exponent.
    mutating func number() -> Double? {
        var text = ""
        while let next, Self.isDigit(next) || "+-.eE".unicodeScalars.contains(next) {
            text.unicodeScalars.append(next)
            position += 1
        }
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || (scalar.isASCII && (scalar.value | 0x20) &- 0x61 < 26)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value &- 0x30 < 10
    }
}
