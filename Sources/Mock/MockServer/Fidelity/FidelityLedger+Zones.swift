extension FidelityLedger {
    /// Zones, and what becomes of them.
    static let zones: [FidelityRule] = [
        FidelityRule(
            7, .zones, .inferred,
            asked: "a zone that exists is created again",
            answered: "success; its contents stay",
            [.appleTests: "MockCloudKit", .sqliteData: "modifyRecordZones"],
            .tests(["C-7"])),
        FidelityRule(
            8, .zones, .inferred,
            asked: "a missing zone is deleted",
            answered: "ZONE_NOT_FOUND for that item alone",
            [.appleTests: "MockCloudKit", .sqliteData: "deleteUnknownZone"],
            .tests(["C-8"])),
        FidelityRule(
            9, .zones, .inferred,
            asked: "a record is read, saved or deleted in a missing zone",
            answered: "ZONE_NOT_FOUND for each record; other zones are unaffected",
            [.sqliteData: "fetchRecordInUnknownZone, saveInUnknownZone, deleteRecordInUnknownZone"],
            .tests(["C-9"])),
        FidelityRule(
            10, .zones, .documented,
            asked: "a zone with records, assets and shares is deleted",
            answered: "everything in it is deleted permanently; its name can be used again, for "
                + "an empty zone",
            [.headers: "CKModifyRecordZonesOperation", .documentation: "deleteRecordZone"],
            .tests(["C-10", "A-10"])),
        FidelityRule(
            11, .zones, .documented,
            asked: "a zone is deleted and created again; a feed is read with the old token",
            answered: "the token has expired; never an empty response as if caught up",
            [.headers: "CKError 21", .issues: "caiyue1993/IceCream#14"],
            .tests(["C-11", "A-11"])),
        FidelityRule(
            12, .zones, .observed,
            asked: "a user deletes the app's data in the settings",
            answered:
                "ZONE_NOT_FOUND, \"Zone was purged by user\", until the zone is created again",
            [
                .headers: "CKError 28",
                .issues: "caiyue1993/IceCream#196, mentrena/SyncKit#27, paulw11/Seam3#72",
            ],
            .tests(["C-12", "A-12"])),
        FidelityRule(
            13, .zones, .documented,
            asked: "a zone is deleted by the API, by the user or by a reset of encrypted data",
            answered: "the database's feed shows which; a reset zone is not found afterwards, "
                + "with its own mark",
            [.headers: "CKDatabase change types"],
            .tests(["A-13"])),
        FidelityRule(
            14, .zones, .documented,
            asked: "a device learns of a reset of encrypted data",
            answered: "it uploads its copy again, according to the header and one page; another "
                + "page says to delete it and not to",
            [
                .headers: "CKFetchDatabaseChangesOperation",
                .sqliteData: "deleteSyncEngineZone_EncryptedDataReset",
                .issues: "mufasaYC/MYCloudKit#3",
            ],
            .reason("a client's behavior after a reset is decided by the sync engine")),
        FidelityRule(
            15, .zones, .observed,
            asked: "the default zone is created, shared, used for an atomic batch or asked for "
                + "its changes",
            answered: "refused: it supports none of that",
            [.headers: "CKRecordZone", .mistKit: "default zone"],
            .tests(["C-15", "A-15"])),
        FidelityRule(
            16, .zones, .documented,
            asked: "a zone is created in a public or shared database",
            answered: "BAD_REQUEST",
            [.headers: "CKError 24"],
            .tests(["C-16"])),
        FidelityRule(
            17, .zones, .inferred,
            asked: "a zone's creation succeeds, but the zone does not exist",
            answered: "the next write is ZONE_NOT_FOUND, and the client creates it again",
            [.appleTests: "failNextZoneCreationSilently"],
            .reason(
                "a creation that reports success without effect: no fault does that yet")),
        FidelityRule(
            18, .zones, .inferred,
            asked: "a zone is deleted while a client reads its pages",
            answered: "ZONE_NOT_FOUND for the next page",
            [.appleTests: "testHandleZoneDeletedWhileFetching"],
            .tests(["C-18"])),
        FidelityRule(
            19, .zones, .inferred,
            asked: "several zones are reset, and some are deleted already",
            answered: "the others are reset anyway",
            [.appleTests: "testResetAllCloudKitZonesWithPartialZonesMissing"],
            .tests(["C-19"])),
        FidelityRule(
            20, .zones, .documented,
            asked: "a zone's name",
            answered: "ASCII, at most 255 characters, without a leading underscore",
            [.headers: "CKRecordZoneID"],
            change: .option("asciiNames"),
            .tests(["C-20"])),
        FidelityRule(
            choice: "default-zone-deletion", .zones, .ours,
            asked: "`_defaultZone` is deleted",
            answered: "the item fails with BAD_REQUEST; or its records are deleted, or nothing "
                + "happens",
            on: "2026-11-20",
            change: .flag("--default-zone"),
            .tests(["the default zone's deletion is refused, purges or does nothing"])),
        FidelityRule(
            choice: "default-zone-listed", .zones, .ours,
            asked: "`_defaultZone` in `zones/list`",
            answered: "it is there; one recorded list has custom zones only",
            [.headers: "CKFetchRecordZonesOperation", .photosDownloader: "zones/list"],
            on: "2026-11-20",
            change: .option("listsDefaultZone"),
            .tests([
                "the default zone is left out of lists by a switch, and named by no shared list"
            ])),
        FidelityRule(
            choice: "zone-list-lag", .zones, .ours,
            asked: "a list of zones soon after a deletion",
            answered: "it is up to date",
            on: "2026-11-20",
            change: .option("zoneListLag"),
            .tests(["a deleted zone stays in as many lists as the lag says"])),
        FidelityRule(
            choice: "deleted-zone-in-feeds", .zones, .ours,
            asked: "why a zone was deleted, in `changes/database`",
            answered: "`\"deletionReason\": \"purged\"` or `\"encryptedDataReset\"` next to "
                + "`\"deleted\": true`; a plain deletion has no such key",
            on: "2026-11-20",
            .tests(["A-13"])),
        FidelityRule(
            choice: "deleted-zone-in-errors", .zones, .ours,
            asked: "why a zone was deleted, in an error",
            answered: "ZONE_NOT_FOUND, distinguished by its text: the text for a purge was seen "
                + "live, the one for a reset is ours",
            [.issues: "caiyue1993/IceCream#196"],
            on: "2026-11-20",
            .tests(["A-13", "the reason of a zone's deletion is read from the error's words"])),
    ]
}
