import ClientLinter
import CloudWire
import MockFaults
import MockRules
import MockService
import MockStore

/// The shapes of the administration that have a name.
enum AdminDefinitions {
    static let all: [(name: String, shape: Shape)] =
        (tables + credentials + data + journal + ledger).map { name, members in
            (name, .object(members.map(AdminVocabulary.answered)))
        } + [
            (
                "FaultRules",
                .oneOf([
                    "FaultText", "FaultRule", .list(.oneOf(["FaultText", "FaultRule"])),
                    .object([
                        .list("rules", of: .oneOf(["FaultText", "FaultRule"])).required
                    ]),
                ])
            ), ("FaultText", .text),
        ]

    /// A definition of the administration or of the service.
    static func shape(named name: String) -> Shape? {
        all.first { $0.name == name }?.shape ?? ShapeDefinition.shape(named: name)
    }

    /// What a shape is, where it is one that has a name.
    static func resolve(_ shape: Shape) -> Shape {
        guard case .named(let name) = shape, let known = self.shape(named: name) else {
            return shape
        }
        return resolve(known)
    }

    private static let tables: [(String, [Shape.Member])] = [
        ("MockError", [.text("error").required]),
        (
            "NamespaceError",
            [
                .named("serverErrorCode", "ErrorCode").required, .text("reason").required,
                .text("error").required,
            ]
        ),
        (
            "ServiceRow",
            [
                .text("operation").required, .text("path").required, .list("methods", of: .text),
                .choice("credential", ["apiToken", "user"]), .flag("modifies"), .text("takes"),
                .text("answers"),
            ]
        ),
        (
            "TransferRow",
            [
                .text("operation").required, .text("path").required, .list("methods", of: .text),
            ]
        ),
        (
            "AdminRow",
            [
                .text("method").required, .text("path").required, .text("about"),
                .list("query", of: .text), Shape.Member("body", .oneOf([.text, .list(.text)])),
                .list("answers", of: .text),
            ]
        ),
        (
            "ServerSwitch",
            [
                .text("name").required, .text("about"), .text("values"), .text("standard"),
            ]
        ),
        (
            "PendingWork",
            [
                .choice("event", SimulatedEvent.Kind.pending.map(\.rawValue)).required,
                .count("count"), .text("about"),
            ]
        ),
        (
            "AdminNamespace",
            [
                Shape.Member("name", AdminVocabulary.namespace).required, .text("url").required,
                .list("users", of: .text),
            ]
        ),
        (
            "AdminEvent",
            [
                "event", .text("about"), .list("needs", of: .text), .list("takes", of: .text),
            ]
        ),
    ]

    private static let credentials: [(String, [Shape.Member])] = [
        ("AdminUser", MockUser.keys.map { Shape.Member(stringLiteral: $0) }),
        ("AdminAPIToken", ["apiToken", "container", "environment", "origins", "callbacks"]),
        ("AdminKey", ["keyID", "container", "environment"]),
    ]

    private static let data: [(String, [Shape.Member])] = [
        ("AdminSchema", ["container", "environment", .flag("declared")]),
        (
            "AdminDatabase",
            [
                "container", "environment", "database", "user", .count("zones"), .count("records"),
                .count("assets"), .count("assetBytes"), .count("subscriptions"),
                .flag("restricted"),
            ]
        ),
        (
            "AdminZone",
            [
                "zone", "owner", .flag("live"), .text("deletion"), .count("records"),
                .count("tombstones"), .count("shares"), "place", .integer("end"),
            ]
        ),
        (
            "AdminRecord",
            [
                .text("recordName").required, .text("recordType"), .text("recordChangeTag"),
                .flag("live"), "place", "bytes", .text("parent"), .text("share"),
                .named("created", "Stamp"), .named("modified", "Stamp"), .named("deleted", "Stamp"),
            ]
        ),
        (
            "AdminReferrer",
            [.text("recordName"), .choice("kind", ["DELETE_SELF", "VALIDATE", "parent"])]
        ),
        (
            "AdminShare",
            [
                "zone", .text("recordName"), .text("root"), .text("publicPermission"),
                .list("participants", of: "AdminParticipant"),
            ]
        ),
        (
            "AdminParticipant",
            [
                .text("participantID"), "user", .text("userRecordName"), .text("role"),
                .text("permission"), .text("acceptance"),
            ]
        ),
        (
            "AdminMatch",
            [
                "user", "container", "environment", "database", "zone", "owner",
                .text("recordName").required, .text("recordType"), .flag("live"),
            ]
        ),
        (
            "AdminPosition",
            [
                "user", "device", "container", "environment", "database", "zone", "owner", "place",
                .choice("standing", FeedStanding.names),
                Shape.Member("why", .choice(of: TokenExpiry.self)), .integer("end"), "more",
                .integer("time"),
            ]
        ),
    ]

    private static let journal: [(String, [Shape.Member])] = [
        (
            "FaultRule",
            [
                .text("id"), .text("text"), Shape.Member("when", .map(.any)).required,
                Shape.Member("do", .map(.any)).required, .count("matched"), .count("fired"),
            ]
        ),
        (
            "AdminGate",
            [
                .text("name").required, .list("rules", of: .text),
                .list("waiting", of: "HeldRequest"),
            ]
        ),
        (
            "HeldRequest",
            [
                .count("number").required, Shape.Member("at", .choice(of: GatePoint.self)),
                .text("operation"), .text("user"), .text("device"), .list("zones", of: .text),
                .integer("time"),
            ]
        ),
        (
            "JournalEntry",
            [
                .count("number").required, .integer("time").required, .text("method").required,
                .text("operation").required, .text("container"), "environment", .text("scope"),
                .text("user"), .text("device"), .list("zones", of: .text),
                .list("recordTypes", of: .text), .count("items"),
                .integer("status", 0...599).required, Shape.Member("codes", .map(.count)),
                .text("code"), .text("reason"), .text("rule"), .text("uuid"),
                .list("failures", of: "JournalFailure"),
                .list("faults", of: .text), .count("requestBytes"), .count("replyBytes"),
                .count("microseconds"),
            ]
        ),
        (
            "FeedHello",
            [
                .count("after"), .count("oldest"), .count("newest"), "generation",
                .text("namespace"),
            ]
        ),
        ("FeedGap", [.count("from"), .count("to"), .count("lost"), .text("reason")]),
        ("FeedFault", [.text("fault"), .count("request")]),
        (
            "FeedChange",
            [
                Shape.Member("kind", .choice(of: StoreChange.Kind.self)).required, "container",
                "environment", "database", "user", "zone", .text("record"), .text("recordType"),
                .count("request"),
            ]
        ),
        ("FeedClock", ["mode", "rate", "milliseconds", "now"]),
        ("FeedReset", ["generation"]),
        ("FeedAdministration", [.text("method"), .text("path")]),
        ("FeedEnd", [.text("reason")]),
        (
            "JournalExpectation", JournalResource.expectation
        ),
        (
            "JournalFinding",
            [
                .text("expected").required,
                Shape.Member("verdict", .choice(of: JournalVerdict.Answer.self)).required,
                .count("matched"), .list("matches", of: .count), .text("reason"),
                .list("nearMisses", of: "JournalNearMiss"),
            ]
        ),
        (
            "JournalNearMiss",
            [
                .count("number"), .text("operation"),
                .list("differs", of: "JournalDifference"),
            ]
        ),
        (
            "JournalDifference",
            [
                Shape.Member("key", .choice(of: RequestPattern.Key.self)), .text("expected"),
                .text("found"),
            ]
        ),
        (
            "ClientFinding",
            [
                .count("number").required,
                Shape.Member("rule", .choice(of: ClientFinding.Rule.self)).required, .text("user"),
                .text("device"), .text("clientId"), .text("container"), "environment",
                .text("database"),
                .text("zone"), .list("requests", of: .count).required, .count("times").required,
                .text("message").required, .text("about").required, .text("instead").required,
            ]
        ),
        (
            "ClientRule",
            [
                Shape.Member("rule", .choice(of: ClientFinding.Rule.self)).required,
                .text("about").required, .text("instead").required,
            ]
        ),
        ("JournalFailure", [.text("name"), .text("code"), .text("reason"), .text("rule")]),
        (
            "Explanation",
            [
                .text("item"), .text("code").required, .text("reason"), .text("words").required,
                .flag("explained").required, .text("rule"), .text("fault"),
                Shape.Member("status", .choice(of: BehaviorRule.Status.self)), .text("facts"),
                .text("request"), .text("response"), .text("source"), .text("date"),
            ]
        ),
        (
            "AdminPushDevice",
            [
                .text("token"), .text("apnsEnvironment"), "container", "environment", "user",
                .text("userRecordName"), "device", .text("clientId"), .count("polls"),
            ]
        ),
        (
            "AdminPush",
            [
                .count("number"), .integer("time"), .text("token"), .flag("delivered"),
                .count("changes"), Shape.Member("payload", .map(.any)),
            ]
        ),
    ]

    private static let ledger: [(String, [Shape.Member])] = [
        (
            "BehaviorRule",
            [
                .text("rule").required, .count("number"),
                Shape.Member("area", .choice(of: BehaviorRule.Area.self)),
                Shape.Member("status", .choice(of: BehaviorRule.Status.self)), .text("request"),
                .text("response"), .text("source"), .text("date"), .text("setting"),
                .list("tests", of: .text), .text("untested"),
            ]
        ),
        ("RuleSource", [.text("name"), .text("place"), .text("date")]),
    ]
}
