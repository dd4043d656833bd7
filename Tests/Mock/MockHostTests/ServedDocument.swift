import HTTPServer
import JSON
import MockAdmin

/// The server's description of itself, which answers can be held against.
struct ServedDocument: Sendable {
    /// What is wrong, and where.
    struct Problem: Error, CustomStringConvertible {
        let description: String
        /// How many steps down it is.
        var depth = 0
    }

    /// A method of a path.
    struct Operation: Sendable {
        let method: String
        /// With names in braces.
        let path: String
        let value: JSONValue

        var parameters: [JSONValue] { Array(value["parameters"]?.elements.map { $0 } ?? []) }
    }

    static let shared: ServedDocument = {
        do {
            let bytes = OpenAPIDocument.bytes(servedAt: "https://localhost:8443")
            return ServedDocument(try JSONDocument.parse(bytes).root)
        } catch {
            preconditionFailure("the document is no JSON: \(error)")
        }
    }()

    let root: JSONValue
    let operations: [Operation]
    private let schemas: [String: JSONValue]

    init(_ root: JSONValue) {
        self.root = root
        operations = (root["paths"]?.members.map { $0 } ?? []).flatMap { path in
            path.value.members.map {
                Operation(method: $0.key.uppercased(), path: path.key, value: $0.value)
            }
        }
        schemas = Dictionary(
            (root["components"]?["schemas"]?.members.map { ($0.key, $0.value) } ?? []),
            uniquingKeysWith: { first, _ in first })
    }

    /// What the document says of a request; nil where it leads nowhere.
    func operation(_ method: String, _ path: String) -> Operation? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return operations.first { operation in
            guard operation.method == method else { return false }
            let names = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return names.count == parts.count
                && zip(names, parts).allSatisfy { name, part in
                    name.hasPrefix("{") ? !part.isEmpty : name == part
                }
        }
    }

    /// What a reference is to.
    func target(of reference: String) -> JSONValue? {
        if let name = reference.wholeMatch(of: /#\/components\/schemas\/([A-Za-z0-9]+)/)?.1 {
            return schemas[String(name)]
        }
        return reference.split(separator: "/").dropFirst().reduce(root) { value, key in
            value?[String(key)]
        }
    }

    /// Holds an answer against what the document says of the request.
    func check(
        _ request: HTTPRequest, answer status: Int, _ headers: HTTPHeaders, _ body: [UInt8]
    ) throws(Problem) {
        guard let operation = operation(request.method, request.path) else { return }
        let answers = operation.value["responses"]
        guard var answer = answers?["\(status)"] else {
            throw Problem(description: "no word of an answer with status \(status)")
        }
        if let reference = answer["$ref"]?.string {
            guard let target = target(of: reference) else {
                throw Problem(description: "\(reference) is not there")
            }
            answer = target
        }
        // What a body would be, HEAD does not say.
        guard !body.isEmpty, request.method != "HEAD" else { return }
        let type = headers["content-type"].map { String($0.prefix { $0 != ";" }) } ?? ""
        guard let content = answer["content"]?[type] else {
            throw Problem(description: "no word of a body of type \"\(type)\" with \(status)")
        }
        guard type == "application/json", let schema = content["schema"] else { return }
        do {
            try check(try JSONDocument.parse(body).root, schema)
        } catch let problem as Problem {
            throw Problem(description: "status \(status): \(problem.description)")
        } catch {
            throw Problem(description: "the body is not JSON: \(error)")
        }
    }

    /// Holds a value against a schema, as far as the document uses the language.
    func check(_ value: JSONValue, _ schema: JSONValue, depth: Int = 0) throws(Problem) {
        func wrong(_ what: String) -> Problem {
            Problem(description: "\(value.path): \(what)", depth: depth)
        }
        if let reference = schema["$ref"]?.string {
            guard let target = target(of: reference) else { throw wrong("no \(reference)") }
            return try check(value, target, depth: depth)
        }
        if let choices = schema["anyOf"] {
            return try check(value, anyOf: Array(choices.elements), depth: depth)
        }
        if let type = schema["type"]?.string, !value.isOf(type) {
            throw wrong("is of type \(value.kind) and should be of \(type)")
        }
        if let choices = schema["enum"],
            !choices.elements.contains(where: { $0.string == value.string })
        {
            throw wrong("\"\(value.string ?? "")\" is none of the choices")
        }
        if let number = value.double {
            if let least = schema["minimum"]?.double, number < least { throw wrong("\(number)") }
            if let most = schema["maximum"]?.double, number > most { throw wrong("\(number)") }
        }
        if let most = schema["maxLength"]?.int64, value.string?.unicodeScalars.count ?? 0 > most {
            throw wrong("is longer than \(most)")
        }
        if let most = schema["maxItems"]?.int64, value.kind == .array, value.count > most {
            throw wrong("has \(value.count) elements and may have \(most)")
        }
        if let items = schema["items"] {
            for element in value.elements { try check(element, items, depth: depth + 1) }
        }
        try checkMembers(of: value, schema, depth: depth)
    }

    private func check(
        _ value: JSONValue, anyOf choices: [JSONValue], depth: Int
    ) throws(Problem) {
        var problems: [Problem] = []
        for choice in choices {
            do throws(Problem) {
                return try check(value, choice, depth: depth)
            } catch {
                problems.append(error)
            }
        }
        // The one that came furthest is most likely the one that was meant.
        throw problems.max { $0.depth < $1.depth }
            ?? Problem(description: "\(value.path): fits nothing", depth: depth)
    }

    private func checkMembers(
        of value: JSONValue, _ schema: JSONValue, depth: Int
    ) throws(Problem) {
        guard value.kind == .object else { return }
        for name in schema["required"]?.elements.compactMap(\.string) ?? []
        where value[name] == nil {
            throw Problem(description: "\(value.path): has no \"\(name)\"", depth: depth)
        }
        let (known, others) = (schema["properties"], schema["additionalProperties"])
        for member in value.members {
            if let schema = known?[member.key] {
                try check(member.value, schema, depth: depth + 1)
            } else if others?.bool == false {
                throw Problem(
                    description: "\(value.path): \"\(member.key)\" is not in the document",
                    depth: depth)
            } else if let others, others.kind == .object {
                try check(member.value, others, depth: depth + 1)
            }
        }
    }
}

extension JSONValue {
    fileprivate func isOf(_ type: String) -> Bool {
        switch type {
        case "string": kind == .string
        case "integer": kind == .integer
        case "number": kind == .integer || kind == .double
        case "boolean": kind == .bool
        case "array": kind == .array
        case "object": kind == .object
        default: false
        }
    }
}
