extension FidelityLedger {
    /// Files of records.
    static let assets: [FidelityRule] = [
        FidelityRule(
            112, .assets, .documented,
            asked: "a file in a record's field",
            answered: "a copy of its bytes is stored and returned at its own address; up to 50 MB",
            [
                .archive: "PropertyMetrics, UploadAssets",
                .sqliteData: "assetsUseTemporaryDirectory",
            ],
            .tests(["C-112"])),
        FidelityRule(
            choice: "upload-address", .assets, .documented,
            asked: "an upload's address",
            answered: "valid for 15 minutes of the server's clock, as documented, and until the "
                + "zone is deleted; afterwards 410, and 404 for an unknown address. An upload "
                + "that starts in time is accepted, unless it takes a day or the zone is "
                + "deleted meanwhile",
            [.archive: "UploadAssets", .tooling: "createAssetUploadUrl"],
            .tests([
                "addresses expire on the service's clock",
                "an upload ends with its zone",
                "an upload counts that begins before its address expires",
            ])),
        FidelityRule(
            choice: "upload-backlog", .assets, .ours,
            asked: "more uploads than the disk accepts",
            answered: "they wait without being read, with 8 MiB in transit to the disk or 128 "
                + "open files; with 128 waiting already, 503 TRY_AGAIN_LATER",
            on: "2026-11-23",
            .tests([
                "a disk that takes nothing costs neither memory nor answers",
                "stalled clients leave other clients file descriptors",
            ])),
        FidelityRule(
            choice: "upload-body", .assets, .ours,
            asked: "an upload's body",
            answered: "POST or PUT; of a `multipart/form-data` body the first part, otherwise "
                + "the body itself; up to 50 MB, an empty one is a file too",
            [.mistKit: "asset upload", .archive: "UploadAssets"],
            on: "2026-11-23",
            change: .option("assetBytesMax"),
            .tests([
                "the file is taken raw or as a form, whatever else is sent",
                "50 MB are uploaded and downloaded, and one byte more is refused with the limit",
                "an asset as long as is allowed",
            ])),
        FidelityRule(
            choice: "second-upload", .assets, .ours,
            asked: "the same file sent again to an address",
            answered: "the same response, since the client may have lost the first; another "
                + "file is 409 CONFLICT, so an acknowledged file never changes",
            on: "2026-11-23",
            .tests(["an address takes one file, and the same again"])),
        FidelityRule(
            choice: "file-checksum", .assets, .ours,
            asked: "`fileChecksum`",
            answered: "a byte 1 and the first 20 bytes of the file's SHA-256; Apple's algorithm "
                + "is not published",
            on: "2026-11-23",
            .tests(["C-112", "equal bytes are one file, which goes with the last record"])),
        FidelityRule(
            choice: "asset-value", .assets, .ours,
            asked: "an asset as a value in `records/modify`",
            answered: "its receipt, checksum and size must be those of an upload for this "
                + "record and field; without a receipt, only the field's current value; "
                + "otherwise BAD_REQUEST",
            on: "2026-11-23",
            .tests([
                "what was never uploaded for a field cannot be its value",
                "an asset is saved back unchanged, and only in its own field",
            ])),
        FidelityRule(
            choice: "asset-keys", .assets, .ours,
            asked: "`wrappingKey` and `referenceChecksum` of an asset",
            answered: "sent with every receipt; an asset of a record that is read has "
                + "`fileChecksum`, `size` and `downloadURL`, which the service always sends, "
                + "and not these two, which it sends for some",
            [.archive: "Types, UploadAssets", .mistKit: "asset upload"],
            on: "2026-11-28",
            .tests(["the file is taken raw or as a form, whatever else is sent"])),
        FidelityRule(
            choice: "unclaimed-file", .assets, .ours,
            asked: "a file that no record claims",
            answered: "kept for a day of the server's clock",
            on: "2026-11-23",
            .tests(["what no record claims is there for a day"])),
        FidelityRule(
            choice: "download-address", .assets, .ours,
            asked: "a `downloadURL`",
            answered: "valid for an hour of the server's clock, then 403 ACCESS_DENIED; it has "
                + "no `${f}`, and any name may follow it",
            on: "2026-11-23",
            .tests(["addresses expire on the service's clock", "C-112"])),
        FidelityRule(
            choice: "deleted-asset", .assets, .ours,
            asked: "the address of a deleted record's, field's or zone's asset",
            answered: "404 NOT_FOUND from then on, also after it has expired, as long as the "
                + "server has its keys; valid again after a snapshot with it is restored",
            on: "2026-11-23",
            .tests([
                "the address of a deleted asset is not found, also after it has expired",
                "a snapshot keeps what its records have",
            ])),
        FidelityRule(
            choice: "asset-of-ended-share", .assets, .ours,
            asked: "an asset's address when its share has ended",
            answered: "valid until it expires",
            on: "2026-11-23",
            .reason(
                "only a deletion revokes addresses, which the tests of deletion cover")),
        FidelityRule(
            choice: "download-cut", .assets, .ours,
            asked: "a download while its asset is deleted",
            answered: "cut",
            on: "2026-11-23",
            .reason(
                "the file would have to be deleted between two parts of one response; no test "
                    + "does that yet")),
        FidelityRule(
            choice: "asset-content", .assets, .ours,
            asked: "how an asset is sent",
            answered: "`application/octet-stream`, as `attachment`, with ranges; the service "
                + "stores no name and no type",
            on: "2026-11-23",
            .tests(["a requested range of an asset is sent", "C-112"])),
        FidelityRule(
            choice: "rereference", .assets, .ours,
            asked: "`assets/rereference`",
            answered: "the same list under `assets` and `tokens`; for any field or record of "
                + "the zone, valid for a day",
            [.archive: "RereferenceAssets"],
            on: "2026-11-23",
            .tests(["a stored asset is attached elsewhere without an upload"])),
    ]
}
