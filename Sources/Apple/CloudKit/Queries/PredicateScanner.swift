import Foundation

/// The words of a predicate's format.
struct PredicateScanner {
    enum Kind: Equatable {
        /// A name or keyword.
        case word
        /// `%@`, `%d`, `%K`, ...
        case argument
        case text
        case number
        /// An operator, brace, parenthesis or comma.
        case mark
        case end
    }

    struct Token {
        var kind: Kind
        var text: String
        /// Counted in characters, from 1.
        var column: Int
    }

    /// A format that is no predicate, or none that the service can ask for.
    struct Problem: Error {
        var reason: String
        var column: Int
    }

    private let characters: [Character]
    private var index = 0
    /// Beyond any sensible predicate.
    private static let lengthMax = 20_000

    init(_ format: String) throws(Problem) {
        characters = Array(format)
        guard characters.count <= Self.lengthMax else {
            throw Problem(reason: "longer than \(Self.lengthMax) characters", column: 1)
        }
    }

    private static let marks = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "&&", "||", "!", "(", ")", "{",
        "}", ",", "[", "]",
    ]

    mutating func next() throws(Problem) -> Token {
        while index < characters.count, characters[index].isWhitespace { index += 1 }
        guard index < characters.count else {
            return Token(kind: .end, text: "the end", column: index + 1)
        }
        let start = index
        let first = characters[index]
        if first == "'" || first == "\"" { return try quoted(first) }
        if first == "%" { return try argument() }
        if first.isNumber || first == "-" { return number() }
        if Self.isWordStart(first) {
            while index < characters.count, Self.isWordPart(characters[index]) { index += 1 }
            return token(.word, from: start)
        }
        for mark in Self.marks where characters[start...].starts(with: mark) {
            index += mark.count
            return token(.mark, from: start)
        }
        throw Problem(reason: "\"\(first)\" is unexpected here", column: start + 1)
    }

    private static func isWordStart(_ character: Character) -> Bool {
        character.isLetter || character == "_" || character == "@"
    }

    /// Names may have dots, and one function has colons.
    private static func isWordPart(_ character: Character) -> Bool {
        isWordStart(character) || character.isNumber || character == "." || character == ":"
    }

    private func token(_ kind: Kind, from start: Int) -> Token {
        Token(kind: kind, text: String(characters[start..<index]), column: start + 1)
    }

    private mutating func quoted(_ quote: Character) throws(Problem) -> Token {
        let start = index
        var text = ""
        index += 1
        while index < characters.count {
            let character = characters[index]
            index += 1
            if character == quote { return Token(kind: .text, text: text, column: start + 1) }
            if character == "\\", index < characters.count {
                text.append(characters[index])
                index += 1
            } else {
                text.append(character)
            }
        }
        throw Problem(reason: "a string without its closing quote", column: start + 1)
    }

    private mutating func argument() throws(Problem) -> Token {
        let start = index
        index += 1
        while index < characters.count, "hlqjzt".contains(characters[index]) { index += 1 }
        guard index < characters.count, "@KdDiuUfFeEgGxXs".contains(characters[index]) else {
            throw Problem(reason: "a \"%\" that is not a known placeholder", column: start + 1)
        }
        index += 1
        return token(.argument, from: start)
    }

    private mutating func number() -> Token {
        let start = index
        index += 1
        while index < characters.count {
            let character = characters[index]
            let isSign = character == "-" || character == "+"
            let isExponent = "eE".contains(characters[index - 1])
            guard
                character.isNumber || character == "." || "eE".contains(character)
                    || isSign && isExponent
            else { break }
            index += 1
        }
        return token(.number, from: start)
    }
}
