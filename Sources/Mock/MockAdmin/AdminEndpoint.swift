import Basics
import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockService

/// One request of the administration API, below `/_mock/v1/`: what it takes, what it returns, and what processes it.
///
/// The index, the OpenAPI document and the console derive from ``all``.
package struct AdminEndpoint: Sendable {
    /// What a body holds.
    enum Body: Sendable {
        case nothing
        /// An object with these keys and no others.
        case object([Shape.Member])
        /// JSON, in words, whose keys the request's own reader checks.
        case json(String, Shape = .any)
        case text(String)
        /// Bytes of a media type, in words.
        case file(String, String)

        /// An object with these keys, which hold what the vocabulary says.
        static func object(_ keys: [String]) -> Body {
            .object(keys.map { Shape.Member(stringLiteral: $0) })
        }
    }

    /// What an answer holds.
    enum Answer: Sendable, ExpressibleByArrayLiteral {
        case object([Shape.Member])
        /// JSON objects with some of these keys, one on a line.
        case lines([Shape.Member])
        /// A body of these media types, of which the first is sent first.
        case bytes([String])
        /// Server-sent events of these names, each with such JSON as its data.
        case events([Shape.Member])
        /// JSON, or a text where the query asks for one.
        case objectOrText([Shape.Member])

        init(arrayLiteral members: Shape.Member...) { self = .object(members) }

        /// The keys of a JSON answer.
        var keys: [String] {
            switch self {
            case .object(let members), .lines(let members), .objectOrText(let members):
                members.map(\.name)
            case .bytes, .events: []
            }
        }
    }

    let method: String
    /// Below `/_mock/v1/`.
    let path: String
    let query: [Shape.Member]
    let body: Body
    /// How long a request's body may be.
    package let bodyBytesMax: Int
    let answers: Answer
    /// Statuses of its refusals in addition to ``MockError/statuses``.
    let refusing: [Int]
    /// The status of the same answer where not all of it could be done.
    let partly: Int?
    /// What it does, in a sentence.
    let about: String
    /// Whether it can change the server, which is an event.
    let isChange: Bool
    /// Whether it reads or changes the store: then its response is true only if its batch is committed. What is outside of
    /// the store changes at once.
    let isStored: Bool
    private let process: @Sendable (AdminCall) throws(MockError) -> RequestOutcome

    /// - Parameters:
    ///   - about: What it does, in a sentence.
    ///   - process: A method of the resource.
    init<Resource: AdminResource>(
        _ method: String, _ path: String, query: [Shape.Member] = [],
        takes body: Body = .nothing, upTo bodyBytesMax: Int = 1 << 20, answers: Answer,
        refusing: some Collection<Int> = [], partly: Int? = nil, changes: Bool? = nil,
        isStored: Bool = true, _ about: String,
        _ process: @escaping @Sendable (Resource) -> () throws(MockError) -> RequestOutcome
    ) {
        self.method = method
        self.path = path
        self.query = query.map(AdminVocabulary.asked)
        self.body =
            switch body {
            case .object(let members): .object(members.map(AdminVocabulary.asked))
            case .nothing, .json, .text, .file: body
            }
        self.bodyBytesMax = bodyBytesMax
        self.answers =
            switch answers {
            case .object(let members): .object(members.map(AdminVocabulary.answered))
            case .lines(let members): .lines(members.map(AdminVocabulary.answered))
            case .objectOrText(let members):
                .objectOrText(members.map(AdminVocabulary.answered))
            case .bytes, .events: answers
            }
        self.refusing = refusing.sorted()
        self.partly = partly
        self.about = about
        isChange = changes ?? (method != "GET")
        self.isStored = isStored
        self.process = { call throws(MockError) in try process(Resource(call: call))() }
    }

    /// Processes a request.
    ///
    /// - Parameters:
    ///   - baseURL: What URLs in the response begin with.
    ///   - isAuthorized: Whether it carries the administration token.
    func respond(
        to request: HTTPRequest, _ admin: Administration, baseURL: String, isAuthorized: Bool
    ) throws(MockError) -> RequestOutcome {
        let query = WireQuery(request.query ?? "")
        let known = self.query.map(\.name)
        for item in query.items where !known.contains(item.name) {
            guard let nearest = NearestName.closest(to: item.name, among: known) else {
                throw MockError("\(path) takes no \"?\(item.name)=\"")
            }
            throw MockError("unknown \"?\(item.name)=\"; nearest: \"?\(nearest)=\"")
        }
        var body = Array("{}".utf8)
        switch self.body {
        case .nothing, .text, .file: break
        case .object, .json: if !request.body.isEmpty { body = request.body }
        }
        let root = try parse(body)
        if case .object(let members) = self.body { try root.allow(members.map(\.name)) }
        return try process(
            AdminCall(
                admin: admin, query: query, body: root, bytes: request.body,
                range: request["range"], lastEventID: request["last-event-id"], baseURL: baseURL,
                isAuthorized: isAuthorized))
    }

    private func parse(_ body: [UInt8]) throws(MockError) -> JSONValue {
        do throws(JSONError) {
            let document = try JSONDocument.parse(
                body, limits: JSONLimits(bytesMax: bodyBytesMax))
            if let member = document.repeatedKey {
                throw JSONError("a key is repeated", at: member.keyLocation)
            }
            return document.root
        } catch {
            throw MockError("the body is not JSON: \(error)")
        }
    }

    /// A thousand faults, each with the longest text, or a large schema.
    static let listBytesMax = 3 << 20
    /// A fixture is read within one turn of the loop, so it may not be as long as in a file.
    static let seedBytesMax = 2 << 20

    /// All of them, resource by resource.
    static let all: [AdminEndpoint] = [
        ServerResource.endpoints, UsersResource.endpoints, CredentialsResource.endpoints,
        SeedResource.endpoints, SchemaResource.endpoints, ResetResource.endpoints,
        SimulationResource.endpoints, FaultsResource.endpoints, GatesResource.endpoints,
        JournalResource.endpoints, ExplainResource.endpoints,
        EventsResource.endpoints, MetricsResource.endpoints, FindingsResource.endpoints,
        PushesResource.endpoints, ContentsResource.endpoints, PositionsResource.endpoints,
        StoreResource.endpoints, RecordsResource.endpoints, SnapshotsResource.endpoints,
        NamespacesResource.endpoints, OptionsResource.endpoints, RulesResource.endpoints,
        ClockResource.endpoints,
    ].flatMap(\.self)
}
