/// What is done about one request.
package enum Saying: Sendable {
    case answer(Answer)
    /// Exactly these bytes; the connection stays open.
    case bytes([UInt8])
    /// Exactly these bytes, and the end of the connection.
    case bytesThenClose([UInt8])
    /// These bytes again and again, until the client goes away.
    case bytesForEver(first: [UInt8], then: [UInt8])
    /// Nothing until the client goes away.
    case silence
    /// Nothing until the client goes away, and then these bytes.
    case late([UInt8])
    /// The end of the connection.
    case close

    /// The answer, where it is a whole one.
    package var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }

    /// Whether the other says the same, however its JSON is spelled.
    func isTheSame(as other: Saying) -> Bool {
        switch (self, other) {
        case (.answer(let mine), .answer(let others)):
            mine.status == others.status && mine.headers == others.headers
                && (mine.body == others.body || mine.json != nil && mine.json == others.json)
        case (.close, .close), (.silence, .silence): true
        case (.bytes(let mine), .bytes(let others)),
            (.bytesThenClose(let mine), .bytesThenClose(let others)):
            mine == others
        default: false
        }
    }
}
