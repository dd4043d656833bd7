import CloudModel
import MockStore

/// A shared hierarchy: a root with some records below it, and one participant. The first, third
/// and so on have been accepted, the others not yet; the participant may write in half of them.
package struct SeedShare: Sendable, Hashable {
    let number: Int
    let owner: String
    let guest: String
    /// Of the owner's private database.
    let address: Database.Address
    let zone: RecordZone.ID
    /// Of the root, and of what is below it.
    let types: [String]

    private var root: String { "shared-\(number + 1)" }

    /// Makes it by the requests that the apps of both would send.
    func make(in store: MockStore) throws(CloudError) {
        let guestName = store.recordName(
            of: .user(guest), in: address.container, address.environment)
        var share = RecordOperation(
            .create, recordName: root + "-share", recordType: Share.recordType)
        share.share = Share.Change(
            root: .init(root),
            participants: [
                ShareParticipant(
                    identity: UserIdentity(userRecordName: guestName),
                    permission: number % 4 < 2 ? .readWrite : .readOnly)
            ])
        let made = try modify(records, in: store)
        share.share?.root?.recordChangeTag = made.first?.recordChangeTag
        let shared = try modify([share], in: store)
        guard number % 2 == 0, let guid = shared.first?.shortGUID else { return }
        let reply = try store.apply(
            .write(.acceptShares([ShareLookup(guid)])), at: address.inScope(.public),
            by: .user(guest))
        if case .shares(let items) = reply, case .failure(_, let error)? = items.first {
            throw error
        }
    }

    /// The root, and what is below it.
    private var records: [RecordOperation] {
        let child = types.count > 1 ? types[1] : types[0]
        return [RecordOperation(.forceReplace, recordName: root, recordType: types[0])]
            + (1...3).map {
                RecordOperation(
                    .forceReplace, recordName: "\(root)-\($0)", recordType: child,
                    parent: Record.Reference(root))
            }
    }

    private func modify(
        _ operations: [RecordOperation], in store: MockStore
    ) throws(CloudError) -> [Record] {
        let reply = try store.apply(
            .write(
                .modifyRecords(
                    RecordModifyRequest(operations: operations, zoneID: zone, atomic: true))),
            at: address, by: .user(owner))
        if let failure = reply.outcome.failures.first { throw failure.error }
        guard case .records(let answer) = reply else { return [] }
        return answer.records.compactMap { item in
            if case .record(let record) = item { record } else { nil }
        }
    }
}
