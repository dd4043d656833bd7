/// What is done about one request.
package enum Saying: Sendable {
    case answer(Answer)
    /// Exactly these bytes; the connection stays open.
    case bytes([UInt8])
    /// Exactly these bytes, and the end of the connection.
    case bytesThenClose([UInt8])
    /// These bytes again and again, until the client goes away.
    case bytesForEver(first: [UInt8], then: [UInt8])
    /// Nothing until the client goes away; then the answer, to nobody.
    case silence
    /// The end of the connection.
    case close

    /// The answer, where it is a whole one.
    package var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }
}
