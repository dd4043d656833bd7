extension HTTPClientRequest {
    /// Refuses headers that would break out of their line.
    func checkHeaders() throws(HTTPClientError) {
        for (name, value) in headers {
            let nameIsToken =
                !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                        || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
                }
            guard nameIsToken, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw HTTPClientError(
                    .invalidRequest, "a header contains characters that must not be sent",
                    mayHaveBeenCarriedOut: false)
            }
        }
    }

    /// Refuses a request whose time is up.
    func checkTimeout() throws(HTTPClientError) {
        guard let timeout, timeout <= .zero else { return }
        throw HTTPClientError(
            .timedOut, "the request timed out before it was sent",
            mayHaveBeenCarriedOut: false)
    }
}

extension HTTPClientRequest {
    /// Says why a URL cannot be requested, or nil when it can.
    package static func problem(inURL url: String) -> String? {
        do throws(HTTPClientError) {
            _ = try RequestURL(url)
            return nil
        } catch {
            return error.message
        }
    }
}
