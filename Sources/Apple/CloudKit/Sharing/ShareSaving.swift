// What the records of one save owe to its shares.
extension CKDatabase {
    /// Refuses new shares that cannot be saved: outside of private databases, or without their roots.
    static func checkShares(_ items: inout [RecordWorkItem], in scope: Scope) {
        let saved = Set(items.compactMap { $0.record == nil ? nil : $0.recordID })
        for index in items.indices {
            guard let share = items[index].newShare, items[index].result == nil else { continue }
            if let problem = problem(of: share, items[index].recordID, scope, saved) {
                items[index].result = .failure(problem)
            }
        }
    }

    private static func problem(
        of share: ShareContents, _ id: CKRecord.ID, _ scope: Scope, _ saved: Set<CKRecord.ID>
    ) -> CKError? {
        guard scope != .public else {
            return CKError(.badDatabase, "records of the public database cannot be shared")
        }
        guard id.recordName != CKRecordNameZoneWideShare else { return nil }
        guard let root = share.root else {
            return CKError(.invalidArguments, "a new share needs a root record")
        }
        guard root.zoneID == id.zoneID else {
            return CKError(.invalidArguments, "a share must be in the zone of its root record")
        }
        return saved.contains(root)
            ? nil
            : CKError(
                .invalidArguments, "a new share must be saved together with its root record")
    }

    /// The same items with new shares behind everything else, so that their roots come before.
    static func sharesLast(_ indices: [Int], of items: [RecordWorkItem]) -> [Int] {
        indices.filter { items[$0].newShare == nil } + indices.filter { items[$0].newShare != nil }
    }

    /// Tells the new shares of a request the versions of the roots that an earlier one has saved.
    static func noteRoots(_ items: inout [RecordWorkItem], of request: [Int]) {
        let here = Set(request.map { items[$0].recordID })
        for index in request {
            guard let root = items[index].newShare?.root, !here.contains(root) else { continue }
            let saved = items.first { $0.recordID == root }?.result?.value
            items[index].operation?.share?.root?.recordChangeTag = saved??.recordChangeTag
        }
    }
}

extension RecordWorkItem {
    /// Holds what the service says of a share that was saved against what was asked for.
    ///
    /// - Throws: `internalError` when it has made no share of it.
    func checkShare(_ saved: CKRecord) throws(CKError) {
        guard record is CKShare else { return }
        guard let share = saved as? CKShare else {
            throw CKError(
                .internalError, "the server saved another record instead of the share")
        }
        guard newShare == nil || share.url != nil else {
            throw CKError(.internalError, "the server saved the share, but returned no URL for it")
        }
    }

    /// What a share that was never saved says; nil for everything else.
    var newShare: ShareContents? {
        guard let record = record as? CKShare else { return nil }
        return record.read { $0.changeTag == nil ? $0.sharing : nil }
    }
}
