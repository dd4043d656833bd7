// A notes app that syncs with CKSyncEngine, written as app developers write it for Apple's systems. Each
// start is one launch on a device, whose data is in the file that the first argument names.
//
//     Notes FILE add NAME TEXT … | delete NAME … | sync | list | erase
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
            for change in changes.modifications { take(change.record) }
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

var words = CommandLine.arguments.dropFirst()
guard let path = words.popFirst() else { exit(64) }
let book = try NoteBook(URL(fileURLWithPath: path))
while let verb = words.popFirst() {
    switch verb {
    case "add": await book.add(words.popFirst() ?? "?", words.popFirst() ?? "")
    case "delete": await book.delete(words.popFirst() ?? "?")
    case "sync": await book.sync()
    case "list": await book.list()
    case "erase": await book.erase()
    default: exit(64)
    }
}
