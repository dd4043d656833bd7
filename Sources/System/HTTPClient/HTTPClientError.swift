/// Why there is no answer. Never holds a URL's query, a header or a body.
package struct HTTPClientError: Error, Sendable, Hashable {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The request is one that we do not send: a bad URL, `http://` to another machine.
        case invalidRequest
        case nameNotResolved
        /// Refused, unreachable, or a proxy that does not let us through.
        case couldNotConnect
        /// Nobody we trust vouches for the server's certificate.
        case certificateUntrusted
        /// The certificate is for other host names.
        case certificateWrongHost
        /// The certificate is no longer, or not yet, valid.
        case certificateExpired
        /// The server's key is not the one that it showed at this client's first request.
        case certificateChanged
        /// The file with our certificate authorities cannot be read.
        case trustUnreadable
        /// TLS failed for another reason, such as no version in common.
        case tlsFailed
        case timedOut
        /// The connection ended before the answer did.
        case connectionLost
        /// What arrived is not HTTP, or is encoded in a way that was not asked for.
        case invalidResponse
        case tooLarge
        /// Who takes the body of the answer takes no more of it.
        case notTaken
        /// Who gives the body of the request does not give all of it.
        case notGiven
        case cancelled
        /// The client was shut down.
        case shutDown
    }

    package let code: Code
    /// Words for people: what happened, with which host, and what to do where that is known.
    package let message: String
    /// Whether the request may have reached the server, and so may have been carried out.
    package let mayHaveBeenCarriedOut: Bool

    package init(_ code: Code, _ message: String, mayHaveBeenCarriedOut: Bool) {
        self.code = code
        self.message = message
        self.mayHaveBeenCarriedOut = mayHaveBeenCarriedOut
    }
}
