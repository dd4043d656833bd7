import CloudModel

/// One record to save or to delete, and what became of it.
struct RecordWorkItem: Sendable {
    let recordID: CKRecord.ID
    /// nil: to be deleted.
    let record: CKRecord?
    var operation: RecordOperation?
    var size: RecordSize?
    /// What has to be sent before the record.
    var files: [FileToSend] = []
    /// The fields to be saved whose assets have files here.
    var fileSlots: [String: FieldSlot] = [:]
    /// The record as it was when the save began.
    private(set) var sent: RecordContents?
    var result: Result<CKRecord?, CKError>?

    /// Whether the service has carried it out.
    var isDone: Bool { if case .success? = result { true } else { false } }

    /// Works out what is to be sent; what cannot be is the result.
    mutating func prepare(_ policy: CKModifyRecordsOperation.RecordSavePolicy) {
        guard let record else {
            if let problem = recordID.problem {
                result = .failure(CKError(badName: problem, "the record was not deleted:"))
                return
            }
            operation = RecordOperation(
                .forceDelete, recordName: recordID.recordName,
                zoneID: recordID.zoneID.model)
            return
        }
        do throws(CKError) {
            let contents = record.read { $0 }
            sent = contents.detached
            try contents.checkName()
            let operation = try contents.saving(policy)
            try operation.checkLinks()
            self.operation = operation
            fileSlots = contents.fileSlots(of: contents.savedKeys(policy))
            files = try contents.filesToSend(fileSlots)
            let size = RecordSize(operation)
            self.size = size
            if size.wire > RecordSize.wireMax {
                result = .failure(
                    CKError(.limitExceeded, "the record is too large for any request"))
            }
        } catch {
            result = .failure(error)
        }
    }
}
