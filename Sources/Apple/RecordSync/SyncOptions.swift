package import CloudModel

/// Which zones or records a run is about. Mirrors the scopes of `CKSyncEngine`.
package enum SyncScope: Sendable, Hashable {
    case all
    case allExcluding([RecordZone.ID])
    case zones([RecordZone.ID])
    case records([Record.ID])

    package func contains(_ zone: RecordZone.ID) -> Bool {
        switch self {
        case .all: true
        case .allExcluding(let zones): !zones.contains(zone)
        case .zones(let zones): zones.contains(zone)
        case .records(let records): records.contains { $0.zoneID == zone }
        }
    }

    package func contains(_ record: Record.ID) -> Bool {
        guard case .records(let records) = self else { return contains(record.zoneID) }
        return records.contains(record)
    }
}

/// What to fetch, and in which order.
package struct FetchOptions: Sendable, Hashable {
    package var scope: SyncScope
    /// These first, in this order, where they have changes.
    package var prioritized: [RecordZone.ID]

    package init(scope: SyncScope = .all, prioritized: [RecordZone.ID] = []) {
        self.scope = scope
        self.prioritized = prioritized
    }
}

/// What the engine does from its beginning to its end.
package enum SyncJob: Sendable, Hashable {
    case fetch(FetchOptions)
    case send(SyncScope)
}

/// One fetch or one send.
package struct SyncRun: Sendable, Hashable {
    /// Different for each run of a machine, ascending.
    package let id: UInt64
    package let job: SyncJob
    /// Whether the app asked for it, rather than the schedule.
    package let isManual: Bool
}

/// How a run ended.
package enum SyncEnd: Sendable, Hashable {
    case completed
    /// Single zones or records failed; the app was told of each.
    case partly
    /// A request failed as a whole.
    case failed(SyncFailure)
}
