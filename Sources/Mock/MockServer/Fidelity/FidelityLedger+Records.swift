extension FidelityLedger {
    /// Saving, reading and deleting one record.
    static let records: [FidelityRule] = [
        FidelityRule(
            21, .records, .inferred,
            asked: "a record that does not exist is saved without a tag",
            answered: "created; it gets a tag",
            [.sqliteData: "mock", .appleTests: "MockCloudKit"],
            .tests(["C-21"])),
        FidelityRule(
            22, .records, .inferred,
            asked: "a record is saved with the tag that it has",
            answered: "saved; it gets another tag",
            [.sqliteData: "mock", .appleTests: "MockCloudKit"],
            .tests(["C-22"])),
        FidelityRule(
            23, .records, .observed,
            asked: "a record is saved with an older tag",
            answered: "CONFLICT, \"client oplock error updating record\"; natively with the "
                + "server's record",
            [
                .headers: "CKError 14",
                .sqliteData: "mock",
                .appleTests: "errorFromSavingRecord",
                .issues: "mentrena/SyncKit#111",
            ],
            .tests(["C-23"])),
        FidelityRule(
            24, .records, .observed,
            asked: "a record that exists is created",
            answered: "CONFLICT, \"record to insert already exists\"; EXISTS is documented only",
            [.issues: "timlaing/pyicloud#354, mentrena/SyncKit#111", .appleTests: "MockCloudKit"],
            .tests(["C-24"])),
        FidelityRule(
            25, .records, .inferred,
            asked: "a record that was deleted meanwhile is saved with its old tag",
            answered: "NOT_FOUND; older reports have a conflict without a record",
            [
                .sqliteData: "saveRecordThatWasPreviouslyDeleted",
                .appleTests: "MockCloudKit",
                .syncSample: "SyncTests",
                .issues: "paulw11/Seam3#4",
            ],
            .tests(["C-25"])),
        FidelityRule(
            26, .records, .documented,
            asked: "a save that compares no tags and sends what has changed (`forceUpdate`)",
            answered: "the sent fields are written, other fields keep the server's values",
            [.headers: "CKModifyRecordsOperation, changedKeys"],
            .tests(["C-26"])),
        FidelityRule(
            27, .records, .documented,
            asked: "a save that compares no tags and sends all that the client has",
            answered: "all sent fields are written; natively, fields that the client never had "
                + "stay",
            [.headers: "CKModifyRecordsOperation, allKeys"],
            .tests(["C-27"])),
        FidelityRule(
            28, .records, .documented,
            asked: "a share is saved without comparing tags",
            answered: "its tag is compared anyway",
            [.headers: "CKShare"],
            .tests(["A-28"])),
        FidelityRule(
            29, .records, .inferred,
            asked: "what a save returns",
            answered: "a copy, with the server's tag, time and user",
            [.sqliteData: "mock", .articles: "structuredpath/sqlite-data-sync-notes"],
            .tests(["C-29"])),
        FidelityRule(
            30, .records, .inferred,
            asked: "a record that does not exist is deleted",
            answered: "natively success; `delete` on the wire is NOT_FOUND, `forceDelete` succeeds",
            [.sqliteData: "deleteUnknownRecord"],
            .tests(["C-30"])),
        FidelityRule(
            31, .records, .inferred,
            asked: "a record that does not exist is looked up",
            answered: "NOT_FOUND for it alone; others are delivered",
            [.sqliteData: "fetchUnknownRecord", .appleTests: "MockCloudKit"],
            .tests(["C-31"])),
        FidelityRule(
            32, .records, .inferred,
            asked: "a record is saved twice, deleted and created again, or its batch is rolled "
                + "back",
            answered: "another tag each time, and never the same one twice",
            [.sqliteData: "mock", .otherRules: "22, 33"],
            .tests(["C-32", "A-32"])),
        FidelityRule(
            33, .records, .inferred,
            asked: "a deleted record's name is used again",
            answered: "a new record, with its own creation time and tag; its deletion is no "
                + "longer in the feed",
            [.appleTests: "MockCloudKit"],
            .tests(["C-33"])),
        FidelityRule(
            34, .records, .documented,
            asked: "a record's name and size",
            answered: "ASCII unless `asciiNames` is false, at most 255 characters, without a "
                + "leading underscore; 1 MB without assets",
            [.headers: "CKRecordID", .archive: "PropertyMetrics"],
            change: .option("recordBytesMax"),
            .tests(["C-34"])),
        FidelityRule(
            35, .records, .observed,
            asked: "a value of another type than the field's",
            answered: "BAD_REQUEST that names the expected type",
            [.mistKit: "error reasons", .bushel: "error reasons"],
            change: .option("refusesUntypedMismatch"),
            .tests(["C-35"])),
        FidelityRule(
            36, .records, .inferred,
            asked: "the app's own rules on the server refuse a save",
            answered: "an error that says why",
            [.appleTests: "CKKSServerValidationRecoveryTests"],
            change: .words("a fault"),
            .tests(["A-36"])),
        FidelityRule(
            37, .records, .documented,
            asked: "the operations of `records/modify`",
            answered: "`create` fails if the record exists; `update`, `replace` and `delete` "
                + "need its tag, the forced ones do not; `forceUpdate` creates; `replace` drops "
                + "fields that are not sent; executed in order",
            [.archive: "ModifyRecords"],
            .tests(["C-37"])),
        FidelityRule(
            choice: "missing-tag", .records, .observed,
            asked: "`update`, `replace` or `delete` without a tag",
            answered: "the whole request is 400 BAD_REQUEST: seen of `update`",
            [.cloudyKit: "CKDatabaseTests", .issues: "timlaing/pyicloud#341"],
            .tests(["a missing tag refuses the whole request"])),
        FidelityRule(
            choice: "force-delete-missing", .records, .ours,
            asked: "`forceDelete` of a record that does not exist",
            answered: "success",
            on: "2026-11-20",
            .tests(["a forced deletion of a missing record succeeds"])),
        FidelityRule(
            choice: "expiration-time", .records, .observed,
            asked: "`expirationTime` of a record",
            answered: "never sent: Apple's own apps set it on what they keep for a while after "
                + "its deletion, and no request of the web services sets it",
            [.photosDownloader: "records"],
            .reason("nothing that a client can ask for makes a record that has one")),
        FidelityRule(
            choice: "unreadable-value", .records, .ours,
            asked: "a value that cannot be parsed",
            answered: "its own item is BAD_REQUEST; in an atomic batch the others ATOMIC_ERROR",
            on: "2026-11-23",
            .tests(["C-41"])),
    ]
}
