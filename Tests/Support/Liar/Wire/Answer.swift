/// A whole answer.
package struct Answer: Sendable {
    package var status: Int
    package var headers: [Request.Header]
    package var body: [UInt8]

    package init(_ status: Int = 200, headers: [Request.Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ status: Int = 200, _ json: Value) {
        self.init(
            status, headers: [.init(name: "Content-Type", value: "application/json")],
            body: json.bytes)
    }

    package init(_ status: Int, page text: String) {
        self.init(
            status, headers: [.init(name: "Content-Type", value: "text/html")],
            body: Array("<!doctype html><html><body><h1>\(text)</h1></body></html>".utf8))
    }

    package var json: Value? { Value(body) }

    /// The head as HTTP/1.1 has it.
    ///
    /// - Parameter length: What it says of the body's length; nil: nothing.
    package func head(length: Int?) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) Whatever"]
        lines += headers.map { "\($0.name): \($0.value)" }
        if let length { lines.append("Content-Length: \(length)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Head and body.
    package var bytes: [UInt8] { head(length: status == 204 ? nil : body.count) + body }
}
