private import CCurl

/// One request on its way, and what has arrived of its answer. Lives on the curl thread.
@safe final class Transfer {
    let number: UInt64
    let request: HTTPClientRequest
    let url: RequestURL
    let handle: EasyHandle
    private let reply: TransferInbox.Reply
    private let bodyBytesMax: Int
    private let headerBytesMax: Int

    /// How many times libcurl was about to send the request; more than one would be a repetition.
    private(set) var attempts = 0
    private(set) var isTooLarge = false
    private var headers: [(name: String, value: String)] = []
    private var headerBytes = 0
    private var headersAreComplete = false
    private var body: [UInt8] = []

    init(
        number: UInt64, request: HTTPClientRequest, url: RequestURL, handle: EasyHandle,
        reply: TransferInbox.Reply, configuration: HTTPClientConfiguration
    ) {
        self.number = number
        self.request = request
        self.url = url
        self.handle = handle
        self.reply = reply
        bodyBytesMax = configuration.responseBytesMax
        headerBytesMax = configuration.headerBytesMax
    }

    /// Answers the waiting task. To be called once.
    func finish(_ failure: HTTPClientError?) {
        if let failure {
            reply.resume(returning: .failure(failure))
        } else if !headersAreComplete {
            // libcurl takes the end of the connection for the end of the headers.
            reply.resume(
                returning: .failure(
                    HTTPClientError(
                        .connectionLost,
                        "the connection to \(url.host) ended amid the headers of the answer",
                        mayHaveBeenCarriedOut: true)))
        } else {
            reply.resume(
                returning: .success(
                    HTTPClientResponse(status: handle.status, headers: headers, body: body)))
        }
    }

    // MARK: What libcurl calls back with

    /// Whether the request may be sent: once. libcurl would repeat one that got no answer on a
    /// reused connection, but it may have been carried out, and repeating is the caller's choice.
    func maySend() -> Bool {
        attempts += 1
        return attempts == 1
    }

    /// Takes a piece of the body; false when there is too much of it.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= bodyBytesMax - body.count else {
            isTooLarge = true
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// Takes a header line with its end; false when there are too many.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= headerBytesMax else {
            isTooLarge = true
            return false
        }
        let line = unsafe bytes.prefix { $0 != 0x0D && $0 != 0x0A }
        if unsafe line.starts(with: "HTTP/".utf8) {
            headers = []  // an answer begins; 1xx answers come before the real one
            headersAreComplete = false
        } else if unsafe line.isEmpty {
            headersAreComplete = true
        } else if !headersAreComplete, let colon = unsafe line.firstIndex(of: 0x3A) {
            let name = unsafe String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            var value = unsafe line[(colon + 1)...].drop(while: isBlank)
            while let last = unsafe value.last, isBlank(last) { unsafe value.removeLast() }
            headers.append((name, unsafe String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    /// The transfer that a callback's context stands for.
    static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
