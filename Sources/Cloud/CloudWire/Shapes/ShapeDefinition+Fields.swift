import CloudModel

extension ShapeDefinition {
    /// A field of each type and of a list of each, and one whose type the value tells.
    static let fields: [ShapeDefinition] =
        [
            ShapeDefinition(
                "Location",
                [
                    .number("latitude").required, .number("longitude").required,
                    .number("horizontalAccuracy"), .number("verticalAccuracy"),
                    .number("altitude"), .number("speed"), .number("course"),
                    .integer("timestamp"),
                ]),
            ShapeDefinition(
                "Reference",
                [
                    .text("recordName").required,
                    Shape.Member("action", .choice(of: Record.Reference.Action.self)),
                    .named("zoneID", "ZoneID"),
                ]),
            ShapeDefinition("Asset", assetKeys),
        ]
        + FieldValue.Kind.allCases.flatMap { kind in
            [
                field(kind.definition, kind.shape, [kind.rawValue]),
                field(kind.definition + "List", .list(kind.shape), [kind.rawValue + "_LIST"]),
            ]
        } + [
            ShapeDefinition("UntypedField", [Shape.Member("value", .any), .flag("isEncrypted")]),
            ShapeDefinition(
                "Field",
                .oneOf(
                    FieldValue.Kind.allCases.flatMap { kind in
                        [.named(kind.definition), .named(kind.definition + "List")]
                    } + ["UntypedField"])),
        ]

    /// The members of an asset, in a field and in the answer to its upload.
    static let assetKeys: [Shape.Member] = [
        .text("fileChecksum").required, .integer("size").required, .text("referenceChecksum"),
        .text("wrappingKey"), .text("receipt"), .text("downloadURL"),
    ]

    private static func field(_ name: String, _ value: Shape, _ types: [String]) -> ShapeDefinition
    {
        ShapeDefinition(
            name,
            [
                Shape.Member("value", value).required,
                .choice("type", types + types.map { "ENCRYPTED_" + $0 }).required,
                .flag("isEncrypted"),
            ])
    }
}

extension FieldValue.Kind {
    fileprivate var definition: String {
        switch self {
        case .string: "StringField"
        case .int64: "Int64Field"
        case .double: "DoubleField"
        case .bytes: "BytesField"
        case .timestamp: "TimestampField"
        case .location: "LocationField"
        case .reference: "ReferenceField"
        case .asset: "AssetField"
        }
    }

    /// Numbers come in quotation marks where a request asks for that.
    fileprivate var shape: Shape {
        switch self {
        case .string: .text
        case .int64, .timestamp: .oneOf([.integer, .text(pattern: "^-?[0-9]{1,19}$")])
        case .double: .oneOf([.number, .text(pattern: "^-?[0-9][0-9.eE+-]*$")])
        case .bytes: .text(pattern: "^[A-Za-z0-9+/]*={0,2}$")
        case .location: "Location"
        case .reference: "Reference"
        case .asset: "Asset"
        }
    }
}
