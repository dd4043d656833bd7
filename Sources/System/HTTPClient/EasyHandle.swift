private import CCurl
private import OpenSSL

/// One easy handle of libcurl, set up once and used for many requests.
@safe final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// - Parameter sockets: Opens and closes all of them; must outlive libcurl's multi handle.
    init(configuration: HTTPClientConfiguration, sockets: SocketTable) {
        guard let pointer = unsafe curl_easy_init() else { preconditionFailure("out of memory") }
        unsafe self.pointer = unsafe pointer
        let size = Int(CURL_ERROR_SIZE)
        unsafe errorText = .allocate(capacity: size)
        unsafe errorText.initialize(repeating: 0, count: size)
        configureOnce(configuration)
        setCallbacks(sockets)
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headerList)
        unsafe errorText.deallocate()
    }

    /// What stays the same for all requests.
    private func configureOnce(_ configuration: HTTPClientConfiguration) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_PIPEWAIT, 1)
        // Otherwise whoever gives up a request while its host's name is looked up waits, and all
        // other requests with them, until the resolver gives up as well.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(
            CURLOPT_HTTP_VERSION,
            configuration.http.version == .http2
                ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_USERAGENT, "cksweep")
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
        unsafe cksweep_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
        setTrust(configuration.trust)
    }

    private func setTrust(_ trust: HTTPClientConfiguration.Trust) {
        switch trust {
        case .system: return
        case .file(let path): set(CURLOPT_CAINFO, path)
        case .pem(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                let code = unsafe cksweep_curl_set_blob(
                    pointer, CURLOPT_CAINFO_BLOB, bytes.baseAddress, bytes.count)
                precondition(code == CURLE_OK, "libcurl refuses a CA in memory: \(code.rawValue)")
            }
        }
        // Otherwise the system's folder of authorities would be trusted beside ours.
        set(CURLOPT_CAPATH, nil)
    }

    private func setCallbacks(_ sockets: SocketTable) {
        let takeBody: cksweep_curl_data = { bytes, size, count, context in
            let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            guard let transfer = unsafe Transfer.from(context) else { return 0 }
            return unsafe transfer.takeBody(buffer) ? size * count : 0
        }
        let giveBody: cksweep_curl_data = { bytes, size, count, context in
            let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            guard let transfer = unsafe Transfer.from(context) else {
                return Int(CURL_READFUNC_ABORT)
            }
            return unsafe transfer.giveBody(room) ?? Int(CURL_READFUNC_ABORT)
        }
        let takeHeader: cksweep_curl_data = { bytes, size, count, context in
            let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            guard let transfer = unsafe Transfer.from(context) else { return 0 }
            return unsafe transfer.takeHeader(buffer) ? size * count : 0
        }
        let maySend: cksweep_curl_prerequest = { context, _, _, _, localPort in
            let may = unsafe Transfer.from(context)?.maySend(fromPort: localPort) ?? false
            return may ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        let open: cksweep_curl_open = { context, _, address in
            guard let table = unsafe SocketTable.from(context), let address = unsafe address else {
                return CURL_SOCKET_BAD
            }
            let wanted = unsafe address.pointee
            return table.open(
                family: wanted.family, type: wanted.socktype, protocol: wanted.`protocol`)
        }
        let close: cksweep_curl_close = { context, descriptor in
            unsafe SocketTable.from(context)?.close(descriptor) ?? -1
        }
        unsafe cksweep_curl_set_data(pointer, CURLOPT_WRITEFUNCTION, takeBody)
        unsafe cksweep_curl_set_data(pointer, CURLOPT_READFUNCTION, giveBody)
        unsafe cksweep_curl_set_data(pointer, CURLOPT_HEADERFUNCTION, takeHeader)
        unsafe cksweep_curl_set_prerequest(pointer, maySend)
        let table = unsafe Unmanaged.passUnretained(sockets).toOpaque()
        unsafe cksweep_curl_set_open(pointer, open)
        unsafe cksweep_curl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, table)
        unsafe cksweep_curl_set_close(pointer, close)
        unsafe cksweep_curl_set_pointer(pointer, CURLOPT_CLOSESOCKETDATA, table)
    }

    /// Takes on a request. The transfer must live until ``clear()``.
    func prepare(for transfer: Transfer) {
        let request = transfer.request
        set(CURLOPT_URL, transfer.url.text)
        set(CURLOPT_PROXY, transfer.url.isLoopback ? "" : nil)
        set(CURLOPT_HTTPGET, 1)  // also undoes POST and HEAD of the request before
        switch request.method {
        case .get: break
        case .head: set(CURLOPT_NOBODY, 1)
        case .post, .put, .delete, .options:
            if let source = request.source {
                setBody(from: source)
            } else if request.method == .post || !request.body.isEmpty {
                setBody(request.body)
            }
        }
        let isPlain = request.method == .get || request.method == .post || request.method == .head
        set(CURLOPT_CUSTOMREQUEST, isPlain ? nil : request.method.rawValue)
        setHeaders(request.headers)
        set(CURLOPT_TIMEOUT_MS, transfer.timeLeft.wholeMilliseconds)
        set(CURLOPT_FRESH_CONNECT, transfer.needsFreshConnection ? 1 : 0)
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA,
            CURLOPT_PRIVATE,
        ] {
            unsafe cksweep_curl_set_pointer(pointer, option, context)
        }
        unsafe errorText.pointee = 0
    }

    /// Lets go of the request.
    func clear() {
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA,
            CURLOPT_PRIVATE,
        ] {
            unsafe cksweep_curl_set_pointer(pointer, option, nil)
        }
        unsafe cksweep_curl_set_list(pointer, CURLOPT_HTTPHEADER, nil)
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = nil
        set(CURLOPT_COPYPOSTFIELDS, nil)
    }

    private func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        unsafe cksweep_curl_set_size(
            pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        unsafe body.withUnsafeBytes { bytes in
            _ = unsafe cksweep_curl_set_bytes(
                pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(errorText))
        }
    }

    /// libcurl asks for the bytes of a body that it was given none of.
    private func setBody(from source: BodySource) {
        set(CURLOPT_POST, 1)
        unsafe cksweep_curl_set_size(
            pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(source.byteCount))
    }

    private func setHeaders(_ headers: [(name: String, value: String)]) {
        // libcurl would wait for "100 Continue", and calls every body a form.
        var lines = ["Expect:"]
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        lines += headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { unsafe list = unsafe curl_slist_append(list, line) }
        unsafe curl_slist_free_all(headerList)
        unsafe headerList = unsafe list
        unsafe cksweep_curl_set_list(pointer, CURLOPT_HTTPHEADER, list)
    }

    // MARK: Before a request is sent

    /// Whether the connection has had requests before.
    var isReused: Bool { info(CURLINFO_NUM_CONNECTS) == 0 }

    /// SHA-256 over the public key that the server has proven to hold; nil without TLS.
    var peerKeyDigest: [UInt8]? {
        guard let connection = unsafe cksweep_curl_tls(pointer) else { return nil }
        return unsafe ForeignTLSConnection(connection).peerKeyDigest
    }

    /// Whether TLS has taken bytes off the socket that libcurl has not read.
    var hasPendingBytes: Bool {
        guard let connection = unsafe cksweep_curl_tls(pointer) else { return false }
        return unsafe ForeignTLSConnection(connection).hasPending
    }

    // MARK: After the transfer

    /// The HTTP status of the answer.
    var status: Int { info(CURLINFO_RESPONSE_CODE) }
    /// OpenSSL's verdict on the server's chain; 0 is well.
    var chainVerdict: Int { info(CURLINFO_SSL_VERIFYRESULT) }
    /// libcurl's own words about a failure; may be empty.
    var failureText: String { unsafe String(cString: errorText) }

    private func info(_ which: CURLINFO) -> Int {
        var value = 0
        unsafe cksweep_curl_get_long(pointer, which, &value)
        return value
    }

    private func set(_ option: CURLoption, _ value: Int) {
        let code = unsafe cksweep_curl_set_long(pointer, option, value)
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue)")
    }

    private func set(_ option: CURLoption, _ value: String?) {
        let code = unsafe cksweep_curl_set_text(pointer, option, value)
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue)")
    }
}

extension Duration {
    /// At least 1, at most about 24 days: what libcurl's timers hold.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 2_000_000)
        return max(1, Int(bounded) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
