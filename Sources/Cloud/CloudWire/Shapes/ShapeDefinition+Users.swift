import CloudModel

extension ShapeDefinition {
    static let users: [ShapeDefinition] = [
        ShapeDefinition("LookupInfo", lookupKeys),
        ShapeDefinition("NameComponents", NameComponents.parts.map { .text($0.name) }),
        ShapeDefinition(
            "UserIdentity",
            [
                .text("userRecordName"), .named("lookupInfo", "LookupInfo"),
                .named("nameComponents", "NameComponents"),
            ]),
        ShapeDefinition("User", userKeys),
        ShapeDefinition(
            "Caller",
            [
                .text("userRecordName").required, .named("lookupInfo", "LookupInfo"),
                .named("nameComponents", "NameComponents"),
                .list("users", of: "UserIdentity").required,
            ]),
        failure("UserError", lookupKeys),
        ShapeDefinition(
            "UserIdentities",
            [.list("users", of: .oneOf(["UserIdentity", "UserError"])).required]),
        ShapeDefinition("Users", [.list("users", of: .oneOf(["User", "UserError"])).required]),
        ShapeDefinition(
            "UsersDiscoverRequest",
            [.list("lookupInfos", of: "LookupInfo", max: WireLimits.lookupsMax)]),
        ShapeDefinition("UsersByEmailRequest", lookups("emailAddress")),
        ShapeDefinition("UsersByIDRequest", lookups("userRecordName")),
    ]

    static let tokens: [ShapeDefinition] = [
        ShapeDefinition("TokenCreateRequest", [apnsEnvironment, .text("clientId")]),
        ShapeDefinition(
            "TokenRegisterRequest",
            [
                Shape.Member(
                    "apnsToken",
                    .text(pattern: "^[\\x21-\\x7E]+$", bytesMax: WireLimits.pushTokenMax)
                ).required, apnsEnvironment,
            ]),
        ShapeDefinition(
            "PushToken", [apnsEnvironment, .text("apnsToken").required, .text("webcourierURL")]),
        ShapeDefinition("Done", []),
        ShapeDefinition("NoArguments", [numbersAsStrings]),
    ]

    private static let lookupKeys: [Shape.Member] = [
        .text("emailAddress"), .text("phoneNumber"), .text("userRecordName"),
    ]
    private static let userKeys: [Shape.Member] = [
        .text("userRecordName").required, .text("firstName"), .text("lastName"),
        .text("emailAddress"),
    ]
    private static let apnsEnvironment = Shape.Member(
        "apnsEnvironment", .choice(of: PushToken.Environment.self)
    ).required

    private static func lookups(_ key: String) -> [Shape.Member] {
        [
            .list(
                "users", of: .object([.text(key).required]), max: WireLimits.lookupsMax
            ).required
        ]
    }
}
