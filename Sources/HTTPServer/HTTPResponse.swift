/// One answer. `content-length`, `date` and connection fields are added by the server.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Whether it is true, and sent, also when the turn's work could not be committed.
    package var standsAlone = false

    /// - Parameter status: 200 to 599.
    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        precondition(status >= 200 && status <= 599, "not a final HTTP status")
        self.status = status
        self.headers = headers
        self.body = body
    }
}
