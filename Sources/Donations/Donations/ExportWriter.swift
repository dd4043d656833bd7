import Basics

/// Writes rows as canonical JSON: the same rows give the same bytes.
///
/// Keys stand in a fixed order, what is not set is left out, and nothing is escaped that need not
/// be.
package struct ExportWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// Whether the next line is the first of its list.
    var isFirst = true

    /// An empty text.
    package init() {}

    /// Hands over what was written, and goes on after it.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Writes text as it stands, with no comma before the next value.
    package mutating func raw(_ text: String) {
        bytes += text.utf8
        needsComma = false
    }

    mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }

    mutating func open(_ bracket: Character) {
        separate()
        bytes += String(bracket).utf8
        needsComma = false
    }

    mutating func close(_ bracket: Character) {
        bytes += String(bracket).utf8
        needsComma = true
    }

    mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func literal(_ text: String) {
        separate()
        bytes += text.utf8
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                bytes += ("\\u00" + (hex.utf8.count == 1 ? "0" : "") + hex).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    mutating func field(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    mutating func field(_ name: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        key(name)
        open("[")
        for text in texts { string(text) }
        close("]")
    }

    /// A value; what JSON has no word for becomes an object with one key such as `$date`.
    mutating func payload(_ value: PayloadValue) {
        switch value {
        case .null: literal("null")
        case .bool(let flag): literal(flag ? "true" : "false")
        case .integer(let number): literal(String(number))
        case .double(let number): double(number)
        case .string(let text): string(text)
        case .data(let bytes): tagged("$data") { $0.string(Base64.encode(bytes)) }
        case .date(let seconds): tagged("$date") { $0.double(seconds) }
        case .url(let text): tagged("$url") { $0.string(text) }
        case .uuid(let bytes): tagged("$uuid") { $0.string(UUIDText.text(bytes)) }
        case .array(let elements): list(elements)
        case .set(let elements):
            let sorted = elements.sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            tagged("$set") { $0.list(sorted) }
        case .dictionary(let pairs): dictionary(pairs)
        }
    }

    private mutating func dictionary(_ pairs: [(key: PayloadValue, value: PayloadValue)]) {
        let sorted = pairs.sorted { $0.key.encoded.lexicographicallyPrecedes($1.key.encoded) }
        let names = sorted.compactMap { pair -> String? in
            if case .string(let name) = pair.key, !name.hasPrefix("$") { name } else { nil }
        }
        guard names.count == sorted.count else {
            // Keys that JSON cannot have: a list of pairs.
            return tagged("$dictionary") { writer in
                writer.list(sorted.map { .array([$0.key, $0.value]) })
            }
        }
        open("{")
        for (name, pair) in zip(names, sorted) {
            key(name)
            payload(pair.value)
        }
        close("}")
    }

    private mutating func list(_ elements: [PayloadValue]) {
        open("[")
        for element in elements { payload(element) }
        close("]")
    }

    private mutating func tagged(_ name: String, _ write: (inout ExportWriter) -> Void) {
        open("{")
        key(name)
        write(&self)
        close("}")
    }

    /// Always with a point or an exponent, so that it stays a double.
    private mutating func double(_ number: Double) {
        guard number.isFinite else { return tagged("$double") { $0.string("\(number)") } }
        literal("\(number)")
    }
}

/// The usual way to write 16 bytes.
enum UUIDText {
    /// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let hex = String(byte, radix: 16, uppercase: true)
            text += (hex.utf8.count == 1 ? "0" : "") + hex
        }
        return text
    }
}
