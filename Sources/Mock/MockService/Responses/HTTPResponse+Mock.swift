package import HTTPServer
package import JSON
import MockStore

extension HTTPResponse {
    private static let administrationFields: HTTPHeaders = [
        "content-type": "application/json; charset=UTF-8", "cache-control": "no-store",
    ]

    /// A response of the administration.
    package init(status: Int = 200, json body: [UInt8]) {
        self.init(status: status, headers: Self.administrationFields, body: body)
    }

    /// A refusal of the administration.
    package init(_ error: MockError) {
        var writer = JSONWriter()
        writer.object { $0.member("error", error.reason) }
        self.init(status: error.status, json: writer.bytes)
        if let allow = error.allow { headers.append("allow", allow) }
        if error.status == 401 { headers.append("www-authenticate", "Bearer") }
    }

    /// A response whose body is one object.
    ///
    /// - Parameter fill: Writes its members.
    package static func object(_ fill: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        writer.object(fill)
        return HTTPResponse(json: writer.bytes)
    }
}

extension RequestOutcome {
    /// A response at once.
    package static func respond(_ response: HTTPResponse) -> RequestOutcome {
        .respond(response, after: .zero)
    }

    /// A response of the administration whose body is one object.
    ///
    /// - Parameter fill: Writes its members.
    package static func object(_ fill: (inout JSONWriter) -> Void) -> RequestOutcome {
        .respond(.object(fill), after: .zero)
    }
}
