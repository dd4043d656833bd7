extension FidelityLedger {
    /// Record types, indexes and grants.
    static let schemas: [FidelityRule] = [
        FidelityRule(
            choice: "inferred-type", .schemas, .ours,
            asked: "a type that exists only through saves",
            answered: "every field has the indexes that its type can have, and signed-in users "
                + "may create records of it, keys included",
            on: "2026-11-23",
            change: .words("a schema"),
            .tests([
                "public records are written by their creator alone, without a schema",
                "a server key writes public records as itself",
                "what was saved is exported as a schema that means the same",
            ])),
        FidelityRule(
            choice: "empty-list", .schemas, .observed,
            asked: "an empty list for a field that was never saved and is in no schema",
            answered: "BAD_REQUEST, also if the wire format names the type of the list; seen "
                + "natively, where it is 12/2006",
            [
                .issues: """
                Sorix/CloudCore#10, insidegui/CloudKitCodable#11, evermeer/EVCloudKitDao#35
                """
            ],
            change: .words("a schema"),
            .tests(["an empty list makes no field, and is stored in one that there is"])),
        FidelityRule(
            choice: "type-without-grants", .schemas, .documented,
            asked: "a type of a schema without any GRANT",
            answered: "WRITE to `_creator`, CREATE to `_icloud`, READ to `_world`",
            [
                .documentation: "Integrating a Text-Based Schema into Your Workflow",
                .tooling: "exported schemas",
            ],
            change: .words("GRANT"),
            .tests(["a type of which nothing is granted has the service's grants"])),
        FidelityRule(
            choice: "key-creates", .schemas, .observed,
            asked: "a key that creates",
            answered: "only if both `_creator` and `_icloud` may",
            [.bushel: "permissions"],
            change: .words("GRANT"),
            .tests(["grants of the schema decide who reads, creates and writes"])),
        FidelityRule(
            choice: "own-roles", .schemas, .ours,
            asked: "a schema's own roles",
            answered: "assigned by the event `grant-role`; the `roles` field of a `Users` "
                + "record is not related to them",
            on: "2026-11-23",
            .tests(["a role of the schema is for those who have been given it"])),
        FidelityRule(
            choice: "write-without-read", .schemas, .ours,
            asked: "a user who may write a public record but not read it",
            answered: "gets the record without its fields, and no push about it",
            on: "2026-11-23",
            change: .words("GRANT"),
            .tests([
                "a user who may write a record and not read it does not get its contents",
                "users get no push about public records that they may not read",
            ])),
        FidelityRule(
            choice: "right-before-tag", .schemas, .ours,
            asked: "a user without access to a record sends an old tag",
            answered: "ACCESS_DENIED, not CONFLICT",
            on: "2026-11-23",
            .tests(["public records are written by their creator alone, without a schema"])),
        FidelityRule(
            choice: "production-without-schema", .schemas, .ours,
            asked: "production without a schema",
            answered: "grows by saving, like development; with a schema it refuses what the "
                + "schema lacks",
            on: "2026-11-23",
            change: .flag("--schema-strict"),
            .tests([
                "production knows only the schema, development grows by saving",
                "without a schema a strict server knows what was saved before",
            ])),
    ]
}
