import CloudModel
import CloudWire

/// How the mock service behaves where the real one is unknown or can be both; and its limits.
package struct MockOptions: Sendable, Hashable {
    /// What deleting the default zone does.
    package enum DefaultZoneMode: String, Sendable, CaseIterable {
        /// The item fails with BAD_REQUEST.
        case refuse
        /// Its records go, the zone stays.
        case purge
        /// The item says deleted, and nothing happens.
        case ignore
    }
    /// Whether a zone's feed from the beginning tells of records deleted before.
    package enum InitialScan: String, Sendable, CaseIterable {
        case history
        case live
        /// Of those only that the asking device had made itself, as native clients see it.
        case sameDevice
    }

    /// How the failure of an atomic batch is told.
    package enum AtomicFailure: String, Sendable, CaseIterable {
        /// With status 200, each item with its own error.
        case items
        /// With status 400 and `ATOMIC_ERROR` above the items.
        case request
    }

    /// Who has the service do what it does later.
    package enum Upkeep: String, Sendable, CaseIterable {
        /// By itself.
        case auto
        /// When it is simulated.
        case manual
    }

    /// When the service does what it does later.
    package var upkeep = Upkeep.auto
    package var defaultZoneMode = DefaultZoneMode.refuse
    /// Whether `zones/list` of a private database has the default zone.
    package var listsDefaultZone = true
    /// What an atomic batch of several operations that failed is answered with: status 200 and its items,
    /// or the error of a whole request with its items beside it, as older clients expect.
    package var atomicFailure = AtomicFailure.items
    /// A query for a type nobody has used: an empty answer instead of NOT_FOUND.
    package var unknownTypeIsEmpty = false
    /// How long a query does not see what was written.
    package var indexLag = Duration.zero
    /// Queries of a zone that do not see what was written to it.
    package var indexLagQueries = 0
    package var initialScan = InitialScan.history
    /// Empty pages with more coming, before each page of `changes/zone` or a query that has
    /// something. The store does not use it: pages are delivered by `MockFaults`.
    package var emptyPages = 0
    /// Lists of zones that still have a zone after its deletion. Not used by the store either.
    package var zoneListLag = 0
    /// How long lists have a zone after its deletion.
    package var zoneListLagTime = Duration.zero
    /// Requests that still find a zone after its deletion, and what it held.
    package var zoneDeletionLag = 0
    /// How long requests find it.
    package var zoneDeletionLagTime = Duration.zero
    /// Whether a container nobody named exists once it is asked for.
    package var autoCreateContainers = true
    /// Whether referrers in the default zone go one request after their target, as the service
    /// does it, rather than with it.
    package var delaysDefaultZoneCascade = true
    /// Whether an untyped value of another type is refused even where it could be converted.
    package var refusesUntypedMismatch = false
    /// Whether the development environment refuses what production would: types and fields that the
    /// schema does not have, or, without a schema, that were not saved before.
    package var strictSchema = false
    /// Whether names of records and zones are ASCII, as Apple's headers say. Its framework takes others.
    package var asciiNames = true
    /// Whether a database token's text differs each time, as the service's does.
    package var databaseTokenJitter = false
    /// Whether `desiredRecordTypes` of a feed is ignored, as it was seen live.
    package var typeFilterLeaks = true

    /// Zones in a page of `zones/list`.
    package var zoneListPageMax = WireLimits.zonesMax
    /// Zones in a page of `changes/database`, where the request does not ask for fewer.
    package var zoneChangesPageMax = WireLimits.resultsMax
    /// Records in a page.
    package var recordsPageMax = WireLimits.resultsMax
    /// Operations, names or zones in a request.
    package var operationsMax = WireLimits.operationsMax
    /// Bytes of a record's fields.
    package var recordBytesMax = WireLimits.recordBytesMax
    /// Bytes of a request without its assets.
    package var bodyBytesMax = WireLimits.requestBytesMax
    /// Bytes of one asset.
    package var assetBytesMax = WireLimits.assetBytesMax
    /// Participants of a share beside its owner.
    package var participantsMax = Share.participantsMax
    /// Snapshots that are kept at once.
    package var snapshotsMax = WireLimits.snapshotsMax
    /// Records that one request can take into shared hierarchies or out of them by moving others.
    package var hierarchyMovesMax = WireLimits.hierarchyMovesMax
    /// Records that are deleted with one, as they refer to it with `DELETE_SELF` or to one that does.
    package var cascadeMax = WireLimits.cascadeMax
    /// Records that name one target in a `DELETE_SELF` reference.
    package var referrersMax = WireLimits.deleteSelfReferencesMax

    /// The service as documented.
    package init() {}
}
