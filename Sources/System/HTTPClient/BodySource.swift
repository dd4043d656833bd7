/// Where the body of a request comes from that is too large to be kept.
package struct BodySource: Sendable {
    /// What the body has in all, and the request says it has.
    package let byteCount: Int
    /// Gives the next piece, of 1 to so many bytes, on the client's thread: nothing else is sent or
    /// read until it returns. Nil, or a piece that is empty or longer, ends the request with
    /// ``HTTPClientError/Code/notGiven``. Not called once all bytes were given.
    package let give: @Sendable (Int) -> [UInt8]?

    package init(byteCount: Int, give: @escaping @Sendable (Int) -> [UInt8]?) {
        precondition(byteCount >= 0, "a body of negative size")
        self.byteCount = byteCount
        self.give = give
    }
}
