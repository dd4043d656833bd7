import CloudWire
import MockFaults

/// One method of one path, as the document has it.
struct OpenAPIOperation {
    /// A group of operations.
    struct Tag: Hashable {
        let name: String
        let about: String
    }

    /// What a body is.
    enum Content {
        case json(Shape)
        /// Of a media type other than JSON, and not described further.
        case bytes(String)
        case text(String)
        /// A text of a media type that is made of such things, one after the other.
        case sequence(String, Shape)
        /// Fields of an HTML form.
        case form([Shape.Member])
        /// A file as a part of a form.
        case file(part: String)
    }

    struct Body {
        let contents: [Content]
        /// Whether a request without it is refused.
        let isRequired: Bool
        let bytesMax: Int
        var about: String?
    }

    /// An answer that is no refusal, or one that only this operation has.
    struct Answer {
        let status: Int
        let about: String
        var headers: [OpenAPIHeader] = []
        var contents: [Content] = []
    }

    let tag: Tag
    let method: String
    /// With names in braces.
    let path: String
    /// Unlike that of any other operation.
    let id: String
    let about: String
    var pathParameters: [Shape.Member] = []
    var query: [Shape.Member] = []
    var body: Body?
    let answers: [Answer]
    /// Those that have no answer of their own.
    let refusals: [OpenAPIRefusal]
    /// The credentials, of which one combination is needed; empty: no credentials are needed.
    var credentials: [[OpenAPICredential]] = []

    /// All of them, those of one path behind one another.
    static let all: [OpenAPIOperation] = service + transfers + pages + administration
}

/// A header field of answers.
enum OpenAPIHeader: String, CaseIterable {
    case nextWebToken = "X-Apple-CloudKit-Web-Auth-Token"
    case retryAfter = "Retry-After"
    case location = "Location"

    var about: String {
        switch self {
        case .nextWebToken:
            "the web token for the next request, after one that came with a web token"
        case .retryAfter: "seconds to wait"
        case .location: "where the browser is redirected"
        }
    }

    var shape: Shape {
        switch self {
        case .nextWebToken, .location: .text
        case .retryAfter: .count
        }
    }
}

/// A part of what a request of the service comes with.
enum OpenAPICredential: String, CaseIterable {
    case apiToken, webAuthToken, serverKeyID, serverDate, serverSignature, adminToken

    /// Where it stands: in the query or in a header field.
    var place: String {
        switch self {
        case .apiToken, .webAuthToken: "query"
        case .serverKeyID, .serverDate, .serverSignature, .adminToken: "header"
        }
    }

    var name: String {
        switch self {
        case .apiToken: "ckAPIToken"
        case .webAuthToken: "ckWebAuthToken"
        case .serverKeyID: RequestSigning.keyIDHeader
        case .serverDate: RequestSigning.dateHeader
        case .serverSignature: RequestSigning.signatureHeader
        case .adminToken: "Authorization"
        }
    }

    var about: String {
        switch self {
        case .apiToken: "an app's API token"
        case .webAuthToken: "a signed-in user's web token"
        case .serverKeyID: "the ID of a server-to-server key, for public databases"
        case .serverDate: "when the request was signed"
        case .serverSignature: "date, digest of the body and path, signed with the key"
        case .adminToken: "\"Bearer \" and the token of the administration API, from the ready file"
        }
    }

    /// A program that acts for no user.
    static let server: [OpenAPICredential] = [.serverKeyID, .serverDate, .serverSignature]
}
