import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockService
import MockStore

/// The schemas of containers.
struct SchemaResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "schema", query: ["container", "environment"],
            answers: .objectOrText(["schemas"]),
            "lists the containers with known record types; with a container, returns them as a "
                + ".ckdb text", get),
        AdminEndpoint(
            "PUT", "schema", query: [.required("container")], takes: .text("a .ckdb text"),
            upTo: AdminEndpoint.listBytesMax, answers: ["recordTypes"],
            "sets a container's schema, or removes it if the text is empty", put),
    ]

    /// The containers with known record types, or the schema of one.
    private func get() throws(MockError) -> RequestOutcome {
        guard let text = query["container"] else {
            guard query["environment"] == nil else {
                throw MockError("?environment= needs ?container=IDENTIFIER")
            }
            return try list()
        }
        let container = try Container.ID(asked: text)
        let name = query["environment"] ?? Container.Environment.development.rawValue
        guard let environment = Container.Environment(rawValue: name) else {
            throw MockError("environment must be development or production")
        }
        return try show(of: container, environment)
    }

    /// Where record types are known, by a schema or because records were saved.
    private func list() throws(MockError) -> RequestOutcome {
        let places = try storing { () throws(MockStoreError) in try store.schemaPlaces() }
        return .object { writer in
            writer.objects("schemas", places) { writer, place in
                writer.member("container", place.container.rawValue)
                writer.member("environment", place.environment.rawValue)
                writer.member("declared", place.isDeclared)
            }
        }
    }

    /// A container's schema, with record types that were saved without one, as a text that `PUT schema` accepts.
    private func show(
        of container: Container.ID, _ environment: Container.Environment
    ) throws(MockError) -> RequestOutcome {
        let schema = try storing { () throws(MockStoreError) in
            try store.knownSchema(of: container, environment)
        }
        let text = Array(schema.text.utf8)
        guard text.count <= AdminEndpoint.listBytesMax else {
            throw MockError(
                status: 409,
                "the schema would have \(text.count) bytes, more than the "
                    + "\(AdminEndpoint.listBytesMax) that can be loaded again")
        }
        return .respond(
            HTTPResponse(
                status: 200,
                headers: [
                    "content-type": "text/plain; charset=UTF-8", "cache-control": "no-store",
                ],
                body: text), after: .zero)
    }

    /// A `.ckdb` text for a container; an empty one removes its schema.
    private func put() throws(MockError) -> RequestOutcome {
        guard let container = query["container"].flatMap({ Container.ID($0) }) else {
            throw MockError("needs ?container=IDENTIFIER")
        }
        var schema: Schema?
        if !call.bytes.isEmpty {
            do throws(SchemaError) {
                schema = try Schema(parsing: String(decoding: call.bytes, as: UTF8.self))
            } catch {
                throw MockError(error.description)
            }
        }
        let new = schema
        try storing { () throws(MockStoreError) in try store.setSchema(new, of: container) }
        return .object { $0.member("recordTypes", new?.recordTypes.count ?? 0) }
    }
}
