package import CloudModel

/// How the bytes of assets get to a service and back.
package struct AssetWay: Sendable {
    let reading: any AssetReading
    let sending: any AssetSending
    /// Whether it is Apple's service, whose checksums nobody else can work out.
    let isApple: Bool

    /// Transfers under way at once for one request.
    static let transfersMax = 4

    package init(
        reading: any AssetReading, sending: any AssetSending, isApple: Bool = false
    ) {
        self.reading = reading
        self.sending = sending
        self.isApple = isApple
    }
}

extension CKError {
    /// What the transfer of an asset failed with.
    init(transfer error: CloudError, container: String?) {
        if error.httpStatus == 413, error.code != .quotaExceeded {
            self.init(.limitExceeded, error.reason)
            return
        }
        switch error.code {
        // The address is good no more, leads to a stranger, or what came is not the asset.
        case .certificateUntrusted, .notFound, .conflict, .accessDenied, .unexpectedResponse,
            .answerTooLarge, .unknown:
            self.init(.assetNotAvailable, error.reason)
        default:
            self.init(error, .request, container: container)
        }
    }
}
