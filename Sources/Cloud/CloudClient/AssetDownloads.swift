package import CloudModel
package import HTTPClient

/// Fetches assets from the addresses that the service gives out with their records.
///
/// An address is a secret in itself: whoever has it may fetch the asset. It goes with no credential,
/// and into no message.
package struct AssetDownloads: AssetReading {
    /// What a transfer may take, whatever its size, and for each second beyond that these bytes
    /// have to come.
    package static let timeoutMin: Duration = .seconds(90)
    private static let bytesPerSecondMin: Int64 = 50_000

    let endpoint: CloudEndpoint
    let send: HTTPCloudDatabase.Exchange
    /// What a question whether an asset is there may take.
    let probeTimeout: Duration

    /// - Parameters:
    ///   - client: From ``CloudEndpoint/makeAssetClient(transfersInFlight:)``.
    ///   - probeTimeout: What a question whether an asset is there may take.
    package init(
        endpoint: CloudEndpoint, client: HTTPClient, probeTimeout: Duration = Self.timeoutMin
    ) {
        self.init(endpoint: endpoint, probeTimeout: probeTimeout) {
            request throws(HTTPClientError) in try await client.send(request)
        }
    }

    /// - Parameters:
    ///   - probeTimeout: What a question whether an asset is there may take.
    ///   - send: Sends a request of any length, and keeps to its sink.
    package init(
        endpoint: CloudEndpoint, probeTimeout: Duration = Self.timeoutMin,
        send: @escaping HTTPCloudDatabase.Exchange
    ) {
        self.endpoint = endpoint
        self.probeTimeout = probeTimeout
        self.send = send
    }

    /// See ``AssetReading/read(_:_:)``. Follows no redirect.
    package func read(
        _ asset: Asset, _ take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(CloudError) {
        guard asset.size >= 0 else {
            throw CloudError(.unexpectedResponse, reason: "an asset has a negative size")
        }
        var request = HTTPClientRequest(.get, try endpoint.assetAddress(asset.downloadURL))
        request.timeout = Self.timeout(forBytes: asset.size)
        request.sink = BodySink(bytesMax: Int(asset.size), take: take)
        let answer: HTTPClientResponse
        do throws(HTTPClientError) {
            answer = try await send(request)
        } catch {
            // Bytes were announced: more of them is another asset than the record's.
            throw error.code == .tooLarge
                ? CloudError(.unexpectedResponse, reason: error.message) : CloudError(error)
        }
        guard answer.status != 200 else { return }
        throw Self.refusal(answer)
    }

    /// How long a transfer of so many bytes may take.
    static func timeout(forBytes count: Int64) -> Duration {
        timeoutMin + .seconds(count / bytesPerSecondMin)
    }

    /// How long the host of an asset asks to wait: at most a day, since it is held against the database.
    static func wait(askedBy answer: HTTPClientResponse) -> Duration? {
        answer[header: "retry-after"].flatMap { Int64($0) }.map {
            .seconds(max(0, min($0, 86_400)))
        }
    }

    private static func refusal(_ answer: HTTPClientResponse) -> CloudError {
        switch answer.status {
        case 429, 503:
            CloudError(
                .tryAgainLater, reason: "assets cannot be fetched now",
                retryAfter: wait(askedBy: answer))
        default:
            CloudError(
                .unexpectedResponse,
                reason: "the address of an asset returned \(answer.status)")
        }
    }
}
