import CloudModel

extension ShapeDefinition {
    static let records: [ShapeDefinition] = [
        ShapeDefinition(
            "Stamp",
            [.integer("timestamp").required, .text("userRecordName"), .text("deviceID")]),
        ShapeDefinition("Record", recordKeys + shareKeys),
        ShapeDefinition(
            "DeletedRecord",
            [
                .text("recordName").required, isDeleted, .text("recordChangeTag"),
                .named("zoneID", "ZoneID"),
            ]),
        failure("RecordError", [.text("recordName")]),
        ShapeDefinition("RecordItem", .oneOf(["Record", "DeletedRecord", "RecordError"])),
        ShapeDefinition(
            "Records", [.list("records", of: "RecordItem").required, .text("syncToken")]),
        // Also the answer to an atomic batch that failed, beside the error.
        failure(
            "RecordsModifyError", [.list("records", of: "RecordItem"), .text("syncToken")]),
        ShapeDefinition(
            "RecordsLookupRequest",
            [
                .list(
                    "records",
                    of: .object([.text("recordName").required, desiredKeys]),
                    max: WireLimits.lookupsMax
                ).required, .named("zoneID", "ZoneID"), desiredKeys, numbersAsStrings,
            ]),
        ShapeDefinition(
            "RecordToSave",
            [
                .text("recordName"), .text("recordType"), .text("recordChangeTag"),
                .named("zoneID", "ZoneID"), Shape.Member("fields", .map("Field")),
                .named("parent", "Reference"), .flag("createShortGUID"),
                .object("forRecord", [.text("recordName").required, .text("recordChangeTag")]),
                sharePermission("publicPermission"),
                .list("participants", of: "Participant"),
            ]),
        ShapeDefinition(
            "RecordOperation",
            [
                Shape.Member("operationType", .choice(of: RecordOperation.Kind.self)).required,
                .named("record", "RecordToSave").required, desiredKeys,
            ]),
        ShapeDefinition(
            "RecordsModifyRequest",
            [
                .list("operations", of: "RecordOperation", max: WireLimits.operationsMax)
                    .required,
                .named("zoneID", "ZoneID"), .flag("atomic"), desiredKeys, numbersAsStrings,
            ]),
    ]

    private static let recordKeys: [Shape.Member] = [
        .text("recordName").required, .text("recordType").required,
        Shape.Member("fields", .map("Field")).required,
        Shape.Member("pluginFields", .map(.any)).required, .text("recordChangeTag").required,
        .named("created", "Stamp").required, .named("modified", "Stamp").required, isDeleted,
        .named("zoneID", "ZoneID"), .named("parent", "Reference"), .named("share", "Reference"),
    ]
}
