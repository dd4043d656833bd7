import Basics

extension FidelityLedger {
    /// Feeds of changes and their tokens.
    static let feeds: [FidelityRule] = [
        FidelityRule(
            61, .feeds, .observed,
            asked: "a zone's feed without a token",
            answered: "its whole history; the first page may be empty with more coming",
            [.kei: "no token"],
            .tests(["C-61"])),
        FidelityRule(
            62, .feeds, .observed,
            asked: "a feed with the empty text as token",
            answered: "nothing, and no more coming: caught up, unlike no token",
            [.kei: "tests 9, 10b"],
            .tests(["C-62"])),
        FidelityRule(
            63, .feeds, .observed,
            asked: "a feed with the newest token",
            answered: "nothing, and the same token again",
            [.kei: "tests 1, 2"],
            .tests(["C-63"])),
        FidelityRule(
            64, .feeds, .observed,
            asked: "a token is used twice, or by two callers",
            answered: "the same records and the same next token; nothing is consumed",
            [.kei: "test 4"],
            .tests(["C-64"])),
        FidelityRule(
            65, .feeds, .observed,
            asked: "an earlier token",
            answered: "still valid, whatever the session and the page size",
            [.kei: "random access"],
            .tests(["C-65"])),
        FidelityRule(
            66, .feeds, .observed,
            asked: "a page size above 200",
            answered: "200",
            [.kei: "page size", .archive: "PropertyMetrics"],
            change: .option("recordsPageMax"),
            .tests(["C-66"])),
        FidelityRule(
            67, .feeds, .observed,
            asked: "an empty page with more coming",
            answered: "possible, also many in a row; it is not the end",
            [.kei: "empty pages"],
            change: .option("emptyPages"),
            .tests(["C-67"])),
        FidelityRule(
            68, .feeds, .observed,
            asked: "a record has changed often since the token",
            answered: "it is listed once, in its current state; if it was created and deleted "
                + "since, not at all or as a deletion",
            [.articles: "malhal.com", .appleTests: "CKKSTests+Coalesce"],
            .tests(["C-68"])),
        FidelityRule(
            69, .feeds, .inferred,
            asked: "a record changes while a client reads pages",
            answered: "it is listed at its new position; maybe twice, never omitted",
            [.otherRules: "64, 65, 68"],
            .tests(["C-69"])),
        FidelityRule(
            70, .feeds, .observed,
            asked: "a record was deleted since the token",
            answered: "its name, `deleted` and a tag, without a type; natively with it",
            [.kei: "deletions", .appleTests: "MockCloudKit"],
            .tests(["C-70"])),
        FidelityRule(
            71, .feeds, .observed,
            asked: "a feed from its beginning, and past deletions",
            answered: "it lists them; natively only those that the device had created, or that "
                + "happen meanwhile",
            [
                .kei: "full scan",
                .forums: "813286",
                .appleTests: "testCloudKitTombstoneNotReceivedInFirstFetch",
            ],
            change: .option("initialScan"),
            .tests(["C-71", "A-71"])),
        FidelityRule(
            72, .feeds, .observed,
            asked: "after a scan from the beginning",
            answered: "a client drops records that were not listed",
            [.forums: "813286", .appleTests: "CKKSFetchTests"],
            .reason("what the native framework makes of a feed")),
        FidelityRule(
            73, .feeds, .inferred,
            asked: "a native scan from its end",
            answered: "newest first, no deletions; its token then continues forward from where "
                + "the scan began",
            [.appleTests: "testFetchInReverse, testRecoverFromInterruptedReverseFetch"],
            .tests(["C-73"])),
        FidelityRule(
            74, .feeds, .observed,
            asked: "Base64 that is not a token",
            answered: "the zone's item is BAD_REQUEST, \"Unknown sync continuation type\"",
            [.kei: "test 11"],
            .tests(["C-74"])),
        FidelityRule(
            75, .feeds, .observed,
            asked: "a token that was cut short",
            answered: "the zone's item is BAD_REQUEST, \"Invalid continuation format\"",
            [.kei: "test 12"],
            .tests(["C-75"])),
        FidelityRule(
            76, .feeds, .observed,
            asked: "a database's token for a zone",
            answered: "BAD_REQUEST",
            [.kei: "test 7"],
            .tests(["C-76"])),
        FidelityRule(
            77, .feeds, .documented,
            asked: "a token that is too old, or of an earlier zone",
            answered: "it has expired: the client starts again",
            [
                .headers: "CKError 21",
                .appleTests: "testRecoverFromCloudKitOldChangeToken",
                .issues: "caiyue1993/IceCream#198",
            ],
            .tests(["C-77", "A-77"])),
        FidelityRule(
            78, .feeds, .observed,
            asked: "the feed of a missing zone",
            answered: "ZONE_NOT_FOUND for the zone, in status 200",
            [.kei: "test 13"],
            .tests(["C-78"])),
        FidelityRule(
            79, .feeds, .observed,
            asked: "the feeds of several zones, one of them bad",
            answered: "the others are delivered; the bad one has its own error",
            [
                .kei: "test 8",
                .headers: "CKFetchRecordZoneChangesOperation",
                .appleTests: "MockCloudKit",
            ],
            .tests(["C-79"])),
        FidelityRule(
            80, .feeds, .observed,
            asked: "a feed with some fields or types only",
            answered: "fields are omitted; other types are listed anyway",
            [.kei: "filters"],
            change: .option("typeFilterLeaks"),
            .tests(["C-80"])),
        FidelityRule(
            81, .feeds, .observed,
            asked: "a query that requests the zone's token",
            answered: "the token continues in the zone's feed",
            [.kei: "test 3"],
            .tests(["A-81"])),
        FidelityRule(
            82, .feeds, .documented,
            asked: "a page, then an error",
            answered: "the page's records and its token are valid; the next fetch continues "
                + "after it",
            [
                .headers: "CKFetchRecordZoneChangesOperation",
                .appleTests: "testMoreComingDespitePartialTimeout, testMoreComingWithFullFailure",
            ],
            change: .words("a fault"),
            .tests(["A-82"])),
        FidelityRule(
            83, .feeds, .documented,
            asked: "the order of native callbacks of a fetch",
            answered: "the token is delivered after each batch; store both together",
            [.headers: "CKFetchRecordZoneChangesOperation", .syncKit: "synchronizer"],
            .reason("the order of the native framework's callbacks")),
        FidelityRule(
            84, .feeds, .observed,
            asked: "a client's own writes",
            answered: "are listed in its feed, with the tag that the save returned",
            [.headers: "CKFetchRecordZoneChangesOperation", .issues: "clients compare tags"],
            .tests(["C-84"])),
        FidelityRule(
            85, .feeds, .inferred,
            asked: "two native fetches of one database at once",
            answered: "they can end with different tokens: run them one after the other",
            [.canopy: "Features and behaviors"],
            .reason("two fetches of the native framework at once")),
        FidelityRule(
            86, .feeds, .observed,
            asked: "one record of a page cannot be delivered",
            answered: "an error in its place; the rest of the page is valid",
            [.pyicloud: "models.py", .appleTests: "recordIDsToSkip"],
            change: .words("a fault"),
            .tests(["A-86"])),
        FidelityRule(
            87, .feeds, .inferred,
            asked: "a deletion of a record that the client never saw",
            answered: "the client ignores it",
            [.appleTests: "testReceiveItemPhantomDelete"],
            .reason("a deletion of what a client never saw is the client's to ignore")),
        FidelityRule(
            88, .feeds, .observed,
            asked: "a database's feed without a token",
            answered: "all zones, each with its token",
            [.kei: "test 5"],
            .tests(["C-88"])),
        FidelityRule(
            89, .feeds, .observed,
            asked: "a database's feed with the newest token",
            answered: "no zones; the token's text may still differ",
            [.kei: "tests 6, 6b"],
            change: .option("databaseTokenJitter"),
            .tests(["C-89"])),
        FidelityRule(
            90, .feeds, .documented,
            asked: "a zone is deleted",
            answered: "the database's feed lists it once, with its reason",
            [
                .headers: "CKFetchDatabaseChangesOperation",
                .sqliteData: "FetchedDatabaseChangesTests",
            ],
            .tests(["C-90"])),
        FidelityRule(
            91, .feeds, .inferred,
            asked: "an owner stops sharing",
            answered: "the participant's feed has a deleted zone",
            [.sqliteData: "pull request 192"],
            .tests(["A-91"])),
        FidelityRule(
            92, .feeds, .inferred,
            asked: "a zone is deleted and made again since the token",
            answered: "one entry, the live zone; only a token of the old zone, which has expired, "
                + "shows the difference",
            [.otherRules: "11, 77, 90"],
            .tests(["C-92", "A-92"])),
        FidelityRule(
            93, .feeds, .documented,
            asked: "the feed of a public database",
            answered: "refused",
            [.headers: "CKFetchDatabaseChangesOperation"],
            .tests(["C-93"])),
        FidelityRule(
            choice: "expired-token", .feeds, .ours,
            asked: "an expired token, on the wire",
            answered: """
                the zone's item is BAD_REQUEST, "client knowledge differs from server knowledge"
                """,
            [.issues: "caiyue1993/IceCream#14 has the words"],
            on: "2026-11-20",
            .tests(["C-11", "C-77"])),
        FidelityRule(
            choice: "reverse-feed", .feeds, .ours,
            asked: "`reverse` in a feed",
            answered: "from the beginning: newest first, no deletions; the last page's token "
                + "continues with changes since the scan began",
            [.otherRules: "73"],
            on: "2026-11-23",
            .tests(["C-73"])),
        FidelityRule(
            choice: "many-zones-at-once", .feeds, .ours,
            asked: "the changes of many zones in one request",
            answered: "pages that end early, each with at least one record, and more coming",
            on: "2026-11-23",
            .tests([
                "the changes of many zones come in answers of a bounded size, and all of them come"
            ])),
        FidelityRule(
            choice: "empty-pages", .feeds, .ours,
            asked: "empty pages before those with items",
            answered: "none in feeds; with a token for the same position, also in shared "
                + "databases; they end with a reset or a restore",
            on: "2026-11-23",
            change: .option("emptyPages"),
            .tests(["C-67", "empty pages with a marker come before each page, by a switch"])),
    ]
}
