/// Why a transfer was ended on our side.
enum TransferRefusal {
    /// The server showed another key than at the first request.
    case keyChanged
    /// The key of the connection cannot be told.
    case keyUnknown
    case head(ResponseHead.Refusal)
    case bodyTooLarge
    /// The body is longer than who takes it was told, in bytes.
    case longerThan(Int)
    /// Who takes the body takes no more of it.
    case notTaken
    /// Who gives the request's body does not give all of it.
    case notGiven

    func error(
        from host: String, wasSent: Bool, _ configuration: HTTPClientConfiguration
    ) -> HTTPClientError {
        let (code, message): (HTTPClientError.Code, String) =
            switch self {
            case .keyChanged:
                (
                    .certificateChanged,
                    "\(host) presented another key than before in this run, so nothing was sent "
                        + "to it: if its certificate was renewed, start a new run; otherwise the "
                        + "connection may be intercepted"
                )
            case .keyUnknown:
                (.tlsFailed, "cannot read the key of \(host) from the connection")
            case .head(.invalid(let problem)):
                (.invalidResponse, "the response of \(host) \(problem)")
            case .head(.tooLarge), .bodyTooLarge:
                (
                    .tooLarge,
                    "the response of \(host) is larger than \(configuration.responseBytesMax) "
                        + "bytes, or its headers than \(configuration.headerBytesMax)"
                )
            case .longerThan(let count):
                (.tooLarge, "the response of \(host) is longer than the \(count) bytes announced")
            case .notTaken:
                (.notTaken, "the response of \(host) could not be stored")
            case .notGiven:
                (.notGiven, "the data to send to \(host) could not be read completely")
            }
        return HTTPClientError(code, message, mayHaveBeenCarriedOut: wasSent)
    }
}
