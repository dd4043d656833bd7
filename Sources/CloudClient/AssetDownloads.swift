package import CloudModel
package import HTTPClient

/// Fetches assets from the addresses that the service gives out with their records.
///
/// An address is a secret in itself: whoever has it may fetch the asset. It goes with no credential,
/// and into no message.
package struct AssetDownloads: AssetReading {
    /// In an address this stands for a file's name of the client's choice.
    private static let fileNamePlaceholder = "${f}"
    /// What a transfer may take, whatever its size, and for each second beyond that these bytes
    /// have to come.
    static let timeoutMin: Duration = .seconds(90)
    private static let bytesPerSecondMin: Int64 = 50_000

    private let endpoint: CloudEndpoint
    let client: HTTPClient

    /// - Parameter client: From ``CloudEndpoint/makeAssetClient(transfersInFlight:)``.
    package init(endpoint: CloudEndpoint, client: HTTPClient) {
        self.endpoint = endpoint
        self.client = client
    }

    /// See ``AssetReading/read(_:_:)``. Follows no redirect.
    package func read(
        _ asset: Asset, _ take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(CloudError) {
        guard asset.size >= 0 else {
            throw CloudError(.unexpectedResponse, reason: "an asset has a size below zero")
        }
        var request = HTTPClientRequest(.get, try address(asset.downloadURL))
        request.timeout = Self.timeoutMin + .seconds(asset.size / Self.bytesPerSecondMin)
        request.sink = BodySink(bytesMax: Int(asset.size), take: take)
        let answer: HTTPClientResponse
        do throws(HTTPClientError) {
            answer = try await client.send(request)
        } catch {
            // Bytes were announced: more of them is another asset than the record's.
            throw error.code == .tooLarge
                ? CloudError(.unexpectedResponse, reason: error.message) : CloudError(error)
        }
        guard answer.status != 200 else { return }
        throw Self.refusal(answer)
    }

    /// - Throws: `unexpectedResponse` for what no service gives out. Only over TLS, or where the
    ///   service itself is asked without: an answer must not lead us to any other program here.
    func address(_ given: String?) throws(CloudError) -> String {
        guard let given else {
            throw CloudError(.unexpectedResponse, reason: "an asset has no address")
        }
        guard given.hasPrefix("https://") || given.hasPrefix(endpoint.baseURL + "/") else {
            throw CloudError(
                .unexpectedResponse, reason: "the address of an asset leads away from the service")
        }
        guard let range = given.firstRange(of: Self.fileNamePlaceholder) else { return given }
        return given.replacingCharacters(in: range, with: "asset")
    }

    private static func refusal(_ answer: HTTPClientResponse) -> CloudError {
        switch answer.status {
        case 429, 503:
            CloudError(
                .tryAgainLater, reason: "assets cannot be fetched now",
                retryAfter: answer[header: "retry-after"].flatMap { Int64($0) }
                    .map { .seconds(max(0, min($0, 86_400))) })
        default:
            CloudError(
                .unexpectedResponse,
                reason: "the address of an asset answered with \(answer.status)")
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
