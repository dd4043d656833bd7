import CloudModel

/// What a participant may do. An owner may do everything.
extension RecordBatch {
    /// The shares of the zone.
    var shared: SharedZone? { records.shares.zone(writer.row.incarnation) }

    /// Whether the session sees a record, if there is one.
    func isVisible(_ name: String) throws(CloudError) -> Bool {
        guard session.permission == .participant else { return true }
        return try share(of: name) != nil
    }

    /// The share by which a participant sees a record, with what it allows.
    private func share(of name: String) throws(CloudError) -> Participation? {
        guard let zone = shared else { return nil }
        let user = session.database.key.user
        if let whole = zone.whole { return whole.accepted[user] }
        return try writer.hierarchy(of: name)?.accepted[user]
    }

    /// Refuses to say more of a record that a participant does not see than its name does.
    func checkVisible(
        _ name: String, _ record: StoredRecord?, _ kind: RecordOperation.Kind
    ) throws(CloudError) {
        guard record != nil, try !isVisible(name) else { return }
        throw kind.comparesTag ? .noRecord : .notPermitted(.write)
    }

    /// Refuses to write where a participant may not: a new record needs a parent in what is shared,
    /// and a record can only be moved where they may write too.
    func checkWriting(
        _ record: StoredRecord, was old: StoredRecord?
    ) throws(CloudError) {
        guard session.permission == .participant else { return }
        if let old, try share(of: old.name)?.writes != true { throw .readOnly }
        guard let zone = shared else { throw .readOnly }
        if let whole = zone.whole {
            guard whole.accepted[session.database.key.user]?.writes == true else {
                throw .readOnly
            }
            return
        }
        // A root is in its own hierarchy, whatever its parent.
        guard zone.share(rootedAt: record.name) == nil else {
            guard record.parent == old?.parent else {
                throw CloudError(
                    .accessDenied, reason: "only its owner can give a shared root another parent")
            }
            return
        }
        guard let parent = record.parent else {
            throw CloudError(
                .accessDenied,
                reason: "write operation not permitted: a record in a shared hierarchy needs a "
                    + "parent there", rule: 96)
        }
        guard try share(of: parent)?.writes == true else { throw .readOnly }
    }

    /// Refuses to delete what a participant may not: only owners delete roots, and what goes with a
    /// record must be theirs to delete too.
    func checkDeleting(_ names: [String]) throws(CloudError) {
        guard session.permission == .participant else { return }
        for name in names {
            guard try share(of: name)?.writes == true else { throw .readOnly }
            guard shared?.share(named: name) == nil else {
                throw CloudError(
                    .accessDenied, reason: "only its owner can delete a share with its root")
            }
            guard shared?.share(rootedAt: name) == nil else {
                throw CloudError(
                    .accessDenied, reason: "only its owner can delete a shared root", rule: 100)
            }
        }
    }
}

extension CloudError {
    fileprivate static let readOnly = CloudError(
        .accessDenied, reason: "write operation not permitted: the share is for reading only",
        rule: 97)
}
