import Basics
import CloudModel
import Foundation
import MockStore
import SQLite
import Testing

/// What was sent to be encrypted is read back, and stands in no file as it was sent.
struct EncryptedFieldTests {
    private static let clock = WallClock.fixed(Timestamp(milliseconds: 1_800_000_000_000))
    private static let fields: [String: Field] = [
        "open": Field(.string("Bartholomew")),
        "text": Field(.string("Wilhelmina"), isEncrypted: true),
        "texts": Field(.list(.string, [.string("Wilhelmina"), .string("")]), isEncrypted: true),
        "bytes": Field(.bytes(Array("Wilhelmina".utf8)), isEncrypted: true),
        "number": Field(.int64(7), isEncrypted: true),
    ]

    private func open(_ path: String) throws -> StoreCommitter {
        let kept = try StoreCommitter(location: .directory(path), clock: Self.clock, seed: 3)
        let store = kept.store
        if store.users.isEmpty {
            try store.addUser(MockUser("ada"))
            try kept.commit()
        }
        return kept
    }

    private func modify(_ operations: [RecordOperation], _ kept: StoreCommitter) throws {
        let store = kept.store
        _ = try store.apply(
            .write(.modifyZones([.create(RecordZone.ID("Notes"))])), at: World.address(),
            by: .user("ada"))
        let request = RecordModifyRequest(operations: operations, zoneID: RecordZone.ID("Notes"))
        let reply = try store.apply(
            .write(.modifyRecords(request)), at: World.address(), by: .user("ada"))
        guard case .records(let records) = reply else { throw CloudError(.internalError) }
        for case .failure(_, let error) in records.records { throw error }
        try kept.commit()
    }

    private func save(_ names: [String], _ kept: StoreCommitter) throws {
        let operations = names.map { name in
            RecordOperation(
                .forceUpdate, recordName: name, recordType: "Note",
                fields: Self.fields.mapValues { .some($0) })
        }
        try modify(operations, kept)
    }

    private func read(_ name: String, _ store: MockStore) throws -> [String: Field] {
        let reply = try store.apply(
            .read(
                .lookUpRecords(
                    RecordLookupRequest(recordNames: [name], zoneID: RecordZone.ID("Notes")))),
            at: World.address(), by: .user("ada"))
        guard case .records(let records) = reply, case .record(let record)? = records.records.first
        else { throw CloudError(.internalError) }
        return record.fields
    }

    /// Whether any of the store's files holds a text.
    private func contains(_ text: String, _ path: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
            let bytes = FileManager.default.contents(atPath: path + "/" + name) ?? Data()
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    @Test func `an encrypted field is read back, and stands in no file`() throws {
        let directory = try Directory()
        do {
            let kept = try open(directory.path)
            let store = kept.store
            try save(["one", "two"], kept)
            #expect(try read("one", store) == Self.fields)
            try modify([.forceDelete("one")], kept)
            #expect(try contains("Bartholomew", directory.path), "what is open can be found")
            #expect(try !contains("Wilhelmina", directory.path))
        }
        let again = try open(directory.path).store
        #expect(try read("two", again) == Self.fields)
        #expect(try !contains("Wilhelmina", directory.path))
    }

    @Test func `a store of format 1 is read, and is of format 4 from then on`() throws {
        let directory = try Directory()
        do {
            let kept = try open(directory.path)
            let operation = RecordOperation(
                .forceUpdate, recordName: "old", recordType: "Note",
                fields: ["text": Field(.string("Wilhelmina"))])
            try modify([operation], kept)
        }
        // A row says of each field after its name whether it is encrypted.
        let path = directory.path + "/store.sqlite"
        let connection = try makeOlder(path, format: 1)
        try connection.execute(
            "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), 'text' || char(0), "
                + "'text' || char(1)) AS BLOB)")
        let store = try open(directory.path).store
        #expect(
            try read("old", store)
                == ["text": Field(.string("Wilhelmina"), isEncrypted: true)])
        #expect(
            try connection.rows("PRAGMA user_version").first?.first == .integer(4))
    }
}
