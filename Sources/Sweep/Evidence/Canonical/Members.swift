import Basics

/// The members of an object, each taken once: what nobody takes is an error, because the predicate
/// does not opt into in-toto's rule that unknown fields are ignored.
struct Members {
    private var rest: [(String, CanonicalValue)]
    private let place: String

    /// - Parameter place: What errors call the object.
    /// - Throws: `fields` when the value is no object.
    init(_ value: CanonicalValue, _ place: String) throws(EvidenceError) {
        guard case .object(let members) = value else {
            throw EvidenceError(.fields, "\(place) is not an object")
        }
        // Keys of ours are ASCII, of which no two are equal by normalisation.
        guard members.allSatisfy({ $0.0.utf8.allSatisfy { (0x21..<0x7F).contains($0) } }) else {
            throw EvidenceError(.fields, "\(place) has a field that this version does not have")
        }
        rest = members
        self.place = place
    }

    /// A search from the beginning: an object of ours has no more than two dozen members.
    private func index(of key: String) -> Int? { rest.firstIndex { $0.0 == key } }

    private func has(_ key: String) -> Bool { index(of: key) != nil }

    mutating func value(_ key: String) throws(EvidenceError) -> CanonicalValue {
        guard let index = index(of: key) else {
            throw EvidenceError(.fields, "\(place) has no \"\(key)\"")
        }
        return rest.remove(at: index).1
    }

    mutating func text(_ key: String) throws(EvidenceError) -> String {
        guard case .text(let text) = try value(key) else { throw wrong(key, "a text") }
        return text
    }

    mutating func optionalText(_ key: String) throws(EvidenceError) -> String? {
        has(key) ? try text(key) : nil
    }

    mutating func integer(_ key: String) throws(EvidenceError) -> Int64 {
        guard case .number(let number) = try value(key) else { throw wrong(key, "a number") }
        return number
    }

    /// A number that counts something.
    mutating func count(_ key: String) throws(EvidenceError) -> Int {
        let number = try integer(key)
        guard number >= 0 else { throw wrong(key, "a count") }
        return Int(number)
    }

    mutating func optionalCount(_ key: String) throws(EvidenceError) -> Int? {
        has(key) ? try count(key) : nil
    }

    mutating func time(_ key: String) throws(EvidenceError) -> Timestamp {
        Timestamp(milliseconds: try integer(key))
    }

    mutating func flag(_ key: String) throws(EvidenceError) -> Bool {
        guard case .flag(let flag) = try value(key) else { throw wrong(key, "true or false") }
        return flag
    }

    mutating func list(_ key: String) throws(EvidenceError) -> [CanonicalValue] {
        guard case .list(let list) = try value(key) else { throw wrong(key, "a list") }
        return list
    }

    /// A text of as many bytes in lower-case hexadecimal digits.
    mutating func digest(_ key: String, bytes count: Int = 32) throws(EvidenceError) -> String {
        let text = try text(key)
        guard Hexadecimal.decode(text)?.count == count else {
            throw wrong(key, "\(count) bytes in hexadecimal digits")
        }
        return text
    }

    mutating func optionalDigest(_ key: String) throws(EvidenceError) -> String? {
        has(key) ? try digest(key) : nil
    }

    mutating func optionalTime(_ key: String) throws(EvidenceError) -> Timestamp? {
        has(key) ? try time(key) : nil
    }

    /// One of the words of a closed list.
    mutating func word<Word: RawRepresentable<String>>(
        _ key: String, _ type: Word.Type
    ) throws(EvidenceError) -> Word {
        guard let word = Word(rawValue: try text(key)) else {
            throw wrong(key, "a word of this version")
        }
        return word
    }

    mutating func object(_ key: String) throws(EvidenceError) -> Members {
        try Members(try value(key), "\(place).\(key)")
    }

    mutating func optionalObject(_ key: String) throws(EvidenceError) -> Members? {
        has(key) ? try object(key) : nil
    }

    /// Each of the objects of a list, read by `body`.
    mutating func objects<Value>(
        _ key: String, _ body: (inout Members) throws(EvidenceError) -> Value
    ) throws(EvidenceError) -> [Value] {
        var values: [Value] = []
        for (index, element) in try list(key).enumerated() {
            var members = try Members(element, "\(place).\(key)[\(index)]")
            values.append(try body(&members))
            try members.finish()
        }
        return values
    }

    /// Ends the reading.
    ///
    /// - Throws: `fields` when something is left.
    consuming func finish() throws(EvidenceError) {
        guard let key = rest.first?.0 else { return }
        throw EvidenceError(
            .fields, "\(place) has a field that this version does not have: \"\(key.prefix(40))\"")
    }

    private func wrong(_ key: String, _ what: String) -> EvidenceError {
        EvidenceError(.fields, "\(place).\(key) is not \(what)")
    }
}
