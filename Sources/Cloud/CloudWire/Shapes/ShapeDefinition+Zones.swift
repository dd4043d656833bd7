import CloudModel

extension ShapeDefinition {
    /// Whether numbers in fields come in quotation marks; any request may say so.
    static let numbersAsStrings = Shape.Member.flag("numbersAsStrings")
    static let limit = Shape.Member.integer("resultsLimit", 1...Int64(Int32.max))
    static let desiredKeys = Shape.Member.list("desiredKeys", of: .text)

    static let zones: [ShapeDefinition] = [
        ShapeDefinition(
            "ZoneID",
            [
                .text("zoneName").required, .text("ownerRecordName"),
                .choice("zoneType", ["DEFAULT_ZONE", "REGULAR_CUSTOM_ZONE"]),
            ]),
        ShapeDefinition(
            "Zone",
            [.named("zoneID", "ZoneID").required, .text("syncToken"), .flag("atomic").required]),
        ShapeDefinition(
            "DeletedZone",
            [
                .named("zoneID", "ZoneID").required, isDeleted,
                Shape.Member("deletionReason", .choice(of: RecordZone.DeletionReason.self)),
            ]),
        failure("ZoneError", [.named("zoneID", "ZoneID").required]),
        ShapeDefinition("ZoneItem", .oneOf(["Zone", "DeletedZone", "ZoneError"])),
        ShapeDefinition(
            "Zones", [.list("zones", of: "ZoneItem", max: WireLimits.lookupsMax).required]),
        ShapeDefinition("ZonePage", page(token: "syncToken")),
        ShapeDefinition("ZoneListChanges", page(token: "metaSyncToken")),
        ShapeDefinition("ZonesListRequest", [.text("syncToken"), numbersAsStrings]),
        ShapeDefinition(
            "ZonesLookupRequest",
            [
                .list(
                    "zones",
                    of: .oneOf(["ZoneID", .object([.named("zoneID", "ZoneID").required])]),
                    max: WireLimits.lookupsMax
                ).required
            ]),
        ShapeDefinition(
            "ZoneOperation",
            [
                .choice("operationType", ["create", "delete"]).required,
                .object("zone", [.named("zoneID", "ZoneID").required]).required,
            ]),
        ShapeDefinition(
            "ZonesModifyRequest",
            [.list("operations", of: "ZoneOperation", max: WireLimits.operationsMax).required]),
        ShapeDefinition("ZonesChangesRequest", [.text("metaSyncToken"), limit]),
        ShapeDefinition("DatabaseChangesRequest", [.text("syncToken"), limit]),
        ShapeDefinition(
            "ZoneChangesOfZone",
            [.named("zoneID", "ZoneID").required, .text("syncToken")] + changesKeys),
        ShapeDefinition(
            "ZoneChangesRequest",
            [.list("zones", of: "ZoneChangesOfZone", max: WireLimits.lookupsMax).required]
                + changesKeys),
        ShapeDefinition(
            "ZoneChangesPage", [.named("zoneID", "ZoneID").required] + recordChanges),
        ShapeDefinition(
            "ZoneChanges",
            [.list("zones", of: .oneOf(["ZoneChangesPage", "ZoneError"])).required]),
        ShapeDefinition("RecordChanges", recordChanges),
    ]

    /// What says that an item was deleted.
    static let isDeleted = Shape.Member.flag("deleted").required

    private static let changesKeys: [Shape.Member] = [
        limit, desiredKeys, .list("desiredRecordTypes", of: .text), .flag("reverse"),
        numbersAsStrings,
    ]
    private static let recordChanges: [Shape.Member] = [
        .list("records", of: "RecordItem").required,
        .text("syncToken").required, .flag("moreComing").required,
    ]

    private static func page(token: String) -> [Shape.Member] {
        [.list("zones", of: "ZoneItem").required, .flag("moreComing").required, .text(token)]
    }
}
