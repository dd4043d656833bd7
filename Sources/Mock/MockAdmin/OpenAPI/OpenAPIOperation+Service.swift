import CloudModel
import CloudWire

extension OpenAPIOperation {
    /// The operations of the service, for each method.
    static let service: [OpenAPIOperation] = WireOperation.allCases.flatMap { operation in
        operation.facts.methods.map { OpenAPIOperation(operation, $0) }
    }

    private init(_ operation: WireOperation, _ method: String) {
        let facts = operation.facts
        let places = [
            Shape.Member("container", AdminVocabulary.container).required,
            Shape.Member("environment", .choice(of: Container.Environment.self)).required,
            Shape.Member("database", .choice(of: Database.Scope.self)).required,
        ]
        let subject = operation.rawValue.split(separator: "/").dropLast().joined(separator: "/")
        var answers = [
            Answer(
                status: 200, about: "the requested items", headers: [.nextWebToken],
                contents: [.json(facts.answer)])
        ]
        if facts.failure != OpenAPIRefusal.Family.service.standard {
            answers.append(
                Answer(
                    status: 400, about: "the whole request is refused",
                    contents: [
                        .json(.oneOf([facts.failure, OpenAPIRefusal.noNamespace]))
                    ]))
        }
        self.init(
            tag: Tag(name: subject, about: "the service: \(subject)"),
            method: method, path: operation.pathTemplate,
            // Every operation is answered by POST, some by GET too.
            id: "\(operation)" + (method == "POST" ? "" : "With\(method)"),
            about: operation.about,
            pathParameters: places.filter { operation.pathTemplate.contains("{\($0.name)}") },
            query: WireQuery.members,
            body: method == "POST" ? Self.body(of: facts) : nil, answers: answers,
            refusals: OpenAPIRefusal.service(),
            credentials: (facts.credential == .apiToken ? [[.apiToken]] : [])
                + [[.apiToken, .webAuthToken], OpenAPICredential.server])
    }

    private static func body(of facts: WireOperation.Facts) -> Body {
        let shape = facts.request ?? "NoArguments"
        return Body(
            contents: [.json(shape)], isRequired: AdminDefinitions.resolve(shape).hasRequired,
            bytesMax: facts.bodyBytesMax)
    }
}

extension Shape {
    /// Whether it is an object with keys that must be there.
    var hasRequired: Bool {
        if case .object(let members) = self { members.contains(where: \.isRequired) } else { false }
    }
}
