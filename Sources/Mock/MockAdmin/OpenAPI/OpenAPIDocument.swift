import CloudWire
import JSON

/// The description of all that the server answers, as OpenAPI 3.1: made of the tables of operations,
/// and the same bytes at every call.
package enum OpenAPIDocument {
    static let version = "3.1.1"
    private static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The keys of the document.
    static let members: [Shape.Member] = [
        .text("openapi").required,
        .object(
            "info",
            [
                .text("title"), .text("version"),
                .text("description"),
            ]
        ).required,
        .text("jsonSchemaDialect"),
        .list("servers", of: .object([.text("url").required, .text("description")])),
        .list("tags", of: .object([.text("name").required, .text("description")])),
        Shape.Member("paths", .map(.any)).required, Shape.Member("components", .map(.any)),
    ]

    /// - Parameter base: The address of the server, or of the namespace that is asked for.
    package static func bytes(servedAt base: String) -> [UInt8] {
        var writer = JSONWriter(reserving: 1 << 19)
        writer.object { writer in
            writer.member("openapi", version)
            writer.object("info") { writer in
                writer.member("title", "CloudKit Web Services, as implemented by the mock server")
                writer.member("version", "1")
                writer.member(
                    "description",
                    "The service, whose operations are below /database/1/ and /device/1/, and the "
                        + "administration of the mock server below /_mock/v1/.")
            }
            writer.member("jsonSchemaDialect", dialect)
            writer.objects("servers", [base]) { $0.member("url", $1) }
            writer.key("tags")
            writer.raw(tags)
            writer.key("paths")
            writer.raw(paths)
            writer.key("components")
            writer.raw(components)
        }
        return writer.bytes
    }

    private static func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(reserving: 1 << 18)
        write(&writer)
        return writer.bytes
    }

    private static let tags = written { writer in
        var tags: [OpenAPIOperation.Tag] = []
        for operation in OpenAPIOperation.all where !tags.contains(operation.tag) {
            tags.append(operation.tag)
        }
        writer.beginArray()
        for tag in tags {
            writer.object { writer in
                writer.member("name", tag.name)
                writer.member("description", tag.about)
            }
        }
        writer.endArray()
    }

    private static let paths = written { writer in
        let operations = OpenAPIOperation.all
        writer.object { writer in
            var rest = operations[...]
            while let path = rest.first?.path {
                writer.object(path) { writer in
                    for operation in rest.prefix(while: { $0.path == path }) {
                        writer.openAPI(operation)
                    }
                }
                rest = rest.drop { $0.path == path }
            }
        }
    }

    private static let components = written { writer in
        writer.object { writer in
            writer.object("schemas") { writer in
                for definition in ShapeDefinition.all {
                    writer.schema(definition.name, definition.shape)
                }
                for definition in AdminDefinitions.all {
                    writer.schema(definition.name, definition.shape)
                }
            }
            writer.object("responses") { writer in
                let refusals = OpenAPIOperation.all.flatMap(\.refusals)
                let byName = Dictionary(refusals.map { ($0.name, $0) }) { first, _ in first }
                for (_, refusal) in byName.sorted(by: { $0.key < $1.key }) {
                    writer.openAPI(refusal)
                }
            }
            writer.object("headers") { writer in
                for header in OpenAPIHeader.allCases { writer.openAPI(header) }
            }
            writer.object("securitySchemes") { writer in
                for credential in OpenAPICredential.allCases { writer.openAPI(credential) }
            }
        }
    }
}
