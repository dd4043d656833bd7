import CloudWire
import JSON

// Parts of the document, each as a member of the object that is open.
extension JSONWriter {
    mutating func openAPI(_ operation: OpenAPIOperation) {
        object(operation.method.lowercased()) { writer in
            writer.member("operationId", operation.id)
            writer.member("summary", operation.about)
            writer.member("tags", [operation.tag.name])
            writer.parameters(operation)
            if let body = operation.body { writer.requestBody(body) }
            writer.object("responses") { writer in writer.responses(of: operation) }
            writer.array("security", operation.credentials) { writer, all in
                writer.object { writer in
                    for credential in all { writer.member(credential.rawValue, [String]()) }
                }
            }
        }
    }

    private mutating func parameters(_ operation: OpenAPIOperation) {
        let parameters =
            operation.pathParameters.map { (place: "path", member: $0) }
            + operation.query.map { (place: "query", member: $0) }
        guard !parameters.isEmpty else { return }
        objects("parameters", parameters) { writer, parameter in
            writer.member("name", parameter.member.name)
            writer.member("in", parameter.place)
            if parameter.member.isRequired { writer.member("required", true) }
            writer.schema("schema", parameter.member.shape)
        }
    }

    private mutating func requestBody(_ body: OpenAPIOperation.Body) {
        object("requestBody") { writer in
            writer.member("description", body.about)
            writer.member("required", body.isRequired)
            writer.contents(body.contents)
            writer.member("x-bytesMax", body.bytesMax)
        }
    }

    /// Each status once: an operation's own answer stands before the one that all share.
    private mutating func responses(of operation: OpenAPIOperation) {
        let own = operation.answers.map(\.status)
        for answer in operation.answers {
            object("\(answer.status)") { writer in
                writer.member("description", answer.about)
                writer.headers(answer.headers)
                writer.contents(answer.contents)
            }
        }
        for refusal in operation.refusals where !own.contains(refusal.status) {
            object("\(refusal.status)") {
                $0.member("$ref", "#/components/responses/\(refusal.name)")
            }
        }
    }

    private mutating func headers(_ headers: [OpenAPIHeader]) {
        guard !headers.isEmpty else { return }
        object("headers") { writer in
            for header in headers {
                writer.object(header.rawValue) {
                    $0.member("$ref", "#/components/headers/\(header.rawValue)")
                }
            }
        }
    }

    private mutating func contents(_ contents: [OpenAPIOperation.Content]) {
        guard !contents.isEmpty else { return }
        object("content") { writer in
            for content in contents { writer.content(content) }
        }
    }

    private mutating func content(_ content: OpenAPIOperation.Content) {
        func media(_ type: String, _ write: (inout JSONWriter) -> Void) {
            object(type) { $0.object("schema", write) }
        }
        switch content {
        case .json(let shape): object("application/json") { $0.schema("schema", shape) }
        case .bytes(let type): media(type) { $0.binary() }
        case .text(let type): media(type) { $0.member("type", "string") }
        case .sequence(let type, let shape):
            object(type) { writer in
                writer.object("schema") { $0.member("type", "string") }
                // A keyword of OpenAPI 3.2, which 3.1 allows only as an extension.
                writer.schema("x-itemSchema", shape)
            }
        case .form(let members):
            object("application/x-www-form-urlencoded") { $0.schema("schema", .object(members)) }
        case .file(let part):
            media("multipart/form-data") { writer in
                writer.member("type", "object")
                writer.object("properties") { writer in
                    writer.object(part) { $0.binary() }
                }
                writer.member("required", [part])
            }
        }
    }

    private mutating func binary() {
        member("type", "string")
        member("format", "binary")
    }

    mutating func openAPI(_ refusal: OpenAPIRefusal) {
        object(refusal.name) { writer in
            writer.member("description", refusal.about)
            writer.headers(OpenAPIHeader.retryAfter.isSent(with: refusal) ? [.retryAfter] : [])
            writer.object("content") { writer in
                writer.object("application/json") { writer in
                    writer.schema(
                        "schema",
                        refusal.shapes.count == 1 ? refusal.shapes[0] : .oneOf(refusal.shapes))
                }
            }
        }
    }

    mutating func openAPI(_ header: OpenAPIHeader) {
        object(header.rawValue) { writer in
            writer.member("description", header.about)
            writer.schema("schema", header.shape)
        }
    }

    mutating func openAPI(_ credential: OpenAPICredential) {
        object(credential.rawValue) { writer in
            writer.member("type", "apiKey")
            writer.member("in", credential.place)
            writer.member("name", credential.name)
            writer.member("description", credential.about)
        }
    }
}

extension OpenAPIHeader {
    /// Any error of the service can say how long to wait.
    fileprivate func isSent(with refusal: OpenAPIRefusal) -> Bool { refusal.family == .service }
}
