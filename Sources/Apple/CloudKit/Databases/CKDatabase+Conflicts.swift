import Foundation

extension CKDatabase {
    /// Finds conflicts of an atomic batch that takes several requests before the first is sent: what a
    /// request has stored is not taken back.
    func findConflicts(
        _ items: inout [RecordWorkItem], _ indices: [Int]
    ) async throws(CKError) {
        let compared = indices.filter { index in
            let kind = items[index].operation?.kind
            return (kind == .create || kind == .update) && items[index].newShare == nil
        }
        let found = try await recordsWithoutFiles(compared.map { items[$0].recordID }, [])
        for (index, server) in zip(compared, found) {
            let tag = items[index].operation?.recordChangeTag
            switch server.result {
            case .success(let record) where record.recordChangeTag != tag:
                items[index].result = .failure(
                    CKError(.serverRecordChanged, "the server has another version of the record"))
            case .failure(let error) where error.code == .unknownItem && tag != nil:
                items[index].result = .failure(error)
            case .success, .failure: continue
            }
        }
    }

    /// Gives each conflict the server's record beside the client's; the wire names none.
    ///
    /// Without the server's record an app cannot merge the two, and its edit would be lost: then the save has
    /// failed with what kept that record from being fetched, and can be tried again.
    ///
    /// A new share that the server does not have is no conflict: its root is shared already.
    func explainConflicts(
        _ items: inout [RecordWorkItem], _ indices: [Int]
    ) async {
        let conflicts = indices.filter { index in
            items[index].record != nil
                && [.serverRecordChanged, .alreadyShared].contains(
                    items[index].result?.failure?.code)
        }
        guard !conflicts.isEmpty else { return }
        let found: ItemResults<CKRecord.ID, CKRecord>
        do throws(CKError) {
            found = try await recordsWithoutFiles(conflicts.map { items[$0].recordID }, nil)
        } catch {
            for index in conflicts { items[index].result = .failure(error) }
            return
        }
        for (index, server) in zip(conflicts, found) {
            guard let client = items[index].record, let error = items[index].result?.failure else {
                continue
            }
            if let failure = server.result.failure {
                if error.code != .alreadyShared { items[index].result = .failure(failure) }
                continue
            }
            var details = error.userInfo
            details[CKRecordChangedErrorClientRecordKey] = client
            details[CKRecordChangedErrorAncestorRecordKey] = items[index].sent?.ancestor
                .map { CKRecord($0) }
            details[CKRecordChangedErrorServerRecordKey] = server.result.value
            items[index].result = .failure(
                CKError(.serverRecordChanged, error.localizedDescription, details))
        }
    }
}
