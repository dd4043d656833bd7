import Basics
import CloudModel
import DeletionPlanning
import Journal

/// Lists records type by type: the only way into a default zone or a public database.
struct TypedListing: Sendable {
    let look: PlaceLook
    let kind: CoverageRow.Kind

    /// Notes the person's records of every type that is to be listed.
    func all() async throws(SweepFailure) -> Finding {
        let results = await withTaskGroup(of: Result<Finding, SweepFailure>.self) { group in
            for type in look.listing {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in try await list(type) }
                }
            }
            var results: [Result<Finding, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        var finding = Finding.complete
        for result in results { finding.add(try result.get()) }
        if look.target.recordTypes == nil {
            finding.remarks.append(
                isUnused
                    ? look.remark(kind, .notInScope, Self.unused)
                    : look.remark(
                        kind, .unproven,
                        "its record types are unknown: add the container's schema or its "
                            + "\"recordTypes\" (an empty list if the app stores nothing there)"))
        }
        return finding
    }

    /// Whether the list says that the app keeps nothing here.
    private var isUnused: Bool { look.target.customZonesOnly && look.scope == .private }

    private static let unused =
        "it cannot be listed, and \"customZonesOnly\" in the list says that the app stores "
        + "nothing here"

    private func list(_ type: String) async throws(SweepFailure) -> Finding {
        for filters in look.wholeTypeFilters {
            do throws(SweepFailure) {
                try await list(type, filters)
                return .complete
            } catch {
                if case .refused(let refusal) = error, refusal.code == .notFound {
                    return unknown(type)
                }
                // Without the index for this way, another may do.
                guard case .refused(let refusal) = error, refusal.code == .badRequest else {
                    return try look.unread(kind, type, explained(error, type))
                }
            }
        }
        if isUnused {
            return Finding(
                isComplete: true,
                remarks: [look.remark(kind, .notInScope, Self.unused, subject: type)])
        }
        var reason = "the type cannot be listed: make recordName queryable in the schema"
        if look.scope == .private {
            reason +=
                ", or add \"customZonesOnly\": true to the list if the app stores nothing in "
                + "the default zone"
        }
        return Finding(
            isComplete: true, remarks: [look.remark(kind, .unproven, reason, subject: type)])
    }

    private func explained(_ error: SweepFailure, _ type: String) -> SweepFailure {
        guard look.scope == .public, case .refused(let refusal) = error else { return error }
        return .refused(PublicGrants.explained(refusal, .read, on: type, look.request))
    }

    /// Types belong to the environment, not to the person: one that the service does not know is
    /// no empty place.
    private func unknown(_ type: String) -> Finding {
        if look.types.isRetired(type, of: look.container) {
            return Finding(
                isComplete: true,
                remarks: [
                    look.remark(
                        kind, .notInScope,
                        "the list has the type under \"retiredTypes\", and the service does not "
                            + "know it", subject: type)
                ])
        }
        if look.types.isNamed(type, of: look.container) {
            return Finding(
                remarks: [
                    look.remark(
                        kind, .notLookedAt, "the service does not know this record type",
                        subject: type)
                ], unknownTypes: [type])
        }
        return Finding(
            isComplete: true,
            remarks: [
                look.remark(
                    kind, .unproven,
                    "the type was seen before, but the service does not know it now: if it was "
                        + "removed from the environment, add it to \"retiredTypes\"", subject: type)
            ])
    }

    private func list(
        _ type: String, _ filters: [Query.Filter]
    ) async throws(SweepFailure) {
        // What is kept may refer to what goes: then all its fields are wanted.
        let isKept =
            look.request.policy.ruleKeepingRecord(
                type: type, zone: RecordZone.ID.default.zoneName, in: look.container) != nil
        try await look.eachRecordPage(
            ofType: type, filters, desiredKeys: isKept ? nil : look.assetKeys(of: type)
        ) { (page) async throws(SweepFailure) in
            let records = try mine(page, filters)
            try await look.note(
                records.map {
                    look.row(
                        .record, zone: RecordZone.ID.default.zoneName, type: type,
                        name: $0.id.recordName)
                })
            try await look.noteLinks(
                of: records, in: RecordZone.ID.default.zoneName, others: false)
            try await look.noteAssets(of: records, in: RecordZone.ID.default.zoneName)
        }
    }

    /// The records of a page that are the person's. A query by creator in the public database answers with those
    /// alone; one for all records answers with everybody's.
    private func mine(
        _ page: [Record], _ filters: [Query.Filter]
    ) throws(SweepFailure) -> [Record] {
        guard look.scope == .public, filters.isEmpty else { return page }
        // A name that stands for the caller says nothing in public: the caller may be a key.
        let unknown = RecordZone.ID.callerPlaceholders + [""]
        for record in page where unknown.contains(record.created.userRecordName) {
            throw .refused(
                CloudError(
                    .unexpectedResponse,
                    reason:
                        "a public record of the type \(record.recordType) has no creator"
                ))
        }
        return page.filter { $0.created.userRecordName == look.person.userRecordName }
    }
}

extension PlaceLook {
    /// The ways to ask for all records of a type, the plainest first: each needs an index of its
    /// own, and a type may have only one of them.
    var wholeTypeFilters: [[Query.Filter]] {
        let byCreator = Query.Filter(
            .equals, .system(.createdUserRecordName),
            .reference(Record.Reference(person.userRecordName)))
        let byTime = Query.Filter(
            .greaterThan, .system(.modifiedTimestamp), .timestamp(Timestamp(milliseconds: 0)))
        return scope == .public ? [[byCreator], []] : [[], [byCreator], [byTime]]
    }

    /// Reads the pages of a query in the default zone or the public database.
    ///
    /// - Parameter zoneWide: Whether to ask all zones of the database instead.
    func eachRecordPage(
        ofType type: String, _ filters: [Query.Filter], desiredKeys: [String]?,
        zoneWide: Bool = false,
        _ visit: ([Record]) async throws(SweepFailure) -> Void
    ) async throws(SweepFailure) {
        try await eachPage { (position) async throws(SweepFailure) in
            let command = CloudRead.queryRecords(
                RecordQueryRequest(
                    query: Query(recordType: type, filters: filters),
                    zoneID: zoneWide ? nil : own(.default), zoneWide: zoneWide, limit: 200,
                    continuationMarker: position, desiredKeys: desiredKeys))
            guard case .recordPage(let page) = try await read(command) else {
                throw .refused(.wrongReply(to: command))
            }
            var records: [Record] = []
            for item in page.records {
                guard case .record(let record) = item else {
                    // Neither a tombstone nor an error belongs into the result of a query.
                    throw .refused(
                        CloudError(
                            .unexpectedResponse,
                            reason: "the result of a query contains something other than records"))
                }
                records.append(record)
            }
            try await visit(records)
            return ListingPage(
                next: page.continuationMarker, isEmpty: page.records.isEmpty)
        }
    }
}
