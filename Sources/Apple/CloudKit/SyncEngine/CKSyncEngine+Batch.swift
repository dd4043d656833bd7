import RecordSync

extension CKSyncEngine {
    /// Records to be sent together.
    ///
    /// A batch of more than 200 records goes in several requests, and so does one that the server
    /// finds too large; an atomic batch is cut between zones only.
    public struct RecordZoneChangeBatch: Sendable, CustomStringConvertible {
        /// Records to save.
        public var recordsToSave: [CKRecord]
        /// Records to delete.
        public var recordIDsToDelete: [CKRecord.ID]
        /// Whether all or none of each zone are stored.
        public var atomicByZone: Bool

        /// A batch of the app's own making.
        public init(
            recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [],
            atomicByZone: Bool = false
        ) {
            self.recordsToSave = recordsToSave
            self.recordIDsToDelete = recordIDsToDelete
            self.atomicByZone = atomicByZone
        }

        /// As many changes, from the first, as one request takes: 200 records and 2 MB.
        ///
        /// - Parameter recordProvider: The record to save with an ID; nil skips the change, which stays
        ///   pending: remove it when there is no such record any more.
        /// - Returns: nil when no change is left.
        public init?(
            pendingChanges: [CKSyncEngine.PendingRecordZoneChange],
            recordProvider: @Sendable (CKRecord.ID) async -> CKRecord?
        ) async {
            self.init()
            var bytes = (values: 0, wire: 0)
            for change in pendingChanges {
                guard recordsToSave.count + recordIDsToDelete.count < BatchPart.itemsMax else {
                    break
                }
                switch change {
                case .deleteRecord(let id):
                    guard bytes.wire + RecordSize.deletion <= RecordSize.wireMax else { return }
                    bytes.wire += RecordSize.deletion
                    recordIDsToDelete.append(id)
                case .saveRecord(let id):
                    guard let record = await recordProvider(id) else { continue }
                    let size = record.sizeToSave
                    bytes = (bytes.values + size.values, bytes.wire + size.wire)
                    let isFull =
                        bytes.values > RecordSize.valuesMax || bytes.wire > RecordSize.wireMax
                    // One that is too large for any request fails alone.
                    guard !isFull || recordsToSave.isEmpty && recordIDsToDelete.isEmpty else {
                        return
                    }
                    recordsToSave.append(record)
                }
            }
            if recordsToSave.isEmpty && recordIDsToDelete.isEmpty { return nil }
        }

        /// How much there is.
        public var description: String {
            "<RecordZoneChangeBatch: \(recordsToSave.count) to save, \(recordIDsToDelete.count) to "
                + "delete, atomicByZone=\(atomicByZone)>"
        }
    }
}

extension CKRecord {
    /// What a save of the record takes; nothing for one that is refused before it is sent.
    fileprivate var sizeToSave: (values: Int, wire: Int) {
        contents.withLock { contents in
            do throws(CKError) {
                let size = RecordSize(try contents.saving(.ifServerRecordUnchanged))
                return (size.values, size.wire)
            } catch {
                return (0, 0)
            }
        }
    }
}
