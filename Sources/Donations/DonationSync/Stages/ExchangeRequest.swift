/// What the exchange has asked for: which stage, and what about.
enum ExchangeRequest {
    case zone(ZoneRequest)
    case reading
    case deletions(DeletionRequest)
    case removals([GoneRecord])
    case rows(UploadRequest)
    case registration(DeletionContext)
    case collection(CollectionRequest)
}

/// What is asked about the zone itself.
enum ZoneRequest {
    case lookUp
    case createZone
    case createRecord(ExchangeZoneRecord)
}

/// What is asked about deletions.
enum DeletionRequest {
    case push([SyncDeletion])
    /// The zone would not take them: what it has under their names.
    case lookUp([SyncDeletion])
}

/// What is asked about rows.
enum UploadRequest {
    case upload([Upload])
    /// Records that were in conflict, by name.
    case lookUp([String])
}

/// What is asked to keep the zone small.
enum CollectionRequest {
    case dropDevices([String])
    case raiseBase(ExchangeZoneRecord)
    case removeRecords([SyncDeletion])
}

/// A row as it was sent.
struct Upload {
    let id: RowID
    let name: String
    let edits: Int64
    let isCreate: Bool
}
