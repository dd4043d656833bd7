import HTTPServer
import JSON
import MockHost
import Testing

/// Holds every refusal that the tests of this target provoke to `explain`: it names a rule of the ledger or a
/// fault, or stands here with the reason why not.
enum ExplainedRefusals {
    /// How code and words of a refusal begin that come from no rule.
    private static let known: [(words: String, why: String)] = [
        ("BAD_REQUEST missing required field ", "the form of requests is in Apple's reference"),
        ("BAD_REQUEST Invalid value, expected type ", "the form of values is in Apple's reference"),
        ("BAD_REQUEST a record type is a letter", "the form of names is in Apple's reference"),
        ("BAD_REQUEST the database must be ", "the form of paths is in Apple's reference"),
        ("BAD_REQUEST use ", "a method that the path does not take is HTTP's matter"),
        ("BAD_REQUEST the request is larger than ", "a limit of bytes that a switch sets"),
        ("BAD_REQUEST 'operations' holds ", "a limit of items, which the linter reports too"),
        ("BAD_REQUEST 'records' holds ", "a limit of items, which the linter reports too"),
        ("BAD_REQUEST 'zones' holds ", "a limit of items, which the linter reports too"),
        ("BAD_REQUEST this endpoint is not applicable in ", "operations are a table"),
        ("BAD_REQUEST shares are resolved and accepted", "operations are a table"),
        ("BAD_REQUEST two operations for one zone", "rule 50 is about records only"),
        ("BAD_REQUEST 'operations[", "the form of requests is in Apple's reference"),
        ("BAD_REQUEST Field ", "what may be asked for is in the schema"),
        ("BAD_REQUEST ENCRYPTED_STRING cannot be used with ", "comparators are a table"),
        ("THROTTLED too many requests", "a limit that a switch sets"),
        ("AUTHENTICATION_FAILED ", "credentials are this server's own"),
        ("AUTHENTICATION_REQUIRED the user has ", "an act that this server was asked for"),
        ("ACCESS_DENIED only a user can take part", "whom a key speaks for is no rule"),
        ("ZONE_NOT_FOUND Zone does not exist", "only some operations have a rule of it"),
    ]

    /// Looks at the newest request of the service that an application has had.
    static func check(_ app: NamespaceHost, after request: HTTPRequest) throws {
        guard request.path.hasPrefix("/database/"),
            let total = try ask(app, "journal?last=1")?["total"]?.int64, total > 0
        else { return }
        let findings = try ask(app, "explain?request=\(total)")?["findings"]
        for finding in findings.map({ Array($0.elements) }) ?? []
        where finding["explained"]?.bool != true {
            let words = "\(finding["code"]?.string ?? "") \(finding["reason"]?.string ?? "")"
            let isKnown = known.contains { words.hasPrefix($0.words) }
            #expect(isKnown, "\(request.path): no rule and no fault is noted for \"\(words)\"")
        }
    }

    /// What the administration answers; nil where the journal does not keep the request.
    private static func ask(_ app: NamespaceHost, _ path: String) throws -> JSONValue? {
        let request = app.adminToken.authorizing(
            HTTPRequest(method: "GET", target: "/_mock/v1/" + path))
        guard case .respond(let response, _) = app.respond(request), response.status == 200 else {
            return nil
        }
        return try JSONDocument.parse(response.body).root
    }
}
