extension FidelityLedger {
    /// Queries.
    static let queries: [FidelityRule] = [
        FidelityRule(
            107, .queries, .documented,
            asked: "a query right after a save",
            answered: "may miss it, and may find an updated record in its old state: indexes "
                + "lag. Here they are updated at once, unless set otherwise",
            [.headers: "CKQueryOperation"],
            change: .option("indexLagMilliseconds"),
            .tests([
                "C-107",
                "an updated record is found with its old values until the index has caught up",
            ])),
        FidelityRule(
            108, .queries, .ours,
            asked: "records change while a client reads a query's pages",
            answered: "each page continues after the last record of the previous one; the "
                + "service counts from the start, so items may be listed twice or skipped",
            [.headers: "CKQueryOperation"],
            on: "2026-11-20",
            .tests(["C-108"])),
        FidelityRule(
            choice: "unknown-type", .queries, .ours,
            asked: "a query for a type that was never used",
            answered: "404 NOT_FOUND",
            on: "2026-11-20",
            change: .option("unknownTypeIsEmpty"),
            .tests(["an unknown type is not found, or empty by a switch"])),
        FidelityRule(
            choice: "sorting-lag", .queries, .ours,
            asked: "a query with sorts over thousands of records",
            answered: "pages with a marker and no records, until the server has sorted them once",
            on: "2026-11-23",
            .tests([
                "a sorted query of many records gives empty pages first, and then each in its order"
            ])),
        FidelityRule(
            choice: "sparse-query", .queries, .ours,
            asked: "a query with few matches among thousands of records or zones",
            answered: "pages with a marker and few or no records",
            on: "2026-11-23",
            .tests(["a search of very many zones comes in pages"])),
        FidelityRule(
            choice: "current-sync-token", .queries, .observed,
            asked: "`getCurrentSyncToken=true` with `records/query` or `records/lookup`",
            answered: "`syncToken` of the zone at that moment, which `changes/zone` continues "
                + "from; not without the parameter, and never for a default zone, all zones or "
                + "a public database, which have no feed",
            [.photosDownloader: "records/query", .pyicloud: "services"],
            .tests([
                "a query or lookup returns the zone's token on request, and the feed continues from there"
            ])),
        FidelityRule(
            choice: "query-batch", .queries, .ours,
            asked: "`internal/records/query/batch`",
            answered: "up to ten queries, each answered or refused by itself",
            [.photosDownloader: "internal/records/query/batch"],
            on: "2026-11-23",
            .tests([
                "a batch answers each query by itself, with its zone's token",
                "a batch has ten queries at most",
            ])),
        FidelityRule(
            choice: "list-comparator", .queries, .inferred,
            asked: "`LIST_CONTAINS` or another comparator of lists for a field that is not a list",
            answered: "BAD_REQUEST; the native `CONTAINS` for a text is the same",
            [.archive: "Types and Dictionaries, Filter Dictionary", .headers: "CKQuery"],
            on: "2026-11-27",
            .tests(["a comparator of lists is refused for a field that is not a list"])),
        FidelityRule(
            choice: "system-field-names", .queries, .inferred,
            asked: "a filter or sort by a name that begins with `_` and is not a system field's",
            answered: "BAD_REQUEST",
            [.archive: "Types and Dictionaries, Filter Dictionary"],
            on: "2026-11-27",
            .tests(["a field name that begins with an underscore is refused in queries"])),
        FidelityRule(
            choice: "share-and-parent-index", .queries, .ours,
            asked: "queries by `share` and `parent`",
            answered: "need no index, as the schema language has no word for them",
            on: "2026-11-23",
            .tests(["queries need the indexes they use"])),
    ]
}
