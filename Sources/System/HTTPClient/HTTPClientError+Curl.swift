import CCurl

extension HTTPClientError {
    /// What a failed transfer means.
    init(_ code: CURLcode, transfer: Transfer, configuration: HTTPClientConfiguration) {
        let host = transfer.url.host
        let wasSent = transfer.wasSent
        let words = transfer.handle.failureText
        func make(_ code: Code, _ message: String) -> HTTPClientError {
            HTTPClientError(code, message, mayHaveBeenCarriedOut: wasSent)
        }
        if let refusal = transfer.refusal {
            self = refusal.error(from: host, wasSent: wasSent, configuration)
            return
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self = make(.nameNotResolved, "no address was found for \(host)")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = make(
                .nameNotResolved, "no address was found for the proxy on the way to \(host)")
        case CURLE_PEER_FAILED_VERIFICATION:
            self = .certificate(verdict: transfer.handle.chainVerdict, host: host, words: words)
        case CURLE_SSL_CACERT_BADFILE:
            let source =
                if case .file(let path) = configuration.trust { path } else { "given in memory" }
            self = make(
                .trustUnreadable, "cannot read the certificate authorities (\(source)): \(words)"
            )
        case CURLE_OPERATION_TIMEDOUT:
            self = make(
                .timedOut,
                wasSent
                    ? "\(host) did not reply completely within \(transfer.timeout)"
                    : words.isEmpty
                        ? "no connection to \(host) within \(transfer.timeout)"
                        : "no connection to \(host) in time: \(words)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
            self = make(.tlsFailed, "no TLS connection to \(host): \(words)")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            self = make(.invalidResponse, "\(host) did not reply in HTTP: \(words)")
        case CURLE_OUT_OF_MEMORY where wasSent, .tooLarge:
            // A single line of a header is longer than libcurl takes.
            self = TransferRefusal.head(.tooLarge)
                .error(from: host, wasSent: wasSent, configuration)
        default:
            // 52, 55, 56, 16, 92, 18, 42 and whatever else ends a connection.
            self =
                wasSent
                ? make(
                    .connectionLost,
                    "the connection to \(host) ended before the response did (\(words))")
                : make(.couldNotConnect, "no connection to \(host): \(words)")
        }
    }

    /// What is wrong with a certificate, and what to do.
    ///
    /// - Parameter verdict: OpenSSL's `X509_V_ERR_…` on the chain. When that is well and the name
    ///   does not fit, libcurl leaves the 1 that it began with (0 in other versions); 62 to 64 are
    ///   OpenSSL's own for names.
    /// - SeeAlso: <https://docs.openssl.org/3.0/man3/X509_STORE_CTX_get_error/>
    private static func certificate(verdict: Int, host: String, words: String) -> HTTPClientError {
        let (code, advice): (Code, String) =
            switch verdict {
            case 0, 1, 62...64:
                (
                    .certificateWrongHost,
                    "the certificate is for another name than \(host): use a name that it "
                        + "contains, or give the server a certificate for \(host)"
                )
            case 9, 10:
                (
                    .certificateExpired,
                    "the certificate of \(host) is expired or not yet valid: renew it, or check "
                        + "this machine's clock"
                )
            default:
                (
                    .certificateUntrusted,
                    "the certificate of \(host) is not trusted: if the server is yours, name "
                        + "the file of its certificate authority (CA); otherwise the connection may "
                        + "be intercepted"
                )
            }
        return HTTPClientError(code, "\(advice) (\(words))", mayHaveBeenCarriedOut: false)
    }
}

extension CURLcode {
    /// `CURLE_TOO_LARGE`, which headers before 8.6.0 do not have.
    fileprivate static let tooLarge = CURLcode(rawValue: 100)
}
