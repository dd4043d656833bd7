extension FidelityLedger {
    /// References, and what goes with a deletion.
    static let references: [FidelityRule] = [
        FidelityRule(
            51, .references, .documented,
            asked: "a child whose parent is neither on the server nor in the batch",
            answered: "VALIDATING_REFERENCE_ERROR",
            [.headers: "CKReference", .sqliteData: "saveTransaction_ChildNoParent"],
            .tests(["C-51", "A-51"])),
        FidelityRule(
            52, .references, .documented,
            asked: "an ordinary reference to nothing",
            answered: "stored: only parents and VALIDATE are checked",
            [.headers: "CKReference"],
            .tests(["C-52"])),
        FidelityRule(
            53, .references, .observed,
            asked: "a parent is deleted, its child is not",
            answered: "VALIDATING_REFERENCE_ERROR; both stay",
            [
                .sqliteData: "deleteTransaction_DeleteParentButNotChild",
                .issues: "mufasaYC/MYCloudKit#7",
            ],
            .tests(["C-53"])),
        FidelityRule(
            54, .references, .inferred,
            asked: "a parent and all its children are deleted at once, in any order",
            answered: "success",
            [.sqliteData: "deleteTransaction_ParentBeforeChild"],
            .tests(["C-54"])),
        FidelityRule(
            55, .references, .documented,
            asked: "a child is saved without its parent in the batch",
            answered: "the parent gets another tag and is listed in the feed; a client with the "
                + "old tag gets a conflict",
            [.headers: "parent", .sqliteData: "mock"],
            .tests(["C-55"])),
        FidelityRule(
            56, .references, .documented,
            asked: "a target of DELETE_SELF references is deleted",
            answered: "records that refer to it are deleted too, recursively: at once in custom "
                + "zones, later in default zones; only the feed lists them",
            [.headers: "CKReferenceAction"],
            change: .option("delaysDefaultZoneCascade"),
            .tests(["C-56"])),
        FidelityRule(
            57, .references, .documented,
            asked: "more than 750 DELETE_SELF references to one target",
            answered: "refused",
            [
                .archive: "PropertyMetrics", .headers: "CKReferenceAction",
                .issues: "mentrena/SyncKit#192, natively 27/2023",
            ],
            change: .option("referrersMax"),
            .tests(["C-57"])),
        FidelityRule(
            58, .references, .inferred,
            asked: "another device deletes a parent while a child is added or moved to it",
            answered: "VALIDATING_REFERENCE_ERROR for the child",
            [.sqliteData: "ReferenceViolationTests"],
            .tests(["C-58"])),
        FidelityRule(
            59, .references, .observed,
            asked: "the order of a feed",
            answered: "a child may come before its parent",
            [
                .sqliteData: "receiveNewRecordFromCloudKit_ChildBeforeParent",
                .canopy: "Features and behaviors",
            ],
            .tests(["C-59"])),
        FidelityRule(
            60, .references, .inferred,
            asked: "a child moves between zones, as a save and a deletion in either order",
            answered: "both orders have the same result",
            [.sqliteData: "movesChildRecordFromPrivateParentToSharedParent_…"],
            .tests(["C-60"])),
        FidelityRule(
            choice: "record-ring", .references, .inferred,
            asked: "one request saves records that refer to each other in a ring, by parents or "
                + "DELETE_SELF",
            answered: "BAD_REQUEST for each of them; a ring made by several requests is stored. "
                + "Only a device was seen to refuse one, with 12/1007 before it sends anything; "
                + "the service's response to a web client is unknown",
            [.issues: "Sorix/CloudCore#10, olmps/NestedCloudKitCodable#11"],
            .tests([
                "records of one request that need each other in a ring are refused, and no others",
                "C-56 a ring of references goes as one",
            ])),
        FidelityRule(
            choice: "failed-child", .references, .ours,
            asked: "a parent and its child that one batch deletes, when the child's deletion fails",
            answered: "VALIDATING_REFERENCE_ERROR for the parent",
            on: "2026-11-23",
            .tests(["a parent stays when the batch fails to delete its child"])),
    ]
}
