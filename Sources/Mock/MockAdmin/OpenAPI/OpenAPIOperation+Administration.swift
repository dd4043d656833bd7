import CloudWire

extension OpenAPIOperation {
    /// The administration; rows of one path stand together.
    static let administration: [OpenAPIOperation] = {
        var paths: [String] = []
        for row in AdminEndpoint.all where !paths.contains(row.path) { paths.append(row.path) }
        return paths.flatMap { path in
            AdminEndpoint.all.filter { $0.path == path }.map { OpenAPIOperation($0) }
        }
    }()

    private init(_ row: AdminEndpoint) {
        let contents = Self.contents(of: row.answers)
        let path = Administration.prefix + row.path
        self.init(
            tag: Tag(name: "administration", about: "requests of tests and tools"),
            method: row.method, path: path,
            id: Self.id(row.method, row.path), about: row.about, query: row.query,
            body: Self.body(of: row),
            answers: [Answer(status: 200, about: "done", contents: contents)]
                + (row.partly.map {
                    [Answer(status: $0, about: "done in part", contents: contents)]
                } ?? []),
            refusals: OpenAPIRefusal.administration(row.refusing),
            credentials: Administration.openPaths.contains { $0.path == path }
                ? [] : [[.adminToken]])
    }

    /// `postClockAdvance` for `POST clock/advance`.
    private static func id(_ method: String, _ path: String) -> String {
        let words = path.split { !($0.isLetter || $0.isNumber) }
        return method.lowercased()
            + (words.isEmpty ? ["index"] : words).map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }

    private static func body(of row: AdminEndpoint) -> Body? {
        let (content, isRequired, about): (Content, Bool, String?)
        switch row.body {
        case .nothing: return nil
        case .object(let members):
            let shape = Shape.object(members)
            (content, isRequired, about) = (.json(shape), shape.hasRequired, nil)
        case .json(let words, let shape): (content, isRequired, about) = (.json(shape), true, words)
        case .file(let type, let words): (content, isRequired, about) = (.bytes(type), true, words)
        case .text(let words): (content, isRequired, about) = (.text("text/plain"), false, words)
        }
        return Body(
            contents: [content], isRequired: isRequired, bytesMax: row.bodyBytesMax, about: about)
    }

    /// A server-sent event of one of these names.
    private static func event(of members: [Shape.Member]) -> Shape {
        .oneOf(
            members.map { member in
                .object([
                    .text("id"), .choice("event", [member.name]).required,
                    Shape.Member("data", member.shape).required,
                ])
            })
    }

    private static func contents(of answer: AdminEndpoint.Answer) -> [Content] {
        switch answer {
        case .object(let members): [.json(.object(members))]
        case .objectOrText(let members): [.json(.object(members)), .text("text/plain")]
        case .lines(let members): [.sequence("application/x-ndjson", .object(members))]
        case .events(let members): [.sequence("text/event-stream", event(of: members))]
        case .bytes(let types): types.map { .bytes($0) }
        }
    }
}
