extension FidelityLedger {
    /// Batches, atomicity and limits.
    static let batches: [FidelityRule] = [
        FidelityRule(
            38, .batches, .documented,
            asked: "an atomic batch in one zone, with one bad item",
            answered: "the bad item has its own error, the others ATOMIC_ERROR; nothing is stored",
            [
                .headers: "CKError 22", .sqliteData: "batchRequestFailed",
                .appleTests: "rejectWrite",
            ],
            .tests(["C-38"])),
        FidelityRule(
            39, .batches, .documented,
            asked: "an atomic batch in two zones, one bad item",
            answered: "each zone by itself: the other zone's items are stored",
            [.headers: "isAtomic", .sqliteData: "AtomicTests"],
            .tests(["C-39"])),
        FidelityRule(
            40, .batches, .inferred,
            asked: "what a failed atomic batch leaves behind",
            answered: "nothing: no tag, no change in a feed, no deletion, no asset, no changed "
                + "parent",
            [.otherRules: "38"],
            .tests(["C-40"])),
        FidelityRule(
            41, .batches, .documented,
            asked: "a batch that is not atomic, with one bad item",
            answered: "the others are stored; each item has its own answer",
            [.headers: "isAtomic", .sqliteData: "mock"],
            .tests(["C-41"])),
        FidelityRule(
            42, .batches, .observed,
            asked: "a batch that is not atomic, but an item fails as if it were",
            answered: "it happens; the client sends the item again",
            [.issues: "pointfreeco/sqlite-data#315, #328"],
            change: .words("a fault"),
            .tests(["A-42"])),
        FidelityRule(
            43, .batches, .documented,
            asked: "a batch that does not say whether it is atomic",
            answered: "on the wire it is, in custom zones; natively too, except in the sync engine",
            [.headers: "isAtomic, atomicByZone", .archive: "ModifyRecords"],
            .tests(["C-43"])),
        FidelityRule(
            44, .batches, .inferred,
            asked: "a batch that has a child before its parent",
            answered: "stored; the order within one operation does not matter",
            [.sqliteData: "saveTransaction_ChildBeforeParent"],
            .tests(["C-44"])),
        FidelityRule(
            45, .batches, .observed,
            asked: "a native operation of more than 400 items or 2 MB",
            answered: "limitExceeded (27), on the device or from the server",
            [
                .headers: "CKError 27",
                .issues: "pointfreeco/sqlite-data#333, insidegui/WWDC#535, mentrena/SyncKit#30",
                .forums: "744521",
            ],
            .reason("limits of the native framework, checked before a request is sent")),
        FidelityRule(
            46, .batches, .documented,
            asked: "an operation was too large",
            answered: "the client halves it repeatedly until it fits",
            [
                .headers: "CKError 27", .canopy: "ModifyRecords",
                .syncSession: "SplittingMiddleware",
            ],
            .reason("limits of the native framework, checked before a request is sent")),
        FidelityRule(
            47, .batches, .documented,
            asked: "more than 200 operations in a request",
            answered: "refused as a whole",
            [.archive: "PropertyMetrics"],
            change: .option("operationsMax"),
            .tests(["C-47"])),
        FidelityRule(
            48, .batches, .observed,
            asked: "a native operation of which every item fails",
            answered: "its own result may still be success; only the items show the errors",
            [.forums: "708758"],
            .reason("the native framework's callbacks")),
        FidelityRule(
            49, .batches, .inferred,
            asked: "one record that is too large",
            answered: "it fails alone; halving ends at one item",
            [.syncSession: "SplittingMiddleware", .syncKit: "adaptive batch"],
            .tests(["C-49"])),
        FidelityRule(
            50, .batches, .documented,
            asked: "one record twice in a request",
            answered: "the whole request is BAD_REQUEST",
            [.headers: "CKModifyRecordsOperation", .archive: "ModifyRecords"],
            .tests(["C-50"])),
        FidelityRule(
            choice: "atomic-failure", .batches, .ours,
            asked: "how a failed atomic batch of several operations is reported",
            answered: "HTTP 200 with an error for each item; one operation in a custom zone is "
                + "answered so live. Or 400 with both the top-level error and `records`",
            [
                .issues: "timlaing/pyicloud#353, #354",
                .archive: "ErrorCodes gives ATOMIC_ERROR the status 400",
            ],
            on: "2026-11-23",
            change: .option("atomicFailure"),
            .tests(["C-38", "one operation that fails in a custom zone has its own error"])),
        FidelityRule(
            choice: "too-many-operations", .batches, .ours,
            asked: "the response to more than 200 operations",
            answered: "400 BAD_REQUEST",
            on: "2026-11-20",
            .tests(["C-47", "200 operations are read and 201 refused"])),
    ]
}
