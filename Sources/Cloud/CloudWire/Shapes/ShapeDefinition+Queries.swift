import CloudModel

extension ShapeDefinition {
    static let queries: [ShapeDefinition] = [
        ShapeDefinition(
            "Filter",
            [
                Shape.Member("comparator", .choice(of: Query.Comparator.self)),
                .text("fieldName"),
                Shape.Member("systemFieldName", .choice(of: Query.SystemField.self)),
                .named("fieldValue", "Field").required, .number("distance"),
            ]),
        ShapeDefinition(
            "Sort",
            [
                .text("fieldName"),
                Shape.Member("systemFieldName", .choice(of: Query.SystemField.self)),
                .flag("ascending"), .named("relativeLocation", "LocationField"),
            ]),
        ShapeDefinition(
            "Query",
            [
                .text("recordType").required,
                .list("filterBy", of: "Filter", max: WireLimits.filtersMax),
                .list("sortBy", of: "Sort", max: WireLimits.filtersMax),
            ]),
        ShapeDefinition(
            "RecordsQueryRequest",
            [
                .named("query", "Query").required, .named("zoneID", "ZoneID"), .flag("zoneWide"),
                limit, .text("continuationMarker"), desiredKeys, numbersAsStrings,
            ]),
        ShapeDefinition(
            "RecordsQueryBatchRequest",
            [
                .list("batch", of: "RecordsQueryRequest", max: WireLimits.batchQueriesMax).required,
                numbersAsStrings,
            ]),
        ShapeDefinition(
            "RecordPage",
            [
                .list("records", of: "RecordItem", max: WireLimits.resultsMax).required,
                .text("continuationMarker"), .text("syncToken"),
            ]),
        ShapeDefinition(
            "RecordPages", [.list("batch", of: .oneOf(["RecordPage", "Error"])).required]),
    ]
}
