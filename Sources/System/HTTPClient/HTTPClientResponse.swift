/// An answer, complete. Any status is an answer: only its absence is an error.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    /// Names in lower case, in the order of arrival.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The last value of a header, by its name in lower case.
    package subscript(header name: String) -> String? {
        headers.last { $0.name == name }?.value
    }
}
