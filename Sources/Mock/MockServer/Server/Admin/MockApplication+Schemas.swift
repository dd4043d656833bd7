import CloudModel
import HTTPServer
import JSON

extension MockApplication {
    /// Where record types are known, by a schema or because records were saved.
    func listSchemas() throws(AdminError) -> RequestOutcome {
        let places = try storing { () throws(MockStoreError) in try store.schemaPlaces() }
        return .object { writer in
            writer.objects("schemas", places) { writer, place in
                writer.member("container", place.container.rawValue)
                writer.member("environment", place.environment.rawValue)
                writer.member("declared", place.isDeclared)
            }
        }
    }

    /// A container's schema, with what was saved beside it, as a text that `PUT schema` takes.
    func schema(
        of container: Container.ID, _ environment: Container.Environment
    ) throws(AdminError) -> RequestOutcome {
        let schema = try storing { () throws(MockStoreError) in
            try store.knownSchema(of: container, environment)
        }
        let text = Array(schema.text.utf8)
        guard text.count <= AdminOperation.listBytesMax else {
            throw AdminError(
                status: 409,
                "the schema would have \(text.count) bytes, more than the "
                    + "\(AdminOperation.listBytesMax) that can be loaded again")
        }
        return .respond(
            HTTPResponse(
                status: 200,
                headers: [
                    "content-type": "text/plain; charset=UTF-8", "cache-control": "no-store",
                ],
                body: text), after: .zero)
    }

    func set(_ schema: Schema?, of container: Container.ID) throws(AdminError) -> RequestOutcome {
        try storing { () throws(MockStoreError) in try store.setSchema(schema, of: container) }
        return .object { $0.member("recordTypes", schema?.recordTypes.count ?? 0) }
    }
}
