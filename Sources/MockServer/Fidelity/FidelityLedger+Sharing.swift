extension FidelityLedger {
    /// Shares of hierarchies and zones.
    static let sharing: [FidelityRule] = [
        FidelityRule(
            94, .sharing, .documented,
            asked: "a new share without its root",
            answered: "BAD_REQUEST that says what it lacks",
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
            asked: "a participant who may only read saves or deletes",
            answered: """
                ACCESS_DENIED, unless everybody may write; what the server has of the permission \
                counts
                """,
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
            answered: "the share goes with it",
            [.headers: "CKShare"],
            .tests(["A-101"])),
        FidelityRule(
            102, .sharing, .documented,
            asked: "what is shared already is shared once more",
            answered: "refused, a zone as a whole and in part too",
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
            answered: "invitations that nobody has accepted end",
            [.headers: "CKShare"],
            .tests(["A-104"])),
        FidelityRule(
            105, .sharing, .documented,
            asked: "a whole zone is shared",
            answered: "by a record of a fixed name, without a root",
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
            answered: "taken where `forRecord` has the root's latest tag",
            on: "2026-11-23",
            .tests(["A-94", "A-95"])),
        FidelityRule(
            choice: "shared-already", .sharing, .ours,
            asked: "a record, or one above or below it, that is shared already",
            answered: """
                EXISTS, "already shared"; a hierarchy in a shared zone and the other way round \
                BAD_REQUEST
                """,
            on: "2026-11-23",
            .tests(["A-102"])),
        FidelityRule(
            choice: "foreign-short-guid", .sharing, .ours,
            asked: "a short GUID that the caller has no part in",
            answered: """
                NOT_FOUND from `records/resolve`; who is not invited gets ACCESS_DENIED from \
                `records/accept`
                """,
            on: "2026-11-23",
            .tests([
                "a short GUID leads who may know to the share and its root",
                "who may not even read gets no root from a short GUID",
            ])),
        FidelityRule(
            choice: "leaving", .sharing, .ours,
            asked: "who leaves a share, or is taken off it",
            answered: "is no longer among its participants",
            on: "2026-11-23",
            .tests([
                "A-99",
                "the owner takes a participant off the list, who has a deleted zone then",
            ])),
        FidelityRule(
            choice: "participant-writes", .sharing, .ours,
            asked: """
                a participant's new record without a parent in a shared hierarchy, or a write by \
                who may only read
                """,
            answered: """
                ACCESS_DENIED; a record that they do not see is NOT_FOUND, and its name cannot be \
                taken
                """,
            on: "2026-11-23",
            .tests([
                "A-96",
                "A-97",
                "a record that a participant does not see cannot be written over or taken over",
            ])),
        FidelityRule(
            choice: "participant-deletes", .sharing, .ours,
            asked: "a participant's deletion that takes others' records with it",
            answered: "ACCESS_DENIED unless they see and may write all of them",
            on: "2026-11-23",
            .tests([
                "a participant's deletion takes nothing with it that is not theirs to delete"
            ])),
        FidelityRule(
            choice: "moves-between-hierarchies", .sharing, .ours,
            asked: "a record that leaves a shared hierarchy",
            answered: """
                deleted in the participants' feeds, with all below it; one that comes into it is \
                changed
                """,
            on: "2026-11-23",
            .tests([
                "what moves into a hierarchy or out of it comes and goes with all that is below"
            ])),
        FidelityRule(
            choice: "hierarchy-from-its-beginning", .sharing, .ours,
            asked: "a participant who reads a hierarchy's feed from its beginning",
            answered: "is told of no deletions",
            on: "2026-11-23",
            .tests([
                "what moves into a hierarchy or out of it comes and goes with all that is below"
            ])),
        FidelityRule(
            choice: "hierarchy-moves", .sharing, .ours,
            asked: """
                more than 5,000 records that would move into shared hierarchies or out of them by \
                one request
                """,
            answered: """
                BAD_REQUEST, for the end of a share below another one too; a participant's \
                further shares of that size together make their tokens expire instead
                """,
            on: "2026-11-23",
            change: .words("`MockOptions.hierarchyMovesMax`, in process only"),
            .tests([
                "more than so many records cannot come into a hierarchy or leave it at once",
                "a share does not end when too much would come into the hierarchy above it",
                "what a request may tell of is all of its shares' together",
            ])),
        FidelityRule(
            choice: "too-many-participants", .sharing, .ours,
            asked: "the answer to more than 100 participants",
            answered: "BAD_REQUEST",
            on: "2026-11-23",
            .tests(["A-103"])),
        FidelityRule(
            choice: "stable-url", .sharing, .ours,
            asked: "the parts of `stableUrl`",
            answered: "made up from the short GUID",
            on: "2026-11-23",
            .reason("nothing reads them: only their shape is known")),
        FidelityRule(
            choice: "shared-zone-ends", .sharing, .ours,
            asked: "a shared zone that ends",
            answered: "a zone with `\"deleted\": true`, whoever ended it and why",
            on: "2026-11-23",
            .tests(["A-91"])),
    ]
}
