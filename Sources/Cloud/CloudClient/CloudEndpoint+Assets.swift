import CloudModel

extension CloudEndpoint {
    /// In an address this stands for a file's name of the client's choice.
    private static let fileNamePlaceholder = "${f}"

    /// The address that the bytes of an asset are fetched from or sent to.
    ///
    /// - Throws: `unexpectedResponse` for what no service gives out. Only over TLS, or where the
    ///   service itself is asked without: an answer must not lead us to any other program here.
    func assetAddress(_ given: String?) throws(CloudError) -> String {
        guard let given else {
            throw CloudError(.unexpectedResponse, reason: "an asset has no address")
        }
        guard given.hasPrefix("https://") || given.hasPrefix(baseURL + "/") else {
            throw CloudError(
                .unexpectedResponse, reason: "the address of an asset is outside the service")
        }
        guard let range = given.firstRange(of: Self.fileNamePlaceholder) else { return given }
        return given[..<range.lowerBound] + "asset" + given[range.upperBound...]
    }
}
