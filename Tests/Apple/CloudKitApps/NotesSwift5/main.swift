// A notes app that syncs with CKSyncEngine, written as app developers write it for Apple's systems. Each
// start is one launch on a device, whose data is in the file that the first argument names.
//
//     Notes FILE add NAME TEXT … | delete NAME … | sync | list | erase
//                share NAME ADDRESS | join LINK | shared | edit NAME TEXT
//                begin NAME TEXT | resume
import CloudKit
import Foundation

struct Note: Codable {
    var text: String
    var systemFields: Data?
}

/// What is on the device: notes and the engine's state, always written together.
struct Disk: Codable {
    var notes: [String: Note] = [:]
    /// What the server does not have yet: the engine's own list may be a moment older.
    var edited: Set<String> = []
    var deleted: Set<String> = []
    var state: CKSyncEngine.State.Serialization?
}

actor NoteBook: CKSyncEngineDelegate {
    static let zoneID = CKRecordZone.ID(zoneName: "Notes")
    private let file: URL
    private var disk: Disk
    private var engine: CKSyncEngine?

    init(_ file: URL) throws {
        self.file = file
        let isThere = FileManager.default.fileExists(atPath: file.path)
        disk =
            isThere
            ? try JSONDecoder().decode(Disk.self, from: Data(contentsOf: file)) : Disk()
    }

    private var syncEngine: CKSyncEngine {
        if let engine { return engine }
        var configuration = CKSyncEngine.Configuration(
            database: CKContainer.default().privateCloudDatabase, stateSerialization: disk.state,
            delegate: self)
        configuration.automaticallySync = false
        let made = CKSyncEngine(configuration)
        made.state.add(
            pendingRecordZoneChanges: disk.edited.map { .saveRecord(recordID($0)) }
                + disk.deleted.map { .deleteRecord(recordID($0)) })
        engine = made
        return made
    }

    private func save() {
        do {
            try JSONEncoder().encode(disk).write(to: file, options: .atomic)
        } catch {
            print("saving failed:", error)
        }
    }

    // MARK: What the person does

    func add(_ name: String, _ text: String) {
        disk.notes[name, default: Note(text: "")].text = text
        disk.edited.insert(name)
        disk.deleted.remove(name)
        save()
        syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(recordID(name))])
    }

    func delete(_ name: String) {
        disk.notes[name] = nil
        disk.edited.remove(name)
        disk.deleted.insert(name)
        save()
        syncEngine.state.add(pendingRecordZoneChanges: [.deleteRecord(recordID(name))])
    }

    /// Deletes everything, here and on the server.
    func erase() async {
        forget()
        save()
        syncEngine.state.add(pendingDatabaseChanges: [.deleteZone(Self.zoneID)])
        await sync()
    }

    func sync() async {
        // A conflict is resolved by the delegate, and the result waits for the next send.
        for _ in 0..<4 {
            do {
                try await syncEngine.fetchChanges()
                try await syncEngine.sendChanges()
                return
            } catch {
                print("sync:", (error as? CKError)?.errorCode ?? 0)
            }
        }
    }

    func list() {
        for (name, note) in disk.notes.sorted(by: { $0.key < $1.key }) {
            print("note: \(name)=\(note.text)")
        }
        print("pending: \(syncEngine.state.pendingRecordZoneChanges.count)")
    }

    /// Invites somebody to a note that is on the server.
    func share(_ name: String, with address: String) async throws {
        let container = CKContainer.default()
        let note = try await container.privateCloudDatabase.record(for: recordID(name))
        let friend = try await container.shareParticipant(forEmailAddress: address)
        friend.permission = .readWrite
        let share = CKShare(rootRecord: note)
        share[CKShare.SystemFieldKey.title] = name
        share.addParticipant(friend)
        let saved = try await container.privateCloudDatabase.modifyRecords(
            saving: [note, share], deleting: [])
        let link = (try saved.saveResults[share.recordID]?.get() as? CKShare)?.url
        print("link: \(link?.absoluteString ?? "none")")
    }

    // MARK: CKSyncEngineDelegate

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let update): disk.state = update.stateSerialization
        case .accountChange(let change): handle(change.changeType, syncEngine)
        case .fetchedDatabaseChanges(let changes):
            if changes.deletions.contains(where: { $0.zoneID == Self.zoneID }) {
                forget()
                print("zone deleted")
            }
        case .fetchedRecordZoneChanges(let changes):
            for change in changes.modifications where change.record.recordType == "Note" {
                take(change.record)
            }
            for change in changes.deletions {
                disk.notes[change.recordID.recordName] = nil
                print("deleted elsewhere: \(change.recordType) \(change.recordID.recordName)")
            }
        case .sentRecordZoneChanges(let sent): handle(sent, syncEngine)
        case .sentDatabaseChanges(let sent):
            for zone in sent.deletedZoneIDs { print("erased: \(zone.zoneName)") }
        case .willFetchChanges, .willFetchRecordZoneChanges, .didFetchRecordZoneChanges,
            .didFetchChanges, .willSendChanges, .didSendChanges:
            break
        @unknown default: print("unknown event:", event)
        }
        save()
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        let records = disk.notes.map { (recordID($0.key), record($0.key, $0.value)) }
        let byID = Dictionary(uniqueKeysWithValues: records)
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
            if let record = byID[recordID] { return record }
            syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(recordID)])
            return nil
        }
    }

    // MARK: Events

    private func handle(
        _ change: CKSyncEngine.Event.AccountChange.ChangeType, _ syncEngine: CKSyncEngine
    ) {
        switch change {
        case .signIn:
            // What was written before anybody signed in is theirs.
            let zone = CKRecordZone(zoneID: Self.zoneID)
            syncEngine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
            syncEngine.state.add(
                pendingRecordZoneChanges: disk.notes.keys.map { .saveRecord(recordID($0)) })
        case .signOut, .switchAccounts: forget()
        @unknown default: print("unknown change:", change)
        }
    }

    private func handle(
        _ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ syncEngine: CKSyncEngine
    ) {
        for record in sent.savedRecords {
            let name = record.recordID.recordName
            disk.notes[name]?.systemFields = systemFields(record)
            if disk.notes[name]?.text == record["text"] { disk.edited.remove(name) }
        }
        for id in sent.deletedRecordIDs { disk.deleted.remove(id.recordName) }
        for failed in sent.failedRecordSaves {
            let id = failed.record.recordID
            switch failed.error.code {
            case .serverRecordChanged:
                guard let server = failed.error.serverRecord else { continue }
                print("conflict: \(id.recordName)")
                disk.notes[id.recordName]?.systemFields = systemFields(server)
                syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
            case .zoneNotFound:
                let zone = CKRecordZone(zoneID: id.zoneID)
                disk.notes[id.recordName]?.systemFields = nil
                syncEngine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
                syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
            case .unknownItem:
                disk.notes[id.recordName]?.systemFields = nil
                syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
            default: print("failed: \(id.recordName) \(failed.error.errorCode)")
            }
        }
    }

    private func take(_ record: CKRecord) {
        let name = record.recordID.recordName
        let id = CKSyncEngine.PendingRecordZoneChange.saveRecord(record.recordID)
        if syncEngine.state.pendingRecordZoneChanges.contains(id) {
            // Ours is newer; it is sent on top of the server's.
            disk.notes[name]?.systemFields = systemFields(record)
        } else {
            disk.notes[name] = Note(
                text: record["text"] ?? "", systemFields: systemFields(record))
        }
    }

    private func forget() {
        disk.notes = [:]
        disk.edited = []
        disk.deleted = []
    }

    // MARK: Records

    private func recordID(_ name: String) -> CKRecord.ID {
        CKRecord.ID(recordName: name, zoneID: Self.zoneID)
    }

    private func record(_ name: String, _ note: Note) -> CKRecord {
        var record: CKRecord?
        if let data = note.systemFields,
            let coder = try? NSKeyedUnarchiver(forReadingFrom: data)
        {
            coder.requiresSecureCoding = true
            record = CKRecord(coder: coder)
        }
        let known = record ?? CKRecord(recordType: "Note", recordID: recordID(name))
        known["text"] = note.text
        return known
    }

    private func systemFields(_ record: CKRecord) -> Data {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        return coder.encodedData
    }
}

// MARK: - What others share

/// Notes of others that this person may read and write: an engine of its own follows them.
actor SharedNotes: CKSyncEngineDelegate {
    struct Disk: Codable {
        var records: [String: Data] = [:]
        var state: CKSyncEngine.State.Serialization?
    }
    private let file: URL
    private var disk: Disk
    private var records: [CKRecord.ID: CKRecord] = [:]
    private var engine: CKSyncEngine?

    init(_ file: URL) throws {
        self.file = file
        let isThere = FileManager.default.fileExists(atPath: file.path)
        disk =
            isThere
            ? try JSONDecoder().decode(Disk.self, from: Data(contentsOf: file)) : Disk()
        for data in disk.records.values {
            let record = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CKRecord.self, from: data)
            if let record = record { records[record.recordID] = record }
        }
    }

    private var syncEngine: CKSyncEngine {
        if let engine { return engine }
        var configuration = CKSyncEngine.Configuration(
            database: CKContainer.default().sharedCloudDatabase,
            stateSerialization: disk.state, delegate: self)
        configuration.automaticallySync = false
        let made = CKSyncEngine(configuration)
        engine = made
        return made
    }

    func join(_ link: URL) async throws {
        let metadata = try await CKContainer.default().shareMetadata(for: link)
        let share = try await CKContainer.default().accept(metadata)
        let names = share.participants.compactMap {
            $0.userIdentity.nameComponents?.givenName
        }
        print("joined: \(names.joined(separator: " "))")
    }

    func list() async throws {
        try await syncEngine.fetchChanges()
        for record in notes { print("shared: \(name(record))=\(text(record))") }
        print("shared notes: \(notes.count)")
    }

    func edit(_ name: String, _ text: String) async throws {
        try await syncEngine.fetchChanges()
        guard let record = notes.first(where: { self.name($0) == name }) else {
            return print("no such note: \(name)")
        }
        record["text"] = text
        syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        try await syncEngine.sendChanges()
    }

    private var notes: [CKRecord] {
        records.values.filter { $0.recordType == "Note" }
            .sorted { $0.recordID.recordName < $1.recordID.recordName }
    }
    private func name(_ record: CKRecord) -> String { record.recordID.recordName }
    private func text(_ record: CKRecord) -> String { record["text"] as? String ?? "" }

    private func save() {
        do {
            disk.records = [:]
            for record in records.values {
                disk.records[record.recordID.recordName] = try NSKeyedArchiver.archivedData(
                    withRootObject: record, requiringSecureCoding: true)
            }
            try JSONEncoder().encode(disk).write(to: file, options: .atomic)
        } catch {
            print("saving failed:", error)
        }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let update): disk.state = update.stateSerialization
        case .accountChange(let change):
            if case .signIn = change.changeType { break }
            records = [:]
        case .fetchedDatabaseChanges(let changes):
            for gone in changes.deletions {
                records = records.filter { $0.key.zoneID != gone.zoneID }
                print("no longer shared: \(gone.zoneID.zoneName)")
            }
        case .fetchedRecordZoneChanges(let changes):
            for change in changes.modifications {
                records[change.record.recordID] = change.record
            }
            for change in changes.deletions { records[change.recordID] = nil }
        case .sentRecordZoneChanges(let sent):
            for record in sent.savedRecords { records[record.recordID] = record }
            for failed in sent.failedRecordSaves {
                print("not saved: \(name(failed.record)) \(failed.error.errorCode)")
            }
        default: break
        }
        save()
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let known = records
        return await CKSyncEngine.RecordZoneChangeBatch(
            pendingChanges: syncEngine.state.pendingRecordZoneChanges
        ) { known[$0] }
    }
}

// MARK: - What outlives a launch

/// Begins to save a note; this launch ends as soon as the operation is kept.
func begin(_ name: String, _ text: String) {
    let id = CKRecord.ID(recordName: name, zoneID: NoteBook.zoneID)
    let record = CKRecord(recordType: "Note", recordID: id)
    record["text"] = text
    let operation = CKModifyRecordsOperation(recordsToSave: [record])
    let settings = CKOperation.Configuration()
    settings.isLongLived = true
    operation.configuration = settings
    operation.longLivedOperationWasPersistedBlock = {
        print("kept")
        exit(0)
    }
    operation.modifyRecordsResultBlock = { print("ended: \($0)") }
    CKContainer.default().privateCloudDatabase.add(operation)
    CloudKitConfiguration.waitUntilAllOperationsAreFinished()
}

/// Goes on with what an earlier launch began.
func resume() async throws {
    let container = CKContainer.default()
    let ids = try await container.allLongLivedOperationIDs()
    print("to go on with: \(ids.count)")
    for id in ids {
        let found = try await container.longLivedOperation(for: id)
        guard let operation = found as? CKModifyRecordsOperation else { continue }
        operation.perRecordSaveBlock = { recordID, result in
            switch result {
            case .success: print("saved: \(recordID.recordName)")
            case .failure(let error): print("failed: \(error)")
            }
        }
        container.add(operation)
    }
    let queue = DispatchQueue.global()
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
        queue.async {
            CloudKitConfiguration.waitUntilAllOperationsAreFinished()
            ended.resume()
        }
    }
}

// MARK: - Main

var words = CommandLine.arguments.dropFirst()
guard let path = words.popFirst() else { exit(64) }
let book = try NoteBook(URL(fileURLWithPath: path))
let shared = try SharedNotes(URL(fileURLWithPath: path + ".shared"))
while let verb = words.popFirst() {
    switch verb {
    case "add": await book.add(words.popFirst() ?? "?", words.popFirst() ?? "")
    case "delete": await book.delete(words.popFirst() ?? "?")
    case "sync": await book.sync()
    case "list": await book.list()
    case "erase": await book.erase()
    case "share": try await book.share(words.popFirst() ?? "?", with: words.popFirst() ?? "")
    case "join":
        guard let link = URL(string: words.popFirst() ?? "") else { exit(64) }
        try await shared.join(link)
    case "shared": try await shared.list()
    case "begin": begin(words.popFirst() ?? "?", words.popFirst() ?? "")
    case "resume": try await resume()
    case "edit": try await shared.edit(words.popFirst() ?? "?", words.popFirst() ?? "")
    default: exit(64)
    }
}
