/// Puts a server's own address where answers of a recording lead to it.
package enum OwnAddress {
    private static let standIn = Array(AddressBook.origin.utf8)

    /// The same answer of a server at `url`.
    package static func filled(_ answer: RecordedAnswer, _ url: String) -> RecordedAnswer {
        var answer = answer
        answer.body = replaced(standIn, with: Array(url.utf8), in: answer.body)
        return answer
    }

    /// A request's body as a recording has it, where the server is at `url`.
    static func hidden(_ body: [UInt8], _ url: String) -> [UInt8] {
        replaced(Array(url.utf8), with: standIn, in: body)
    }

    private static func replaced(
        _ text: [UInt8], with other: [UInt8], in body: [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = body[at...].firstIndex(of: text[0]) {
            at = start + 1
            guard body[start...].starts(with: text) else { continue }
            result += body[copied..<start]
            result += other
            copied = start + text.count
            at = copied
        }
        return copied == 0 ? body : result + body[copied...]
    }
}
