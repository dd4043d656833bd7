/// Where the bytes of assets are sent, before the record is saved that they are beside.
package protocol AssetSending: Sendable {
    /// Sends the bytes of an asset piece by piece.
    ///
    /// - Parameters:
    ///   - address: From an answer to ``CloudWrite/uploadAssets(_:)`` that is not old.
    ///   - give: Is asked for the next piece, of 1 to so many bytes, never twice at a time, none after
    ///     this returns, and until `byteCount` bytes were given; nil ends the transfer.
    /// - Returns: What is to be the field's value, with its receipt and `byteCount` as its size.
    /// - Throws: the service's error, or `unexpectedResponse` when the address cannot be asked, or
    ///   answers for something else.
    func send(
        _ byteCount: Int, to address: String, _ give: @escaping @Sendable (Int) -> [UInt8]?
    ) async throws(CloudError) -> Asset
}
