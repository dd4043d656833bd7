/// Where the body of an answer goes that is too large to be kept.
package struct BodySink: Sendable {
    /// The body is handed on in pieces of about so many bytes.
    package static let pieceBytes = 1 << 18

    /// More bytes than this fail the request with ``HTTPClientError/Code/tooLarge``, before any is
    /// read where the length is announced.
    package let bytesMax: Int
    /// Takes the next piece, on the client's thread: the server is not read from until it returns.
    /// False ends the request with ``HTTPClientError/Code/notTaken``.
    package let take: @Sendable ([UInt8]) -> Bool

    package init(bytesMax: Int, take: @escaping @Sendable ([UInt8]) -> Bool) {
        self.bytesMax = bytesMax
        self.take = take
    }
}
