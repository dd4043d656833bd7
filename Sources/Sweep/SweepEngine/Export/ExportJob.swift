import Journal

/// A piece of reading, made of rows that a look has found.
enum ExportJob: Sendable {
    /// A zone, by its change feed.
    case zone(SeenRow)
    /// Records of one database that are reached by name.
    case records([SeenRow])
    case subscriptions([SeenRow])
    case userRecord(SeenRow)

    /// Records asked for by name in one request: none is larger than 1 MiB, which is 1.4 MiB in
    /// Base64, and a whole answer has to be smaller than 16 MiB.
    static let recordsMax = 10
    private static let subscriptionsMax = 100

    /// The jobs for rows as they come from the journal, sorted by container, database and kind.
    static func all(for rows: [SeenRow]) -> [ExportJob] {
        var jobs: [ExportJob] = []
        for row in rows {
            switch row.kind {
            case .zone, .sharedZone: jobs.append(.zone(row))
            case .userRecord: jobs.append(.userRecord(row))
            // Their zones are read as a whole, and assets come with their records.
            case .zoneRecord, .defaultZone, .sharedRecord, .shareGiven, .asset: continue
            case .record:
                if case .records(let before)? = jobs.last, before.count < recordsMax,
                    before[0].isBeside(row)
                {
                    jobs[jobs.count - 1] = .records(before + [row])
                } else {
                    jobs.append(.records([row]))
                }
            case .subscription:
                if case .subscriptions(let before)? = jobs.last, before.count < subscriptionsMax,
                    before[0].isBeside(row)
                {
                    jobs[jobs.count - 1] = .subscriptions(before + [row])
                } else {
                    jobs.append(.subscriptions([row]))
                }
            }
        }
        return jobs
    }

    /// Any of its rows.
    var row: SeenRow {
        switch self {
        case .zone(let row), .userRecord(let row): row
        case .records(let rows), .subscriptions(let rows): rows[0]
        }
    }
}

extension SeenRow {
    /// Whether another row is about the same database of the same container.
    fileprivate func isBeside(_ other: SeenRow) -> Bool {
        container == other.container && scope == other.scope
    }
}
