private import CCurl

/// The curl thread: takes orders, drives libcurl, answers tasks.
@safe final class TransferLoop {
    /// Easy handles kept for reuse.
    private static let pooledMax = 256
    /// How long to wait when nothing happens; an order or a packet ends the wait.
    private static let waitMax: Duration = .seconds(10)
    /// How long after its time a request is ended here; libcurl ends those that have a connection, and knows why.
    private static let grace: Duration = .milliseconds(20)

    private let multi: UnsafeMutableRawPointer
    private let inbox: TransferInbox
    private let configuration: HTTPClientConfiguration
    private let keys: ServerKeys
    private let sockets = SocketTable()
    private var active: [UInt64: Transfer] = [:]
    private var pool: [EasyHandle] = []

    init(
        multi: UnsafeMutableRawPointer, inbox: TransferInbox,
        configuration: HTTPClientConfiguration, keys: ServerKeys
    ) {
        unsafe self.multi = unsafe multi
        self.inbox = inbox
        self.configuration = configuration
        self.keys = keys
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.http.connectionsPerHost)
        // Otherwise libcurl keeps four for each request that is under way at the moment.
        set(CURLMOPT_MAXCONNECTS, configuration.http.connectionsPerHost)
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.http.streamsPerConnection)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    /// Works until the inbox is closed, then frees everything.
    func run() {
        while true {
            let (orders, isClosed) = inbox.take()
            for order in orders { carryOut(order) }
            if isClosed { break }
            var stillRunning: Int32 = 0
            failAll(unless: unsafe curl_multi_perform(multi, &stillRunning))
            answerFinished()
            let wait = Int32(clamping: endOverdue().wholeMilliseconds)
            let code = unsafe curl_multi_poll(multi, nil, 0, wait, nil)
            failAll(unless: code)
            // A loop that cannot wait would go round and round: this client takes no more requests.
            if code != CURLM_OK {
                inbox.close(
                    because: "the HTTP library failed, and this client accepts no more requests")
            }
        }
        for transfer in active.values {
            end(
                transfer,
                HTTPClientError(
                    .shutDown, "the HTTP client was shut down",
                    mayHaveBeenCarriedOut: transfer.wasSent))
        }
        pool = []
        unsafe curl_multi_cleanup(multi)
    }

    private func carryOut(_ order: TransferInbox.Order) {
        switch order {
        case .send(let number, let request, let url, let reply):
            let handle =
                pool.popLast() ?? EasyHandle(configuration: configuration, sockets: sockets)
            let transfer = Transfer(
                number: number, request: request, url: url, handle: handle, keys: keys,
                sockets: sockets, reply: reply, configuration: configuration)
            active[number] = transfer
            begin(transfer)
        case .cancel(let number):
            guard let transfer = active[number] else { return }
            end(
                transfer,
                HTTPClientError(
                    .cancelled, "the request was cancelled",
                    mayHaveBeenCarriedOut: transfer.wasSent))
        }
    }

    private func begin(_ transfer: Transfer) {
        transfer.handle.prepare(for: transfer)
        let code = unsafe curl_multi_add_handle(multi, transfer.handle.pointer)
        if code != CURLM_OK { end(transfer, Self.failure(of: transfer, code)) }
    }

    /// Ends all that is under way when libcurl itself has failed; what is sent later may go well.
    private func failAll(unless code: CURLMcode) {
        guard code != CURLM_OK else { return }
        for transfer in active.values { end(transfer, Self.failure(of: transfer, code)) }
    }

    /// Ends the requests whose time is over: libcurl does not count the time in which a request waits for a
    /// connection.
    ///
    /// - Returns: how long until this may be needed again.
    private func endOverdue() -> Duration {
        let now = ContinuousClock.now
        var wait = Self.waitMax
        for transfer in active.values {
            let left = transfer.deadline + Self.grace - now
            if left <= .zero {
                end(
                    transfer,
                    HTTPClientError(
                        CURLE_OPERATION_TIMEDOUT, transfer: transfer, configuration: configuration))
            } else {
                wait = min(wait, left)
            }
        }
        return wait
    }

    private static func failure(of transfer: Transfer, _ code: CURLMcode) -> HTTPClientError {
        let words = unsafe String(cString: curl_multi_strerror(code))
        return HTTPClientError(
            transfer.wasSent ? .connectionLost : .couldNotConnect,
            "the HTTP library failed for \(transfer.url.host): \(words)",
            mayHaveBeenCarriedOut: transfer.wasSent)
    }

    private func answerFinished() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            var context: UnsafeMutablePointer<CChar>?
            unsafe cksweep_curl_get_pointer(
                message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            let code = unsafe cksweep_curl_result(message)
            guard let transfer = unsafe Transfer.from(UnsafeMutableRawPointer(context)) else {
                continue
            }
            if transfer.takesFreshConnection() {
                // libcurl has closed the other one; nothing was sent.
                unsafe curl_multi_remove_handle(multi, transfer.handle.pointer)
                begin(transfer)
                continue
            }
            let isWhole = code == CURLE_OK && transfer.pourRest()
            end(
                transfer,
                isWhole
                    ? nil : HTTPClientError(code, transfer: transfer, configuration: configuration))
        }
    }

    /// Answers a transfer's task, takes it off libcurl, and keeps its handle for the next one.
    private func end(_ transfer: Transfer, _ failure: HTTPClientError?) {
        transfer.finish(failure)
        unsafe curl_multi_remove_handle(multi, transfer.handle.pointer)
        active[transfer.number] = nil
        transfer.handle.clear()
        if pool.count < Self.pooledMax { pool.append(transfer.handle) }
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        let code = unsafe cksweep_curl_multi_set_long(multi, option, value)
        precondition(code == CURLM_OK, "libcurl refuses option \(option.rawValue)")
    }
}
