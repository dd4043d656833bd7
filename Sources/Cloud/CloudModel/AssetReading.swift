/// Where the bytes of assets are fetched. Has no way to change anything.
package protocol AssetReading: Sendable {
    /// Fetches the bytes of an asset piece by piece.
    ///
    /// - Parameters:
    ///   - asset: With its ``Asset/downloadURL``, from an answer that is not old.
    ///   - take: Is given each piece in turn, never two at a time and none after this returns;
    ///     false ends the transfer.
    /// - Throws: `unexpectedResponse` when the address cannot be asked, leads to nothing (any more),
    ///   or to more than ``Asset/size`` bytes. Fewer bytes are for the caller to notice.
    func read(
        _ asset: Asset, _ take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(CloudError)
}
