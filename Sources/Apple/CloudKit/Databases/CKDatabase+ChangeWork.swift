import CloudModel
import Foundation

/// One zone's page of changes.
struct ZonePageOfChanges: Sendable {
    var changed: ItemResults<CKRecord.ID, CKRecord>
    var deleted: [CKRecord.ID]
    var token: CKServerChangeToken
    var moreComing: Bool
}

/// A database's page of changes.
struct DatabasePageOfChanges: Sendable {
    var changed: [CKRecordZone.ID]
    var deleted: [CKDatabase.DatabaseChange.Deletion]
    var token: CKServerChangeToken
    var moreComing: Bool
}

// What the methods and the operations about changes have in common.
extension CKDatabase {
    /// The next page of some zones; each has a result of its own.
    func changes(
        _ requests: [ZoneChangesRequest]
    ) async throws(CKError) -> ItemResults<CKRecordZone.ID, ZonePageOfChanges> {
        try Self.checkOnce(requests.map { $0.zoneID }, "a zone")
        var found: ItemResults<CKRecordZone.ID, ZonePageOfChanges> = []
        var rest = requests[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.itemsPerRequest))
            rest = rest.dropFirst(some.count)
            let items: [ZoneChangesItem]
            do throws(CKError) {
                items = try await ask(some.count == 1 ? .changes : .request) {
                    database throws(CloudError) in
                    try await database.zoneChanges(some)
                }
            } catch {
                guard some.count == 1, let request = some.first else { throw error }
                throw try await explained(error, request)
            }
            guard items.count == some.count else {
                throw CKError(.internalError, "the response is for other zones")
            }
            for (request, item) in zip(some, items) {
                let id = CKRecordZone.ID(request.zoneID, in: databaseScope)
                switch item {
                case .page(let page):
                    var native = native(page, id)
                    native.changed = await fetchFiles(native.changed)
                    found.append((id, .success(native)))
                case .failure(_, let error):
                    let explained = try await explained(itemError(error, .changes), request)
                    found.append((id, .failure(explained)))
                }
            }
        }
        return found
    }

    private func native(_ page: ZoneChangesPage, _ zoneID: CKRecordZone.ID) -> ZonePageOfChanges {
        var native = ZonePageOfChanges(
            changed: [], deleted: [], token: CKServerChangeToken(page.token),
            moreComing: page.moreComing)
        native.changed.reserveCapacity(page.records.count)
        for item in page.records {
            let id = CKRecord.ID(recordName: item.recordName, zoneID: zoneID)
            switch item {
            case .record(let record): native.changed.append((id, .success(make(record, id))))
            case .deleted: native.deleted.append(id)
            case .failure(_, let error): native.changed.append((id, .failure(itemError(error))))
            }
        }
        return native
    }

    /// The next page of the database's zones.
    func changes(
        since token: CKServerChangeToken?, limit: Int?
    ) async throws(CKError) -> DatabasePageOfChanges {
        guard databaseScope != .public else {
            throw CKError(.invalidArguments, "the public database has no changes to fetch")
        }
        let page: ZonePage
        do throws(CKError) {
            page = try await ask(.changes) { database throws(CloudError) in
                try await database.databaseChanges(since: token?.model, limit: limit)
            }
        } catch {
            throw try await explained(error, hasToken: token != nil) {
                database throws(CloudError) in
                _ = try await database.databaseChanges(since: nil, limit: limit)
            }
        }
        guard let next = page.token else {
            throw CKError(.internalError, "the server sent no token")
        }
        var native = DatabasePageOfChanges(
            changed: [], deleted: [], token: CKServerChangeToken(next),
            moreComing: page.moreComing)
        for item in page.zones {
            let id = CKRecordZone.ID(item.id, in: databaseScope)
            if case .deleted(_, let reason) = item {
                native.deleted.append(DatabaseChange.Deletion(zoneID: id, reason: .init(reason)))
            } else {
                native.changed.append(id)
            }
        }
        return native
    }

    private func explained(
        _ error: CKError, _ request: ZoneChangesRequest
    ) async throws(CKError) -> CKError {
        try await explained(error, hasToken: request.token != nil) { database throws(CloudError) in
            var first = request
            first.token = nil
            first.limit = 1
            if case .failure(_, let refusal) = try await database.zoneChanges([first]).first {
                throw refusal
            }
        }
    }

    /// What an invalid request for changes is called natively.
    ///
    /// The web services have one code for a token that they refuse, as it has expired or is another
    /// feed's, and for any other invalid request. So the first page is asked for without a token: only
    /// when the service sends it is the token to blame.
    ///
    /// - Throws: what the question failed with, other than as an invalid request.
    private func explained(
        _ error: CKError, hasToken: Bool,
        _ firstPage: (any CloudDatabase) async throws(CloudError) -> Void
    ) async throws(CKError) -> CKError {
        guard error.code == .invalidArguments, hasToken else { return error }
        do throws(CKError) {
            try await ask(.changes, firstPage)
            return CKError(.changeTokenExpired, error.localizedDescription)
        } catch let second {
            guard second.code == .invalidArguments else { throw second }
            return error
        }
    }

    /// A page's size as the wire has it: nil for the server's own.
    static func limit(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? $0 : nil } }
}
