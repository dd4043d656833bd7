import CloudModel

extension ShapeDefinition {
    static let shares: [ShapeDefinition] = [
        ShapeDefinition(
            "Participant",
            [
                .text("participantId"), .named("userIdentity", "UserIdentity").required,
                Shape.Member("type", .choice(of: ShareParticipant.Role.self)),
                Shape.Member("permission", .choice(of: Share.Permission.self)),
                Shape.Member("acceptanceStatus", .choice(of: ShareParticipant.Acceptance.self)),
            ]),
        ShapeDefinition("ShortGUID", shortGUIDKeys),
        ShapeDefinition(
            "SharesRequest",
            [
                .list("shortGUIDs", of: "ShortGUID", max: WireLimits.lookupsMax).required,
                numbersAsStrings,
            ]),
        ShapeDefinition(
            "ShareMetadata",
            [
                .named("shortGUID", "ShortGUID").required, .text("containerIdentifier").required,
                Shape.Member("environment", .choice(of: Container.Environment.self)).required,
                .choice("databaseScope", ["PUBLIC", "PRIVATE", "SHARED"]).required,
                .named("zoneID", "ZoneID").required, .text("rootRecordName"),
                .named("rootRecord", "Record"), .named("share", "Record"),
                .named("ownerIdentity", "UserIdentity").required,
                Shape.Member("participantType", .choice(of: ShareParticipant.Role.self)),
                Shape.Member("participantPermission", .choice(of: Share.Permission.self)),
                Shape.Member("participantStatus", .choice(of: ShareParticipant.Acceptance.self)),
            ]),
        failure("ShareError", [.named("shortGUID", "ShortGUID").required]),
        ShapeDefinition(
            "Shares", [.list("results", of: .oneOf(["ShareMetadata", "ShareError"])).required]),
    ]

    private static let shortGUIDKeys: [Shape.Member] = [
        .text("value").required, .flag("shouldFetchRootRecord"),
        .list("rootRecordDesiredKeys", of: .text),
    ]

    /// What one may give: no unknown permission.
    static func sharePermission(_ name: String) -> Shape.Member {
        .choice(name, Share.Permission.allCases.filter { $0 != .unknown }.map(\.rawValue))
    }

    /// The members of a record that is shared, or is a share.
    static let shareKeys: [Shape.Member] = [
        .text("shortGUID"),
        .object(
            "stableUrl",
            [
                .text("routingKey"), .text("shortTokenHash"), .text("protectedFullToken"),
                .text("encryptedPublicSharingKey"), .text("displayedHostname"),
            ]), .text("displayedHostname"),
        Shape.Member("publicPermission", .choice(of: Share.Permission.self)),
        .list("participants", of: "Participant"), .named("owner", "Participant"),
        .named("currentUserParticipant", "Participant"),
    ]
}
