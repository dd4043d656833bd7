package import DonationSync

/// What every ``SyncStorage`` promises; each test suite of one runs all cases on an empty storage.
package enum StorageContract: String, CaseIterable, Sendable {
    case accounts, databases, forgetting, reports
    case zones, zoneOwners, filters, names, sweeps, sweepChunks
    case linkedRecords, linkedZones, relatedActivities, groups, persistentIdentifiers, scrubbing
    case removals, bytes, refusals, suspensions, fences, fencesOfUsers, rescues
    case facts, ownDeletions, deletions
    case rows, rowOrder, uploads, unseen, records, sameThings, parking, goneRecords

    /// Checks one promise.
    /// - Throws: A ``Breach``, or the storage's own failure.
    package func check<Storage: SyncStorage>(_ storage: inout Storage) throws {
        switch self {
        case .accounts: try checkAccounts(&storage)
        case .databases: try checkDatabases(&storage)
        case .forgetting: try checkForgetting(&storage)
        case .reports: try checkReports(&storage)
        case .zones: try checkZones(&storage)
        case .zoneOwners: try checkZoneOwners(&storage)
        case .filters: try checkFilters(&storage)
        case .names: try checkNames(&storage)
        case .sweeps: try checkSweeps(&storage)
        case .sweepChunks: try checkSweepChunks(&storage)
        case .linkedRecords: try checkLinkedRecords(&storage)
        case .linkedZones: try checkLinkedZones(&storage)
        case .relatedActivities: try checkRelatedActivities(&storage)
        case .groups: try checkGroups(&storage)
        case .persistentIdentifiers: try checkPersistentIdentifiers(&storage)
        case .scrubbing: try checkScrubbing(&storage)
        case .removals: try checkRemovals(&storage)
        case .bytes: try checkBytes(&storage)
        case .refusals: try checkRefusals(&storage)
        case .suspensions: try checkSuspensions(&storage)
        case .fences: try checkFences(&storage)
        case .fencesOfUsers: try checkFencesOfUsers(&storage)
        case .rescues: try checkRescues(&storage)
        case .facts: try checkFacts(&storage)
        case .ownDeletions: try checkOwnDeletions(&storage)
        case .deletions: try checkDeletions(&storage)
        case .rows: try checkRows(&storage)
        case .rowOrder: try checkRowOrder(&storage)
        case .uploads: try checkUploads(&storage)
        case .unseen: try checkUnseen(&storage)
        case .records: try checkRecords(&storage)
        case .sameThings: try checkSameThings(&storage)
        case .parking: try checkParking(&storage)
        case .goneRecords: try checkGoneRecords(&storage)
        }
    }
}
