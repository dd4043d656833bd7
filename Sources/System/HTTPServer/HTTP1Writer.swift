/// Puts answers into bytes of HTTP/1.1.
enum HTTP1Writer {
    /// Asks the client to go on with the body it holds back.
    static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Appends an answer's head, up to and with the empty line.
    ///
    /// - Parameter keepAlive: Whether another request may follow on the connection.
    static func appendHead(
        _ response: HTTPResponse, to out: inout [UInt8], date: borrowing DateField, keepAlive: Bool,
        isHTTP10: Bool
    ) {
        out.append(contentsOf: statusLines[response.status - 200])
        append(response.headers, to: &out)
        if !response.headers.contains("date") { out.append(contentsOf: date.line) }
        if response.hasBody {
            if let length = response.length {
                out.append(contentsOf: "content-length: \(length)\r\n".utf8)
            } else {
                out.append(contentsOf: "transfer-encoding: chunked\r\n".utf8)
            }
        }
        if !keepAlive {
            out.append(contentsOf: "connection: close\r\n".utf8)
        } else if isHTTP10 {
            out.append(contentsOf: "connection: keep-alive\r\n".utf8)
        }
        Bytes.append(Bytes.carriageReturn, Bytes.lineFeed, to: &out)
    }

    /// Appends a piece of a body of unknown length, and the end after the last (RFC 9112 section
    /// 7.1).
    static func appendChunk(_ piece: ArraySlice<UInt8>, isLast: Bool, to out: inout [UInt8]) {
        if !piece.isEmpty {
            out.append(contentsOf: (String(piece.count, radix: 16) + "\r\n").utf8)
            out.append(contentsOf: piece)
            Bytes.append(Bytes.carriageReturn, Bytes.lineFeed, to: &out)
        }
        if isLast { out.append(contentsOf: "0\r\n\r\n".utf8) }
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
        case 206: "Partial Content"
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
        case 416: "Range Not Satisfiable"
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
