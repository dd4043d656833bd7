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
                    "\(host) showed another key than before in this run, so nothing was sent to "
                        + "it: if its certificate was renewed, begin anew; otherwise somebody may "
                        + "be listening in"
                )
            case .keyUnknown:
                (.tlsFailed, "the key of \(host) cannot be read from the connection")
            case .head(.invalid(let problem)):
                (.invalidResponse, "the answer of \(host) \(problem)")
            case .head(.tooLarge), .bodyTooLarge:
                (
                    .tooLarge,
                    "the answer of \(host) is larger than \(configuration.responseBytesMax) "
                        + "bytes, or its headers than \(configuration.headerBytesMax)"
                )
            case .longerThan(let count):
                (.tooLarge, "the answer of \(host) is longer than the \(count) bytes announced")
            case .notTaken:
                (.notTaken, "the answer of \(host) could not be put where it was to go")
            case .notGiven:
                (.notGiven, "what was to be sent to \(host) could not be read to its end")
            }
        return HTTPClientError(code, message, mayHaveBeenCarriedOut: wasSent)
    }
}
