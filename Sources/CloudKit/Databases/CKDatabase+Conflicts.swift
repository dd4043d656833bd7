import CloudModel
import Foundation

extension CKDatabase {
    /// Gives each conflict the server's record beside the client's; the wire names none.
    ///
    /// A new share that the server does not have is no conflict: its root is shared already.
    func explainConflicts(
        _ items: inout [RecordWorkItem], _ indices: [Int]
    ) async throws(CKError) {
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
            // The conflicts stand, without the server's records.
            return
        }
        for (index, server) in zip(conflicts, found) {
            guard let client = items[index].record, let error = items[index].result?.failure else {
                continue
            }
            if error.code == .alreadyShared, server.result.value == nil { continue }
            var details = error.userInfo
            details[CKRecordChangedErrorClientRecordKey] = client
            details[CKRecordChangedErrorServerRecordKey] = server.result.value
            items[index].result = .failure(
                CKError(.serverRecordChanged, error.localizedDescription, details))
        }
    }
}
