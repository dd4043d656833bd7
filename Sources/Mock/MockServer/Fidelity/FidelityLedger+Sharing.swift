extension FidelityLedger {
    /// Shares of hierarchies and zones.
    static let sharing: [FidelityRule] = [
        FidelityRule(
            94, .sharing, .documented,
            asked: "a new share without its root",
            answered: "BAD_REQUEST that names what is missing",
            [.headers: "CKShare", .sqliteData: "saveShareWithoutRootRecord"],
            .tests(["A-94"])),
        FidelityRule(
            95, .sharing, .documented,
            asked: "a share and its root together; later the share alone",
            answered: "both succeed",
            [.headers: "CKShare", .sqliteData: "saveShareAndRootThenSaveShareAlone"],
            .tests(["A-95"])),
        FidelityRule(
            96, .sharing, .observed,
            asked: "a participant saves a new record with neither parent nor share",
            answered: "ACCESS_DENIED",
            [.issues: "pointfreeco/sqlite-data#312", .sqliteData: "saveSharedRecordWithoutParent"],
            .tests(["A-96"])),
        FidelityRule(
            97, .sharing, .inferred,
            asked: "a participant with read access saves or deletes",
            answered: "ACCESS_DENIED, unless everyone may write; the permission on the server "
                + "counts",
            [.sqliteData: "SharingPermissionsTests"],
            .tests(["A-97"])),
        FidelityRule(
            98, .sharing, .documented,
            asked: "the owner deletes the share",
            answered: "sharing ends; the records stay",
            [.headers: "CKShare", .sqliteData: "deletingShareOwnedByCurrentUser…"],
            .tests(["A-98"])),
        FidelityRule(
            99, .sharing, .documented,
            asked: "a participant deletes the share",
            answered: "only they leave; the owner's records stay",
            [.headers: "CKShare", .sqliteData: "deletingShareNotOwnedByCurrentUser…"],
            .tests(["A-99"])),
        FidelityRule(
            100, .sharing, .documented,
            asked: "a participant deletes the root",
            answered: "refused: only its owner may",
            [.headers: "CKShare", .sqliteData: "deleteRootSharedRecord_CurrentUserNotOwner"],
            .tests(["A-100"])),
        FidelityRule(
            101, .sharing, .documented,
            asked: "the owner deletes the root",
            answered: "the share is deleted too",
            [.headers: "CKShare"],
            .tests(["A-101"])),
        FidelityRule(
            102, .sharing, .documented,
            asked: "sharing something that is shared already",
            answered: "refused, also for a zone as a whole and in part",
            [.headers: "CKError 30, CKShare"],
            .tests(["A-102"])),
        FidelityRule(
            103, .sharing, .documented,
            asked: "more than 100 participants",
            answered: "refused",
            [.headers: "CKError 29"],
            change: .option("participantsMax"),
            .tests(["A-103"])),
        FidelityRule(
            104, .sharing, .documented,
            asked: "a share becomes public",
            answered: "invitations that were not accepted end",
            [.headers: "CKShare"],
            .tests(["A-104"])),
        FidelityRule(
            105, .sharing, .documented,
            asked: "a whole zone is shared",
            answered: "by a record with a fixed name, without a root",
            [.headers: "CKShare", .sharingSample: ""],
            .tests(["A-105"])),
        FidelityRule(
            106, .sharing, .inferred,
            asked: "the order of a shared feed",
            answered: "the share may come before the record that it covers",
            [.sqliteData: "shareDeliveredBeforeRecord"],
            .tests(["A-106"])),
        FidelityRule(
            choice: "root-elsewhere", .sharing, .ours,
            asked: "a new share without its root in the same request",
            answered: "accepted if `forRecord` has the root's latest tag",
            on: "2026-11-23",
            .tests(["A-94", "A-95"])),
        FidelityRule(
            choice: "shared-already", .sharing, .ours,
            asked: "a record, or one above or below it, that is shared already",
            answered: "EXISTS, \"already shared\"; a hierarchy in a shared zone, and the reverse, "
                + "BAD_REQUEST",
            on: "2026-11-23",
            .tests(["A-102"])),
        FidelityRule(
            choice: "foreign-short-guid", .sharing, .ours,
            asked: "a short GUID of a share that the caller has no access to",
            answered: "NOT_FOUND from `records/resolve`; a user who is not invited gets "
                + "ACCESS_DENIED from `records/accept`",
            on: "2026-11-23",
            .tests([
                "a short GUID leads who may know to the share and its root",
                "who may not even read gets no root from a short GUID",
            ])),
        FidelityRule(
            choice: "leaving", .sharing, .ours,
            asked: "a participant who leaves a share or is removed from it",
            answered: "is no longer among its participants",
            on: "2026-11-23",
            .tests([
                "A-99",
                "the owner takes a participant off the list, who has a deleted zone then",
            ])),
        FidelityRule(
            choice: "participant-writes", .sharing, .ours,
            asked: "a participant's new record without a parent in a shared hierarchy, or a "
                + "write with read access only",
            answered: "ACCESS_DENIED; a record that is not visible to them is NOT_FOUND, and "
                + "its name cannot be used",
            on: "2026-11-23",
            .tests([
                "A-96",
                "A-97",
                "a record that a participant does not see cannot be written over or taken over",
            ])),
        FidelityRule(
            choice: "participant-deletes", .sharing, .ours,
            asked: "a participant's deletion that also deletes others' records",
            answered: "ACCESS_DENIED unless all of them are visible and writable for the "
                + "participant",
            on: "2026-11-23",
            .tests([
                "a participant's deletion takes nothing with it that is not theirs to delete"
            ])),
        FidelityRule(
            choice: "moves-between-hierarchies", .sharing, .ours,
            asked: "a record that leaves a shared hierarchy",
            answered: "deleted in the participants' feeds, with all its descendants; one that "
                + "enters it is changed",
            on: "2026-11-23",
            .tests([
                "what moves into a hierarchy or out of it comes and goes with all that is below"
            ])),
        FidelityRule(
            choice: "hierarchy-from-its-beginning", .sharing, .ours,
            asked: "a participant who reads a hierarchy's feed from its beginning",
            answered: "is not sent deletions",
            on: "2026-11-23",
            .tests([
                "what moves into a hierarchy or out of it comes and goes with all that is below"
            ])),
        FidelityRule(
            choice: "hierarchy-moves", .sharing, .ours,
            asked: "more than 5,000 records that would enter or leave shared hierarchies in one "
                + "request",
            answered: "BAD_REQUEST, also for the end of a share below another one; a "
                + "participant's other shares of that size together make their tokens expire "
                + "instead",
            on: "2026-11-23",
            change: .words("`MockOptions.hierarchyMovesMax`, in process only"),
            .tests([
                "more than N records cannot join a hierarchy or leave it at once",
                "a share does not end when too much would come into the hierarchy above it",
                "the limit of hierarchy moves counts all shares of a request together",
            ])),
        FidelityRule(
            choice: "too-many-participants", .sharing, .ours,
            asked: "the response to more than 100 participants",
            answered: "BAD_REQUEST",
            on: "2026-11-23",
            .tests(["A-103"])),
        FidelityRule(
            choice: "stable-url", .sharing, .ours,
            asked: "the parts of `stableUrl`",
            answered: "generated from the short GUID",
            on: "2026-11-23",
            .reason("no client reads them: only their format is known")),
        FidelityRule(
            choice: "shared-zone-ends", .sharing, .ours,
            asked: "a shared zone that ends",
            answered: "a zone with `\"deleted\": true`, whatever the reason",
            on: "2026-11-23",
            .tests(["A-91"])),
    ]
}
