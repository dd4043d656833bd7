/// Puts answers into bytes of HTTP/1.1.
enum HTTP1Writer {
    /// Asks the client to go on with the body it holds back.
    static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Fields that are the server's business; an application's are left out.
    static let reserved = ["content-length", "connection", "transfer-encoding", "keep-alive"]

    /// Appends one answer.
    ///
    /// - Parameters:
    ///   - keepAlive: Whether another request may follow on the connection.
    ///   - isHead: The request was HEAD: the length is told, the body is not sent.
    static func append(
        _ response: HTTPResponse, to out: inout [UInt8], date: borrowing DateField, keepAlive: Bool,
        isHTTP10: Bool, isHead: Bool
    ) {
        out.append(contentsOf: statusLines[response.status - 200])
        append(response.headers, to: &out)
        if !response.headers.contains("date") { out.append(contentsOf: date.line) }
        let hasBody = response.status != 204 && response.status != 304
        if hasBody {
            out.append(contentsOf: lengthName)
            appendNumber(response.body.count, to: &out)
            Bytes.append(Bytes.carriageReturn, Bytes.lineFeed, to: &out)
        }
        if !keepAlive {
            out.append(contentsOf: "connection: close\r\n".utf8)
        } else if isHTTP10 {
            out.append(contentsOf: "connection: keep-alive\r\n".utf8)
        }
        Bytes.append(Bytes.carriageReturn, Bytes.lineFeed, to: &out)
        if hasBody, !isHead { out.append(contentsOf: response.body) }
    }

    private static func append(_ headers: HTTPHeaders, to out: inout [UInt8]) {
        guard !headers.isLines else { return out.append(contentsOf: headers.text) }
        let text = headers.text
        for field in headers.fields where !isReserved(text, field) {
            out.append(contentsOf: text[field.name])
            out.append(contentsOf: ": ".utf8)
            out.append(contentsOf: text[field.value])
            out.append(contentsOf: "\r\n".utf8)
        }
    }

    static func isReserved(_ text: [UInt8], _ field: HTTPHeaders.Field) -> Bool {
        switch field.name.count {
        case 10:
            Bytes.isWord(text, field.name, "connection")
                || Bytes.isWord(text, field.name, "keep-alive")
        case 14: Bytes.isWord(text, field.name, "content-length")
        case 17: Bytes.isWord(text, field.name, "transfer-encoding")
        default: false
        }
    }

    static func appendNumber(_ number: Int, to out: inout [UInt8]) {
        // By a constant: any other division takes several times as long.
        if number >= 10 { appendNumber(number / 10, to: &out) }
        out.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    private static let lengthName = Array("content-length: ".utf8)

    /// The first lines of answers with status 200 to 599.
    private static let statusLines: [[UInt8]] = (200...599).map { status in
        Array("HTTP/1.1 \(status) \(reasonPhrase(status))\r\n".utf8)
    }

    private static func reasonPhrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
