public import CloudKit

/// The notes of a person on one device, kept in step with the cloud.
public actor NoteList {
    /// The titles, by the names of their records.
    public private(set) var titles: [String: String] = [:]

    private let database: CKDatabase
    private let zoneID = CKRecordZone.ID(zoneName: "Notes")
    private let wait: @Sendable (Duration) async throws -> Void
    private var token: CKServerChangeToken?

    /// - Parameter wait: Waits as long as the service asks for.
    public init(
        _ container: CKContainer,
        wait: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        database = container.privateCloudDatabase
        self.wait = wait
    }

    /// Makes the zone that notes are kept in; harmless when it is there.
    public func open() async throws {
        try await patiently { _ = try await $0.save(CKRecordZone(zoneID: self.zoneID)) }
    }

    /// Saves a new note under a name.
    public func add(_ name: String, title: String) async throws {
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
        record["title"] = title
        try await patiently { _ = try await $0.save(record) }
        titles[name] = title
    }

    /// Deletes a note.
    public func delete(_ name: String) async throws {
        let id = CKRecord.ID(recordName: name, zoneID: zoneID)
        try await patiently { _ = try await $0.deleteRecord(withID: id) }
        titles[name] = nil
    }

    /// Takes over what other devices have done since the last time; everything, where the service does not
    /// know that any more.
    public func refresh() async throws {
        do {
            try await takeChanges()
        } catch let error as CKError where error.code == .changeTokenExpired {
            (token, titles) = (nil, [:])
            try await takeChanges()
        }
    }

    private func takeChanges() async throws {
        var isMoreComing = true
        while isMoreComing {
            let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            for (id, result) in changes.modificationResultsByID {
                titles[id.recordName] = try result.get().record["title"] as? String
            }
            for deletion in changes.deletions { titles[deletion.recordID.recordName] = nil }
            (token, isMoreComing) = (changes.changeToken, changes.moreComing)
        }
    }

    /// Asks once more after the time that the service asks to wait for, three times at most.
    private func patiently(_ body: (CKDatabase) async throws -> Void) async throws {
        for attempt in 1...4 {
            do {
                return try await body(database)
            } catch let error as CKError where attempt < 4 {
                guard let seconds = error.retryAfterSeconds else { throw error }
                try await wait(.seconds(seconds))
            }
        }
    }
}
