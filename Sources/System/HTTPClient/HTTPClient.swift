import AsyncOperations
private import CCurl
private import Glibc

/// Sends requests over TLS: libcurl on one thread of its own.
///
/// It repeats nothing, follows no redirect, and checks every certificate. A server that shows
/// another key than at the first request gets no further one. `HTTPS_PROXY` and its relatives are
/// honoured, except for loopback hosts.
package final class HTTPClient: Sendable {
    private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let inbox: TransferInbox
    private let thread: DedicatedThread
    private let keys = ServerKeys()

    /// Starts the thread; nothing is connected before the first request.
    package init(configuration: HTTPClientConfiguration) {
        precondition(Self.libraryIsReady, "libcurl could not be set up")
        guard let multi = unsafe curl_multi_init() else { preconditionFailure("out of memory") }
        let inbox = unsafe TransferInbox(waking: multi)
        self.inbox = inbox
        // For the thread alone; others only wake it, which libcurl allows from anywhere.
        nonisolated(unsafe) let handle = unsafe multi
        thread = DedicatedThread(label: "http-client") { [keys] in
            Self.ignoreBrokenPipes()
            unsafe TransferLoop(
                multi: handle, inbox: inbox, configuration: configuration, keys: keys
            ).run()
        }
    }

    deinit { shutdown() }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancelling the task ends the wait at once, whatever is waited for, and takes the request
    /// off its connection.
    /// - Throws: ``HTTPClientError`` when there is no answer.
    package func send(
        _ request: HTTPClientRequest
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let url = try RequestURL(request.url)
        try request.checkHeaders()
        try request.checkTimeout()
        let number = inbox.makeNumber()
        let outcome: TransferInbox.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                let refusal = inbox.post(.send(number: number, request, url, reply))
                if let refusal { reply.resume(returning: .failure(refusal)) }
            }
        } onCancel: {
            _ = inbox.post(.cancel(number: number))
        }
        return try outcome.get()
    }

    /// Which key the server that answers under a URL has proven to hold: SHA-256 over the
    /// `SubjectPublicKeyInfo` of its certificate. Nil before its first answer and without TLS.
    package func keyDigest(ofServerAt url: String) -> [UInt8]? {
        do throws(HTTPClientError) {
            return keys.digest(of: try RequestURL(url).origin)
        } catch {
            return nil  // nothing was ever sent there
        }
    }

    /// Fails what is under way with `shutDown`, closes all connections and ends the thread.
    ///
    /// Waits for the thread, a few milliseconds; the last owner letting go does the same.
    package func shutdown() {
        inbox.close()
        thread.join()
    }

    /// A server that hangs up must not end the program; where libcurl writes through OpenSSL, the
    /// signal is the thread's to block.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
