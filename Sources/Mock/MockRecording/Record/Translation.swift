package import CloudModel
import CloudWire
package import HTTPClient
import HTTPServer

/// What becomes of a client's request.
package enum Translation: Sendable {
    /// It is sent to the service, and its answer is recorded.
    case forward(Forwarded)
    /// The proxy answers itself, and that is recorded: the program is to get the same when it is replayed.
    case refuse(CloudError, RecordedRequest)
    /// A browser is sent elsewhere; nothing of it is recorded.
    case redirect(String)

    /// A request on its way to the service.
    package struct Forwarded: Sendable {
        package let request: HTTPClientRequest
        /// As it is recorded.
        package let recorded: RecordedRequest
        /// Whether the client has signed it: then it must arrive as it is, and the client has to know names as
        /// they are.
        let isSigned: Bool
        let route: WireRoute?
        /// Whether the answer is the bytes of an asset, which are nobody's to change.
        let isDownload: Bool
    }
}

/// An answer, as it is recorded and as the client gets it.
package struct TranslatedAnswer: Sendable {
    package let recorded: RecordedAnswer
    package let sent: RecordedAnswer
}
