extension FidelityLedger {
    /// Files of records.
    static let assets: [FidelityRule] = [
        FidelityRule(
            112, .assets, .documented,
            asked: "a file in a record's field",
            answered: """
                a copy of its bytes is stored, and comes back at an address of its own; up to 50 \
                MB
                """,
            [
                .archive: "PropertyMetrics, UploadAssets",
                .sqliteData: "assetsUseTemporaryDirectory",
            ],
            .tests(["C-112"])),
        FidelityRule(
            choice: "upload-address", .assets, .documented,
            asked: "an upload's address",
            answered: """
                good for 15 minutes of the server's clock, as documented, and until the zone is \
                deleted; afterwards 410, and 404 for what never was one. An upload counts that \
                begins in time, unless it takes a day or the zone goes meanwhile
                """,
            [.archive: "UploadAssets", .tooling: "createAssetUploadUrl"],
            .tests([
                "addresses expire on the service's clock",
                "an upload ends with its zone",
                "an upload counts that begins before its address expires",
            ])),
        FidelityRule(
            choice: "upload-backlog", .assets, .ours,
            asked: "more uploads than the disk takes",
            answered: """
                they wait without being read, with 8 MiB on their way to the disk or 128 files \
                open; with 128 waiting already, 503 TRY_AGAIN_LATER
                """,
            on: "2026-11-23",
            .tests([
                "a disk that takes nothing costs neither memory nor answers",
                "clients that do not go on leave the others files to open",
            ])),
        FidelityRule(
            choice: "upload-body", .assets, .ours,
            asked: "an upload's body",
            answered: """
                POST or PUT; a `multipart/form-data` one is the form's first part, any other is \
                the file; up to 50 MB, an empty one is a file too
                """,
            [.mistKit: "asset upload", .archive: "UploadAssets"],
            on: "2026-11-23",
            change: .option("assetBytesMax"),
            .tests([
                "the file is taken raw or as a form, whatever else is sent",
                "50 MB go in and out, and one byte more is told the limit",
                "an asset as long as is allowed",
            ])),
        FidelityRule(
            choice: "second-upload", .assets, .ours,
            asked: "the same file once more at an address",
            answered: """
                the same answer, as a client may have lost the first; another file is 409 \
                CONFLICT, so that what was acknowledged never changes
                """,
            on: "2026-11-23",
            .tests(["an address takes one file, and the same again"])),
        FidelityRule(
            choice: "file-checksum", .assets, .ours,
            asked: "`fileChecksum`",
            answered: """
                a byte 1 and the first 20 of the file's SHA-256; Apple's algorithm is not \
                published
                """,
            on: "2026-11-23",
            .tests(["C-112", "equal bytes are one file, which goes with the last record"])),
        FidelityRule(
            choice: "asset-value", .assets, .ours,
            asked: "an asset as a value in `records/modify`",
            answered: """
                its receipt, checksum and size must be those of an upload for this record and \
                field; without a receipt, only what the field has already; else BAD_REQUEST
                """,
            on: "2026-11-23",
            .tests([
                "what was never uploaded for a field cannot be its value",
                "an asset is saved back as it was read, and only where it is",
            ])),
        FidelityRule(
            choice: "asset-keys", .assets, .ours,
            asked: "`wrappingKey` and `referenceChecksum` of an asset",
            answered: """
                sent with every receipt; an asset of a record that is read has `fileChecksum`, \
                `size` and `downloadURL`, which the service always sends, and not these two, \
                which it sends of some
                """,
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
            answered: """
                good for an hour of the server's clock, then 403 ACCESS_DENIED; it has no `${f}`, \
                and any name may follow it
                """,
            on: "2026-11-23",
            .tests(["addresses expire on the service's clock", "C-112"])),
        FidelityRule(
            choice: "deleted-asset", .assets, .ours,
            asked: "the address of a record, field or zone that is deleted",
            answered: """
                404 NOT_FOUND from then on, also once it has expired, as long as the server has \
                its keys; restored from a snapshot, it is good again
                """,
            on: "2026-11-23",
            .tests([
                "the address of what is deleted is gone, also after it has expired",
                "a snapshot keeps what its records have",
            ])),
        FidelityRule(
            choice: "asset-of-ended-share", .assets, .ours,
            asked: "an asset's address when its share has ended",
            answered: "good until it expires",
            on: "2026-11-23",
            .reason(
                """
                nothing takes addresses back but a deletion, which the tests of deletion show
                """)),
        FidelityRule(
            choice: "download-cut", .assets, .ours,
            asked: "a download while its asset goes for good",
            answered: "cut",
            on: "2026-11-23",
            .reason(
                """
                the file would have to go between two pieces of one answer; no test does that yet
                """)),
        FidelityRule(
            choice: "asset-content", .assets, .ours,
            asked: "what an asset is sent as",
            answered: """
                `application/octet-stream`, as `attachment`, with ranges; the service keeps no \
                name and no type
                """,
            on: "2026-11-23",
            .tests(["a part of an asset is sent as it is asked for", "C-112"])),
        FidelityRule(
            choice: "rereference", .assets, .ours,
            asked: "`assets/rereference`",
            answered: """
                the same list under `assets` and `tokens`; for any field or record of the zone, \
                for a day
                """,
            [.archive: "RereferenceAssets"],
            on: "2026-11-23",
            .tests(["a stored asset is attached elsewhere without an upload"])),
    ]
}
