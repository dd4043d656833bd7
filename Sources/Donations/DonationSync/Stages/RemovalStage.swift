import CloudModel

/// Deletes the records of rows that went, each only in the version that its row was.
struct RemovalStage<Storage: SyncStorage> {
    typealias Turn = ExchangeTurn<Storage>

    /// What is to be deleted; nil: nothing.
    func next(_ turn: Turn) throws(Storage.Failure) -> ExchangeAsk? {
        let gone = try turn.storage.pendingDeletes(limit: turn.course.batch)
        guard !gone.isEmpty else { return nil }
        let operations = gone.map {
            RecordOperation(.delete, recordName: $0.recordName, recordChangeTag: $0.tag)
        }
        return turn.modify(operations, for: .removals(gone))
    }

    func received(
        _ items: [Record.Item], to gone: [GoneRecord], _ turn: inout Turn
    ) throws(Storage.Failure) -> StageResult {
        turn.course.read(.atEnd)
        var done: [String] = []
        var result = StageResult.proceed
        for (record, item) in zip(gone, items) {
            if case .failure(_, let error) = item {
                switch error.code {
                case .notFound, .conflict:
                    // Gone already; or another version, which the feed brings to be judged.
                    break
                case .atomicError: continue
                case .validatingReferenceError, .accessDenied, .badRequest:
                    turn.report.refuse(.byService)
                default:
                    result = try turn.refused(error)
                    continue
                }
            }
            done.append(record.recordName)
        }
        try turn.storage.removeGone(done)
        return result
    }
}
