import CloudModel
import DeletionPlanning
import Journal

extension DatabaseLook {
    /// What the subscriptions tell: themselves, and record types they watch.
    struct Watched: Sendable {
        var inventory = Inventory()
        var types: Set<String> = []
    }

    /// Notes the user's subscriptions in this database.
    func listSubscriptions() async throws(SweepFailure) -> Watched {
        var watched = Watched()
        do throws(SweepFailure) {
            guard case .subscriptions(let items) = try await read(.listSubscriptions) else {
                throw .refused(.wrongReply(to: .listSubscriptions))
            }
            var rows: [SeenRow] = []
            for item in items {
                switch item {
                case .subscription(let subscription):
                    let type = subscription.query?.recordType
                    rows.append(
                        row(
                            .subscription, zone: subscription.zoneID?.zoneName ?? "",
                            type: type ?? "", name: subscription.subscriptionID))
                    if let type, type != DeletionStep.userRecordType { watched.types.insert(type) }
                case .deleted: continue
                case .failure(_, let error): throw .refused(error)
                }
            }
            try await note(rows)
        } catch {
            watched.inventory.unlisted.append(try unlisted(.subscriptions, nil, error))
        }
        return watched
    }

    /// Notes the user's records of these types: in the default zone, or in the public database
    /// those that the user created.
    func listRecords(ofTypes types: Set<String>) async throws(SweepFailure) -> Inventory {
        let results = await withTaskGroup(of: Result<Inventory, SweepFailure>.self) { group in
            for type in types.sorted() {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        try await listRecords(ofType: type)
                    }
                }
            }
            var results: [Result<Inventory, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        return try InventoryTaker.sum(results)
    }

    /// The ways to ask for all records of a type, the plainest first: each needs an index of its
    /// own, and a type may have only one of them.
    private var wholeTypeFilters: [[Query.Filter]] {
        let byCreator = Query.Filter(
            .equals, .system(.createdUserRecordName),
            .reference(Record.Reference(caller?.userRecordName ?? "")))
        let byTime = Query.Filter(
            .greaterThan, .system(.modifiedTimestamp), .timestamp(Timestamp(milliseconds: 0)))
        return scope == .public ? [[byCreator]] : [[], [byCreator], [byTime]]
    }

    private func listRecords(ofType type: String) async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        let kind = SeenKind.record.coverage(in: scope)
        for filters in wholeTypeFilters {
            do throws(SweepFailure) {
                try await listRecords(ofType: type, filters)
                return inventory
            } catch {
                // An unknown type has no records.
                if case .refused(let cloudError) = error, cloudError.code == .notFound {
                    return inventory
                }
                guard case .refused(let cloudError) = error, cloudError.code == .badRequest else {
                    inventory.unlisted.append(try unlisted(kind, type, error))
                    return inventory
                }
            }
        }
        let index = scope == .public ? "createdUserRecordName" : "recordName"
        inventory.unreachable.append(
            coverage(
                kind, .unreachable,
                "the type cannot be listed: make \(index) queryable in the schema", subject: type))
        return inventory
    }

    private func listRecords(
        ofType type: String, _ filters: [Query.Filter]
    ) async throws(SweepFailure) {
        var marker: String?
        var circles = LoopGuard(pagesMax: taker.request.limits.pagesMax)
        repeat {
            let command = CloudCommand.queryRecords(
                RecordQueryRequest(
                    query: Query(recordType: type, filters: filters), zoneID: .default,
                    limit: 200, continuationMarker: marker, desiredKeys: []))
            guard case .recordPage(let page) = try await read(command) else {
                throw .refused(.wrongReply(to: command))
            }
            var rows: [SeenRow] = []
            for item in page.records {
                switch item {
                case .record(let record):
                    guard (1...255).contains(record.id.recordName.utf8.count) else {
                        throw .refused(
                            CloudError(
                                .unexpectedResponse,
                                reason: "a record's name is empty or too long"))
                    }
                    rows.append(
                        row(
                            .record, zone: RecordZone.ID.default.zoneName, type: type,
                            name: record.id.recordName))
                case .deleted: continue
                case .failure(_, let error): throw .refused(error)
                }
            }
            try await note(rows)
            marker = page.continuationMarker
            if let marker {
                do throws(CloudError) {
                    try circles.next(marker)
                } catch {
                    throw .refused(error)
                }
            }
        } while marker != nil
    }

    /// Notes the user's own record when there is anything in it.
    func lookUpUserRecord() async throws(SweepFailure) -> Inventory {
        var inventory = Inventory()
        guard let caller else { return inventory }
        do throws(SweepFailure) {
            let command = CloudCommand.lookUpRecords(
                RecordLookupRequest(recordNames: [caller.userRecordName]))
            guard case .records(let reply) = try await read(command),
                let item = reply.records.first
            else { throw .refused(.wrongReply(to: command)) }
            switch item {
            case .record(let record):
                if !record.fields.isEmpty {
                    try await note([row(.userRecord)])
                }
            case .deleted: return inventory
            case .failure(_, let error) where error.code == .notFound: return inventory
            case .failure(_, let error): throw .refused(error)
            }
        } catch {
            if case .refused(let cloudError) = error, cloudError.code == .notFound {
                return inventory
            }
            inventory.unlisted.append(try unlisted(.userRecord, nil, error))
        }
        return inventory
    }
}
